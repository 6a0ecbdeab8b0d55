/**
 * How many worker slots of one kind an account may hold in this process. Alone it may hold the whole concurrency. Beside others
 * the slots are divided equally among one account more than there are, so that a newcomer waits for one job at most, never for a
 * backlog. Jobs are not interrupted: an account above its share takes nothing new until it is below. Requests are limited by
 * `kernel/bulkhead.ts`.
 */

/** What the next fetch may take. */
export interface NextFetch {
  /** Most jobs to fetch. */
  limit: number;
  /** Accounts whose jobs are left waiting. */
  without: string[];
}

export class AccountShares {
  readonly #concurrency: number;
  readonly #running = new Map<string, number>();
  /** Accounts that got a slot since all slots were last taken: the others come first. */
  readonly #served = new Set<string>();

  /** @param concurrency slots that one account may hold while no other has work. */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  begin(account: string): void {
    this.#running.set(account, (this.#running.get(account) ?? 0) + 1);
    this.#served.add(account);
  }

  end(account: string): void {
    const left = (this.#running.get(account) ?? 1) - 1;
    if (left > 0) this.#running.set(account, left);
    else this.#running.delete(account);
  }

  /** True when the account may hold no more slots for now. */
  isFull(account: string): boolean {
    return (this.#running.get(account) ?? 0) >= this.#share();
  }

  /** True when some account may hold no more slots for now. */
  someFull(): boolean {
    return [...this.#running.keys()].some((account) => this.isFull(account));
  }

  /** What may be fetched into `free` slots. With `inTurn` accounts that were served lately let the others go first. */
  next(free: number, inTurn: boolean): NextFetch {
    const share = this.#share();
    let limit = Math.min(free, share);
    const without = new Set(inTurn ? this.#served : []);
    for (const [account, running] of this.#running) {
      if (running >= share) without.add(account);
      // Whose jobs a fetch brings is only known afterwards, so the limit is such that no account gets above its share by it.
      else if (!without.has(account)) limit = Math.min(limit, share - running);
    }
    return { limit, without: [...without] };
  }

  /** Starts a new round, in which no account was served yet; false when none was served in the last one. */
  newTurns(): boolean {
    const had = this.#served.size > 0;
    this.#served.clear();
    return had;
  }

  #share(): number {
    const equal = Math.floor((2 * this.#concurrency) / (this.#running.size + 1));
    return Math.min(this.#concurrency, Math.max(1, equal));
  }
}
