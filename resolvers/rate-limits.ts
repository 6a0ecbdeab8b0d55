/**
 * The limits on failures, at the one place every door passes: the executor. A root field in the table is refused while
 * its caller's budget of failures is used up, and each failure of the named kind costs a point.
 */
import { type DocumentNode, GraphQLError, getOperationAST, Kind } from 'graphql';
import type { RateLimits, RateName } from '../src/auth/rate-limits.ts';
import { type ErrorCode, PlatformError } from '../src/kernel/errors.ts';
import type { Executor } from './execute.ts';

interface Budget {
  rate: RateName;
  /** The failures that cost a point; 'any' counts every call. */
  on: readonly ErrorCode[] | 'any';
}

const SLUG_MISS: Budget = { rate: 'slugMiss', on: ['NOT_FOUND'] };

export const FAILURE_BUDGETS: Readonly<Record<string, Budget>> = {
  signIn: { rate: 'signIn', on: ['UNAUTHENTICATED'] },
  signUp: { rate: 'signUp', on: 'any' },
  // Guessed secrets; a used-up code is no guess, and a hundred parallel exchanges of one code are one mistake.
  oauthToken: { rate: 'token', on: ['INVALID_CLIENT'] },
  oauthRevoke: { rate: 'token', on: ['INVALID_CLIENT'] },
  // Free, and yet somebody's processor.
  voiceSample: { rate: 'voiceSample', on: 'any' },
  conversationBySlug: SLUG_MISS,
  conversationTag: SLUG_MISS,
  turnBySlug: SLUG_MISS,
  clipCard: SLUG_MISS,
  idleClip: SLUG_MISS,
  translatedCaption: { rate: 'translation', on: 'any' },
};

const codeOf = (error: GraphQLError): string | undefined =>
  error.originalError instanceof PlatformError ? error.originalError.code : undefined;

interface Guarded {
  budget: Budget;
  name: string;
}

/** Root fields of an operation that have a budget; a REST row's document is the same one for every request. */
const known = new WeakMap<DocumentNode, Map<string, Guarded[]>>();

function guardedOf(document: DocumentNode, operationName: string | null | undefined): Guarded[] {
  const byName = known.get(document) ?? new Map<string, Guarded[]>();
  known.set(document, byName);
  const name = operationName ?? '';
  const found = byName.get(name);
  if (found) return found;
  const fields =
    getOperationAST(document, operationName)?.selectionSet.selections.flatMap((node) =>
      node.kind === Kind.FIELD ? [node] : [],
    ) ?? [];
  const guarded = fields.flatMap((node) => {
    const budget = FAILURE_BUDGETS[node.name.value];
    return budget ? [{ budget, name: node.alias?.value ?? node.name.value }] : [];
  });
  byName.set(name, guarded);
  return guarded;
}

/** The executor, refusing callers who have failed too often. */
export function limitFailures(executor: Executor, limits: RateLimits): Executor {
  return {
    ...executor,
    async execute(request) {
      const guarded = guardedOf(request.document, request.operationName);
      if (guarded.length === 0) return executor.execute(request);
      const { address } = request.context;
      try {
        for (const { budget } of guarded) {
          if (budget.on === 'any') await limits.count(budget.rate, address);
          else await limits.check(budget.rate, address);
        }
      } catch (error) {
        return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] };
      }
      const result = await executor.execute(request);
      for (const { budget, name } of guarded) {
        const failure = result.errors?.find((error) => error.path?.[0] === name);
        if (!failure || budget.on === 'any') continue;
        // The point is taken; that it was the last is the next call's business.
        if (budget.on.includes(codeOf(failure) as ErrorCode)) await limits.count(budget.rate, address).catch(() => {});
      }
      return result;
    },
  };
}
