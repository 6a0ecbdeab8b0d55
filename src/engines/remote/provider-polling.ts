/** Operations of providers that take minutes: each is started once, and then polled until it has ended. */
import { setTimeout as wait } from 'node:timers/promises';
import { APICallError } from '@ai-sdk/provider';
import { NoAnswerError } from '../../kernel/remote-calls.ts';

/** Between two polls. */
export const POLL_MS = 2_000;
/** An operation that takes longer is given up, however long the polls themselves take. */
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
 * Calls `poll` until it gives something else than undefined, and returns that; yields the milliseconds that have passed before
 * each pause. Throws what `poll` throws, unless the server was away for a few polls only, and when the operation takes too long:
 * never without a last poll, so that a process that stood still loses nothing. @param now a clock that is never set
 */
export async function* polled<T>(
  poll: () => PromiseLike<T | undefined>,
  {
    pollMs,
    signal,
    now = () => performance.now(),
  }: { pollMs: number; signal: AbortSignal | undefined; now?: () => number },
): AsyncGenerator<number, T> {
  let missed = 0;
  for (const begunAtMs = now(); ; ) {
    try {
      const done = await poll();
      if (done !== undefined) return done;
      missed = 0;
    } catch (error) {
      missed += 1;
      if (missed > MISSED_POLLS || !isAway(error)) throw error;
    }
    const waitedMs = now() - begunAtMs;
    if (waitedMs >= LONGEST_WAIT_MS) throw new Error('The operation took too long.');
    yield waitedMs;
    await wait(pollMs, undefined, { signal });
  }
}
