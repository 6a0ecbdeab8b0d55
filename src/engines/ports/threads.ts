/**
 * A small pool of worker threads for work that occupies its thread: encoding, decoding, drawing frames. When a thread dies, or
 * reports nothing of its task for minutes, its task is rejected and the next task starts a new thread; tasks of other threads go
 * on. Accounts take turns. It never retries a task, and starts no thread before there is work.
 */
import { Worker } from 'node:worker_threads';
import { busy, type ErrorCode, type ErrorDetails, PlatformError } from '../../kernel/errors.ts';
import { currentAccount } from '../../kernel/work-account.ts';

const ABORT_GRACE_MS = 2_000;
/** Engines report several times a second; a task that reports only its result takes seconds, even on a busy machine. */
const SILENT_MS = 120_000;
/** Silence is counted in looks, not by the clock: otherwise a process that was frozen would take all its threads for hung. */
const SILENT_LOOKS = 10;
/** Tasks waiting for a thread; more are refused, so that a burst cannot hold unbounded PCM in memory. */
const QUEUE_LIMIT = 256;
/** The same for the tasks of one account. */
const QUEUE_LIMIT_OF_ONE = 64;

const BROKE = 'The media engine stopped unexpectedly.';

/** How a pool treats its threads. */
export interface PoolOptions {
  /** How long a thread may take to leave an aborted task before it is ended; default 2 000. */
  abortGraceMs?: number;
  /** How long a thread may report nothing of its task before it counts as hung and is ended; default 120 000. */
  silentMs?: number;
}

/** Of one task. */
export interface TaskOptions {
  signal?: AbortSignal | undefined;
}

/** Threads that do tasks one by one. */
export interface Pool {
  /** Runs a task that posts pieces. Rejects with UPSTREAM_FAILED when its thread dies or hangs, with the signal's reason when aborted. */
  stream<T>(task: unknown, options?: TaskOptions): AsyncIterable<T>;
  /** Runs a task that returns one value. Rejects as `stream` does. */
  run<T>(task: unknown, options?: TaskOptions): Promise<T>;
  /** Ends all threads; held and waiting tasks reject with UNAVAILABLE. */
  close(): Promise<void>;
}

/** What a thread sends back about the task it holds. */
export type Report =
  | { kind: 'piece'; value: unknown }
  | { kind: 'done'; value: unknown }
  | ({ kind: 'failed' } & Failure);

/** How a task failed: an error for its caller, or what broke, for the log. */
export type Failure =
  | { code: ErrorCode; text: string; details: ErrorDetails | undefined }
  | { broke: string; stack?: string | undefined };

/** What a thread receives. `stop[0]` becomes 1 when the caller no longer wants the result. */
export interface Assignment {
  task: unknown;
  stop: Int32Array;
}

/** A task of one caller, from its acceptance to its end. */
interface Job extends Sink {
  assignment: Assignment;
  /** Whose work it is; '' is the instance's own. */
  account: string;
}

interface Thread {
  worker: Worker;
  job: Job | undefined;
  /** How often `#endHung` looked since the thread was given its task or last reported of it. */
  silentLooks: number;
}

/** @param entry the thread's file, which calls `serve` of `serve.ts`. @param size most threads at once. */
export function createPool(entry: URL, size: number, options: PoolOptions = {}): Pool {
  return new ThreadPool(entry, size, options);
}

