/** Every query, mutation and subscription of the graph as a typed document; a bundler keeps those that are used. */
export * from './generated/graphql.ts';
