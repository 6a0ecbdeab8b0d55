/** The text of a GraphQL operation, with the types of its answer and its variables. */

/**
 * A string, or what prints itself as one: the `TypedDocumentString` of graphql-codegen's client preset is one too. The types
 * are there for the compiler alone.
 */
export interface Operation<Data, Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => Data;
}

/** Whether the text changes something. Says so rather too often: a query that only mentions the word is not repeated. */
export const isMutation = (text: string): boolean => /\bmutation\b/.test(text);

/** Whether the operation has a variable for the key by which the server knows it again. */
export const hasKeyVariable = (text: string): boolean => /\$idempotencyKey\b/.test(text);

/** What a text ends with whose input has a field for that key: the key goes along as a header. */
const KEYED = '# idempotencyKey';

/** Whether the operation takes that key. */
export const takesKey = (text: string): boolean => hasKeyVariable(text) || text.endsWith(KEYED);
