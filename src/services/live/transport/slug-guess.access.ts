/** Slugs that subscriptions name: unknown ones count against who guessed them, whichever transport they came by. */
import type { DocumentNode, ExecutionResult, GraphQLError } from 'graphql';
import { guardedOf } from '../../../../resolvers/rate-limits.ts';
import type { Outcome, RateLimits } from '../../../auth/rate-limits.ts';
import { isMiss } from './socket-error.rules.ts';

/** What a viewer wants to follow. */
export interface Asked {
  address: string;
  document: DocumentNode;
  operationName: string | null | undefined;
  variables: Record<string, unknown>;
}

/** Begins a subscription within its caller's budget of misses; throws RATE_LIMITED when that is used up. */
export async function countingMisses<Results extends object>(
  rates: Pick<RateLimits, 'lookUp'>,
  { address, document, operationName, variables }: Asked,
  begin: () => Promise<Results | ExecutionResult>,
): Promise<Results | { errors: readonly GraphQLError[] }> {
  const slugs = guardedOf(document, operationName).map((field) => field.subject(variables));
  const report = await rates.lookUp(address, slugs);
  let outcome: Outcome = 'other';
  try {
    const begun = await begin();
    if (Symbol.asyncIterator in begun) {
      outcome = 'ok';
      return begun as Results;
    }
    const { errors = [] } = begun as ExecutionResult;
    if (errors.some(isMiss)) outcome = 'failed';
    return { errors };
  } finally {
    await report(slugs.map(() => outcome));
  }
}
