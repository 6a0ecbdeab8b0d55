/**
 * One feed per open conversation: what changed is read once per event and handed to every viewer, in the order of the
 * versions. A feed does one thing at a time, so the last page of a viewer's replay and its joining are one step and
 * nothing falls between them (as two steps 4 of 100 viewers got a gap). It never decides who may watch.
 */
import type { Notifier } from '../../../events/notifier.ts';
import { PlatformError } from '../../../kernel/errors.ts';

/** What changed, stamped with the conversation's version of that moment. */
export interface Versioned {
  version: number;
}

/** Turns a changed row into what viewers are handed. Viewers with the same encoder share its results. */
export interface UpdateEncoder<Row, Update> {
  encode(row: Row): Update | Promise<Update>;
}

/** Somebody who watches: what they have seen, and how updates are handed to them. */
export interface FeedViewer<Row, Update> {
  encoder: UpdateEncoder<Row, Update>;
  /** The version it has seen everything up to; without it the viewer follows from now. */
  after?: number;
  /** False for rows that are none of its business. */
  wants?(row: Row): boolean;
  /** Takes one update; false says that the viewer is too slow, and it leaves the feed at once. */
  deliver(update: Update): boolean;
  /** Resolves when it can take the next page of a long replay. */
  drained?(): Promise<void>;
  /** Its encoder failed: it has left the feed. */
  failed(error: unknown): void;
}

/** What feeds read from and are woken by. */
export interface FeedPorts<Row extends Versioned> {
  /** Rows with a version beyond `after`, by ascending version, at most `limit`. */
  readChanged(conversationId: string, after: number, limit: number): Promise<Row[]>;
  /** The greatest version among the rows of a conversation; 0 when it has none. */
  latest(conversationId: string): Promise<number>;
  /** The present versions of conversations, in one query. */
  versions(conversationIds: string[]): Promise<{ id: string; version: number }[]>;
  /** The row that is being written, as it is so far; undefined where its words are there, or it is none of the conversation's. */
  readDraft(conversationId: string, id: string): Promise<Row | undefined>;
  /** That row with its words so far. */
  withDraft(row: Row, text: string): Row;
  notifier: Pick<Notifier, 'on' | 'onReconnect'>;
  /** Calls back again and again; returns how to stop. */
  every(ms: number, tick: () => void): () => void;
  /** Told of a read that failed; it is repeated at the next sweep. */
  onError(error: unknown): void;
  pageRows?: number;
}

/** How soon a lost notification is made up for. */
export const SWEEP_MS = 1_000;
/** A page of a replay: some 100 kB, well below what a socket may have waiting. */
const PAGE_ROWS = 50;
/** Deliveries in one go; then whatever else waits in this process has its turn. */
const BURST = 500;

/** Counters of a process. */
export interface FeedStats {
  feeds: number;
  viewers: number;
  reads: number;
  deliveries: number;
  slow: number;
}

interface Member<Row> {
  viewer: FeedViewer<Row, unknown>;
  /** Everything up to this version was delivered; undefined until a viewer from now on has joined. */
  cursor: number | undefined;
  left: boolean;
}

/** The feeds of a process: one for each conversation that somebody watches. */
export class FeedRegistry<Row extends Versioned> {
  readonly stats: FeedStats = { feeds: 0, viewers: 0, reads: 0, deliveries: 0, slow: 0 };
  readonly #ports: FeedPorts<Row>;
  readonly #feeds = new Map<string, Feed<Row>>();
  readonly #stopListening: (() => void)[];
  #stopSweeping: (() => void) | undefined;
  #sweeping = false;

  constructor(ports: FeedPorts<Row>) {
    this.#ports = ports;
    this.#stopListening = [
      ports.notifier.on('turn', (payload) => {
        const [id = '', version] = payload.split(' ');
        this.#feeds.get(id)?.wake(Number(version));
      }),
      ports.notifier.on('draft', (payload) => {
        const [, conversationId, id, text] = /^(\S+) (\S+) (.*)$/su.exec(payload) ?? [];
        if (conversationId && id && text) this.#feeds.get(conversationId)?.draft(id, text);
      }),
      ports.notifier.onReconnect(() => {
        for (const feed of this.#feeds.values()) feed.wake();
      }),
    ];
  }

