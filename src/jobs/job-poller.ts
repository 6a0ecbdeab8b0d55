/**
 * The jobs of one kind in this process: one fetch for all its free slots, when it is woken by NOTIFY or the clock. A
 * fetch for each slot would ask eight times for one job, beside the work that is under way.
 */

export interface JobPollerOptions<Job> {
  /** Jobs that run here at once at most. */
  concurrency: number;
  /** How often it looks by itself: retries and what was missed wake nobody. */
  pollMs: number;
  fetch(limit: number): Promise<Job[]>;
  /** Works on a job until it has ended or was requeued; never rejects. */
  run(job: Job): Promise<void>;
  onError(error: unknown): void;
}

export class JobPoller<Job> {
  readonly #options: JobPollerOptions<Job>;
  readonly #running = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #isWoken = false;
  /** Every slot was taken when it last looked, so that jobs may be left. */
  #isFull = false;
  #isStopped = false;

  constructor(options: JobPollerOptions<Job>) {
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), options.pollMs);
    this.wake();
  }

  /** Says that there may be jobs. */
  wake(): void {
    this.#isWoken = true;
    this.#looking ??= this.#look()
      .catch(this.#options.onError)
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /** Fetches nothing any more; resolves when what runs has ended, or was requeued. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all(this.#running);
  }

  async #look(): Promise<void> {
    const { concurrency, fetch, run } = this.#options;
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      const free = concurrency - this.#running.size;
      const jobs = free > 0 ? await fetch(free) : [];
      this.#isFull = jobs.length >= free;
      for (const job of jobs) {
        const ended: Promise<void> = run(job).finally(() => {
          this.#running.delete(ended);
          if (this.#isFull) this.wake();
        });
        this.#running.add(ended);
      }
      // One may have ended while it looked.
      if (this.#isFull && this.#running.size < concurrency) this.#isWoken = true;
    }
  }
}
