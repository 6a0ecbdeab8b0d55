/**
 * What a transport says of a request: who asks, from where, under which name. It has no services: a transport reaches them
 * through operations alone, so that a rule is written once.
 */
import type { KeyedRequest, Principal } from '../src/auth/principal.ts';
import type { Log } from '../src/kernel/log.ts';
import type { Span } from '../src/kernel/spans.ts';
import type { LiveSink } from '../src/services/live/live.service.ts';

/** In whose name an operation is executed. */
export interface RequestContext {
  principal?: Principal;
  log: Log;
  requestId: string;
  /** W3C trace context that the caller sent; undefined without. */
  traceparent?: string | undefined;
  /** The request's span, where requests are traced. */
  span?: Span | undefined;
  /** The caller's address, for limits on failures. */
  address: string;
  /** The header Idempotency-Key, where what is asked has not begun it yet: GraphQL over HTTP. */
  idempotencyKey?: string;
  /** The request of an Idempotency-Key that has begun. */
  keyed?: KeyedRequest;
  /** What an earlier request with the same key did: it is answered by that, and done no second time. */
  earlierResult?: object;
  /** Where a transport wants the updates of a subscription written; without it they are iterated over. */
  sink?: LiveSink<unknown>;
}

/** Whose an Idempotency-Key is. It includes the app: apps that act for one user must not see each other's answers. */
export const idempotencyOwner = ({ userId, clientId }: Principal): string =>
  clientId ? `${userId} ${clientId}` : userId;
