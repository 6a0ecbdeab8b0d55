/**
 * Fetches the jobs of one kind whenever it is woken, by one query for all free slots: eight slots that each asked for themselves
 * would send eight queries for one job. Accounts share the slots.
 */
import { AccountShares, type NextFetch } from './account-shares.ts';

/** The jobs a poller takes, and what it does with them. */
export interface JobPollerOptions<Job> {
  /** Jobs of one account that run here at once at most. */
  concurrency: number;
  /** Additional slots that are left for other accounts. */
  spare: number;
  fetch(which: NextFetch): Promise<Job[]>;
  /** The account of a job; null when no account's share limits it. */
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
  #looking: Promise<void> | undefined;
  #isWoken = false;
  /** Jobs may be left in the queue: at the last fetch all slots were taken, or an account had its full share. */
  #mayBeLeft = false;
  /** All slots were taken at the last fetch: accounts that were not served yet come next. */
  #isFull = false;
  #isStopped = false;
  #hasFailed = false;

  constructor(options: JobPollerOptions<Job>) {
    this.#options = options;
    this.#shares = new AccountShares(options.concurrency);
    this.wake();
  }

  /** Whether the last fetch failed. Then it may wrongly believe that jobs wait, and reserves no slot until it looks again. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Looks for jobs, unless the account has its full share: then it looks when one of the account's jobs ends. */
  wake(account?: string): void {
    if (account !== undefined && this.#shares.isFull(account)) {
      this.#mayBeLeft = true;
      return;
    }
    this.#isWoken = true;
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        this.#hasFailed = true;
        this.#options.onError(error);
      })
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /**
   * Reserves a slot for a job that this process is about to enqueue or was notified of, so that it needs no fetch.
   * Undefined when the job must queue: no slot is free, other jobs may be waiting, or the account has its full share.
   */
  reserve(account: string): ReservedSlot<Job> | undefined {
    const { concurrency, spare } = this.#options;
    // A running fetch may fill the slots that look free.
    if (this.#isStopped || this.#looking || this.#mayBeLeft) return undefined;
    if (this.#running.size >= concurrency + spare || this.#shares.isFull(account)) return undefined;
    const { promise, resolve } = Promise.withResolvers<Job | undefined>();
    this.#track(
      account,
      promise.then((job) => (job === undefined ? undefined : this.#options.run(job))),
    );
    return { begin: resolve, release: () => resolve(undefined) };
  }

  /**
   * Starts one job that was just enqueued, without looking for others; looks where no slot is free for it.
   * @param begin resolves to undefined where another worker has the job
   */
  start(account: string, begin: () => Promise<Job | undefined>): void {
    const slot = this.reserve(account);
    if (!slot) {
      this.wake(account);
      return;
    }
    begin().then(
      (job) => (job === undefined ? slot.release() : slot.begin(job)),
      (error: unknown) => {
        slot.release();
        this.#options.onError(error);
        this.wake();
      },
    );
  }

  /** Stops fetching; resolves when all running jobs have ended or were requeued. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#looking;
    await Promise.all(this.#running);
  }

  async #look(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      await this.#fill();
    }
  }

  /** Fetches until no job is left that may run here, or all slots are taken. */
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
      // Fewer came than were asked for: the accounts whose turn it was have no more jobs waiting.
      const hadTurns = this.#shares.newTurns();
      if (!this.#isFull || !hadTurns) break;
      this.#isFull = false;
    }
    this.#isFull = this.#running.size >= concurrency + spare;
    this.#mayBeLeft = this.#isFull || without.length > 0 || this.#shares.someFull();
    this.#hasFailed = false;
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
