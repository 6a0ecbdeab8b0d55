/**
 * The limits on failures, at the one place every door passes: the executor. A root field in the table is refused while
 * its caller's budget of failures is used up, and each failure of the named kind costs a point.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { RateLimits, RateName } from '../src/auth/rate-limits.ts';
import { type ErrorCode, PlatformError } from '../src/kernel/errors.ts';
import type { ExecuteRequest, Executor } from './execute.ts';

interface Budget {
  rate: RateName;
  /** The failures that cost a point; 'any' counts every call. */
  on: readonly ErrorCode[] | 'any';
  /** Guesses of one address are tried one after another, so that a burst of them cannot outrun the count. */
  inTurn?: true;
}

const SLUG_MISS: Budget = { rate: 'slugMiss', on: ['NOT_FOUND'] };

export const FAILURE_BUDGETS: Readonly<Record<string, Budget>> = {
  signIn: { rate: 'signIn', on: ['UNAUTHENTICATED'], inTurn: true },
  signUp: { rate: 'signUp', on: 'any' },
  // Guessed secrets; a used-up code is no guess, and a hundred parallel exchanges of one code are one mistake.
  oauthToken: { rate: 'token', on: ['INVALID_CLIENT'], inTurn: true },
  oauthRevoke: { rate: 'token', on: ['INVALID_CLIENT'], inTurn: true },
  // Free, and yet somebody's processor.
  voiceSample: { rate: 'voiceSample', on: 'any' },
  conversationBySlug: SLUG_MISS,
  conversationTag: SLUG_MISS,
  turnBySlug: SLUG_MISS,
  clipCard: SLUG_MISS,
  speechCard: SLUG_MISS,
  sharedVideo: SLUG_MISS,
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
  const fields = rootFields(document, getOperationAST(document, operationName)?.selectionSet);
  const guarded = fields.flatMap((node) => {
    const budget = FAILURE_BUDGETS[node.name.value];
    return budget ? [{ budget, name: node.alias?.value ?? node.name.value }] : [];
  });
  byName.set(name, guarded);
  return guarded;
}

/** The fields of a selection, those of its fragments too: a fragment at the root is no way round a limit. */
function rootFields(document: DocumentNode, selection: SelectionSetNode | undefined): FieldNode[] {
  return (selection?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    if (node.kind === Kind.INLINE_FRAGMENT) return rootFields(document, node.selectionSet);
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value,
    );
    return rootFields(document, (fragment as FragmentDefinitionNode | undefined)?.selectionSet);
  });
}

/** The executor, refusing callers who have failed too often. */
export function limitFailures(executor: Executor, limits: RateLimits): Executor {
  const inTurn = createTurns();

  async function guard(request: ExecuteRequest, guarded: readonly Guarded[]): Promise<ExecutionResult> {
    const { address } = request.context;
    try {
      for (const { budget } of guarded) {
        const points = guarded.filter((other) => other.budget.rate === budget.rate).length;
        if (budget.on === 'any') await limits.count(budget.rate, address);
        else await limits.check(budget.rate, address, points);
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
  }

  return {
    ...executor,
    execute(request) {
      const guarded = guardedOf(request.document, request.operationName);
      if (guarded.length === 0) return executor.execute(request);
      const waits = guarded.some(({ budget }) => budget.inTurn);
      return waits ? inTurn(request.context.address, () => guard(request, guarded)) : guard(request, guarded);
    },
  };
}

/** Runs work of one key one after another; different keys do not wait for each other. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
