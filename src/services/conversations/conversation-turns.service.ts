/**
 * The turns of conversations, as viewers read them: by slug and by poll, one by one, and in pages for loaders. Who is let in is decided
 * in `conversation.access.ts`.
 */

import type { Conversation } from '../../../schema/conversation.ts';
import { DeletedTurnEntity } from '../../../schema/entities/deletions.ts';
import { InjectionEntity, TurnEntity } from '../../../schema/entities/turns.ts';
import type { TurnPageArgs } from '../../../schema/inputs/turn.ts';
import type { ConversationWithTurns, Turn, TurnUpdate } from '../../../schema/turn.ts';
import type { Principal } from '../../auth/principal.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { sha256 } from '../../kernel/ids.ts';
import { type Connection, keysetOf, type Listing, type PageRequest, pageOf } from '../../kernel/keyset.ts';
import type { AtVersion } from '../../kernel/replicas.ts';
import { readSlug } from '../../kernel/slugs.ts';
import { LINK_BUCKET_MS } from '../../storage/links.ts';
import type { Platform } from '../platform/platform.port.ts';
import {
  readTurns,
  type ShownTurn,
  showTurn,
  showUpdate,
  type TurnPage,
  turnOfSlug,
  turnsOf,
  turnsOfIds,
  voicesOfTurns,
} from '../turns/turn.queries.ts';
import { authorizeViewer, type Viewer, type ViewerGrant } from './conversation.access.ts';
import { ConversationCache } from './conversation.cache.ts';
import { conversationsOfIds, findConversation, type OpenConversation } from './conversation.queries.ts';
import type { Conversations } from './conversation.service.ts';

/** In the order they are shown. */
const TURNS: Listing<{ number: number; chunk: number }> = {
  name: 'Turn',
  order: 'asc',
  keyOf: ({ number, chunk }) => `${number}.${chunk}`,
  key: /^\d{1,9}\.\d{1,9}$/,
};

type Needs = Pick<Platform, 'db' | 'replicas' | 'clock' | 'config' | 'links' | 'notifier'>;

export class ConversationTurns {
  readonly #p: Needs;
  readonly #conversations: Pick<Conversations, 'letIn' | 'read' | 'show'>;
  readonly #cache: ConversationCache<OpenConversation>;

  constructor(platform: Needs, conversations: Pick<Conversations, 'letIn' | 'read' | 'show'>) {
    this.#p = platform;
    this.#conversations = conversations;
    this.#cache = new ConversationCache(platform, (slug) => findConversation(platform.db, slug));
  }

