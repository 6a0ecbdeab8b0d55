/**
 * The queue before the decoder processes: who waits, whose turn it is, and what becomes of a task whose decoder died.
 * A task has a decoder for itself, so a death costs nobody else's work. One whose decoder broke down is tried once more
 * on a fresh one, since the machine may have been at fault; one that outgrew a limit is not. Both then end as BAD_INPUT.
 */
import type { Logger } from 'pino';
import { PlatformError } from '../../kernel/errors.ts';
import { pieces, type Sink } from '../embedded/threads.ts';
import { type DecoderChild, type EndReason, KILL_REASONS, type KillReason, startChild } from './child.ts';
import type { Confinement } from './confine.ts';
import { type DecoderTask, type FromDecoder, RULES, type TaskName, type TaskRule } from './tasks.ts';

/** Tasks waiting, in all and of one owner; more are refused. Each may hold a video of 64 MB. */
const QUEUE_LIMIT = 128;
const OWNER_QUEUE_LIMIT = 32;
/** Longest wait for a decoder. */
const LONGEST_WAIT_MS = 60_000;
/** Decoders that a task may cost. */
const MOST_DEATHS = 2;
/** Starts in a row that may fail where one has worked before. */
const MOST_FAILED_STARTS = 3;
/** How long an aborted task may take to leave by itself. */
const ABORT_GRACE_MS = 2_000;
/** Decoders beyond the first one end after this long without work. */
const IDLE_MS = 60_000;
/** A decoder that keeps this much after its task makes room for a fresh one. */
const REPLACE_ABOVE_BYTES = 320 * 1_024 * 1_024;

