/**
 * A bulkhead: a few pieces of work at a time: work beyond `atOnce` waits in order, and beyond `waiting` it is refused, so
 * that a burst neither takes every core nor piles up without bound. It knows nothing of what the work is.
 */
import { PlatformError } from './errors.ts';

export interface BulkheadOptions {
  /** Pieces of work running together. */
  atOnce: number;
  /** Pieces of work waiting; more are refused with UNAVAILABLE. */
  waiting: number;
}

export type Bulkhead = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Rejects with UNAVAILABLE when too many wait, with the signal's reason when it aborts a wait, else as `work` does. */
export function createBulkhead({ atOnce, waiting }: BulkheadOptions): Bulkhead {
  let running = 0;
  const queue: (() => void)[] = [];

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (queue.length >= waiting) throw new PlatformError('UNAVAILABLE', 'Too much is being made: try again later.');
    const turn = Promise.withResolvers<void>();
    const leave = () => {
      const place = queue.indexOf(turn.resolve);
      if (place >= 0) queue.splice(place, 1);
      turn.reject(signal!.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    queue.push(turn.resolve);
    await turn.promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  return async (work, signal) => {
    await enter(signal);
    try {
      return await work();
    } finally {
      // Whoever waited longest takes the place over: `running` stays.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
