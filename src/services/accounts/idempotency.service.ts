/**
 * Idempotency-Key of whatever charges or makes something: the same request gets the same answer again, another one with the
 * same key is refused (KEY_REUSED), and so is one while the first still runs (IN_FLIGHT). What a request did is written to
 * its key by the transaction that does it (`keepResult`), so it is known also where the process died, or the database's
 * answer was lost, right behind the commit. A request that did nothing is forgotten when it fails. An answer with a secret
 * that is shown once is sealed with the instance's key. What else a charging operation needs is the table
 * "What charges, charges once" in docs/architecture.md.
 */
import type { KeyedRequest, Principal } from '../../auth/principal.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { isOutage } from '../../kernel/outages.ts';
import { required } from '../../kernel/prepared.ts';
import type { Seal } from '../../kernel/sealing.ts';
import { heldLock, LOCK_CLASSES } from '../../kernel/session-locks.ts';
import type { Platform } from '../platform/platform.port.ts';
import {
  beginKey,
  finishKey,
  forgetOld,
  handOver,
  keepBody,
  type RequestHash,
  readKey,
  releaseKey,
} from './idempotency.queries.ts';

/**
 * A request that has charged nothing in this time no longer blocks its key, and fails if it still runs. One whose process is dead
 * blocks nothing: its process held a lock, which is free then.
 */
const IN_FLIGHT_MS = 5 * MINUTE_MS;

type Body = Record<string, unknown>;

/** An answer as it was sent. */
export interface Answer {
  status: number;
  body: Body;
}

/** What is known of a key: the answer, or what the request did without a word of its answer, or nothing yet. */
export type Begun = { answer: Answer } | { request: KeyedRequest; result?: object };

/** Results hold credits as bigint, which JSON does not know. */
const encode = (result: object): string =>
  JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? { $bigint: String(value) } : value));

const decode = (body: unknown): object =>
  JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value?.$bigint === 'string' ? BigInt(value.$bigint) : value,
  ) as object;

/** The text of a result or an answer as it is stored. */
const stored = ({ seal }: KeyedRequest, text: string): string =>
  seal ? JSON.stringify({ $sealed: seal(text) }) : text;

/** A sealed text opens for the key of this caller alone. */
const contextOf = ({ caller, key }: Pick<KeyedRequest, 'caller' | 'key'>): string => `idempotency ${caller} ${key}`;

/**
 * In the transaction that charges: writes what its request did to the key that it came with, if any. Nothing is
 * committed, and IN_FLIGHT is thrown, where the key was given up for dead meanwhile and may be another request's.
 */
export function keepResult(tx: Pick<Tx, 'require'>, { keyed }: Pick<Principal, 'keyed'>, result: object): void {
  if (keyed)
    void keepBody(
      required(tx, () => new PlatformError('IN_FLIGHT')),
      { ...keyed, result: stored(keyed, encode(result)) },
    );
}

/** In the transaction that hands a request over to a job: it goes on also where the process dies that began it. */
export function outliveProcess(tx: Pick<Tx, 'require'>, { keyed }: Pick<Principal, 'keyed'>): void {
  if (keyed)
    void handOver(
      required(tx, () => new PlatformError('IN_FLIGHT')),
      keyed,
    );
}

/** In the transaction that refuses a request which was handed over to a job: no process may be left to forget it. */
export async function forgetRefused(tx: Tx, keyed: KeyedRequest | null): Promise<void> {
  if (keyed) await releaseKey(tx, keyed);
}

/** How many times a key is read again that other requests claim and release meanwhile. */
const ATTEMPTS = 3;
const RETRY_AFTER_S = 1;

/** How often results are written again that could not be written. */
const RETRY_MS = SECOND_MS;
/** So many are kept for later. The oldest is given up beyond them: its key is free soonest, `IN_FLIGHT_MS` after it began. */
const MOST_PENDING = 10_000;

const inFlight = (): PlatformError =>
  new PlatformError('IN_FLIGHT', undefined, { details: { retryAfterSeconds: RETRY_AFTER_S } });

const isSame = (known: RequestHash, given: RequestHash): boolean =>
  known.requestHash === given.requestHash || (known.sortedHash !== null && known.sortedHash === given.sortedHash);

