/**
 * Whose work is under way: queues that work waits in far below the job or request that asked (connections, threads, remote
 * addresses) share themselves between accounts by it. It decides nobody's rights, and nothing is charged by it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Work {
  account: string;
  /** It runs in a slot of `AccountSlots` already: what it asks for within takes no other one, for which it might wait for itself. */
  hasSlot: boolean;
}

const storage = new AsyncLocalStorage<Work>();

/** Does the work, and all that it awaits, as that of an account; callers without one are known by their address. */
export function runAsAccount<T>(account: string, work: () => T): T {
  return storage.run({ account, hasSlot: false }, work);
}

/** The account that the work under way is for; undefined for the instance's own. */
export function currentAccount(): string | undefined {
  return storage.getStore()?.account;
}

/** What an account has under way, and how those that wait begin. */
interface Slots {
  running: number;
  waiting: (() => void)[];
}

/**
 * How much of something one account may have at once, whatever others have: what is beyond that waits behind the
 * account's own, in order, before it waits in the queue of all. `kernel/bulkhead.ts` names its two kin.
 */
export class AccountSlots {
  readonly #ofOne: number;
  readonly #accounts = new Map<string, Slots>();

  constructor(ofOne: number) {
    this.#ofOne = ofOne;
  }

  /** Does the work once the account of the work under way has a slot; the instance's own has no bound. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const mine = storage.getStore();
    if (!mine || mine.hasSlot) return work();
    const { account } = mine;
    const slots = this.#accounts.get(account) ?? { running: 0, waiting: [] };
    this.#accounts.set(account, slots);
    if (slots.running >= this.#ofOne) await new Promise<void>((begin) => slots.waiting.push(begin));
    else slots.running += 1;
    try {
      return await storage.run({ account, hasSlot: true }, work);
    } finally {
      // The slot passes on to the next one as it is.
      const next = slots.waiting.shift();
      if (next) next();
      else {
        slots.running -= 1;
        if (slots.running === 0) this.#accounts.delete(account);
      }
    }
  }
}
