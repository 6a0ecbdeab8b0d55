/**
 * One feed per conversation, or account, that is being watched: each change is read once and delivered to every viewer, in the order of
 * versions. A feed does one step at a time: the last page of a viewer's replay and its joining are one step, so that no
 * change is lost in between (as two steps, 4 of 100 viewers missed one). It does not decide who may watch.
 */
import type { Notifier } from '../../../events/notifier.ts';
import { PlatformError } from '../../../kernel/errors.ts';
import type { Span, Tracer } from '../../../kernel/spans.ts';
import { observePush } from '../../../kernel/work-metrics.ts';

/** What changed, stamped with the conversation's version of that moment. */
export interface Versioned {
  version: number;
}

/** Turns a changed row into what viewers are handed. Viewers with the same encoder share its results. */
export interface UpdateEncoder<Row, Update> {
  encode(row: Row): Update | Promise<Update>;
}

/** Where a viewer's updates go. */
export interface FeedSink<Update> {
  /** Takes one update. False when the viewer is too slow: it leaves the feed at once. */
  deliver(update: Update): boolean;
  /** Resolves when it can take the next page of a long replay. */
  drained?(): Promise<void>;
}

/** A viewer: what they have seen, and how updates are handed to them. */
export interface FeedViewer<Row, Update> {
  encoder: UpdateEncoder<Row, Update>;
  sink: FeedSink<Update>;
  /** The last version it has seen; without it the viewer gets only what changes from now on. */
  after?: number;
  /** False for rows that this viewer does not watch. */
  wants?(row: Row): boolean;
  /** It was too slow: it has left the feed. */
  dropped?(): void;
  /** Its encoder failed: it has left the feed. */
  failed(error: unknown): void;
}

/** What feeds read from and are woken by. */
export interface FeedPorts<Row extends Versioned> {
  /** Rows with a version beyond `after`, by ascending version, at most `limit`; none may lack up to `version`. */
  readChanged(conversationId: string, after: number, limit: number, version: number): Promise<Row[]>;
  /** The greatest version among the rows of a conversation; 0 when it has none. */
  latest(conversationId: string): Promise<number>;
  /** The present versions of conversations, in one query. */
  versions(conversationIds: string[]): Promise<{ id: string; version: number }[]>;
  /** What is shown of rows before they change: replies that are being written. */
  drafts?: {
    /** The row of a reply that is being written; undefined when it has its text or is of another conversation. */
    read(conversationId: string, id: string): Promise<Row | undefined>;
    /** That row with the text so far. */
    with(row: Row, text: string): Row;
  };
  /** Has feeds woken by notifications; by default by those of conversations. Returns what stops it. */
  listen?(feeds: Pick<FeedRegistry<Row>, 'wake'>): (() => void)[];
  /** What viewers get when there is nothing left to watch. */
  gone?: string;
  notifier: Pick<Notifier, 'on' | 'onReconnect'>;
  /** Calls back every `ms`; returns a function that stops it. */
  every(ms: number, tick: () => void): () => void;
  /** Called when a read failed; it is repeated at the next sweep. */
  onError(error: unknown): void;
  /** Undefined where no spans are collected. */
  tracer?: Tracer | undefined;
  pageRows?: number;
}

/** How often versions are compared, to make up for lost notifications. */
const SWEEP_MS = 1_000;
/** Rows in a page of a replay: about 100 kB, well below what may wait in a socket. */
const PAGE_ROWS = 50;
/** Deliveries before the event loop gets a turn. */
const BURST = 500;

/** Counters of a process. */
export interface FeedStats {
  feeds: number;
  viewers: number;
  reads: number;
  deliveries: number;
  slow: number;
}

/**
 * A viewer in a feed. What each delivery needs is here: of ten thousand viewers no object is in the processor's cache, and
 * every further one that is looked at costs a delivery a tenth of a microsecond.
 */
