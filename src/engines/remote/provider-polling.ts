/** Operations of providers that take minutes: each is started once, and then polled until it has ended. */
import { setTimeout as wait } from 'node:timers/promises';
import { APICallError } from '@ai-sdk/provider';
import { NoAnswerError } from '../../kernel/remote-calls.ts';

/** Between two polls. */
export const POLL_MS = 2_000;
/** An operation that takes longer is given up. */
const LONGEST_WAIT_MS = 30 * 60_000;
/** Polls in a row that may go unanswered: the operation goes on meanwhile, and starting another would be paid for again. */
const MISSED_POLLS = 5;
/** Statuses of a server that is unavailable or overloaded; any other error ends the operation. */
const AWAY = [408, 429, 502, 503, 504];

/** Whether the server could not be reached, or answered with nothing about the operation. */
export function isAway(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  if (!APICallError.isInstance(error) || !error.isRetryable) return false;
  return error.statusCode === undefined || AWAY.includes(error.statusCode);
}

/**
 * Calls `poll` until it gives something else than undefined, and returns that; yields the milliseconds waited so far before
 * each pause. Throws what `poll` throws, unless the server was away for a few polls only, and when the operation takes too long.
 */
export async function* polled<T>(
  poll: () => PromiseLike<T | undefined>,
  { pollMs, signal }: { pollMs: number; signal: AbortSignal | undefined },
): AsyncGenerator<number, T> {
  let missed = 0;
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += pollMs) {
    try {
      const done = await poll();
      if (done !== undefined) return done;
      missed = 0;
    } catch (error) {
      missed += 1;
      if (missed > MISSED_POLLS || !isAway(error)) throw error;
    }
    yield waitedMs;
    await wait(pollMs, undefined, { signal });
  }
  throw new Error('The operation took too long.');
}
