/**
 * One attempt at a piece of work, run by a job. A stopping worker gives the job back. An attempt that was overtaken
 * removes the files it stored and ends without an error. The last failure is reported to the caller. Files of an attempt
 * whose work is done again are removed by the next attempt, because the database may go away after an attempt has
 * settled and before its commit was confirmed.
 */
import { APICallError } from '@ai-sdk/provider';
import { isDecoderKilled } from '../../engines/decoders/index.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { isOutage } from '../../kernel/outages.ts';
import { NoAnswerError } from '../../kernel/remote-calls.ts';
import { countFailure } from '../../kernel/work-metrics.ts';
import type { Platform } from '../platform/platform.port.ts';

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

/** How long the media store may take to answer that check. */
const STORE_ANSWERS_MS = 5_000;

/** Rejects while the media store is down, so that no speech or video is made that cannot be stored. */
async function requireStore({ store }: Pick<Platform, 'store'>): Promise<void> {
  const signal = AbortSignal.timeout(STORE_ANSWERS_MS);
  await store.missing(signal).catch((cause: unknown) => {
    // Credentials that may write objects need not be allowed to ask about the bucket.
    if (isOutage(cause)) throw cause;
    if (signal.aborted) throw Object.assign(new Error('The store says nothing.', { cause }), { code: 'ETIMEDOUT' });
  });
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

/** What an attempt does, and how it ends. */
export interface AttemptOptions {
  /** Fields of its log lines, e.g. `{ turnId }`. */
  what: Record<string, unknown>;
  attempts: Attempts;
  /** Aborted when the worker stops. */
  signal: AbortSignal | undefined;
  /** The public message where the failure has none of its own (any error but a `PlatformError`). */
  otherwise: string;
  work(): Promise<void>;
  /** Removes the files this attempt stored. */
  removeMedia(): Promise<void>;
  /** Ends the work in error, releases its hold and removes the files of all its attempts. */
  fail(message: string): Promise<void>;
}

/** Runs one attempt. Throws when it failed and another one may follow; otherwise the work has ended, ready or in error. */
export async function runAttempt(p: Pick<Platform, 'log' | 'store'>, options: AttemptOptions): Promise<void> {
  try {
    if (options.attempts.isAfterOutage) await requireStore(p);
    await options.work();
  } catch (error) {
    if (error instanceof StaleAttemptError) {
      p.log.info(options.what, 'attempt overtaken');
      return options.removeMedia();
    }
    if (isStopping(options.signal)) throw error;
    const ends = isFinal(error, options.attempts);
    p.log.error({ err: error, ...options.what, isFinal: ends }, 'render failed');
    if (!ends) throw error;
    await options.fail(error instanceof PlatformError ? error.message : options.otherwise);
    countFailure();
  }
}