  /** `GET /conversations/by-slug/{slug}`: the conversation and its turns, media freshly signed. */
  async bySlug(
    slug: string,
    principal: Principal | undefined,
    grant: ViewerGrant = {},
    request: TurnPageArgs = {},
  ): Promise<ConversationWithTurns> {
    const page = readWindow(request);
    const [row, viewer, of] = await this.#openToPoll(slug, principal, grant);
    const turns = await this.#p.replicas.readAtVersions([of], (on) => readTurns(on, row.id, page));
    if (turns.length === 0 && page.before != null) await this.#checkTurn(row.id, page.before);
    // The greatest version among the rows read, never from a second statement: that is what makes resuming gapless.
    const cursor = turns.reduce((max, turn) => Math.max(max, turn.version), page.afterVersion ?? 0);
    // Each change has a version of its own: behind the one before the first of these lie all of them.
    const first = turns.reduce((min, turn) => Math.min(min, turn.version), cursor + 1);
    const conversation = this.#conversations.show(row, viewer);
    const shown = {
      conversation,
      turns: turns.map((turn) => showTurn(this.#p, turn)),
      cursor: String(cursor),
      replayCursor: String(first - 1),
    };
    return new ReadConversation(shown, {
      updates: () => turns.map((turn) => showUpdate(this.#p, turn)),
      // The row may be older than the turns, never newer: its tag then only makes the next poll read again.
      tag: () => this.#tag(row.version, conversation, request),
    });
  }

  /** The ETag's base for this viewer and query, without reading a turn. Throws like `bySlug`. */
  async tagBySlug(slug: string, principal: Principal | undefined, request: TurnPageArgs = {}): Promise<string> {
    const [row, viewer] = await this.#openToPoll(slug, principal, {});
    return this.#tag(row.version, this.#conversations.show(row, viewer), request);
  }

  /** One turn by its `t-` slug, which is the grant. */
  async turnBySlug(text: string): Promise<Turn> {
    const slug = readSlug(text, 't');
    const [row] = slug ? await this.#p.replicas.read((on) => turnOfSlug(on, { slug })) : [];
    if (!row) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    return showTurn(this.#p, row);
  }

  /** The conversation and how the viewer is let in, for a poll, which may go by the row of a moment ago. */
  async #openToPoll(
    slug: string,
    principal: Principal | undefined,
    grant: ViewerGrant,
  ): Promise<[OpenConversation, Viewer, AtVersion]> {
    const known = readSlug(slug, 'c');
    const found = known ? await this.#cache.find(known) : undefined;
    const [row, viewer] = await this.#conversations.letIn(found?.row, principal, grant);
    // By now a row that was kept may have a later version than it says.
    const version = found?.isKept ? Number.POSITIVE_INFINITY : row.version;
    return [row, viewer, { conversationId: row.id, version }];
  }

  /** One turn by its id, for callers who may read its conversation: else 404, or 403. */
  async byId(turnId: string, principal: Principal | undefined): Promise<Turn> {
    const [row] = await turnsOfIds(this.#p.db, { ids: [turnId] });
    if (!row) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    await this.#conversations.read(row.conversationId, principal);
    return showTurn(this.#p, row);
  }

  /** Those of these turns whose conversation the caller may read; null for any other. For loaders. */
  async byIds(principal: Principal, ids: readonly string[]): Promise<(Turn | null)[]> {
    const turns = await turnsOfIds(this.#p.db, { ids });
    const of = [...new Set(turns.map(({ conversationId }) => conversationId))];
    const open = new Set<string>();
    for (const row of await conversationsOfIds(this.#p.db, { ids: of })) {
      if (await authorizeViewer(this.#p.db, row, principal, {})) open.add(row.id);
    }
    const shown = turns.filter(({ conversationId }) => open.has(conversationId));
    const byId = new Map(shown.map((row) => [row.id, showTurn(this.#p, row)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /**
   * A page of the turns of each conversation, in the order they are shown, from a replica where all of them have a version.
   * For loaders: the caller was let in before.
   */
  async pages(
    of: readonly { id: string; version?: number | undefined }[],
    page: PageRequest,
  ): Promise<Connection<Turn>[]> {
    const keyset = keysetOf(page, TURNS);
    const conversationIds = of.map(({ id }) => id);
    const known = of.map(({ id, version = Number.POSITIVE_INFINITY }) => ({ conversationId: id, version }));
    const rows = await this.#p.replicas.readAtVersions(known, (on) => turnsOf(on, conversationIds, keyset));
    const byConversation = Map.groupBy(rows, ({ conversationId }) => conversationId);
    const show = (row: ShownTurn) => showTurn(this.#p, row);
    return conversationIds.map((id) => pageOf(page, TURNS, keyset, byConversation.get(id) ?? [], show));
  }

  /** The ids of the avatars that voice these turns. For loaders: the caller was let in before. */
  async voicedBy(turnIds: readonly string[]): Promise<(string | null)[]> {
    const rows = await voicesOfTurns(this.#p.db, { ids: [...turnIds] });
    const byId = new Map(rows.map(({ id, avatarId }) => [id, avatarId]));
    return turnIds.map((id) => byId.get(id) ?? null);
  }

  /** Whether replies are still being written in them. For loaders: the caller was let in before. */
  async replyPending(conversationIds: readonly string[]): Promise<boolean[]> {
    const writing = await this.#p.db
      .em()
      .find(
        InjectionEntity,
        { conversation: { $in: [...conversationIds] }, state: { $ne: 'done' } },
        { fields: ['conversation'] },
      );
    const ids = new Set(writing.map(({ conversation }) => conversation.id));
    return conversationIds.map((id) => ids.has(id));
  }

  async #checkTurn(conversationId: string, turnId: string): Promise<void> {
    const turn = { id: turnId, conversation: conversationId };
    const em = this.#p.db.em();
    const known = (await em.count(TurnEntity, turn)) + (await em.count(DeletedTurnEntity, turn));
    if (known === 0) throw badInput('before', 'is not a turn of this conversation.');
  }

  /** Covers version, settings, query, viewer and the half hour within which media links stay the same. */
  #tag(version: number, conversation: Conversation, request: TurnPageArgs): string {
    const bucket = Math.floor(this.#p.clock.now() / LINK_BUCKET_MS);
    const { limit = null, before = null, sinceVersion = null } = request;
    return sha256(JSON.stringify([version, conversation, limit, before, sinceVersion, bucket])).slice(0, 22);
  }
}

/**
 * A conversation as it was read, with what is made when it is asked for: hashing is 3 % of a GraphQL read, which mostly has
 * no use for it. A class, because getters of an object literal are other functions for each object, for which the engine
 * gives up its fast form: that was 12 % of a poll.
 */
class ReadConversation implements ConversationWithTurns {
  readonly conversationId: string;
  readonly conversation: Conversation;
  readonly turns: Turn[];
  readonly cursor: string;
  readonly replayCursor: string;
  readonly #later: { updates(): TurnUpdate[]; tag(): string };

  constructor(
    shown: Pick<ConversationWithTurns, 'conversation' | 'turns' | 'cursor' | 'replayCursor'>,
    later: { updates(): TurnUpdate[]; tag(): string },
  ) {
    this.conversationId = shown.conversation.conversationId;
    this.conversation = shown.conversation;
    this.turns = shown.turns;
    this.cursor = shown.cursor;
    this.replayCursor = shown.replayCursor;
    this.#later = later;
  }

  get updates(): TurnUpdate[] {
    return this.#later.updates();
  }

  get tag(): string {
    return this.#later.tag();
  }
}

function readWindow({ limit = null, before = null, sinceVersion = null }: TurnPageArgs): TurnPage {
  return { limit, before, afterVersion: sinceVersion === null ? null : Number(sinceVersion) };
}
