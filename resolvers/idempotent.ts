/**
 * Mutations that may be sent again: with the same key they answer what was done, and do it, and charge for it, once. The key
 * is the input's `idempotencyKey`, or the header Idempotency-Key of the whole request; REST has begun it already.
 */
import { type MiddlewareFn, UseMiddleware } from 'type-graphql';
import { badInput } from '../src/kernel/errors.ts';
import { sha256 } from '../src/kernel/ids.ts';
import { type Context, idempotencyOwner } from './context.ts';

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

const once: MiddlewareFn<Context> = async (action, next) => {
  const { context, args, info } = action;
  if (context.earlierResult) return context.earlierResult;
  const { idempotencyKey, ...input } = args.input as KeyedInput;
  const key = context.keyed ? undefined : (idempotencyKey ?? context.idempotencyKey);
  const caller = callerOf(context, input);
  if (key == null || caller === undefined) return next();
  if (key.length === 0 || key.length > IDEMPOTENCY_KEY_CHARS) {
    throw badInput('idempotencyKey', `must have 1 to ${IDEMPOTENCY_KEY_CHARS} characters.`);
  }
  const { idempotency } = context.services;
  const begun = await idempotency.beginResult(caller, key, sha256(textOf([info.fieldName, { input }])));
  if (begun.result) return begun.result;
  const note = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => context.log.error({ err: error }, 'idempotency key not written'));
  action.context = { ...context, keyed: begun.request };
  action.args = { input };
  try {
    const result = await next();
    // What charges has written it already, with the charge.
    await note(idempotency.keep(begun.request, result));
    return result;
  } catch (error) {
    await note(idempotency.release(begun.request));
    throw error;
  }
};

/**
 * A mutation whose input has `idempotencyKey`. What it does in one transaction, that transaction writes to the key
 * (`keepResult`).
 */
export const Idempotent = (): MethodDecorator => UseMiddleware(once);
