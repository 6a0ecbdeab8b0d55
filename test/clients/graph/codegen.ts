/** graphql-codegen's client preset as its documentation begins: a schema, documents, one folder. */
export default {
  schema: '../../schema/schema.graphql',
  documents: ['graph/codegen-program.ts'],
  generates: { './generated/gql/': { preset: 'client' } },
  silent: true,
};
