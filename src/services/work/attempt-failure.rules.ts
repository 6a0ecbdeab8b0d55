/**
 * What a failed attempt means: whether another one may succeed, how long it waits, and which failures end the work. It
 * decides by the error alone.
 */
import { APICallError } from '@ai-sdk/provider';
import { isDecoderKilled } from '../../engines/decoders/index.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { isOutage } from '../../kernel/outages.ts';
import { NoAnswerError } from '../../kernel/remote-calls.ts';

/** Another attempt has taken the work, or the work has ended: what this attempt made is removed, nothing is charged. */
export class StaleAttemptError extends Error {
  override readonly name = 'StaleAttemptError';
}

/** The reason of the abort when a worker stops: the work has not failed, another worker continues it. */
export class WorkerStoppingError extends Error {
  override readonly name = 'WorkerStoppingError';
  constructor() {
    super('The worker is stopping.');
  }
}

/** True when the work was aborted because its worker stops, and not by an error of its own. */
export const isStopping = (signal: AbortSignal | undefined): boolean => signal?.reason instanceof WorkerStoppingError;

/** A failure after which the next attempt waits for so many seconds. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
  readonly seconds: number;
  constructor(seconds: number, cause: Error) {
    super(cause.message, { cause });
    this.seconds = seconds;
  }
}

/** Longest wait before the next attempt that an upstream service may ask for, in seconds. */
const MAX_RETRY_AFTER_S = 60;

/**
 * Whether another attempt may succeed. Not when the input is wrong or has killed the decoders that read it, and not when
 * a provider says that it would refuse again: each attempt there may cost money.
 */
function isRetryable(error: unknown): boolean {
  const refusal = callErrorOf(error);
  if (refusal) return refusal.isRetryable;
  return !isDecoderKilled(error) && !(error instanceof PlatformError && error.status === 400);
}

/** Statuses of a gateway whose service is down, and of a service that is overloaded. */
const DOWN_STATUSES = new Set([429, 502, 503, 504]);

/**
 * Whether the work failed because something it needs is down: the database, the media store or a remote service. Such
 * work is retried for `OUTAGE_SECONDS`; work that fails by itself is retried a fixed number of times.
 */
export function isDependencyDown(error: unknown): boolean {
  const refusal = callErrorOf(error);
  if (refusal?.statusCode !== undefined) return DOWN_STATUSES.has(refusal.statusCode);
  if (error instanceof PlatformError && error.status === 400) return false;
  return (
    error instanceof NoAnswerError ||
    (error instanceof PlatformError && error.code === 'UNAVAILABLE') ||
    isOutage(error)
  );
}

/** What a job knows of the attempts before this one. */
export interface Attempts {
  /** The work failed by itself so often that another such failure is final. */
  isLastAttempt: boolean;
  /** The outage has lasted so long that another such failure is final; default as `isLastAttempt`. */
  isLastOutage?: boolean;
  /** An earlier attempt met an outage: this one first checks that the media store answers. */
  isAfterOutage?: boolean;
}

/** Whether an attempt that failed so ends the work. */
export function isFinal(error: unknown, { isLastAttempt, isLastOutage = isLastAttempt }: Attempts): boolean {
  return !isRetryable(error) || (isDependencyDown(error) ? isLastOutage : isLastAttempt);
}

/** Seconds to wait before the next attempt, as the work or an engine's `Retry-After` asked; undefined when neither did. */
export function retryAfterS(error: unknown): number | undefined {
  if (error instanceof RetryLaterError) return error.seconds;
  if (error instanceof NoAnswerError) return Number(error.details?.retryAfterSeconds ?? 0);
  const asked = Number(callErrorOf(error)?.responseHeaders?.['retry-after'] ?? Number.NaN);
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), MAX_RETRY_AFTER_S) : undefined;
}

/** The provider's error: the thrown one, or its cause. */
function callErrorOf(error: unknown): APICallError | undefined {
  if (APICallError.isInstance(error)) return error;
  return error instanceof PlatformError && APICallError.isInstance(error.cause) ? error.cause : undefined;
}
