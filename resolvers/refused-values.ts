/** Values of variables that no operation is begun with: null where none may be, and text that cannot be stored. */
import { type DocumentNode, GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { badInput } from '../src/kernel/errors.ts';
import { isStorable } from '../src/kernel/limits.ts';
import { placeOf, refusedNull } from './null-variables.ts';

/** Why an operation is not begun with these coerced values of its variables; undefined where it may be. */
export function refusedValue(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  values: Record<string, unknown>,
): GraphQLError | undefined {
  const odd = unstorable(document, values);
  const error = odd
    ? badInput(odd, 'has characters that are not text.')
    : refusedNull(schema, document, operation, values);
  return error && new GraphQLError(error.message, { originalError: error, extensions: { code: error.code } });
}

/** Also where several places had one, and each got its own (`takeEarlier`). */
const INPUT = /^input(?:_\d+)?$/;

/** The path of the first text that cannot be stored, from the place that its variable is given to. */
function unstorable(document: DocumentNode, values: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(values)) {
    const within = oddText(value);
    if (!within) continue;
    const place = placeOf(document, name) ?? name;
    return (INPUT.test(place) && within.length > 0 ? within : [place, ...within]).join('.');
  }
  return undefined;
}

/** Names of the fields that lead to a text that cannot be stored; undefined where there is none. */
function oddText(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  // Bytes of a form are no text.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = oddText(inner);
    if (found) return Array.isArray(value) ? found : [name, ...found];
  }
  return undefined;
}
