/**
 * Live viewing: who may watch a conversation, or one turn by its slug, what they are shown, and when their access ends.
 * Feeds order the updates (`feeds/`), sockets carry them (`transport/`).
 */
import type { TurnUpdate } from '../../../schema/turn.ts';
import type { Principal } from '../../auth/principal.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { readSlug } from '../../kernel/slugs.ts';
import { outsideOfWork } from '../../kernel/work-account.ts';
import type { Viewer } from '../conversations/conversation.access.ts';
import type { Conversations } from '../conversations/conversation.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { showUpdate } from '../turns/turn.queries.ts';
import { AccountFeeds } from './account-feeds.service.ts';
import { FeedRegistry, type FeedSink, type UpdateEncoder } from './feeds/feed.service.ts';
import {
  changedTurns,
  conversationVersions,
  type LiveRow,
  latestVersion,
  turnOfSlug,
  unwrittenTurn,
} from './live.queries.ts';
import { credentialKey, LiveRevocation } from './live-revocation.service.ts';

/** What a viewer asks to watch, with what lets them in. */
export interface LiveRequest {
  /** A `c-` slug, or a `t-` slug, which is itself the grant. */
  slug: string;
  viewerToken?: string | null;
  /** Key of an access link. */
  key?: string | null;
  /** Cursor to resume behind; '0' replays everything, none follows from now. */
  after?: string | null;
}

/** Where updates go: a socket, or a queue. */
export interface LiveSink<Update> extends FeedSink<Update> {
  encoder: UpdateEncoder<LiveRow, Update>;
  /** Its access was revoked: it has left the feed. */
  revoked(): void;
}

interface WatchTarget {
  conversationId: string;
  turnId?: string;
  after: number | undefined;
  /** Keys of what let the viewer in (`live-revocation.service.ts`). */
  accessGrants: string[];
}

type Every = (ms: number, tick: () => void) => () => void;

/** Calls back every `ms`, without keeping the process alive. */
const everyInterval: Every = (ms, tick) => {
  // All viewers share it: it is no part of the request of the first one.
  const timer = outsideOfWork(() => setInterval(tick, ms));
  timer.unref();
  return () => clearInterval(timer);
};

export class Live {
  readonly feeds: FeedRegistry<LiveRow>;
  readonly revocation: LiveRevocation;
  /** What changes of a user's own. */
  readonly accounts: AccountFeeds;
  /** The updates as objects, for subscribers inside this process. */
  readonly objectEncoder: UpdateEncoder<LiveRow, TurnUpdate> = { encode: (row) => this.show(row) };
  readonly #p: Pick<Platform, 'db' | 'config' | 'links'>;
  readonly #conversations: Conversations;

  constructor(
    platform: Pick<Platform, 'db' | 'replicas' | 'config' | 'links' | 'notifier' | 'clock' | 'log' | 'tracer'>,
    conversations: Conversations,
    every: Every = everyInterval,
  ) {
    this.#p = platform;
    this.#conversations = conversations;
    const { db, replicas, notifier, log } = platform;
    const onError = (error: unknown): void => log.warn({ err: error }, 'live updates waiting for database');
    this.feeds = new FeedRegistry<LiveRow>({
      readChanged: (conversationId, after, limit, version) =>
        replicas.readAtVersions([{ conversationId, version }], (on) =>
          changedTurns(on, { conversationId, after, limit }),
        ),
      latest: async (conversationId) => (await latestVersion(db, { conversationId }))[0]?.version ?? 0,
      versions: (ids) => conversationVersions(db, { ids }),
      drafts: {
        read: async (conversationId, id) => (await unwrittenTurn(db, { conversationId, id }))[0],
        with: (row, avatarText) => ({ ...row, avatarText, isDraft: true }),
      },
      notifier,
      every,
      onError,
      tracer: platform.tracer,
    });
    this.revocation = new LiveRevocation({ ...platform, every, onError });
    this.accounts = new AccountFeeds(platform, this.revocation, every);
  }

