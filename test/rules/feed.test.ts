import { describe, expect, test } from '@jest/globals';
import type { Channel } from '../../src/events/notifier.ts';
import {
  FeedRegistry,
  type FeedSink,
  type FeedViewer,
  type UpdateEncoder,
} from '../../src/services/live/feeds/feed.service.ts';

interface Row {
  id: string;
  version: number;
  /** Words so far of a row that is being written. */
  text?: string;
}

/** Conversations in memory: every read can be held back, and what happens meanwhile is the test's to say. */
class Conversations {
  readonly rows = new Map<string, Map<string, Row>>();
  readonly reads: { conversation: string; after: number }[] = [];
  readonly errors: unknown[] = [];
  readonly #versions = new Map<string, number>();
  readonly #listeners = new Map<(payload: string) => void, Channel>();
  /** Rows without words yet. */
  readonly unwritten = new Set<string>();
  readonly #onBack = new Set<() => void>();
  readonly #ticks = new Set<() => void>();
  #bulkhead: Promise<void> | undefined;
  failing = false;

  readonly registry: FeedRegistry<Row>;

  constructor(pageRows = 3) {
    this.registry = new FeedRegistry<Row>({
      readChanged: async (conversation, after, limit) => {
        this.reads.push({ conversation, after });
        await this.#bulkhead;
        if (this.failing) throw new Error('the database is away');
        const rows = [...(this.rows.get(conversation)?.values() ?? [])].filter((row) => row.version > after);
        return rows
          .sort((a, b) => a.version - b.version)
          .slice(0, limit)
          .map((row) => ({ ...row }));
      },
      latest: async (conversation) => {
        if (this.failing) throw new Error('the database is away');
        return Math.max(0, ...[...(this.rows.get(conversation)?.values() ?? [])].map((row) => row.version));
      },
      drafts: {
        read: async (conversation, id) => {
          await this.#bulkhead;
          return this.unwritten.has(id) ? this.rows.get(conversation)?.get(id) : undefined;
        },
        with: (row, text) => ({ ...row, text }),
      },
      versions: async (ids) => ids.map((id) => ({ id, version: this.version(id) })),
      notifier: {
        on: (channel: Channel, listener) => {
          this.#listeners.set(listener, channel);
          return () => void this.#listeners.delete(listener);
        },
        onReconnect: (listener) => {
          this.#onBack.add(listener);
          return () => void this.#onBack.delete(listener);
        },
      },
      every: (_ms, tick) => {
        this.#ticks.add(tick);
        return () => void this.#ticks.delete(tick);
      },
      onError: (error) => void this.errors.push(error),
      pageRows,
    });
  }

  version(conversation: string): number {
    return this.#versions.get(conversation) ?? 0;
  }

  /** Commits a change of a row; the notification is another matter. */
  change(id: string, { conversation = 'c', notify = true } = {}): void {
    const version = this.version(conversation) + 1;
    this.#versions.set(conversation, version);
    const rows = this.rows.get(conversation) ?? new Map<string, Row>();
    this.rows.set(conversation, rows);
    rows.set(id, { id, version });
    if (notify) this.notify(`${conversation} ${version}`);
  }