export interface Ask {
  /** The field of the API that the bytes came by: errors begin with it. */
  field: string;
  /** Whose work it is: owners take turns. Absent: the instance's own. */
  owner?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface PoolStats {
  started: number;
  killed: Record<KillReason, number>;
  running: number;
  waiting: number;
}

export interface DecoderPool {
  /** Rejects with BAD_INPUT naming `ask.field`, UNAVAILABLE when there is no decoder in time, the signal's reason. */
  run<T>(task: DecoderTask, ask: Ask): Promise<T>;
  /** As `run`, for a task that tells pieces; one that is begun anew tells them again. */
  stream<T>(task: DecoderTask, ask: Ask): AsyncIterable<T>;
  stats(): PoolStats;
  /** Kills every decoder and waits until they are gone; tasks reject with UNAVAILABLE. */
  close(): Promise<void>;
}

export interface PoolOptions {
  /** Most decoders at once. */
  size: number;
  /** Ways to start one, strictest first. */
  confinements: Confinement[];
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Default `RULES`. */
  rules?: Record<TaskName, TaskRule>;
}

/** The cause of an error whose bytes ended the decoders that read them: no further try will end otherwise. */
export class DecoderDeath extends Error {
  override readonly name = 'DecoderDeath';
  constructor(reason: EndReason) {
    super(`The decoder ended: ${reason}.`);
  }
}

/** True for such an error, and for one that was caused by it. */
export function isDecoderDeath(error: unknown): boolean {
  if (error instanceof DecoderDeath) return true;
  return error instanceof Error && error.cause !== undefined && isDecoderDeath(error.cause);
}

interface Job extends Sink {
  task: DecoderTask;
  owner: string | undefined;
  field: string;
  deaths: number;
  isSettled(): boolean;
}

interface Slot {
  child: DecoderChild;
  isReady: boolean;
  job: Job | undefined;
  idle: NodeJS.Timeout | undefined;
}

export function createDecoderPool({ size, confinements, log, rules = RULES }: PoolOptions): DecoderPool {
  const slots = new Set<Slot>();
  const waiting: Job[] = [];
  const killed = Object.fromEntries(KILL_REASONS.map((reason) => [reason, 0])) as PoolStats['killed'];
  let started = 0;
  /** The strictest way that starts on this machine, once that is known: nothing laxer is tried later. */
  let proven: Confinement | undefined;
  let failedStarts = 0;
  let closed = false;

  const runningOf = (owner: string | undefined) => [...slots].filter((slot) => slot.job?.owner === owner).length;

  /** Whoever has the fewest decoders comes first, and of those whoever waited longest. */
  function next(): Job | undefined {
    const order = waiting.map((job) => ({ job, running: runningOf(job.owner) }));
    order.sort((one, other) => one.running - other.running);
    // One owner never has them all: the last one is kept for whoever comes.
    return order.find(({ job, running }) => job.owner === undefined || running < Math.max(1, size - 1))?.job;
  }

  function dispatch(): void {
    for (let job = next(); job; job = next()) {
      const slot = [...slots].find((one) => one.isReady && !one.job);
      if (!slot) {
        const starting = [...slots].filter((one) => !one.isReady).length;
        if (slots.size < size && starting < waiting.length) open(proven ?? confinements[0]);
        return;
      }
      waiting.splice(waiting.indexOf(job), 1);
      assign(slot, job);
    }
  }

  function assign(slot: Slot, job: Job): void {
    clearTimeout(slot.idle);
    slot.job = job;
    slot.child.work(job.task, rules[job.task[0]], (message) => {
      if (message.kind === 'piece') {
        job.piece(message.value);
        return;
      }
      slot.job = undefined;
      const kept = slot.child.rest();
      if (message.kind === 'done') job.settle(undefined, message.value);
      if (message.kind === 'failed') job.settle(errorOf(message, job));
      if (rules[job.task[0]].isLast || kept > REPLACE_ABOVE_BYTES) retire(slot);
      else rest(slot);
      dispatch();
    });
  }

  function rest(slot: Slot): void {
    slot.idle = setTimeout(() => {
      if (slots.size > 1 && !slot.job) retire(slot);
    }, IDLE_MS);
    slot.idle.unref();
  }

  /** Ends a decoder that has nothing to do. */
  function retire(slot: Slot): void {
    slots.delete(slot);
    slot.child.kill('closed');
  }

  function open(way: Confinement | undefined): void {
    if (!way) {
      giveUp();
      return;
    }
    const slot: Slot = { child: startChild(way), isReady: false, job: undefined, idle: undefined };
    slots.add(slot);
    const onReady = (): void => {
      started += 1;
      failedStarts = 0;
      proven = way;
      slot.isReady = true;
      if (closed) {
        slot.child.kill('closed');
        return;
      }
      log.info({ pid: slot.child.pid, measures: way.measures }, 'decoder started');
      slot.child.rest();
      rest(slot);
      dispatch();
    };
    const onFailure = (error: unknown): void => {
      slots.delete(slot);
      if (closed) return;
      log.warn({ err: error, measures: way.measures }, 'decoder did not start');
      failedStarts += 1;
      if (!proven) open(confinements[confinements.indexOf(way) + 1]);
      else open(failedStarts < MOST_FAILED_STARTS ? proven : undefined);
    };
    slot.child.ready.then(onReady, onFailure);
    void slot.child.ended.then((end) => slot.isReady && leave(slot, end));
  }

  function leave(slot: Slot, { reason, lastWords }: { reason: EndReason; lastWords: string }): void {
    slots.delete(slot);
    clearTimeout(slot.idle);
    if (reason === 'closed') return;
    killed[reason] += 1;
    const { job } = slot;
    const task = job?.task[0];
    const { pid } = slot.child;
    log.warn({ pid, reason, task, field: job?.field, owner: job?.owner, lastWords }, 'decoder killed');
    if (job) bury(job, reason);
    if (!closed) dispatch();
  }

  function bury(job: Job, reason: EndReason): void {
    job.deaths += 1;
    if (job.isSettled()) return;
    if (reason === 'crashed' && job.deaths < MOST_DEATHS && !closed) {
      waiting.unshift(job);
      return;
    }
    job.settle(refused(job, new DecoderDeath(reason)));
  }

  function giveUp(): void {
    failedStarts = 0;
    log.error({ waiting: waiting.length }, 'no decoder starts');
    const error = new PlatformError('UNAVAILABLE', 'Media cannot be read at the moment.');
    for (const job of waiting.splice(0)) job.settle(error);
  }

  function refusal({ owner, signal }: Ask): unknown {
    if (closed) return new PlatformError('UNAVAILABLE', 'The media engine is closed.');
    const mine = owner === undefined ? 0 : waiting.filter((job) => job.owner === owner).length;
    if (waiting.length >= QUEUE_LIMIT || mine >= OWNER_QUEUE_LIMIT) return busy();
    return signal?.aborted ? signal.reason : undefined;
  }

  function submit(task: DecoderTask, ask: Ask, sink: Sink): void {
    const why = refusal(ask);
    if (why !== undefined) {
      sink.settle(why);
      return;
    }
    const { signal, field, owner } = ask;
    let settled = false;
    const unqueue = (): boolean => {
      const place = waiting.indexOf(job);
      if (place >= 0) waiting.splice(place, 1);
      return place >= 0;
    };
    const job: Job = {
      task,
      owner,
      field,
      deaths: 0,
      isSettled: () => settled,
      piece: (value) => {
        if (!settled) sink.piece(value);
      },
      settle: (error, value) => {
        if (settled) return;
        settled = true;
        clearTimeout(patience);
        signal?.removeEventListener('abort', onAbort);
        sink.settle(error, value);
      },
    };
    const patience = setTimeout(() => unqueue() && job.settle(busy()), LONGEST_WAIT_MS);
    function onAbort(): void {
      unqueue();
      job.settle(signal?.reason);
      const slot = [...slots].find((one) => one.job === job);
      if (!slot) return;
      slot.child.stop();
      setTimeout(() => slot.job === job && slot.child.kill('aborted'), ABORT_GRACE_MS).unref();
    }
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(job);
    dispatch();
  }

  return {
    run: <T>(task: DecoderTask, ask: Ask) =>
      new Promise<T>((resolve, reject) => {
        const settle = (error: unknown, value?: unknown) => (error === undefined ? resolve(value as T) : reject(error));
        submit(task, ask, { piece: () => undefined, settle });
      }),
    stream: <T>(task: DecoderTask, ask: Ask) =>
      pieces<T>((signal, sink) => submit(task, { ...ask, signal }, sink), { signal: ask.signal }),
    stats: () => ({
      started,
      killed: { ...killed },
      running: [...slots].filter((slot) => slot.job).length,
      waiting: waiting.length,
    }),
    async close() {
      closed = true;
      const error = new PlatformError('UNAVAILABLE', 'The media engine is closed.');
      for (const job of waiting.splice(0)) job.settle(error);
      const all = [...slots];
      for (const { job, child } of all) {
        job?.settle(error);
        child.kill('closed');
      }
      await Promise.all(all.map(({ child }) => child.ended));
    },
  };
}

const busy = () => new PlatformError('UNAVAILABLE', 'Too much media is being read: try again later.');

const refused = ({ field, task }: Job, cause: Error) =>
  new PlatformError('BAD_INPUT', `${field} ${RULES[task[0]].refusal}`, { details: { field }, cause });

/** What an operation calls bytes that the caller knows by a field of the API. */
const ANY_FILE = 'file';

function errorOf({ code, text, field }: FromDecoder & { kind: 'failed' }, job: Job): PlatformError {
  if (!code) return refused(job, new Error(text));
  const named = field === ANY_FILE ? text.replace(ANY_FILE, job.field) : text;
  const shown = field === ANY_FILE ? job.field : field;
  return new PlatformError(code, named, shown === undefined ? {} : { details: { field: shown } });
}
