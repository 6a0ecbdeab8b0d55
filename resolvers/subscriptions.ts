/** What a subscription yields: where its updates come from, and each update made a result. */
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
} from 'graphql';
import { refusedValue } from './refused-values.ts';

/** The updates of a subscription, or why there are none: its variables may hold what those of any operation may. */
export async function updatesOf(request: ExecutionArgs): Promise<AsyncIterable<unknown> | ExecutionResult> {
  const { schema, document, operationName, variableValues } = request;
  const operation = getOperationAST(document, operationName);
  const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], variableValues ?? {});
  const refused = operation && coerced && refusedValue(schema, document, operation, coerced);
  // Values that cannot be coerced are refused by createSourceEventStream.
  return refused ? { errors: [refused] } : createSourceEventStream(request);
}

/** The updates as `show` shows them, one after another. */
export function resultsOf(
  updates: AsyncIterable<unknown>,
  show: (update: unknown) => Promise<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  const source = updates[Symbol.asyncIterator]();
  // By hand: a parked async generator never ends.
  const results: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      const { value, done } = await source.next();
      return done ? { value: undefined, done } : { value: await show(value), done: false };
    },
    async return() {
      await source.return?.();
      return { value: undefined, done: true };
    },
    async throw(error) {
      await source.return?.();
      throw error;
    },
    [Symbol.asyncIterator]: () => results,
  };
  return results;
}
