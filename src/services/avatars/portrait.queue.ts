/**
 * Whose turn a free portrait is. They are drawn by the web process, one at a time and account by account, and each lets
 * paid work go first that waits for a worker of the same machine: for a while only, since a user waits for the portrait
 * too, and a worker that is gone must not keep newcomers from their first avatar.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Bulkhead, createBulkhead } from '../../kernel/bulkhead.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Platform } from '../platform/platform.port.ts';
import { waitingPaidWork } from './avatar.queries.ts';

/** For paid work that waits; the time a portrait waits for those before it counts. */
export const LONGEST_WAIT_MS = 5 * SECOND_MS;
const LOOK_MS = 100;

/** Takes accounts' portraits in turn, and lets paid work go first. */
export class PortraitQueue {
  readonly #p: Pick<Platform, 'db' | 'clock'>;
  /** The illustrator has one thread. While others wait, an account has every second turn at most. */
  readonly #bulkhead: Bulkhead = createBulkhead({ atOnce: 1, atOnceOfOne: 1, waiting: 255, waitingOfOne: 63 });

  constructor(platform: Pick<Platform, 'db' | 'clock'>) {
    this.#p = platform;
  }

  /** Draws in the account's turn. Rejects with UNAVAILABLE when too many wait, else as `draw` does. */
  async run<T>(account: string, draw: () => Promise<T>): Promise<T> {
    const endMs = this.#p.clock.now() + LONGEST_WAIT_MS;
    return this.#bulkhead({ account }, async () => {
      while (this.#p.clock.now() < endMs && (await waitingPaidWork(this.#p.db, {})).length > 0) await wait(LOOK_MS);
      return draw();
    });
  }
}
