/**
 * The rows of conversations that are being polled, kept in memory while nothing changes them: an unchanged poll then
 * reads nothing. Every change of a conversation is published as a hint (`versions.ts`), which forgets its row here, at
 * once in the process that made it and within milliseconds in the others. It holds rows, never who may see them.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Platform } from '../platform.ts';

/** How long a row is believed at most, for a hint may be lost with its connection; as credentials are. */
const KEEP_MS = 5_000;
const MAX_HEADS = 10_000;

interface Head<Row> {
  row: Row;
  untilMs: number;
}

export class ConversationHeads<Row extends { id: string }> {
  readonly #clock: Clock;
  readonly #read: (slug: string) => Promise<Row | undefined>;
  readonly #bySlug = new Map<string, Head<Row>>();
  readonly #slugs = new Map<string, string>();
  /** Counts what was forgotten: a read that was under way meanwhile may be out of date, and is not kept. */
  #forgotten = 0;

  constructor(platform: Pick<Platform, 'clock' | 'hints'>, read: (slug: string) => Promise<Row | undefined>) {
    this.#clock = platform.clock;
    this.#read = read;
    platform.hints.on('turn', (payload) => this.#forget(payload.slice(0, payload.indexOf(' '))));
    // An avatar that was renamed: it may be in any of them, and it happens seldom.
    platform.hints.on('avatar', () => this.#forgetAll());
    platform.hints.onReconnect(() => this.#forgetAll());
  }

  /** The row by its slug; undefined when there is none. */
  async find(slug: string): Promise<Row | undefined> {
    const known = this.#bySlug.get(slug);
    const nowMs = this.#clock.now();
    if (known && known.untilMs > nowMs) return known.row;
    const forgotten = this.#forgotten;
    const row = await this.#read(slug);
    if (!row || forgotten !== this.#forgotten) return row;
    if (this.#bySlug.size >= MAX_HEADS) this.#forgetAll();
    this.#bySlug.set(slug, { row, untilMs: nowMs + KEEP_MS });
    this.#slugs.set(row.id, slug);
    return row;
  }

  #forget(id: string): void {
    this.#forgotten += 1;
    const slug = this.#slugs.get(id);
    if (slug === undefined) return;
    this.#slugs.delete(id);
    this.#bySlug.delete(slug);
  }

  #forgetAll(): void {
    this.#forgotten += 1;
    this.#bySlug.clear();
    this.#slugs.clear();
  }
}