class ThreadPool implements Pool {
  readonly #entry: URL;
  readonly #size: number;
  readonly #abortGraceMs: number;
  readonly #silentMs: number;
  readonly #threads = new Set<Thread>();
  readonly #queue = new FairQueue();
  #isClosed = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(entry: URL, size: number, { abortGraceMs = ABORT_GRACE_MS, silentMs = SILENT_MS }: PoolOptions) {
    this.#entry = entry;
    this.#size = size;
    this.#abortGraceMs = abortGraceMs;
    this.#silentMs = silentMs;
  }

  run<T>(task: unknown, options?: TaskOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (error: unknown, value?: unknown) => (error === undefined ? resolve(value as T) : reject(error));
      this.#submit(task, options?.signal, { piece: () => undefined, settle });
    });
  }

  stream<T>(task: unknown, options?: TaskOptions): AsyncIterable<T> {
    return pieces<T>((signal, sink) => this.#submit(task, signal, sink), options);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    const error = closed();
    const threads = [...this.#threads];
    for (const job of [...this.#queue.clear(), ...threads.flatMap(({ job }) => job ?? [])]) job.settle(error);
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  #submit(task: unknown, signal: AbortSignal | undefined, sink: Sink): void {
    const account = currentAccount() ?? '';
    const refusal = this.#isClosed ? closed() : this.#queue.refusal(account);
    if (refusal || signal?.aborted) {
      sink.settle(refusal ?? signal?.reason);
      return;
    }
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const onAbort = (): void => {
      Atomics.store(stop, 0, 1);
      job.settle(signal?.reason);
      this.#abort(job);
    };
    let isSettled = false;
    const job: Job = {
      assignment: { task, stop },
      account,
      piece: (value) => {
        if (!isSettled) sink.piece(value);
      },
      settle: (error, value) => {
        if (isSettled) return;
        isSettled = true;
        signal?.removeEventListener('abort', onAbort);
        sink.settle(error, value);
      },
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#queue.add(job);
    this.#dispatch();
  }

  /** The thread leaves an aborted task by itself when it next looks at `stop`; one that is stuck in native code is ended. */
  #abort(job: Job): void {
    this.#queue.remove(job);
    const thread = [...this.#threads].find((one) => one.job === job);
    if (!thread) return;
    setTimeout(() => {
      if (thread.job === job) void thread.worker.terminate();
    }, this.#abortGraceMs).unref();
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const thread =
        [...this.#threads].find(({ job }) => !job) ?? (this.#threads.size < this.#size ? this.#start() : undefined);
      if (!thread) return;
      const runningOf = (account: string): number =>
        [...this.#threads].filter(({ job }) => job?.account === account).length;
      const job = this.#queue.take(runningOf);
      thread.job = job;
      thread.silentLooks = 0;
      thread.worker.ref();
      thread.worker.postMessage(job.assignment);
    }
  }

  #start(): Thread {
    const thread: Thread = { worker: new Worker(this.#entry), job: undefined, silentLooks: 0 };
    this.#threads.add(thread);
    this.#watch ??= setInterval(() => this.#endHung(), this.#silentMs / SILENT_LOOKS).unref();
    thread.worker.on('message', (report: Report) => this.#onReport(thread, report));
    // An uncaught error brings 'error' and then 'exit'; process.exit() in the thread brings 'exit' alone.
    thread.worker.on('error', (cause) => this.#onLost(thread, cause));
    thread.worker.on('exit', (code) => this.#onLost(thread, new Error(`The thread ended with code ${code}.`)));
    return thread;
  }

  #onReport(thread: Thread, report: Report): void {
    const { job, worker } = thread;
    if (!job) return;
    thread.silentLooks = 0;
    if (report.kind === 'piece') {
      job.piece(report.value);
      return;
    }
    thread.job = undefined;
    worker.unref(); // An idle thread must not keep the process alive.
    if (report.kind === 'done') job.settle(undefined, report.value);
    else job.settle(toError(report));
    this.#dispatch();
  }

  #onLost(thread: Thread, cause: unknown): void {
    if (!this.#threads.delete(thread)) return;
    thread.job?.settle(new PlatformError('UPSTREAM_FAILED', BROKE, { cause }));
    if (!this.#isClosed) this.#dispatch();
  }

  #endHung(): void {
    for (const thread of this.#threads) {
      if (!thread.job) continue;
      thread.silentLooks += 1;
      if (thread.silentLooks <= SILENT_LOOKS) continue;
      this.#onLost(thread, new Error(`The thread reported nothing for ${this.#silentMs} ms.`));
      void thread.worker.terminate();
    }
  }
}

/** Jobs that wait for a thread. Accounts take turns; the jobs of one account go in order. */
class FairQueue {
  readonly #waiting: Job[] = [];
  /** The accounts that were served while others waited; the one served longest ago comes first. */
  readonly #served = new Set<string>();

  get length(): number {
    return this.#waiting.length;
  }

  /** Why no more of this account's jobs are taken; undefined when there is room. */
  refusal(account: string): PlatformError | undefined {
    const ofAccount = account === '' ? 0 : this.#waiting.filter((job) => job.account === account).length;
    const isFull = this.#waiting.length >= QUEUE_LIMIT || ofAccount >= QUEUE_LIMIT_OF_ONE;
    return isFull ? busy('The media engine is busy.') : undefined;
  }

  add(job: Job): void {
    this.#waiting.push(job);
  }

  remove(job: Job): void {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  /** Takes the job whose turn it is: of the accounts with the fewest running jobs, the one that was served longest ago. */
  take(runningOf: (account: string) => number): Job {
    const order = [...this.#served];
    const ranks = this.#waiting.map(({ account }) => runningOf(account) * (order.length + 1) + order.indexOf(account));
    const [job] = this.#waiting.splice(ranks.indexOf(Math.min(...ranks)), 1) as [Job];
    this.#served.delete(job.account);
    if (this.#waiting.length === 0) this.#served.clear();
    else this.#served.add(job.account);
    return job;
  }

  /** Removes all jobs, and returns them. */
  clear(): Job[] {
    return this.#waiting.splice(0);
  }
}

const closed = (): PlatformError => new PlatformError('UNAVAILABLE', 'The media engine is closed.');

/** What a task reports while it runs and once it has ended. */
export interface Sink {
  piece(value: unknown): void;
  settle(error: unknown, value?: unknown): void;
}

/** The pieces of a task that `start` begins. A reader that goes away stops it: `finally` runs on `break` and `return()`. */
export async function* pieces<T>(
  start: (signal: AbortSignal, sink: Sink) => void,
  options: TaskOptions | undefined,
): AsyncGenerator<T> {
  const gone = new AbortController();
  const signal = options?.signal ? AbortSignal.any([options.signal, gone.signal]) : gone.signal;
  const ready: T[] = [];
  let end: { error: unknown } | undefined;
  let wake = Promise.withResolvers<void>();
  start(signal, {
    piece: (value) => {
      ready.push(value as T);
      wake.resolve();
    },
    settle: (error) => {
      end = { error };
      wake.resolve();
    },
  });
  try {
    for (;;) {
      while (ready.length > 0) yield ready.shift() as T;
      if (end) break;
      await wake.promise;
      wake = Promise.withResolvers();
    }
    if (end.error !== undefined) throw end.error;
  } finally {
    if (!end) gone.abort(new PlatformError('UNAVAILABLE', 'The reader went away.'));
  }
}

function toError(failure: Failure): PlatformError {
  if ('broke' in failure) {
    const cause = Object.assign(new Error(failure.broke), failure.stack ? { stack: failure.stack } : {});
    return new PlatformError('UPSTREAM_FAILED', BROKE, { cause });
  }
  const { code, text, details } = failure;
  return new PlatformError(code, text, details && { details });
}
