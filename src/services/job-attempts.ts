/**
 * One attempt at a piece of work, as a job makes it: a stopping worker gives the job back, an attempt that was overtaken
 * drops what it stored and ends in silence, and the last failure is told to whoever waits. What an attempt stored that is
 * to be made again is dropped by the next one: the database may have gone away after it settled and before it said so.
 */
import { APICallError } from '@ai-sdk/provider';
import { isDecoderKilled } from '../engines/decoders/index.ts';
import { PlatformError } from '../kernel/errors.ts';
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
  isLastAttempt: boolean;
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
export async function attempt(log: Platform['log'], options: Attempt): Promise<void> {
  try {
    await options.work();
  } catch (error) {
    if (error instanceof StaleAttemptError) return options.drop();
    if (isStopping(options.signal)) throw error;
    const isFinal = options.isLastAttempt || !mayPass(error);
    log.error({ err: error, ...options.what, isFinal }, 'render failed');
    if (!isFinal) throw error;
    await options.fail(error instanceof PlatformError ? error.message : options.otherwise);
  }
}
