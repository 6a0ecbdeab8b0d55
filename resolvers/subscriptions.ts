/** Executes a subscription for one viewer, for any transport: each update is an execution of its own. */
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  getOperationAST,
  getVariableValues,
} from 'graphql';
import { runAsAccount } from '../src/kernel/work-account.ts';
import type { Context } from './context.ts';
import { refusedValue } from './execute.ts';

/** A subscription whose context is ours. */
export type SubscriptionRequest = ExecutionArgs & { contextValue: Context };

/** The updates of a subscription, or why there are none: its variables may hold what those of any operation may. */
export async function updatesOf(request: SubscriptionRequest): Promise<AsyncIterable<unknown> | ExecutionResult> {
  const { schema, document, operationName, variableValues } = request;
  const operation = getOperationAST(document, operationName);
  const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], variableValues ?? {});
  const refused = operation && coerced && refusedValue(schema, document, operation, coerced);
  // Values that cannot be coerced are refused by createSourceEventStream.
  return refused ? { errors: [refused] } : createSourceEventStream(request);
}

/**
 * The results of a subscription, or why there are none. Every update reads anew, for what was read with the one before may
 * have changed.
 */
export async function executeSubscription(
  request: SubscriptionRequest,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const updates = await updatesOf(request);
  if (!(Symbol.asyncIterator in updates)) return updates;
  const source = updates[Symbol.asyncIterator]();
  const { contextValue: context } = request;
  const account = context.principal?.userId ?? context.address;
  const shown = (rootValue: unknown): Promise<ExecutionResult> =>
    runAsAccount(account, async () =>
      execute({ ...request, rootValue, contextValue: { ...context, loaders: context.loaders.anew() } }),
    );
  // By hand: a parked async generator never ends.
  const results: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      const { value, done } = await source.next();
      return done ? { value: undefined, done } : { value: await shown(value), done: false };
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
