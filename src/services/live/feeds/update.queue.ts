/** Updates for subscribers inside this process. */
import { PlatformError } from '../../../kernel/errors.ts';
import type { FeedSink } from './feed.service.ts';

/**
 * A bounded queue of one subscriber that is read as an async iterator. Written by hand, because a parked async
 * generator never ends: here `return()` settles a waiting `next()`. It never drops an update silently.
 */
export class BoundedQueue<Item> implements AsyncIterableIterator<Item> {
  readonly #limit: number;
  readonly #onReturn: () => void;
  readonly #items: Item[] = [];
  readonly #onDrained: (() => void)[] = [];
  readonly #waiting: { resolve(result: IteratorResult<Item>): void; reject(error: unknown): void }[] = [];
  #ended: { error?: unknown } | undefined;

  /** `onReturn` is called once, when reading has ended. */
  constructor(limit: number, onReturn: () => void) {
    this.#limit = limit;
    this.#onReturn = onReturn;
  }

  /** False when the reader is too far behind, or gone. */
  push(item: Item): boolean {
    if (this.#ended) return false;
    const reader = this.#waiting.shift();
    if (reader) reader.resolve({ value: item, done: false });
    else if (this.#items.length >= this.#limit) return false;
    else this.#items.push(item);
    return true;
  }

  /** Resolves when the reader has taken everything, or is gone. */
  async drained(): Promise<void> {
    if (this.#items.length > 0) await new Promise<void>((resolve) => this.#onDrained.push(resolve));
  }

  /** No more comes: the reader gets what is queued, then the error, if there is one, then the end. */
  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = error === undefined ? {} : { error };
    const [first, ...others] = this.#waiting.splice(0);
    if (first && error !== undefined) {
      this.#ended = {};
      first.reject(error);
    } else first?.resolve({ value: undefined, done: true });
    for (const reader of others) reader.resolve({ value: undefined, done: true });
    this.#released();
    this.#onReturn();
  }

  async next(): Promise<IteratorResult<Item>> {
    const item = this.#items.shift();
    if (item !== undefined) {
      if (this.#items.length === 0) this.#released();
      return { value: item, done: false };
    }
    if (!this.#ended) return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
    const { error } = this.#ended;
    this.#ended = {};
    if (error !== undefined) throw error;
    return { value: undefined, done: true };
  }

  async return(): Promise<IteratorResult<Item>> {
    this.#items.length = 0;
    this.end();
    this.#ended = {};
    return { value: undefined, done: true };
  }

  #released(): void {
    for (const resolve of this.#onDrained.splice(0)) resolve();
  }

  async throw(error: unknown): Promise<IteratorResult<Item>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** For a subscriber inside this process: a queue that ends with an error when it overflows. */
export function intoQueue<Update>(queue: BoundedQueue<Update>): FeedSink<Update> {
  return {
    deliver(update) {
      const isTaken = queue.push(update);
      if (!isTaken) queue.end(new PlatformError('UNAVAILABLE', 'Too slow: resume behind the last cursor.'));
      return isTaken;
    },
    drained: () => queue.drained(),
  };
}
