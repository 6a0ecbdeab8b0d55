/**
 * Mutations that may be sent again: sent twice with the same key they act and charge once, and answer both times with that
 * result. The key is the input's `idempotencyKey`, or the header Idempotency-Key of the whole request. REST has claimed it before
 * it executes the mutation.
 */
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { type MiddlewareFn, UseMiddleware } from 'type-graphql';
import { badInput } from '../src/kernel/errors.ts';
import { sha256 } from '../src/kernel/ids.ts';
import type { Context } from './context.ts';
import { idempotencyOwner } from './request-context.ts';

/** Characters that a key may have. */
export const IDEMPOTENCY_KEY_CHARS = 255;

/** An input as a text; credits are bigint, which JSON does not know. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));

/** The input of such a mutation. */
interface KeyedInput {
  idempotencyKey?: string | null;
  visitorToken?: string | null;
}

/** An anonymous visitor of an avatar's page is known by their token alone. */
function callerOf({ principal }: Context, { visitorToken }: KeyedInput): string | undefined {
  if (principal) return idempotencyOwner(principal);
  return visitorToken ? `visitor ${sha256(visitorToken)}` : undefined;
}

/** Mutations with a key, by name, and whether their answer holds a secret. */
const keyed = new Map<string, { isSecret: boolean }>();

/** Whether the answer of the mutation of this name holds a secret that is shown once. */
export const answersSecret = (mutation: string): boolean => keyed.get(mutation)?.isSecret ?? false;

/** Mutations of an operation that take a key. */
function keyedFields({ operation, fragments }: GraphQLResolveInfo): number {
  const within = (set: SelectionSetNode): number =>
    set.selections.reduce((sum, node) => {
      if (node.kind === Kind.FIELD) return sum + (keyed.has(node.name.value) ? 1 : 0);
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value];
      return sum + (fragment ? within(fragment.selectionSet) : 0);
    }, 0);
  return within(operation.selectionSet);
}

/** The key of a mutation: its own, or else that of the header. Two keys for one mutation are a mistake. */
function keyOf({ context, args, info }: { context: Context; args: { input?: KeyedInput }; info: GraphQLResolveInfo }) {
  if (context.keyed) return undefined;
  const own = args.input?.idempotencyKey;
  const { idempotencyKey: inHeader } = context;
  if (own != null && inHeader !== undefined && own !== inHeader && keyedFields(info) === 1) {
    throw badInput('idempotencyKey', 'is another key than the header Idempotency-Key has: give one.');
  }
  return own ?? inHeader;
}

const once: MiddlewareFn<Context> = async (action, next) => {
  const { context, args, info } = action;
  if (context.earlierResult) return context.earlierResult;
  const key = keyOf({ context, args, info });
  const { idempotencyKey: _, ...input } = (args.input ?? {}) as KeyedInput;
  const caller = callerOf(context, input);
  if (key == null || caller === undefined) return next();
  if (key.length === 0 || key.length > IDEMPOTENCY_KEY_CHARS) {
    throw badInput('idempotencyKey', `must have 1 to ${IDEMPOTENCY_KEY_CHARS} characters.`);
  }
  const { idempotency } = context.services;
  const begun = await idempotency.beginResult(
    caller,
    key,
    sha256(textOf([info.fieldName, { input }])),
    answersSecret(info.fieldName),
  );
  if (begun.result) return begun.result;
  const note = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => context.log.error({ err: error }, 'idempotency key not written'));
  action.context = { ...context, keyed: begun.request };
  action.args = { input };
  try {
    const result = await next();
    // A service that charges has stored the result already, in the transaction that charged.
    await note(idempotency.keep(begun.request, result));
    return result;
  } catch (error) {
    await note(idempotency.release(begun.request));
    throw error;
  }
};

/**
 * A mutation whose input has `idempotencyKey`. The transaction that acts also stores the result with the key (`keepResult`),
 * sealed where it holds a secret that is shown once.
 */
export function Idempotent({ isSecret = false } = {}): MethodDecorator {
  return (target, name, descriptor) => {
    keyed.set(String(name), { isSecret });
    (UseMiddleware(once) as MethodDecorator)(target, name, descriptor);
  };
}
