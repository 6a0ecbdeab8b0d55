/**
 * A bulkhead: a few pieces of work at a time: work beyond `atOnce` waits in order (p-limit), and beyond `waiting` it is
 * refused, so that a burst neither takes every core nor piles up without bound. Accounts share it: each has its own part,
 * and what is beyond that waits behind the account's own. It knows nothing of what the work is.
 *
 * Three limit what one account may have: this one, work that a request waits for; `AccountSlots` (`kernel/work-account.ts`),
 * what is beyond an account's own part of a queue; `AccountShares` (`src/jobs/account-shares.ts`), jobs of a worker.
 */
import { addAbortListener } from 'node:events';
import pLimit, { type LimitFunction } from 'p-limit';
import { busy } from './errors.ts';

/** How many pieces of work run at once, and how many may wait. */
export interface BulkheadOptions {
  /** Pieces of work running together. */
  atOnce: number;
  /** Of those, one account's: with one less than `atOnce` the next account finds a free one. */
  atOnceOfOne: number;
  /** Pieces of work waiting; more are refused with UNAVAILABLE. */
  waiting: number;
  /** Of those, one account's. */
  waitingOfOne: number;
}

/** The account that asks for the work, and the signal that ends its waiting. */
export interface Asked {
  account: string;
  signal?: AbortSignal;
}

/** Runs work as soon as there is a free place; rejects when too much waits. */
export type Bulkhead = <T>(asked: Asked, work: () => Promise<T>) => Promise<T>;

/** What an account has under way, waiting included. */
interface Part {
  limit: LimitFunction;
  count: number;
}

/** Rejects with UNAVAILABLE when too many wait, with the signal's reason when it aborts a wait, else as `work` does. */
export function createBulkhead({ atOnce, atOnceOfOne, waiting, waitingOfOne }: BulkheadOptions): Bulkhead {
  const limit = pLimit(atOnce);
  const parts = new Map<string, Part>();
  let count = 0;
  return async ({ account, signal }, work) => {
    signal?.throwIfAborted();
    const part = parts.get(account) ?? { limit: pLimit(atOnceOfOne), count: 0 };
    if (count >= atOnce + waiting || part.count >= atOnceOfOne + waitingOfOne) {
      throw busy('Too much is being made: try again later.');
    }
    parts.set(account, part);
    part.count += 1;
    count += 1;
    const aborted = Promise.withResolvers<never>();
    const waits = signal && addAbortListener(signal, () => aborted.reject(signal.reason));
    const begin = () => {
      waits?.[Symbol.dispose]();
      // The entry of a caller who left stays in the queue until its turn, and then does nothing.
      signal?.throwIfAborted();
      return work();
    };
    const done = part
      .limit(() => limit(begin))
      .finally(() => {
        count -= 1;
        part.count -= 1;
        if (part.count === 0) parts.delete(account);
      });
    return Promise.race([done, aborted.promise]);
  };
}
