/**
 * The rows of conversations that are being polled, kept in memory while nothing changes them: an unchanged poll then
 * reads nothing. Every change of a conversation is published as a notification (`conversation-version.repository.ts`), which forgets its row here, at
 * once in the process that made it and within milliseconds in the others. It holds rows, never who may see them.
 */
import { LRUCache } from 'lru-cache';
import type { Notifier } from '../../events/notifier.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Platform } from '../platform/platform.port.ts';

const MAX_ENTRIES = 10_000;

interface Entry<Row> {
  row: Row;
  untilMs: number;
}

export class ConversationCache<Row extends { id: string; avatarId: string }> {
  readonly #clock: Clock;
  readonly #notifier: Pick<Notifier, 'keepMs'>;
  readonly #read: (slug: string) => Promise<Row | undefined>;
  readonly #bySlug = new LRUCache<string, Entry<Row>>({
    max: MAX_ENTRIES,
    dispose: ({ row }) => this.#slugs.delete(row.id),
  });
  readonly #slugs = new Map<string, string>();
  /** Conversations and avatars that changed while each read is under way: its row may be out of date, and is not kept. */
  readonly #reads = new Set<{ changed: Set<string>; isAll: boolean }>();

  constructor(platform: Pick<Platform, 'clock' | 'notifier'>, read: (slug: string) => Promise<Row | undefined>) {
    this.#clock = platform.clock;
    this.#notifier = platform.notifier;
    this.#read = read;
    platform.notifier.on('turn', (payload) => this.#forget(payload.slice(0, payload.indexOf(' '))));
    platform.notifier.on('avatar', (avatarId) => this.#forgetAvatar(avatarId));
    platform.notifier.onMissed(() => this.#forgetAll());
  }

  /** The row by its slug, and whether it was kept rather than read; undefined when there is none. */
  async find(slug: string): Promise<{ row: Row; isKept: boolean } | undefined> {
    const known = this.#bySlug.get(slug);
    const nowMs = this.#clock.now();
    if (known && known.untilMs > nowMs) return { row: known.row, isKept: true };
    const read = { changed: new Set<string>(), isAll: false };
    this.#reads.add(read);
    let row: Row | undefined;
    try {
      row = await this.#read(slug);
    } finally {
      this.#reads.delete(read);
    }
    if (!row) return undefined;
    const found = { row, isKept: false };
    if (read.isAll || read.changed.has(row.id) || read.changed.has(row.avatarId)) return found;
    this.#bySlug.set(slug, { row, untilMs: nowMs + this.#notifier.keepMs });
    this.#slugs.set(row.id, slug);
    return found;
  }

  #forget(id: string): void {
    for (const { changed } of this.#reads) changed.add(id);
    const slug = this.#slugs.get(id);
    if (slug !== undefined) this.#bySlug.delete(slug);
  }

  /** Looks through all that is kept, half a millisecond at most: an avatar changes seldom, and may be in a thousand conversations. */
  #forgetAvatar(avatarId: string): void {
    for (const { changed } of this.#reads) changed.add(avatarId);
    for (const [slug, { row }] of this.#bySlug.entries()) if (row.avatarId === avatarId) this.#bySlug.delete(slug);
  }

  #forgetAll(): void {
    for (const read of this.#reads) read.isAll = true;
    this.#bySlug.clear();
  }
}
