/**
 * The decoder processes and what they work on. A task has a decoder for itself, so losing one costs no other work.
 * A task whose decoder broke down is tried once more on a fresh one, since the machine may have been at fault; one that
 * outgrew a limit is not. Both then end as BAD_INPUT. One that ran out of wall clock alone was not given the cores, which is
 * not the fault of its bytes: UNAVAILABLE.
 */
import type { Logger } from 'pino';
import { PlatformError } from '../../kernel/errors.ts';
import type { InputSource } from '../ports/index.ts';
import { pieces, type Sink } from '../ports/threads.ts';
import { type DecoderChild, type EndReason, KILL_REASONS, type KillReason } from './child.ts';
import type { Confinement } from './confine.ts';
import { DecoderKilledError, reportedError, tooManyTasks, unreadable } from './failures.ts';
import { QUEUE_LIMITS, type QueuedTask, type QueueLimits, TaskQueue } from './queue.ts';
import { DecoderStarter } from './starter.ts';
import {
  type FromDecoder,
  MAX_READ_BYTES,
  type ReadRequest,
  RULES,
  type Task,
  type TaskName,
  type TaskRule,
} from './tasks.ts';

/** Decoders that may break down over one task. */
const MAX_CRASHES = 2;
/** How long an aborted task may take to leave by itself. */
const ABORT_GRACE_MS = 2_000;
/** Decoders beyond the first one end after this long without work. */
const IDLE_MS = 60_000;
/** A decoder that keeps this much after its task is replaced. */
const REPLACE_ABOVE_BYTES = 320 * 1_024 * 1_024;

/** Counters for the metrics. */
export interface DecoderStats {
  /** Decoders that were started. */
  started: number;
  killed: Record<KillReason, number>;
  /** Tasks that a decoder works on, and that wait for one. */
  running: number;
  waiting: number;
}

/** How many decoders there are and how they are started. */
export interface PoolOptions {
  /** Most decoders at once. */
  size: number;
  /** Ways to start one, strictest first. */
  confinements: Confinement[];
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Default `RULES`. */
  rules?: Record<TaskName, TaskRule>;
  /** Those that differ from `QUEUE_LIMITS`. */
  queueLimits?: Partial<QueueLimits>;
}

interface Decoder {
  child: DecoderChild;
  current: QueuedTask | undefined;
  /** Tasks it was given before the current one, of which it may have kept memory. */
  earlierTasks: number;
  idleTimer: NodeJS.Timeout | undefined;
}

export class DecoderPool {
  readonly #size: number;
  readonly #log: PoolOptions['log'];
  readonly #rules: Record<TaskName, TaskRule>;
  readonly #starter: DecoderStarter;
  readonly #queue: TaskQueue;
  readonly #decoders = new Set<Decoder>();
  readonly #starting = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #killed = Object.fromEntries(KILL_REASONS.map((reason) => [reason, 0])) as DecoderStats['killed'];

  constructor({ size, confinements, log, rules = RULES, queueLimits }: PoolOptions) {
    this.#size = size;
    this.#log = log;
    this.#rules = rules;
    this.#starter = new DecoderStarter(confinements, log);
    this.#queue = new TaskQueue({ ...QUEUE_LIMITS, ...queueLimits });
  }

