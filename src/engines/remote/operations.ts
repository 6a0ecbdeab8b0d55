/** Work that a provider does while one waits: it is asked for once, and looked at until it has ended. */
import { setTimeout as wait } from 'node:timers/promises';
import { APICallError } from '@ai-sdk/provider';
import { NoAnswerError } from '../../kernel/remote-calls.ts';

/** Between two looks. */
export const POLL_MS = 2_000;
/** After this an operation is given up. */
const LONGEST_WAIT_MS = 30 * 60_000;
/** Looks in a row that may go unanswered: the operation goes on, and another one would be paid for again. */
const MISSED_LOOKS = 5;
/** Answers of a server that is away or has too much to do; any other is the operation's end. */
const AWAY = [408, 429, 502, 503, 504];

/** The server could not be reached, or answers for a while with no word of the operation. */
export function isAway(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  if (!APICallError.isInstance(error) || !error.isRetryable) return false;
  return error.statusCode === undefined || AWAY.includes(error.statusCode);
}

/**
 * Yields the milliseconds waited so far before each pause; returns what `look` gives when that is not undefined. Rejects
 * as `look` does, once it was away too often, and when the operation takes too long.
 */
export async function* looked<T>(
  look: () => PromiseLike<T | undefined>,
  { pollMs, signal }: { pollMs: number; signal: AbortSignal | undefined },
): AsyncGenerator<number, T> {
  let missed = 0;
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += pollMs) {
    try {
      const done = await look();
      if (done !== undefined) return done;
      missed = 0;
    } catch (error) {
      missed += 1;
      if (missed > MISSED_LOOKS || !isAway(error)) throw error;
    }
    yield waitedMs;
    await wait(pollMs, undefined, { signal });
  }
  throw new Error('The operation took too long.');
}
