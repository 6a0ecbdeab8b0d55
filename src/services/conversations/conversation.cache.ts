/**
 * The rows of conversations that are being polled, kept in memory while nothing changes them: an unchanged poll then
 * reads nothing. Every change of a conversation is published as a notification (`conversation-version.ts`), which forgets its row here, at
 * once in the process that made it and within milliseconds in the others. It holds rows, never who may see them.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.ts';
import type { Platform } from '../platform.ts';

/** How long a row is believed at most, for a notification may be lost with its connection; as credentials are. */
const KEEP_MS = 5_000;
const MAX_ENTRIES = 10_000;

interface Entry<Row> {
  row: Row;
  untilMs: number;
}

export class ConversationCache<Row extends { id: string }> {
  readonly #clock: Clock;
  readonly #read: (slug: string) => Promise<Row | undefined>;
  readonly #bySlug = new LRUCache<string, Entry<Row>>({
    max: MAX_ENTRIES,
    dispose: ({ row }) => this.#slugs.delete(row.id),
  });
  readonly #slugs = new Map<string, string>();
  /** Counts what was forgotten: a read that was under way meanwhile may be out of date, and is not kept. */
  #forgotten = 0;

  constructor(platform: Pick<Platform, 'clock' | 'notifier'>, read: (slug: string) => Promise<Row | undefined>) {
    this.#clock = platform.clock;
    this.#read = read;
    platform.notifier.on('turn', (payload) => this.#forget(payload.slice(0, payload.indexOf(' '))));
    // An avatar that was renamed: it may be in any of them, and it happens seldom.
    platform.notifier.on('avatar', () => this.#forgetAll());
    platform.notifier.onReconnect(() => this.#forgetAll());
  }

  /** The row by its slug; undefined when there is none. */
  async find(slug: string): Promise<Row | undefined> {
    const known = this.#bySlug.get(slug);
    const nowMs = this.#clock.now();
    if (known && known.untilMs > nowMs) return known.row;
    const forgotten = this.#forgotten;
    const row = await this.#read(slug);
    if (!row || forgotten !== this.#forgotten) return row;
    this.#bySlug.set(slug, { row, untilMs: nowMs + KEEP_MS });
    this.#slugs.set(row.id, slug);
    return row;
  }

  #forget(id: string): void {
    this.#forgotten += 1;
    const slug = this.#slugs.get(id);
    if (slug !== undefined) this.#bySlug.delete(slug);
  }

  #forgetAll(): void {
    this.#forgotten += 1;
    this.#bySlug.clear();
  }
}
