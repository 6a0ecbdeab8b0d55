/**
 * Whose work is under way: queues that work waits in far below the job or request that asked (connections, threads, remote
 * addresses) share themselves between accounts by it. It decides no rights, and nothing is charged by it. Which request
 * began the work goes with it, into its log lines and its jobs.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readTraceparent, type Span } from './spans.ts';

/** What began a piece of work: the request that asked for it, wherever it is done. */
export interface WorkOrigin {
  requestId?: string | undefined;
  /** W3C `traceparent` that the request came with. */
  traceparent?: string | undefined;
  /** The span under way, where work is traced. */
  span?: Span | undefined;
  /** The queue of the job that does it. */
  queue?: string | undefined;
}

interface Work {
  account: string;
  /** It runs in a slot of `AccountSlots` already: what it asks for within takes no other one, for which it might wait for itself. */
  hasSlot: boolean;
  origin: WorkOrigin | undefined;
}

const storage = new AsyncLocalStorage<Work>();

/**
 * Does the work, and all that it awaits, as that of an account; callers without one are known by their address.
 * @param origin where it is another one than that of the work under way
 */
export function runAsAccount<T>(account: string, work: () => T, origin = storage.getStore()?.origin): T {
  return storage.run({ account, hasSlot: false, origin }, work);
}

/** Starts what outlives the work under way, e.g. a timer that all share. */
export const outsideOfWork = <T>(start: () => T): T => storage.exit(start);

/** The span of the work under way; undefined where nothing is traced. */
export const currentSpan = (): Span | undefined => storage.getStore()?.origin?.span;

/** The queue whose job is under way; undefined outside of jobs. */
export const currentQueue = (): string | undefined => storage.getStore()?.origin?.queue;

/** What a job is given of the request that asked for it, as JSON. */
export interface JobOrigin {
  requestId?: string;
  traceparent?: string;
}

/** What the work under way hands on to its jobs; undefined for work that no request began. */
export function currentOrigin(): JobOrigin | undefined {
  const origin = storage.getStore()?.origin;
  if (!origin?.requestId) return undefined;
  const traceparent = origin.span?.traceparent ?? origin.traceparent;
  return { requestId: origin.requestId, ...(traceparent ? { traceparent } : {}) };
}

/** Fields that each log line of the work under way has; undefined outside of any. */
export function workFields(): { requestId: string; traceId?: string } | undefined {
  const origin = storage.getStore()?.origin;
  if (!origin?.requestId) return undefined;
  const trace = readTraceparent(origin.span?.traceparent ?? origin.traceparent);
  return { requestId: origin.requestId, ...(trace ? { traceId: trace.traceId } : {}) };
}

/** Does the work as a part of the span under way; only does it where nothing is traced. */
export async function inSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  const mine = storage.getStore();
  const span = mine?.origin?.span?.begin(name);
  if (!mine?.origin || !span) return work();
  const { requestId, queue } = mine.origin;
  try {
    const value = await storage.run({ ...mine, origin: { requestId, queue, span } }, work);
    span.end();
    return value;
  } catch (error) {
    span.end(error);
    throw error;
  }
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
      return await storage.run({ account, hasSlot: true, origin: mine.origin }, work);
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