  /** Rejects with BAD_INPUT naming `source.field`, UNAVAILABLE when no decoder is free in time, the signal's reason. */
  run<T>(task: Task, source: InputSource): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (error: unknown, value?: unknown) => (error === undefined ? resolve(value as T) : reject(error));
      this.#submit(task, source, { piece: () => undefined, settle });
    });
  }

  /** As `run`, for a task that reports pieces; one that is begun anew reports them again. */
  stream<T>(task: Task, source: InputSource): AsyncIterable<T> {
    return pieces<T>((signal, sink) => this.#submit(task, { ...source, signal }, sink), { signal: source.signal });
  }

  stats(): DecoderStats {
    return {
      started: this.#starter.started,
      killed: { ...this.#killed },
      running: [...this.#decoders].filter(({ current }) => current).length,
      waiting: this.#queue.length,
    };
  }

  /** Kills every decoder and waits until they are gone; tasks reject with UNAVAILABLE. */
  async close(): Promise<void> {
    const error = new PlatformError('UNAVAILABLE', 'The media engine is closed.');
    this.#queue.close(error);
    this.#closing.abort(error);
    const all = [...this.#decoders];
    for (const { current, child } of all) {
      current?.settle(error);
      child.kill('closed');
    }
    await Promise.all([...all.map(({ child }) => child.ended), ...this.#starting]);
  }

  #submit(task: Task, source: InputSource, sink: Sink): void {
    if (this.#queue.add(task, source, sink, (queued) => this.#onAbort(queued))) this.#dispatch();
  }

  #onAbort(queued: QueuedTask): void {
    const decoder = [...this.#decoders].find(({ current }) => current === queued);
    if (!decoder) return;
    decoder.child.stop();
    setTimeout(() => decoder.current === queued && decoder.child.kill('aborted'), ABORT_GRACE_MS).unref();
  }

  #dispatch(): void {
    for (let queued = this.#next(); queued; queued = this.#next()) {
      const free = [...this.#decoders].find(({ current }) => !current);
      if (!free) {
        const { size } = this.#starting;
        if (this.#decoders.size + size < this.#size && size < this.#queue.length) this.#start();
        return;
      }
      this.#queue.remove(queued);
      this.#assign(free, queued);
    }
  }

  #next(): QueuedTask | undefined {
    const runningOf = (owner: string | undefined): number =>
      [...this.#decoders].filter(({ current }) => current?.source.owner === owner).length;
    return this.#queue.next(runningOf, this.#size);
  }

  #start(): void {
    const starting = this.#starter.start(this.#closing.signal).then(
      (child) => {
        this.#starting.delete(starting);
        const decoder: Decoder = { child, current: undefined, earlierTasks: -1, idleTimer: undefined };
        this.#decoders.add(decoder);
        void child.ended.then((end) => this.#onEnded(decoder, end));
        if (this.#closing.signal.aborted) return child.kill('closed');
        this.#keepIdle(decoder);
        this.#dispatch();
      },
      (error: PlatformError) => {
        this.#starting.delete(starting);
        this.#queue.rejectAll(error);
      },
    );
    this.#starting.add(starting);
  }

  #assign(decoder: Decoder, queued: QueuedTask): void {
    clearTimeout(decoder.idleTimer);
    decoder.current = queued;
    decoder.earlierTasks += 1;
    const onReport = (report: FromDecoder): void => {
      if (report.kind === 'piece') queued.piece(report.value);
      else if (report.kind === 'read') void this.#read(decoder, queued, report);
      else this.#onDone(decoder, queued, report);
    };
    decoder.child.assign(queued.task, this.#rules[queued.task[0]], onReport);
  }

  /** Hands over a piece of the task's file. A file that is no more ends the task, and the decoder that waits for it. */
  async #read(decoder: Decoder, queued: QueuedTask, { number, from, length }: ReadRequest): Promise<void> {
    const { file } = queued.source;
    try {
      // A decoder that was taken over may ask for anything.
      if (!file || !(from >= 0 && length > 0 && length <= MAX_READ_BYTES)) throw new Error('No such piece.');
      decoder.child.supply(number, await file.read(from, length));
    } catch (error) {
      if (decoder.current !== queued) return;
      queued.settle(tooManyTasks(error as Error));
      decoder.current = undefined;
      this.#retire(decoder);
      this.#dispatch();
    }
  }

  #onDone(decoder: Decoder, queued: QueuedTask, report: Exclude<FromDecoder, ReadRequest>): void {
    const [name] = queued.task;
    decoder.current = undefined;
    const keptBytes = decoder.child.release();
    if (report.kind === 'done') queued.settle(undefined, report.value);
    if (report.kind === 'failed') queued.settle(reportedError(report, queued.source.field, name));
    if (this.#rules[name].isLast || keptBytes > REPLACE_ABOVE_BYTES) this.#retire(decoder);
    else this.#keepIdle(decoder);
    this.#dispatch();
  }

  #keepIdle(decoder: Decoder): void {
    decoder.idleTimer = setTimeout(() => {
      if (this.#decoders.size > 1 && !decoder.current) this.#retire(decoder);
    }, IDLE_MS);
    decoder.idleTimer.unref();
  }

  /** Ends a decoder that has nothing to do. */
  #retire(decoder: Decoder): void {
    this.#decoders.delete(decoder);
    decoder.child.kill('closed');
  }

  #onEnded(decoder: Decoder, { reason, stderr }: { reason: EndReason; stderr: string }): void {
    this.#decoders.delete(decoder);
    clearTimeout(decoder.idleTimer);
    if (reason === 'closed') return;
    this.#killed[reason] += 1;
    const { current } = decoder;
    const { field, owner } = current?.source ?? {};
    this.#log.warn(
      { decoderPid: decoder.child.pid, reason, task: current?.task[0], field, owner, stderr },
      'decoder killed',
    );
    if (current) this.#onLost(current, reason, decoder.earlierTasks > 0);
    this.#dispatch();
  }

  /** What becomes of a task whose decoder is gone. What earlier tasks left in its memory is not held against this one. */
  #onLost(queued: QueuedTask, reason: EndReason, hadEarlierTasks: boolean): void {
    if (queued.isSettled()) return;
    const isBegunAnew = reason === 'crashed' || (reason === 'memory' && hadEarlierTasks);
    if (isBegunAnew) queued.crashes += 1;
    if (isBegunAnew && queued.crashes < MAX_CRASHES) this.#queue.putBack(queued);
    else if (reason === 'time') queued.settle(tooManyTasks(new Error('The decoder ran out of wall clock.')));
    else queued.settle(unreadable(queued.source.field, queued.task[0], new DecoderKilledError(reason)));
  }
}
