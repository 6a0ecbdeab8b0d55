/**
 * One attempt at a piece of media work, as a job makes it: what it made is dropped when it fails, a stopping worker gives
 * the job back, an attempt that was overtaken ends in silence, and the last failure is told to whoever waits.
 */
import { APICallError } from '@ai-sdk/provider';
import { PlatformError } from '../kernel/errors.ts';
import type { Platform } from './platform.ts';

/** A worker lost its work to another attempt, or the work has ended: what it made is dropped, nothing is charged. */
export class StaleAttemptError extends Error {
  override readonly name = 'StaleAttemptError';
}

export interface Attempt {
  /** For the log, e.g. `{ turnId }`. */
  what: Record<string, unknown>;
  isLastTry: boolean;
  /** Aborted when the worker stops. */
  signal: AbortSignal | undefined;
  /** The public sentence for a failure that is none of ours. */
  otherwise: string;
  work(): Promise<void>;
  /** Removes what this attempt stored. */
  drop(): Promise<void>;
  /** Ends the work in error and gives its hold back. */
  fail(message: string): Promise<void>;
}

/** Throws when trying again may help and this was not the last try; else the work has ended, well or in error. */
export async function attempt(log: Platform['log'], options: Attempt): Promise<void> {
  try {
    await options.work();
  } catch (error) {
    await options.drop();
    if (options.signal?.aborted) throw error;
    if (error instanceof StaleAttemptError) return;
    const isFinal = options.isLastTry || isRefusal(error);
    log.error({ err: error, ...options.what, isFinal }, 'render failed');
    if (!isFinal) throw error;
    await options.fail(error instanceof PlatformError ? error.message : options.otherwise);
  }
}

/** What was asked for cannot be made: by our own rules, or because a provider refuses it. Each try there may cost money. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false;
  return error.status === 400 || (APICallError.isInstance(error.cause) && !error.cause.isRetryable);
}
