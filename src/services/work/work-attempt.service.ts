/**
 * One attempt at a piece of work, run by a job. A stopping worker gives the job back. An attempt that was overtaken
 * removes the files it stored and ends without an error. The last failure is reported to the caller. Files of an attempt
 * whose work is done again are removed by the next attempt, because the database may go away after an attempt has
 * settled and before its commit was confirmed.
 */
import { isRefusal, PlatformError } from '../../kernel/errors.ts';
import { refusalFields } from '../../kernel/log.ts';
import { isOutage } from '../../kernel/outages.ts';
import { countFailure } from '../../kernel/work-metrics.ts';
import type { Platform } from '../platform/platform.port.ts';
import { type Attempts, isFinal, isStopping, StaleAttemptError } from './attempt-failure.rules.ts';

/** How long the media store may take to answer `requireStore`. */
const STORE_ANSWERS_MS = 5_000;

/** Rejects while the media store is down, so that no speech or video is made that cannot be stored. */
async function requireStore({ store }: Pick<Platform, 'store'>): Promise<void> {
  const signal = AbortSignal.timeout(STORE_ANSWERS_MS);
  await store.missing(signal).catch((cause: unknown) => {
    // Credentials that may write objects need not be allowed to ask about the bucket.
    if (isOutage(cause)) throw cause;
    if (signal.aborted)
      throw Object.assign(new Error('The media store does not answer.', { cause }), { code: 'ETIMEDOUT' });
  });
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
    if (isRefusal(error)) p.log.info({ ...options.what, ...refusalFields(error) }, 'render refused');
    else p.log.error({ err: error, ...options.what, isFinal: ends }, 'render failed');
    if (!ends) throw error;
    await options.fail(error instanceof PlatformError ? error.message : options.otherwise);
    if (!isRefusal(error)) countFailure();
  }
}
