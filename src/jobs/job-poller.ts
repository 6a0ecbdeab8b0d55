/**
 * The jobs of one kind in this process: one fetch for all its free slots, when it is woken by NOTIFY or the clock. A
 * fetch for each slot would ask eight times for one job, beside the work that is under way. Accounts share the slots.
 */
import { AccountShares, type NextFetch } from './account-shares.ts';

/** The jobs a poller takes, and what it does with them. */
export interface JobPollerOptions<Job> {
  /** Jobs of one account that run here at once at most. */
  concurrency: number;
  /** Slots beside these, which only other accounts fill. */
  spare: number;
  /** How often it looks by itself: retries and what was missed wake nobody. */
  pollMs: number;
  fetch(which: NextFetch): Promise<Job[]>;
  /** Whose job it is; null when nobody's share bounds it. */
  accountOf(job: Job): string | null;
  /** Works on a job until it has ended or was requeued; never rejects. */
  run(job: Job): Promise<void>;
  onError(error: unknown): void;
}

/** A slot for a job whose transaction is not committed yet. Exactly one of the two must be called. */
export interface ReservedSlot<Job> {
  /** The job was committed: it runs. */
  begin(job: Job): void;
  /** There is no such job. */
  release(): void;
}

export class JobPoller<Job> {
  readonly #options: JobPollerOptions<Job>;
  readonly #shares: AccountShares;
  readonly #running = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #isWoken = false;
  /** When it last looked jobs may have been left: all slots were taken, or all of an account's. */
  #mayBeLeft = false;
  /** All slots were taken when it last looked: whoever waits longest without a turn comes next. */
  #isFull = false;
  #isStopped = false;

  constructor(options: JobPollerOptions<Job>) {
    this.#options = options;
    this.#shares = new AccountShares(options.concurrency);
    this.#timer = setInterval(() => this.wake(), options.pollMs);
    this.wake();
  }

  /** Says that there may be jobs; of an account that has all it may have, the next end of one of its jobs says so. */
  wake(account?: string): void {
    if (account !== undefined && this.#shares.isFull(account)) {
      this.#mayBeLeft = true;
      return;
    }
    this.#isWoken = true;
    this.#looking ??= this.#look()
      .catch(this.#options.onError)
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /**
   * A slot for a job that this process is about to enqueue itself, so that nobody has to be told of it nor fetch it.
   * Undefined where it must wait its turn: no slot is free, others may be waiting, or the account has its share.
   */
  reserve(account: string): ReservedSlot<Job> | undefined {
    const { concurrency, spare } = this.#options;
    // A fetch that is under way may fill the slots that look free.
    if (this.#isStopped || this.#looking || this.#mayBeLeft) return undefined;
    if (this.#running.size >= concurrency + spare || this.#shares.isFull(account)) return undefined;
    const { promise, resolve } = Promise.withResolvers<Job | undefined>();
    this.#track(
      account,
      promise.then((job) => (job === undefined ? undefined : this.#options.run(job))),
    );
    return { begin: resolve, release: () => resolve(undefined) };
  }

  /** Fetches nothing any more; resolves when what runs has ended, or was requeued. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all(this.#running);
  }

  async #look(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      await this.#fill();
    }
  }

  /** Fetches until nothing is left that may run here, or all slots are taken. */
  async #fill(): Promise<void> {
    const { concurrency, spare, fetch } = this.#options;
    let without: string[] = [];
    for (;;) {
      const free = concurrency + spare - this.#running.size;
      if (free <= 0 || this.#isStopped) break;
      const next = this.#shares.next(free, this.#isFull);
      without = next.without;
      const jobs = await fetch(next);
      for (const job of jobs) this.#begin(job);
      if (jobs.length >= next.limit) continue;
      // Nothing is left of those whose turn it was.
      const hadTurns = this.#shares.newTurns();
      if (!this.#isFull || !hadTurns) break;
      this.#isFull = false;
    }
    this.#isFull = this.#running.size >= concurrency + spare;
    this.#mayBeLeft = this.#isFull || without.length > 0 || this.#shares.someFull();
  }

  #begin(job: Job): void {
    this.#track(this.#options.accountOf(job), this.#options.run(job));
  }

  #track(account: string | null, work: Promise<void>): void {
    if (account !== null) this.#shares.begin(account);
    const ended: Promise<void> = work.finally(() => {
      this.#running.delete(ended);
      if (account !== null) this.#shares.end(account);
      if (this.#mayBeLeft) this.wake();
    });
    this.#running.add(ended);
  }
}
