/**
 * A small pool of worker threads for work that occupies its thread: encoding, decoding, drawing frames. A thread that
 * dies, or reports nothing of its task for minutes, rejects the task it held and is replaced when the next task comes; the
 * tasks of other threads go on. Accounts take turns. It never retries a task and never starts a thread before there is work.
 */
import { Worker } from 'node:worker_threads';
import { busy, type ErrorCode, type ErrorDetails, PlatformError } from '../../kernel/errors.ts';
import { currentAccount } from '../../kernel/work-account.ts';

const ABORT_GRACE_MS = 2_000;
/** Engines report several times a second, and what has one result takes seconds on a busy machine. */
const SILENT_MS = 120_000;
/** Silence is counted in looks, not by the clock: a process that was frozen takes none of its threads for hung. */
const SILENT_LOOKS = 10;
/** Tasks waiting for a thread; more are refused, so that a burst cannot hold unbounded PCM in memory. */
const QUEUE_LIMIT = 256;
/** Of those, one account's. */
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

interface Job extends Sink {
  assignment: Assignment;
  /** Whose work it is; '' is the instance's own. */
  account: string;
}

interface WorkerSlot {
  worker: Worker;
  job: Job | undefined;
  /** Looks since it was given its task or reported of it. */
  silentLooks: number;
}

/** @param entry the thread's file, which calls `serve` of `serve.ts`. @param size most threads at once. */
export function createPool(
  entry: URL,
  size: number,
  { abortGraceMs = ABORT_GRACE_MS, silentMs = SILENT_MS }: PoolOptions = {},
): Pool {
  const slots = new Set<WorkerSlot>();
  const waiting: Job[] = [];
  /** The accounts that had a thread since nothing waited, who had it longest ago first. */
  const served = new Set<string>();
  let closed = false;
  let watch: NodeJS.Timeout | undefined;

  function endHung(): void {
    for (const slot of slots) {
      if (!slot.job) continue;
      slot.silentLooks += 1;
      if (slot.silentLooks <= SILENT_LOOKS) continue;
      leave(slot, new Error(`The thread reported nothing for ${silentMs} ms.`));
      void slot.worker.terminate();
    }
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const slot = [...slots].find((one) => !one.job) ?? (slots.size < size ? open() : undefined);
      if (!slot) return;
      const job = takeNext();
      slot.job = job;
      slot.silentLooks = 0;
      slot.worker.ref();
      slot.worker.postMessage(job.assignment);
    }
  }

  /** Of the accounts with the fewest threads the one that had none for longest; its tasks go in order. */
  function takeNext(): Job {
    const turns = [...served];
    const rank = ({ account }: Job): number => {
      const running = [...slots].filter(({ job }) => job?.account === account).length;
      return running * (turns.length + 1) + turns.indexOf(account);
    };
    const ranks = waiting.map(rank);
    const [job] = waiting.splice(ranks.indexOf(Math.min(...ranks)), 1) as [Job];
    served.delete(job.account);
    if (waiting.length === 0) served.clear();
    else served.add(job.account);
    return job;
  }

  function open(): WorkerSlot {
    const worker = new Worker(entry);
    const slot: WorkerSlot = { worker, job: undefined, silentLooks: 0 };
    slots.add(slot);
    watch ??= setInterval(endHung, silentMs / SILENT_LOOKS).unref();
    worker.on('message', (report: Report) => {
      const { job } = slot;
      if (!job) return;
      slot.silentLooks = 0;
      if (report.kind === 'piece') return job.piece(report.value);
      slot.job = undefined;
      worker.unref(); // An idle thread must not keep the process alive.
      if (report.kind === 'done') job.settle(undefined, report.value);
      else job.settle(toError(report));
      dispatch();
    });
    // An uncaught error brings 'error' and then 'exit'; process.exit() in the thread brings 'exit' alone.
    worker.on('error', (cause) => leave(slot, cause));
    worker.on('exit', (code) => leave(slot, new Error(`The thread ended with code ${code}.`)));
    return slot;
  }

  function leave(slot: WorkerSlot, cause: unknown): void {
    if (!slots.delete(slot)) return;
    slot.job?.settle(new PlatformError('UPSTREAM_FAILED', BROKE, { cause }));
    if (!closed) dispatch();
  }

  function refusal(account: string, signal: AbortSignal | undefined): unknown {
    if (closed) return new PlatformError('UNAVAILABLE', 'The media engine is closed.');
    const ofOne = account === '' ? 0 : waiting.filter((job) => job.account === account).length;
    if (waiting.length >= QUEUE_LIMIT || ofOne >= QUEUE_LIMIT_OF_ONE) return busy('The media engine is busy.');
    return signal?.aborted ? signal.reason : undefined;
  }

  function submit(task: unknown, signal: AbortSignal | undefined, sink: Sink): void {
    const account = currentAccount() ?? '';
    const refused = refusal(account, signal);
    if (refused !== undefined) {
      sink.settle(refused);
      return;
    }
    const stop = new Int32Array(new SharedArrayBuffer(4));
    let settled = false;
    const job: Job = {
      assignment: { task, stop },
      account,
      piece: (value) => {
        if (!settled) sink.piece(value);
      },
      settle: (error, value) => {
        if (settled) return;
        settled = true;
        signal?.removeEventListener('abort', onAbort);
        sink.settle(error, value);
      },
    };
    function onAbort(): void {
      Atomics.store(stop, 0, 1);
      job.settle(signal?.reason);
      const place = waiting.indexOf(job);
      if (place >= 0) waiting.splice(place, 1);
      const slot = [...slots].find((one) => one.job === job);
      if (!slot) return;
      // The thread leaves by itself at its next look at `stop`; one stuck in native code is ended.
      setTimeout(() => {
        if (slot.job === job) void slot.worker.terminate();
      }, abortGraceMs).unref();
    }
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(job);
    dispatch();
  }

  return {
    run: <T>(task: unknown, options?: TaskOptions) =>
      new Promise<T>((resolve, reject) => {
        const settle = (error: unknown, value?: unknown) => (error === undefined ? resolve(value as T) : reject(error));
        submit(task, options?.signal, { piece: () => undefined, settle });
      }),
    stream: <T>(task: unknown, options?: TaskOptions) =>
      pieces<T>((signal, sink) => submit(task, signal, sink), options),
    async close() {
      closed = true;
      clearInterval(watch);
      const error = new PlatformError('UNAVAILABLE', 'The media engine is closed.');
      for (const job of waiting.splice(0)) job.settle(error);
      const all = [...slots];
      for (const slot of all) slot.job?.settle(error);
      await Promise.all(all.map((slot) => slot.worker.terminate()));
    },
  };
}

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
