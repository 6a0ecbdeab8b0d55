/**
 * One attempt at a piece of work, as a job makes it: a stopping worker gives the job back, an attempt that was overtaken
 * drops what it stored and ends in silence, and the last failure is told to whoever waits. What an attempt stored that is
 * to be made again is dropped by the next one: the database may have gone away after it settled and before it said so.
 */
import { APICallError } from '@ai-sdk/provider';
import { isDecoderKilled } from '../engines/decoders/index.ts';
import { PlatformError } from '../kernel/errors.ts';
import { isOutage } from '../kernel/outages.ts';
import { NoAnswerError } from '../kernel/remote-calls.ts';
import type { Platform } from './platform.ts';

/** A worker lost its work to another attempt, or the work has ended: what it made is dropped, nothing is charged. */
export class StaleAttemptError extends Error {
  override readonly name = 'StaleAttemptError';
}

/** Why a stopping worker aborts what it does: the work has not failed, another worker goes on with it. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
  constructor() {
    super('The worker is stopping.');
  }
}

/** True when the work is cut short by a stopping worker, not by what it does. */
export const isStopping = (signal: AbortSignal | undefined): boolean => signal?.reason instanceof WorkerStopping;

/** A failure after which the next attempt waits for so many seconds. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
  readonly seconds: number;
  constructor(seconds: number, cause: Error) {
    super(cause.message, { cause });
    this.seconds = seconds;
  }
}

/** Longest wait that an upstream service may ask for before the next try, in seconds. */
const MAX_RETRY_AFTER_S = 60;

/**
 * Whether trying again may help: not when the input is at fault or has killed the decoders that read it, nor when a
 * provider says that it will refuse again. Each try there may cost money.
 */
export function mayPass(error: unknown): boolean {
  const refusal = callErrorOf(error);
  if (refusal) return refusal.isRetryable;
  return !isDecoderKilled(error) && !(error instanceof PlatformError && error.status === 400);
}

/** Answers of a gateway whose service is away, and of a service that is overloaded. */
const AWAY = new Set([429, 502, 503, 504]);

/**
 * Whether the work failed because something that it needs is away: database, store of media, remote service. It is then
 * tried again for as long as `OUTAGE_SECONDS` says, and not only as often as work that fails by itself.
 */
export function isAway(error: unknown): boolean {
  const refusal = callErrorOf(error);
  if (refusal?.statusCode !== undefined) return AWAY.has(refusal.statusCode);
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
  /** What it needs has been away so long that finding it away again is final; default as `isLastAttempt`. */
  isLastOutage?: boolean;
  /** An earlier attempt found something away: it is asked before work is done that may be lost again. */
  isAfterOutage?: boolean;
}

/** Whether an attempt that failed so ends the work. */
export function isFinal(error: unknown, { isLastAttempt, isLastOutage = isLastAttempt }: Attempts): boolean {
  return !mayPass(error) || (isAway(error) ? isLastOutage : isLastAttempt);
}

/** How long the store may take to say that it is there again. */
const STORE_ANSWERS_MS = 5_000;

/** Rejects while the store of media is away: speech and film need not be made again for nothing. */
async function storeAnswers({ store }: Pick<Platform, 'store'>): Promise<void> {
  const signal = AbortSignal.timeout(STORE_ANSWERS_MS);
  await store.missing(signal).catch((cause: unknown) => {
    // Who may write need not be allowed to ask for the bucket.
    if (isOutage(cause)) throw cause;
    if (signal.aborted) throw Object.assign(new Error('The store says nothing.', { cause }), { code: 'ETIMEDOUT' });
  });
}

/** Seconds that the work or the engine (`Retry-After`) asked to be left alone for, if it did. */
export function retryAfterS(error: unknown): number | undefined {
  if (error instanceof RetryLaterError) return error.seconds;
  if (error instanceof NoAnswerError) return Number(error.details?.retryAfterSeconds ?? 0);
  const asked = Number(callErrorOf(error)?.responseHeaders?.['retry-after'] ?? Number.NaN);
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), MAX_RETRY_AFTER_S) : undefined;
}

/** A provider's answer, thrown as it is or behind an error of ours. */
function callErrorOf(error: unknown): APICallError | undefined {
  if (APICallError.isInstance(error)) return error;
  return error instanceof PlatformError && APICallError.isInstance(error.cause) ? error.cause : undefined;
}

export interface Attempt {
  /** For the log, e.g. `{ turnId }`. */
  what: Record<string, unknown>;
  attempts: Attempts;
  /** Aborted when the worker stops. */
  signal: AbortSignal | undefined;
  /** The public sentence for a failure that is none of ours. */
  otherwise: string;
  work(): Promise<void>;
  /** Removes what this attempt stored. */
  drop(): Promise<void>;
  /** Ends the work in error, gives its hold back and removes what its attempts stored. */
  fail(message: string): Promise<void>;
}

/** Throws when trying again may help and this was not the last try; else the work has ended, well or in error. */
export async function attempt(p: Pick<Platform, 'log' | 'store'>, options: Attempt): Promise<void> {
  try {
    if (options.attempts.isAfterOutage) await storeAnswers(p);
    await options.work();
  } catch (error) {
    if (error instanceof StaleAttemptError) {
      p.log.info(options.what, 'attempt overtaken');
      return options.drop();
    }
    if (isStopping(options.signal)) throw error;
    const ends = isFinal(error, options.attempts);
    p.log.error({ err: error, ...options.what, isFinal: ends }, 'render failed');
    if (!ends) throw error;
    await options.fail(error instanceof PlatformError ? error.message : options.otherwise);
  }
}