  /**
   * Authorizes a viewer and delivers updates to it. Throws 400, 403 or 404; returns how to leave. `failed` is called when
   * there is nothing left to watch, or an update cannot be shown: it has left the feed.
   */
  async join<Update>(
    principal: Principal | undefined,
    request: LiveRequest,
    sink: LiveSink<Update>,
    failed: (error: unknown) => void,
  ): Promise<() => void> {
    const { conversationId, turnId, after, accessGrants } = await this.#authorize(principal, request);
    let isOver = false;
    const leave = (): void => {
      isOver = true;
      release();
      leaveFeed();
    };
    const release = this.revocation.hold(accessGrants, {
      as: JSON.stringify([request.slug, request.viewerToken, request.key, principal?.credentialId]),
      again: async () => (await this.#authorize(principal, request)).accessGrants,
      revoked: () => {
        leave();
        sink.revoked();
      },
    });
    const leaveFeed = this.feeds.join<Update>(conversationId, {
      encoder: sink.encoder,
      sink,
      ...(after === undefined ? {} : { after }),
      ...(turnId ? { wants: (row: LiveRow) => row.id === turnId } : {}),
      dropped: release,
      failed: (error) => {
        release();
        failed(error);
      },
    });
    return () => {
      if (!isOver) leave();
    };
  }

  /** Calls back when the caller's credential was revoked or ran out. Returns how to stop. */
  holdCredential(principal: Principal, revoked: () => void): () => void {
    const key = credentialKey(principal);
    return key ? this.revocation.hold([key], { revoked }) : () => {};
  }

  /** An update, equal for every viewer of the conversation: nothing in it depends on who watches. */
  show(row: LiveRow): TurnUpdate {
    return showUpdate(this.#p, row);
  }

  close(): void {
    this.feeds.close();
    this.accounts.close();
    this.revocation.close();
  }

  async #authorize(principal: Principal | undefined, request: LiveRequest): Promise<WatchTarget> {
    const { slug, viewerToken = null, key = null } = request;
    if (readSlug(slug, 't')) return this.#authorizeTurn(slug, request.after);
    const [row, viewer] = await this.#conversations.open(slug, principal, { viewerToken, key });
    return {
      conversationId: row.id,
      after: readAfter(request.after, row.version),
      accessGrants: accessGrantsOf(row.id, viewer, principal),
    };
  }

  async #authorizeTurn(text: string, after: string | null | undefined): Promise<WatchTarget> {
    const slug = readSlug(text, 't');
    const [row] = slug ? await turnOfSlug(this.#p.db, { slug }) : [];
    if (!row) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    const { turnId, conversationId, turnVersion } = row;
    const asked = readAfter(after, row.version);
    // What changed before this turn did last is none of it: a replay of one turn does not read the whole conversation.
    const from = asked === undefined ? undefined : Math.max(asked, turnVersion - 1);
    return { conversationId, turnId, after: from, accessGrants: [] };
  }
}

/** A cursor beyond the present version belongs to another conversation; with it, updates would silently be skipped. */
function readAfter(after: string | null | undefined, version: number): number | undefined {
  if (after === null || after === undefined) return undefined;
  if (!/^\d{1,15}$/.test(after) || Number(after) > version) {
    throw badInput('after', 'is not a cursor of this conversation.');
  }
  return Number(after);
}

/** The grants that must stay valid while the viewer watches. The viewer token of a conversation never changes. */
function accessGrantsOf(conversationId: string, viewer: Viewer, principal: Principal | undefined): string[] {
  if (viewer.as === 'link') return [`link ${viewer.linkId}`];
  if (viewer.as === 'public') return [`public ${conversationId}`];
  const byCredential = viewer.as === 'owner' || viewer.asPrincipal;
  const key = byCredential && principal ? credentialKey(principal) : undefined;
  return [...(viewer.as === 'visitor' ? [`visitor ${viewer.visitorId}`] : []), ...(key ? [key] : [])];
}
