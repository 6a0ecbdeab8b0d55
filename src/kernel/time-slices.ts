/**
 * Long work on the event loop, a slice at a time: between two slices, of whosever work, other requests are served. For
 * work that is too small for a thread of its own and, by many callers at once, too much for one go.
 */
import { setImmediate as nextRound } from 'node:timers/promises';

const SLICE_MS = 10;

let last: Promise<void> = Promise.resolve();

/** Resolves in a round of the event loop that no other slice begins in. */
function ownRound(): Promise<void> {
  last = last.then(() => nextRound());
  return last;
}

/** For one piece of work: what to await before each of its steps. It waits before the first, and where a slice is over. */
export function timeSlices(): () => Promise<void> {
  let began = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await ownRound();
    began = performance.now();
  };
}