  /** Replays what changed after the viewer's cursor, then follows: no gap, no duplicate. Returns how to leave. */
  join<Update>(conversationId: string, viewer: FeedViewer<Row, Update>): () => void {
    let feed = this.#feeds.get(conversationId);
    if (!feed) {
      feed = new Feed(conversationId, this.#ports, this.stats, () => this.#forget(conversationId));
      this.#feeds.set(conversationId, feed);
      this.stats.feeds += 1;
      this.#stopSweeping ??= this.#ports.every(SWEEP_MS, () => void this.sweep());
    }
    return feed.join(viewer as FeedViewer<Row, unknown>);
  }

  /** One query over all open feeds: those that are behind read what they missed, those of deleted conversations end. */
  async sweep(): Promise<void> {
    if (this.#sweeping) return;
    this.#sweeping = true;
    try {
      for (const feed of this.#feeds.values()) feed.retry();
      const gone = new Map(this.#feeds);
      for (const { id, version } of await this.#ports.versions([...gone.keys()])) {
        gone.delete(id);
        this.#feeds.get(id)?.wake(version);
      }
      for (const feed of gone.values()) feed.end(new PlatformError('NOT_FOUND', 'The conversation was deleted.'));
    } catch (error) {
      this.#ports.onError(error);
    } finally {
      this.#sweeping = false;
    }
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopSweeping?.();
  }

  #forget(conversationId: string): void {
    this.#feeds.delete(conversationId);
    this.stats.feeds -= 1;
    if (this.#feeds.size > 0) return;
    this.#stopSweeping?.();
    this.#stopSweeping = undefined;
  }
}

class Feed<Row extends Versioned> {
  readonly #id: string;
  readonly #ports: FeedPorts<Row>;
  readonly #stats: FeedStats;
  readonly #onEmpty: () => void;
  readonly #pageRows: number;
  /** Who follows, by encoder. */
  readonly #following = new Map<UpdateEncoder<Row, unknown>, Set<Member<Row>>>();
  /** Who waits for (the next page of) a replay, by cursor; undefined is now. */
  readonly #waiting = new Map<number | undefined, Member<Row>[]>();
  /** What was last told of rows that are being written, and not handed on yet. */
  readonly #drafts = new Map<string, string>();
  /** Those rows, and how much of their words was handed on. */
  readonly #openDrafts = new Map<string, { row: Row; shown: number }>();
  #size = 0;
  /** Everything up to here was handed to those who follow. */
  #cursor: number | undefined;
  /** The conversation's version that the last complete read covered: beyond `#cursor` when no turn changed. */
  #covered = 0;
  #wanted = 0;
  #stale = false;
  #working = false;

  constructor(id: string, ports: FeedPorts<Row>, stats: FeedStats, onEmpty: () => void) {
    this.#id = id;
    this.#ports = ports;
    this.#stats = stats;
    this.#onEmpty = onEmpty;
    this.#pageRows = ports.pageRows ?? PAGE_ROWS;
  }

  join(viewer: FeedViewer<Row, unknown>): () => void {
    const member: Member<Row> = { viewer, cursor: viewer.after, left: false };
    this.#size += 1;
    this.#stats.viewers += 1;
    this.#wait(member);
    return () => this.#leave(member);
  }

  /** Something changed, up to this version if it is known. */
  wake(version?: number): void {
    if (version === undefined || Number.isNaN(version)) this.#stale = true;
    else this.#wanted = Math.max(this.#wanted, version);
    void this.#work();
  }

  /** The words of a row so far; what came in between two of them is in the later one. */
  draft(id: string, text: string): void {
    this.#drafts.set(id, text);
    void this.#work();
  }

  /** Takes up again what a failed read left undone. */
  retry(): void {
    void this.#work();
  }

  /** Sends everyone away. */
  end(error: unknown): void {
    const following = [...this.#following.values()].flatMap((members) => [...members]);
    for (const member of [...following, ...[...this.#waiting.values()].flat()]) this.#fail(member, error);
  }

  #wait(member: Member<Row>): void {
    const members = this.#waiting.get(member.cursor);
    if (members) members.push(member);
    else this.#waiting.set(member.cursor, [member]);
    void this.#work();
  }

  #leave(member: Member<Row>): void {
    if (member.left) return;
    member.left = true;
    this.#size -= 1;
    this.#stats.viewers -= 1;
    const { encoder } = member.viewer;
    const members = this.#following.get(encoder);
    members?.delete(member);
    if (members?.size === 0) this.#following.delete(encoder);
    if (this.#size === 0) this.#onEmpty();
  }

  /** The queue: one step after the other, until nothing is left to do. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    try {
      this.#cursor ??= this.#covered = await this.#ports.latest(this.#id);
      while (this.#size > 0) {
        if (this.#stale || this.#wanted > this.#covered) await this.#advance();
        else if (this.#drafts.size > 0) await this.#deliverDraft();
        else if (this.#waiting.size > 0) await this.#replay();
        else break;
      }
    } catch (error) {
      this.#ports.onError(error);
    } finally {
      this.#working = false;
    }
  }

  /** Reads one page of what changed and delivers it to everyone who follows. */
  async #advance(): Promise<void> {
    const wanted = this.#wanted;
    this.#stale = false;
    const rows = await this.#read(this.#cursor ?? 0);
    for (const row of rows) {
      for (const [encoder, members] of this.#following) await this.#deliver(row, encoder, members);
      this.#cursor = row.version;
      this.#openDrafts.clear();
    }
    if (rows.length === this.#pageRows) this.#stale = true;
    else this.#covered = Math.max(this.#covered, wanted, this.#cursor ?? 0);
  }

  /**
   * Hands the words so far of one row to everyone who follows. It is behind all they have and changes no cursor, so that
   * whoever comes back behind it misses nothing. Words that are there in full come as a change, never after it.
   */
  async #deliverDraft(): Promise<void> {
    const [[id, text] = []] = this.#drafts;
    if (id === undefined || text === undefined) return;
    this.#drafts.delete(id);
    let growing = this.#openDrafts.get(id);
    if (!growing) {
      const row = await this.#ports.readDraft(this.#id, id);
      if (!row) return;
      if (row.version > this.#covered) {
        // What changed up to it comes first; words that were told meanwhile are the later ones.
        this.#wanted = Math.max(this.#wanted, row.version);
        if (!this.#drafts.has(id)) this.#drafts.set(id, text);
        return;
      }
      growing = { row, shown: 0 };
      this.#openDrafts.set(id, growing);
    }
    // Notifications of two connections may overtake each other.
    if (text.length <= growing.shown) return;
    growing.shown = text.length;
    const version = this.#cursor ?? 0;
    const row = { ...this.#ports.withDraft(growing.row, text), version };
    for (const [encoder, members] of this.#following) await this.#deliver(row, encoder, members, true);
  }

  /**
   * Reads one page for all who wait behind the same cursor (after a restart that is nearly everyone), and lets them
   * follow when it was the last.
   */
  async #replay(): Promise<void> {
    const [after] = this.#waiting.keys();
    // Whoever is as far as the feed needs no read: it drops the versions it knows.
    const rows = after === undefined || after >= (this.#cursor ?? after + 1) ? [] : await this.#read(after);
    const group = this.#waiting.get(after) ?? [];
    this.#waiting.delete(after);
    const byEncoder = Map.groupBy(group, (member) => member.viewer.encoder);
    for (const row of rows) {
      for (const [encoder, members] of byEncoder) await this.#deliver(row, encoder, members);
    }
    const isLast = rows.length < this.#pageRows;
    for (const member of group) {
      if (member.left) continue;
      member.cursor = rows.at(-1)?.version ?? after ?? this.#cursor;
      if (isLast) this.#follow(member);
      else void this.#rejoinWhenDrained(member);
    }
  }

  /** A long replay goes at the viewer's pace and holds nobody up. */
  async #rejoinWhenDrained(member: Member<Row>): Promise<void> {
    await member.viewer.drained?.();
    if (!member.left) this.#wait(member);
  }

  #follow(member: Member<Row>): void {
    const members = this.#following.get(member.viewer.encoder);
    if (members) members.add(member);
    else this.#following.set(member.viewer.encoder, new Set([member]));
  }

  async #read(after: number): Promise<Row[]> {
    this.#stats.reads += 1;
    return this.#ports.readChanged(this.#id, after, this.#pageRows);
  }

  /** Delivers a row to members with one encoder; it is shown once, and not at all when nobody wants it. */
  async #deliver(
    row: Row,
    encoder: UpdateEncoder<Row, unknown>,
    members: Iterable<Member<Row>>,
    isDraft = false,
  ): Promise<void> {
    let update: unknown;
    let isShown = false;
    let handed = 0;
    for (const member of members) {
      if (member.left || member.viewer.wants?.(row) === false) continue;
      if (!isDraft && row.version <= (member.cursor ?? 0)) continue;
      if (!isShown) {
        try {
          update = await encoder.encode(row);
        } catch (error) {
          for (const each of [...members]) this.#fail(each, error);
          return;
        }
        isShown = true;
        if (member.left) continue;
      }
      if (!isDraft) member.cursor = row.version;
      this.#stats.deliveries += 1;
      if (!member.viewer.deliver(update)) {
        this.#stats.slow += 1;
        this.#leave(member);
      }
      handed += 1;
      if (handed % BURST === 0) await new Promise(setImmediate);
    }
  }

  #fail(member: Member<Row>, error: unknown): void {
    if (member.left) return;
    this.#leave(member);
    member.viewer.failed(error);
  }
}