interface Member<Row> {
  viewer: FeedViewer<Row, unknown>;
  sink: FeedSink<unknown>;
  wants: ((row: Row) => boolean) | undefined;
  /** The last delivered version; undefined for a viewer without `after` until it has joined. */
  cursor: number | undefined;
  left: boolean;
}

/** The feeds of a process: one for each conversation with viewers. */
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
      ...(ports.listen?.(this) ?? this.#listenToTurns()),
      ports.notifier.onReconnect(() => {
        for (const feed of this.#feeds.values()) feed.wake();
      }),
    ];
  }

  /** Replays what changed after the viewer's cursor, then delivers new changes: no gap, no duplicate. Returns how to leave. */
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

  /** Compares the versions of all feeds in one query: feeds that are behind catch up, those of deleted conversations end. */
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
      const { gone: ended = 'The conversation was deleted.' } = this.#ports;
      for (const feed of gone.values()) feed.end(new PlatformError('NOT_FOUND', ended));
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

  /** Something changed, up to this version if it is known, by what `cause` (a `traceparent`) names. */
  wake(id: string, version?: number, cause?: string): void {
    this.#feeds.get(id)?.wake(version, cause);
  }

  #listenToTurns(): (() => void)[] {
    const { notifier } = this.#ports;
    return [
      notifier.on('turn', (payload) => {
        const [id = '', version, , cause] = payload.split(' ');
        this.wake(id, Number(version), cause);
      }),
      notifier.on('draft', (payload) => {
        const [, conversationId, id, text] = /^(\S+) (\S+) (.*)$/su.exec(payload) ?? [];
        if (conversationId && id && text) this.#feeds.get(conversationId)?.draft(id, text);
      }),
    ];
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
  /** Viewers that are up to date, by encoder. */
  readonly #following = new Map<UpdateEncoder<Row, unknown>, Set<Member<Row>>>();
  /** Viewers that wait for the next page of their replay, by cursor; undefined: from now on. */
  readonly #waiting = new Map<number | undefined, Member<Row>[]>();
  /** The latest text of replies that are being written, by row, until it is delivered. */
  readonly #drafts = new Map<string, string>();
  /** The rows of those replies, and how many characters were delivered. */
  readonly #openDrafts = new Map<string, { row: Row; shown: number }>();
  #size = 0;
  /** The last version that was delivered to viewers that are up to date. */
  #cursor: number | undefined;
  /** The version up to which changes were read: beyond `#cursor` when no turn changed. */
  #covered = 0;
  #wanted = 0;
  /** When the oldest change that was not read yet was notified of, by `performance.now()`. */
  #wokenAtMs: number | undefined;
  /** What changed it last, as a `traceparent`, and the version of that. */
  #cause: { of: string; version: number } | undefined;
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
    const { sink, after } = viewer;
    const member: Member<Row> = { viewer, sink, wants: viewer.wants?.bind(viewer), cursor: after, left: false };
    this.#size += 1;
    this.#stats.viewers += 1;
    this.#wait(member);
    return () => this.#leave(member);
  }

  /** Something changed, up to this version if it is known. */
  wake(version?: number, cause?: string): void {
    if (version === undefined || Number.isNaN(version)) this.#stale = true;
    else if (version > this.#wanted) {
      this.#wanted = version;
      if (version > this.#covered) this.#wokenAtMs ??= performance.now();
      if (cause) this.#cause = { of: cause, version };
    }
    void this.#work();
  }

  /** The text of a reply so far. A later one contains the earlier ones. */
  draft(id: string, text: string): void {
    this.#drafts.set(id, text);
    void this.#work();
  }

  /** Repeats what a failed read left undone. */
  retry(): void {
    void this.#work();
  }

  /** Ends the feed for every viewer. */
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

  /** Runs one step after the other until nothing is left to do. */
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

  /** Reads one page of changes and delivers it to the viewers that are up to date. */
  async #advance(): Promise<void> {
    const wanted = this.#wanted;
    const wokenAtMs = this.#wokenAtMs;
    const span = this.#beginPush();
    this.#wokenAtMs = undefined;
    // How far it has come is not known where it was only said that something changed.
    const until = this.#stale ? Number.POSITIVE_INFINITY : wanted;
    this.#stale = false;
    const rows = await this.#read(this.#cursor ?? 0, until);
    for (const row of rows) {
      for (const [encoder, members] of this.#following) await this.#deliver(row, encoder, members);
      this.#cursor = row.version;
      this.#openDrafts.clear();
    }
    if (rows.length === this.#pageRows) this.#stale = true;
    else this.#covered = Math.max(this.#covered, wanted, this.#cursor ?? 0);
    if (wokenAtMs !== undefined) observePush(performance.now() - wokenAtMs);
    span?.set({ 'live.updates': rows.length, 'live.viewers': this.#size });
    span?.end();
    if (this.#wanted > this.#covered) return;
    // What was notified of meanwhile was read as well.
    this.#wokenAtMs = undefined;
    this.#beginPush()?.end();
  }

  /** The span of handing out what was notified of, as part of what changed it. */
  #beginPush(): Span | undefined {
    const cause = this.#cause;
    this.#cause = undefined;
    return cause && this.#ports.tracer?.begin('live push', { kind: 'consumer', parent: cause.of });
  }

  /**
   * Delivers the text so far of one reply to the viewers that are up to date. It changes no cursor, so a viewer that
   * reconnects misses nothing. The complete text comes as a change of the turn, and no draft is delivered after it.
   */
  async #deliverDraft(): Promise<void> {
    const [[id, text] = []] = this.#drafts;
    if (id === undefined || text === undefined) return;
    this.#drafts.delete(id);
    const { drafts } = this.#ports;
    let growing = this.#openDrafts.get(id);
    if (!growing) {
      const row = await drafts?.read(this.#id, id);
      if (!row) return;
      if (row.version > this.#covered) {
        // Changes up to this row come first. A draft that arrived meanwhile is newer, so it is kept.
        this.#wanted = Math.max(this.#wanted, row.version);
        if (!this.#drafts.has(id)) this.#drafts.set(id, text);
        return;
      }
      growing = { row, shown: 0 };
      this.#openDrafts.set(id, growing);
    }
    // Notifications of two connections may arrive out of order.
    if (text.length <= growing.shown) return;
    growing.shown = text.length;
    const version = this.#cursor ?? 0;
    const row = { ...(drafts?.with(growing.row, text) ?? growing.row), version };
    for (const [encoder, members] of this.#following) await this.#deliver(row, encoder, members, true);
  }

  /**
   * Reads one page for all viewers that wait at the same cursor (after a restart nearly all of them); after the last page
   * they are up to date.
   */
  async #replay(): Promise<void> {
    const [after] = this.#waiting.keys();
    // A viewer that is as far as the feed needs no read; it skips versions it has seen.
    const rows =
      after === undefined || after >= (this.#cursor ?? after + 1) ? [] : await this.#read(after, this.#covered);
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

  /** A long replay goes at the viewer's pace and delays no other. */
  async #rejoinWhenDrained(member: Member<Row>): Promise<void> {
    await member.sink.drained?.();
    if (!member.left) this.#wait(member);
  }

  #follow(member: Member<Row>): void {
    const members = this.#following.get(member.viewer.encoder);
    if (members) members.add(member);
    else this.#following.set(member.viewer.encoder, new Set([member]));
  }

  async #read(after: number, version: number): Promise<Row[]> {
    this.#stats.reads += 1;
    return this.#ports.readChanged(this.#id, after, this.#pageRows, version);
  }

  /** Delivers a row to members with one encoder; it is encoded once, and not at all when no member wants it. */
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
      if (member.left || member.wants?.(row) === false) continue;
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
      if (!member.sink.deliver(update)) {
        this.#stats.slow += 1;
        this.#leave(member);
        member.viewer.dropped?.();
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
