/**
 * The tasks that wait for a decoder: who may wait and how long, and whose turn is next. Owners take turns, and one owner
 * never has all decoders.
 */
import { PlatformError } from '../../kernel/errors.ts';
import type { InputSource } from '../ports/index.ts';
import type { Sink } from '../ports/threads.ts';
import { tooManyTasks } from './failures.ts';
import type { Task } from './tasks.ts';

/** How many tasks may wait, and for how long. */
export interface QueueLimits {
  /** Tasks waiting, in all; more are refused. Each may hold a video of 64 MB. */
  tasks: number;
  /** Tasks waiting of one owner. */
  tasksPerOwner: number;
  /** Longest wait for a decoder. */
  waitMs: number;
}

/** The limits of a process. */
export const QUEUE_LIMITS: QueueLimits = { tasks: 128, tasksPerOwner: 32, waitMs: 60_000 };

/** A task that waits for a decoder. */
export interface QueuedTask extends Sink {
  task: Task;
  source: InputSource;
  /** Decoders that broke down over it, or ran out of memory behind earlier tasks. */
  crashes: number;
  isSettled(): boolean;
}

/** Tasks in turn by owner, so that no owner's many tasks keep another waiting. */
export class TaskQueue {
  readonly #limits: QueueLimits;
  readonly #waiting: QueuedTask[] = [];
  #closedWith: PlatformError | undefined;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Adds a task; undefined where it was refused, which its sink has heard. A task that waited too long or was aborted
   * leaves by itself. @param onAbort called when it is aborted, wherever it is then
   */
  add(task: Task, source: InputSource, sink: Sink, onAbort: (queued: QueuedTask) => void): QueuedTask | undefined {
    const refusal = this.#refusal(source);
    if (refusal !== undefined) {
      sink.settle(refusal);
      return undefined;
    }
    const { signal } = source;
    let settled = false;
    const queued: QueuedTask = {
      task,
      source,
      crashes: 0,
      isSettled: () => settled,
      piece: (value) => {
        if (!settled) sink.piece(value);
      },
      settle: (error, value) => {
        if (settled) return;
        settled = true;
        clearTimeout(timeout);
        signal?.removeEventListener('abort', abort);
        sink.settle(error, value);
      },
    };
    const timeout = setTimeout(() => this.remove(queued) && queued.settle(tooManyTasks()), this.#limits.waitMs);
    const abort = (): void => {
      this.remove(queued);
      queued.settle(signal?.reason);
      onAbort(queued);
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.push(queued);
    return queued;
  }

  /** Puts a task whose decoder broke down before all others. */
  putBack(queued: QueuedTask): void {
    if (this.#closedWith) queued.settle(this.#closedWith);
    else this.#waiting.unshift(queued);
  }

  /**
   * Whose turn it is: who has the fewest decoders, and of those who has waited longest. The task stays until `remove`.
   * @param runningOf decoders that work for an owner. @param decoders all there may be
   */
  next(runningOf: (owner: string | undefined) => number, decoders: number): QueuedTask | undefined {
    const order = this.#waiting.map((queued) => ({ queued, running: runningOf(queued.source.owner) }));
    order.sort((one, other) => one.running - other.running);
    const mostOfOwner = Math.max(1, decoders - 1);
    return order.find(({ queued, running }) => queued.source.owner === undefined || running < mostOfOwner)?.queued;
  }

  /** True when the task was waiting. */
  remove(queued: QueuedTask): boolean {
    const index = this.#waiting.indexOf(queued);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }

  /** Rejects all that wait. */
  rejectAll(error: PlatformError): void {
    for (const queued of this.#waiting.splice(0)) queued.settle(error);
  }

  /** Rejects all that wait and whatever comes later. */
  close(error: PlatformError): void {
    this.#closedWith = error;
    this.rejectAll(error);
  }

  #refusal({ owner, signal }: InputSource): unknown {
    if (this.#closedWith) return this.#closedWith;
    const ofOwner = owner === undefined ? 0 : this.#waiting.filter(({ source }) => source.owner === owner).length;
    if (this.#waiting.length >= this.#limits.tasks || ofOwner >= this.#limits.tasksPerOwner) return tooManyTasks();
    return signal?.aborted ? signal.reason : undefined;
  }
}