/** Claims idempotency keys, replays their answers, refuses another request with the same key. */
export class IdempotencyKeys {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'notifier' | 'config'>;
  readonly #seal: Seal;
  /**
   * Results that could not be written because the database was away. Their keys count as in flight until then, since this process
   * lives.
   */
  readonly #pending = new Map<KeyedRequest, { write: () => Promise<unknown>; untilMs: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'notifier' | 'config'>, seal: Seal) {
    this.#p = platform;
    this.#seal = seal;
  }

  /**
   * What is known of a key; without an answer or a result the caller shall run the request. Throws 409 in flight, 422 reused.
   * @param isSecret its answer holds a secret
   */
  async begin(caller: string, key: string, hash: RequestHash, isSecret = false): Promise<Begun> {
    let begunAt = this.#p.clock.now();
    await forgetOld(this.#p.db, {
      caller,
      key,
      replayedSince: begunAt - this.#p.config.KEEP_IDEMPOTENCY_DAYS * DAY_MS,
      runningSince: begunAt - IN_FLIGHT_MS,
    });
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const request = this.#request(caller, key, begunAt, isSecret);
      const claim = { ...request, ...hash, process: this.#p.notifier.lockId };
      // Where the answer is lost it is not known whether the key is claimed; it is released.
      const begun = await beginKey(this.#p.db, claim).catch((error: unknown) => {
        if (isOutage(error)) this.#writeLater(request, () => releaseKey(this.#p.db, request));
        throw error;
      });
      if (begun.length > 0) return { request };
      const [known] = await readKey(this.#p.db, { caller, key });
      if (!known) continue;
      if (!isSame(known, hash)) throw new PlatformError('KEY_REUSED');
      const body = this.#opened({ caller, key }, known.body);
      if (known.status !== null) return { answer: { status: known.status, body: (body ?? {}) as Body } };
      const before = this.#request(caller, key, known.begunAt, isSecret);
      if (body !== null) return { request: before, result: decode(body) };
      if (known.process === null || (await this.#isAlive(known.process))) throw inFlight();
      // Waits for the transaction of the dead, should it commit yet: then its result is found.
      await releaseKey(this.#p.db, before);
      begunAt = Math.max(begunAt, known.begunAt + 1);
    }
    throw inFlight();
  }

  /** The same for what keeps results alone. */
  async beginResult(
    caller: string,
    key: string,
    requestHash: string,
    isSecret = false,
  ): Promise<{ request: KeyedRequest; result?: object }> {
    const begun = await this.begin(caller, key, { requestHash, sortedHash: null }, isSecret);
    // The hashes of what keeps whole answers are others.
    if ('answer' in begun) throw new PlatformError('KEY_REUSED');
    return begun;
  }

  #request(caller: string, key: string, begunAt: number, isSecret: boolean): KeyedRequest {
    const request = { caller, key, begunAt };
    return isSecret ? { ...request, seal: (text) => this.#seal.seal(text, contextOf(request)) } : request;
  }

  /** The stored result, unsealed. */
  #opened(of: Pick<KeyedRequest, 'caller' | 'key'>, body: unknown): unknown {
    const sealed = (body as { $sealed?: unknown } | null)?.$sealed;
    return typeof sealed === 'string' ? JSON.parse(this.#seal.open(sealed, contextOf(of))) : body;
  }

  async #isAlive(id: number): Promise<boolean> {
    return (await heldLock(this.#p.db, { lockClass: LOCK_CLASSES.web, id })).length > 0;
  }

  /** Stores the result of a request, unless its transaction has. */
  async keep(request: KeyedRequest, result: object): Promise<void> {
    await this.#write(request, () => keepBody(this.#p.db, { ...request, result: stored(request, encode(result)) }));
  }

  async finish(request: KeyedRequest, { status, body }: Answer): Promise<void> {
    const text = stored(request, JSON.stringify(body));
    await this.#write(request, () => finishKey(this.#p.db, { ...request, status, body: text }));
  }

  /** Forgets a request that failed, unless it has charged: a caller who lost the answer does not know whether it has. */
  async release(request: KeyedRequest): Promise<void> {
    await this.#write(request, () => releaseKey(this.#p.db, request));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#pending.clear();
  }

  /** Writes it, later too where the database is away now; then it throws all the same. */
  async #write(request: KeyedRequest, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (isOutage(error)) this.#writeLater(request, write);
      throw error;
    }
  }

  #writeLater(request: KeyedRequest, write: () => Promise<unknown>): void {
    this.#pending.set(request, { write, untilMs: performance.now() + IN_FLIGHT_MS });
    const [oldest] = this.#pending.keys();
    if (oldest && this.#pending.size > MOST_PENDING) this.#pending.delete(oldest);
    this.#timer ??= this.#later();
  }

  /** One run at a time: a statement that waits for the database holds a connection, and the next run would take another. */
  #later(): NodeJS.Timeout {
    const run = async (): Promise<void> => {
      await this.#writePending();
      this.#timer = this.#pending.size > 0 ? this.#later() : undefined;
    };
    return setTimeout(() => void run(), RETRY_MS).unref();
  }

  async #writePending(): Promise<void> {
    for (const [request, { write, untilMs }] of [...this.#pending]) {
      try {
        await write();
      } catch (error) {
        // After that the key blocks no request any more.
        if (isOutage(error) && performance.now() < untilMs) return;
      }
      this.#pending.delete(request);
    }
  }
}
