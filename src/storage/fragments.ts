/**
 * A medium that is read while it is still being written: the writer appends numbered fragments, readers in any process
 * follow from the first one. Each process follows a key once however many readers it has, and a fragment written here
 * wakes the readers here at once; the poll is for writers in other processes. It never deletes by itself.
 */
import { FALLBACK_TYPE, fragmentsFolder, type ObjectStore } from './objects.ts';

/** How fragments are waited for. */
export interface FragmentTiming {
  /** How often the store is asked for fragments of other processes. Default 150. */
  pollMs?: number;
  /** Readers give up after this long without a new fragment. Default 30 000. */
  idleTimeoutMs?: number;
}

/** Why following stopped before the end: the fragments were removed, or nothing came for too long. */
export class FragmentsError extends Error {
  override readonly name = 'FragmentsError';
  readonly reason: 'removed' | 'timeout';

  constructor(reason: 'removed' | 'timeout') {
    super(reason === 'removed' ? 'The fragments were removed.' : 'No fragment came for too long.');
    this.reason = reason;
  }
}

const MAX_FRAGMENTS = 1_000_000;
const END = 'end-';

function number(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= MAX_FRAGMENTS)
    throw new Error(`Not a fragment number: ${index}`);
  return String(index).padStart(6, '0');
}

/** One followed key: what has come so far, for all readers of this process. */
class Tail {
  readonly pieces: Uint8Array[] = [];
  readers = 0;
  ended = false;
  failure: Error | undefined;
  #news = Promise.withResolvers<void>();
  #kick = Promise.withResolvers<void>();

  /** Settles at the next fragment, end or failure. */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  notify(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Cuts the current or the next pause short. */
  kick(): void {
    this.#kick.resolve();
  }

  async pause(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#kick.resolve(), ms);
    await this.#kick.promise;
    clearTimeout(timer);
    this.#kick = Promise.withResolvers();
  }
}

/** Media that are read while they are written, across processes. */
export class Fragments {
  readonly #objects: ObjectStore;
  readonly #pollMs: number;
  readonly #idleTimeoutMs: number;
  readonly #tails = new Map<string, Tail>();

  constructor(objects: ObjectStore, { pollMs = 150, idleTimeoutMs = 30_000 }: FragmentTiming = {}) {
    this.#objects = objects;
    this.#pollMs = pollMs;
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  async put(key: string, index: number, bytes: Uint8Array): Promise<void> {
    await this.#objects.write(fragmentsFolder(key) + number(index), bytes, FALLBACK_TYPE, false);
    this.#tails.get(key)?.kick();
  }

  // The end carries the count: a listing made while it was being written may show the end without the last fragment.
  async end(key: string): Promise<void> {
    const folder = fragmentsFolder(key);
    const names = new Set(await this.#objects.list(folder));
    let count = 0;
    while (names.has(number(count))) count += 1;
    await this.#objects.write(folder + END + number(count), new Uint8Array(), FALLBACK_TYPE, false);
    this.#tails.get(key)?.kick();
  }

  async remove(key: string): Promise<void> {
    await this.#objects.removeFolder(fragmentsFolder(key));
    this.#tails.get(key)?.kick();
  }

  async *read(key: string, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const aborted = Promise.withResolvers<void>();
    const abort = () => aborted.resolve();
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    const tail = this.#join(key);
    try {
      for (let index = 0; ; ) {
        const piece = tail.pieces[index];
        if (piece) {
          yield piece;
          index += 1;
        } else if (tail.failure) throw tail.failure;
        else if (tail.ended) return;
        else await Promise.race([tail.news, aborted.promise]);
        signal?.throwIfAborted();
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#leave(key, tail);
    }
  }

  #join(key: string): Tail {
    let tail = this.#tails.get(key);
    if (!tail) {
      tail = new Tail();
      this.#tails.set(key, tail);
      void this.#follow(fragmentsFolder(key), key, tail);
    }
    tail.readers += 1;
    return tail;
  }

  #leave(key: string, tail: Tail): void {
    tail.readers -= 1;
    if (tail.readers > 0) return;
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
    tail.kick();
  }

  async #follow(folder: string, key: string, tail: Tail): Promise<void> {
    try {
      let lastNewsMs = performance.now();
      do {
        const before = tail.pieces.length;
        if (await this.#advance(folder, tail)) break;
        if (tail.pieces.length > before) lastNewsMs = performance.now();
        if (performance.now() - lastNewsMs > this.#idleTimeoutMs) throw new FragmentsError('timeout');
        await tail.pause(this.#pollMs);
      } while (tail.readers > 0);
      tail.ended = true;
    } catch (error) {
      tail.failure = error as Error;
      // Later readers start afresh instead of inheriting the failure.
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
    tail.notify();
  }

  /** Takes in what is new; true at the end. */
  async #advance(folder: string, tail: Tail): Promise<boolean> {
    const names = await this.#objects.list(folder);
    if (names.length === 0 && tail.pieces.length > 0) throw new FragmentsError('removed');
    const known = new Set(names);
    while (known.has(number(tail.pieces.length))) {
      const piece = await this.#objects.bytes(folder + number(tail.pieces.length));
      if (!piece) throw new FragmentsError('removed');
      tail.pieces.push(piece);
      tail.notify();
    }
    const end = names.find((name) => name.startsWith(END));
    return end !== undefined && Number(end.slice(END.length)) <= tail.pieces.length;
  }
}