  notify(payload: string, on: Channel = 'turn'): void {
    for (const [listener, channel] of this.#listeners) if (channel === on) listener(payload);
  }

  /** Says how far the words of a row have come. */
  draft(id: string, text: string): void {
    this.notify(`c ${id} ${text}`, 'draft');
  }

  reconnect(): void {
    for (const listener of this.#onBack) listener();
  }

  get isSweeping(): boolean {
    return this.#ticks.size > 0;
  }

  tick(): void {
    for (const tick of this.#ticks) tick();
  }

  /** Reads wait until the returned function is called. */
  holdReads(): () => void {
    let release = (): void => {};
    this.#bulkhead = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }
}

const plain: UpdateEncoder<Row, Row> = { encode: (row) => row };

class Watcher implements FeedViewer<Row, Row>, FeedSink<Row> {
  encoder: UpdateEncoder<Row, Row> = plain;
  readonly seen: string[] = [];
  readonly errors: unknown[] = [];
  /** Takes this many updates, then is too slow. */
  patience = Number.POSITIVE_INFINITY;
  readonly sink = this;
  declare after?: number;
  declare drained?: () => Promise<void>;
  declare wants?: (row: Row) => boolean;

  constructor(options: Partial<FeedViewer<Row, Row> & FeedSink<Row>> & { patience?: number } = {}) {
    Object.assign(this, options);
  }

  deliver(row: Row): boolean {
    this.seen.push(`${row.id}@${row.version}${row.text === undefined ? '' : ` ${row.text}`}`);
    return this.seen.length < this.patience;
  }

  failed(error: unknown): void {
    this.errors.push(error);
  }
}

/** Lets everything that can run, run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
}

describe('words that are being written', () => {
  /** Someone who follows a conversation in which `b` changed after `a`, whose words are being written. */
  async function following(options: ConstructorParameters<typeof Watcher>[0] = {}) {
    const c = new Conversations();
    c.change('a');
    c.change('b');
    c.unwritten.add('a');
    const watcher = new Watcher(options);
    c.registry.join('c', watcher);
    await settle();
    return { c, watcher };
  }

  test('grow for who follows, behind all that changed', async () => {
    const { c, watcher } = await following();
    c.draft('a', 'Once');
    await settle();
    c.draft('a', 'Once upon a');
    await settle();
    expect(watcher.seen).toEqual(['a@2 Once', 'a@2 Once upon a']);
    c.change('a');
    await settle();
    expect(watcher.seen.at(-1)).toBe('a@3');
  });

  test('never shrink: what was overtaken on its way is left out', async () => {
    const { c, watcher } = await following();
    c.draft('a', 'Once upon a');
    await settle();
    c.draft('a', 'Once');
    await settle();
    expect(watcher.seen).toEqual(['a@2 Once upon a']);
  });

  test('come behind what changed before them, though its notification is late', async () => {
    const { c, watcher } = await following();
    c.change('b', { notify: false });
    c.change('d', { notify: false });
    c.unwritten.add('d');
    c.draft('d', 'Once');
    await settle();
    c.notify('c 4');
    await settle();
    expect(watcher.seen).toEqual(['b@3', 'd@4', 'd@4 Once']);
  });

  test('are not shown after the whole of them', async () => {
    const { c, watcher } = await following();
    const release = c.holdReads();
    c.draft('a', 'Once');
    c.unwritten.delete('a');
    c.change('a');
    release();
    await settle();
    c.draft('a', 'Once upon');
    await settle();
    expect(watcher.seen).toEqual(['a@3']);
  });

  test('that gather while a read takes long come as the last of them', async () => {
    const { c, watcher } = await following();
    const release = c.holdReads();
    c.change('b');
    for (const text of ['O', 'On', 'Once']) c.draft('a', text);
    release();
    await settle();
    expect(watcher.seen).toEqual(['b@3', 'a@3 Once']);
  });

  test('come to no viewer who asked for another row, and to none of another conversation', async () => {
    const { c, watcher } = await following({ wants: (row) => row.id === 'b' });
    c.draft('a', 'Once');
    c.notify('other a Once', 'draft');
    c.notify('c', 'draft');
    await settle();
    expect(watcher.seen).toEqual([]);
  });

  test('may have lines', async () => {
    const { c, watcher } = await following();
    c.draft('a', 'Roses are red,\nviolets');
    await settle();
    expect(watcher.seen).toEqual(['a@2 Roses are red,\nviolets']);
  });
});

describe('a feed', () => {
  test('replays what changed behind the cursor, then follows', async () => {
    const c = new Conversations();
    for (const id of ['a', 'b', 'a', 'd']) c.change(id);
    const watcher = new Watcher({ after: 1 });
    c.registry.join('c', watcher);
    await settle();
    expect(watcher.seen).toEqual(['b@2', 'a@3', 'd@4']);
    c.change('b');
    await settle();
    expect(watcher.seen).toEqual(['b@2', 'a@3', 'd@4', 'b@5']);
  });

  test('follows from now without a cursor, also where others follow already', async () => {
    const c = new Conversations();
    c.change('a');
    const first = new Watcher();
    c.registry.join('c', first);
    await settle();
    c.change('b');
    await settle();
    const second = new Watcher();
    c.registry.join('c', second);
    await settle();
    c.change('d');
    await settle();
    expect(first.seen).toEqual(['b@2', 'd@3']);
    expect(second.seen).toEqual(['d@3']);
  });

  test('reads once and shows once per event and encoder, however many viewers', async () => {
    const c = new Conversations();
    let shown = 0;
    const counting: UpdateEncoder<Row, Row> = {
      encode: (row) => {
        shown += 1;
        return row;
      },
    };
    const watchers = Array.from({ length: 700 }, () => new Watcher({ encoder: counting }));
    for (const watcher of watchers) c.registry.join('c', watcher);
    await settle();
    const before = c.reads.length;
    c.change('a');
    await settle();
    expect(c.reads.length - before).toBe(1);
    expect(shown).toBe(1);
    expect(new Set(watchers.flatMap(({ seen }) => seen))).toEqual(new Set(['a@1']));
    expect(c.registry.stats.deliveries).toBe(700);
  });

  test('a change during the last page of a replay is neither lost nor doubled', async () => {
    const c = new Conversations();
    c.change('a');
    c.change('b');
    c.registry.join('c', new Watcher());
    await settle();
    const release = c.holdReads();
    const watcher = new Watcher({ after: 0 });
    c.registry.join('c', watcher);
    await settle();
    c.change('d');
    c.change('a');
    release();
    await settle();
    expect(watcher.seen).toEqual(['b@2', 'd@3', 'a@4']);
  });

  test('viewers joining at every moment of a storm of changes see each version once, in order', async () => {
    const c = new Conversations(2);
    const watchers: { watcher: Watcher; after: number }[] = [];
    for (let step = 0; step < 200; step += 1) {
      c.change(`t${step % 7}`, { notify: step % 3 !== 0 });
      const after = Math.max(0, c.version('c') - (step % 5));
      const watcher = new Watcher({ after });
      watchers.push({ watcher, after });
      c.registry.join('c', watcher);
      if (step % 4 === 0) await new Promise(setImmediate);
      if (step % 50 === 0) c.tick();
    }
    c.tick();
    for (let i = 0; i < 20; i += 1) await settle();
    const last = [...c.rows.get('c')!.values()];
    for (const { watcher, after } of watchers) {
      const versions = watcher.seen.map((text) => Number(text.split('@')[1]));
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
      expect(versions.every((version) => version > after)).toBe(true);
      for (const row of last) if (row.version > after) expect(watcher.seen).toContain(`${row.id}@${row.version}`);
    }
  });

  test('a thousand viewers that come back behind the same cursor cost one read', async () => {
    const c = new Conversations();
    c.change('a');
    c.change('b');
    const watchers = Array.from({ length: 1_000 }, () => new Watcher({ after: 1 }));
    for (const watcher of watchers) c.registry.join('c', watcher);
    await settle();
    expect(c.reads).toEqual([{ conversation: 'c', after: 1 }]);
    expect(watchers.every(({ seen }) => seen.join() === 'b@2')).toBe(true);
  });

  test('a long replay goes page by page at the viewer’s pace and delays no other viewer', async () => {
    const c = new Conversations();
    for (let i = 0; i < 8; i += 1) c.change(`t${i}`);
    const pages: (() => void)[] = [];
    const slow = new Watcher({ after: 0, drained: () => new Promise((resolve) => void pages.push(resolve)) });
    const other = new Watcher();
    c.registry.join('c', slow);
    c.registry.join('c', other);
    await settle();
    expect(slow.seen).toHaveLength(3);
    c.change('t0');
    await settle();
    expect(other.seen).toEqual(['t0@9']);
    while (pages.length > 0) {
      pages.shift()!();
      await settle();
    }
    expect(slow.seen).toEqual(['t0@1', 't1@2', 't2@3', 't3@4', 't4@5', 't5@6', 't6@7', 't7@8', 't0@9']);
  });

  test('a slow viewer leaves at once and the others do not notice', async () => {
    const c = new Conversations();
    const slow = new Watcher({ patience: 2 });
    const other = new Watcher();
    c.registry.join('c', slow);
    c.registry.join('c', other);
    await settle();
    for (const id of ['a', 'b', 'd']) {
      c.change(id);
      await settle();
    }
    expect(slow.seen).toEqual(['a@1', 'b@2']);
    expect(other.seen).toEqual(['a@1', 'b@2', 'd@3']);
    expect(c.registry.stats).toMatchObject({ viewers: 1, slow: 1 });
  });

  test('a lost notification is made up for by the sweep, and a conversation without changed turns is not read again', async () => {
    const c = new Conversations();
    const watcher = new Watcher();
    c.registry.join('c', watcher);
    await settle();
    c.change('a', { notify: false });
    await settle();
    expect(watcher.seen).toEqual([]);
    c.tick();
    await settle();
    expect(watcher.seen).toEqual(['a@1']);
    const reads = c.reads.length;
    c.tick();
    await settle();
    c.notify('c 1');
    await settle();
    expect(c.reads).toHaveLength(reads);
  });

  test('notifier that come while it reads are one more read', async () => {
    const c = new Conversations();
    const watcher = new Watcher();
    c.registry.join('c', watcher);
    await settle();
    const release = c.holdReads();
    for (let i = 0; i < 50; i += 1) c.change(i % 2 ? 'a' : 'b');
    await settle();
    release();
    await settle();
    expect(c.reads.length).toBeLessThanOrEqual(2);
    expect(watcher.seen).toEqual(['b@49', 'a@50']);
  });

  test('after the notifier’ connection was lost every open feed is read again', async () => {
    const c = new Conversations();
    const watcher = new Watcher();
    const elsewhere = new Watcher();
    c.registry.join('c', watcher);
    c.registry.join('d', elsewhere);
    await settle();
    c.change('a', { notify: false });
    c.change('x', { conversation: 'd', notify: false });
    c.reconnect();
    await settle();
    expect(watcher.seen).toEqual(['a@1']);
    expect(elsewhere.seen).toEqual(['x@1']);
  });

  test('what a failed read left undone, joining too, is taken up by the next sweep', async () => {
    const c = new Conversations();
    const watcher = new Watcher();
    c.registry.join('c', watcher);
    await settle();
    c.failing = true;
    c.change('a');
    const late = new Watcher({ after: 0 });
    c.registry.join('c', late);
    const first = new Watcher({ after: 0 });
    c.registry.join('new', first);
    await settle();
    expect(c.errors.length).toBeGreaterThan(0);
    c.failing = false;
    c.change('x', { conversation: 'new', notify: false });
    c.tick();
    await settle();
    expect(watcher.seen).toEqual(['a@1']);
    expect(late.seen).toEqual(['a@1']);
    expect(first.seen).toEqual(['x@1']);
  });

  test('a viewer of one turn gets that turn alone, and costs nothing for the others', async () => {
    const c = new Conversations();
    let shown = 0;
    const encoder: UpdateEncoder<Row, Row> = {
      encode: (row) => {
        shown += 1;
        return row;
      },
    };
    const watcher = new Watcher({ after: 0, encoder, wants: (row) => row.id === 'b' });
    for (const id of ['a', 'b', 'd', 'e']) c.change(id);
    c.registry.join('c', watcher);
    await settle();
    c.change('a');
    c.change('b');
    await settle();
    expect(watcher.seen).toEqual(['b@2', 'b@6']);
    expect(shown).toBe(2);
  });

  test('an encoder that fails ends its own viewers and no others', async () => {
    const c = new Conversations();
    const broken: UpdateEncoder<Row, Row> = {
      encode: () => {
        throw new Error('cannot be shown');
      },
    };
    const unlucky = [new Watcher({ encoder: broken }), new Watcher({ encoder: broken })];
    const other = new Watcher();
    for (const watcher of [...unlucky, other]) c.registry.join('c', watcher);
    await settle();
    c.change('a');
    await settle();
    expect(unlucky.map(({ errors }) => errors.length)).toEqual([1, 1]);
    expect(other.seen).toEqual(['a@1']);
    expect(c.registry.stats.viewers).toBe(1);
  });

  test('closes with its last viewer, in whatever order and however often viewers leave', async () => {
    const c = new Conversations();
    const leaves = [c.registry.join('c', new Watcher()), c.registry.join('c', new Watcher({ after: 0 }))];
    expect(c.isSweeping).toBe(true);
    await settle();
    for (const leave of [...leaves, ...leaves]) leave();
    expect(c.registry.stats).toMatchObject({ feeds: 0, viewers: 0 });
    expect(c.isSweeping).toBe(false);
    const release = c.holdReads();
    c.change('a');
    const watcher = new Watcher({ after: 0 });
    const leave = c.registry.join('c', watcher);
    await settle();
    leave();
    release();
    await settle();
    expect(watcher.seen).toEqual([]);
    expect(c.registry.stats.feeds).toBe(0);
  });
});
