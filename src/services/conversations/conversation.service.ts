/**
 * Conversations: started with an avatar, read by slug, shown or hidden, shared by link. A conversation
 * belongs to its creator; who may look at one is decided in `conversation.access.ts`.
 */

import type { Conversation, PinnedImage, VisibilityResult } from '../../../schema/conversation.ts';
import { AvatarEntity, AvatarImageEntity } from '../../../schema/entities/avatars.ts';
import { ConversationEntity } from '../../../schema/entities/conversations.ts';
import { DeletedTurnEntity } from '../../../schema/entities/deletions.ts';
import { InjectionEntity, TurnEntity } from '../../../schema/entities/turns.ts';
import type { ConversationListArgs } from '../../../schema/inputs/conversation.ts';
import type { TurnPageArgs } from '../../../schema/inputs/turn.ts';
import type { ConversationWithTurns, Turn, TurnUpdate } from '../../../schema/turn.ts';
import type { Principal } from '../../auth/principal.ts';
import { isGone } from '../../kernel/constraint-errors.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, busy, PlatformError } from '../../kernel/errors.ts';
import { newId, randomText, sha256 } from '../../kernel/ids.ts';
import {
  type Connection,
  type Keyset,
  keysetOf,
  type Listing,
  type PageRequest,
  pageOf,
  readPage,
} from '../../kernel/keyset.ts';
import type { AtVersion } from '../../kernel/replicas.ts';
import { newSlug, readSlug, SLUG_ATTEMPTS } from '../../kernel/slugs.ts';
import { LINK_BUCKET_MS } from '../../storage/links.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota } from '../accounts/quota.service.ts';
import { users } from '../accounts/user.repository.ts';
import type { AvatarImages } from '../avatars/avatar-image.service.ts';
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
import { authorizeViewer, isOwner, type Viewer, type ViewerGrant } from './conversation.access.ts';
import { ConversationCache } from './conversation.cache.ts';
import {
  addConversation,
  containsPattern,
  conversationsOfIds,
  findConversation,
  type NewConversation,
  type OpenConversation,
  ownConversations,
  ownConversationsWith,
  searchedConversations,
} from './conversation.queries.ts';
import { bumpVersion } from './conversation-version.repository.ts';

const NEWEST: Listing<OpenConversation> = { name: 'Conversation', order: 'desc', keyOf: ({ id }) => id };
/** In the order they are shown. */
const TURNS: Listing<{ number: number; chunk: number }> = {
  name: 'Turn',
  order: 'asc',
  keyOf: ({ number, chunk }) => `${number}.${chunk}`,
  key: /^\d{1,9}\.\d{1,9}$/,
};

/** What else is done in the transaction that starts a conversation, before and after. */
interface Within {
  hold?: (tx: Tx) => Promise<void>;
  keep?: (tx: Tx, started: OpenConversation) => void;
}

/** What goes with an avatar that is deleted after it was looked up. */
const STARTED_WITH = ['avatar_id', 'image_id', 'visitor_id'].map((column) => `conversation_${column}_fkey`);

export class Conversations {
  readonly #p: Pick<Platform, 'db' | 'replicas' | 'clock' | 'config' | 'links' | 'notifier' | 'audit'>;
  readonly #images: AvatarImages;
  readonly #cache: ConversationCache<OpenConversation>;

  constructor(
    platform: Pick<Platform, 'db' | 'replicas' | 'clock' | 'config' | 'links' | 'notifier' | 'audit'>,
    images: AvatarImages,
  ) {
    this.#p = platform;
    this.#images = images;
    this.#cache = new ConversationCache(platform, (slug) => findConversation(platform.db, slug));
  }

  /** Starts a conversation and pins the avatar's present image. 403 when the avatar may not be rendered by the caller. */
  async create(principal: Principal, input: { avatarOwnerUserId: string; avatarId: string }): Promise<Conversation> {
    const em = this.#p.db.em();
    const avatar = await em.findOne(AvatarEntity, { id: input.avatarId, owner: input.avatarOwnerUserId });
    if (!avatar) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    if (input.avatarOwnerUserId !== principal.userId && !avatar.publiclyRenderable) {
      throw new PlatformError('FORBIDDEN', 'This avatar is not publicly renderable.');
    }
    const { userId: ownerId, clientId } = principal;
    const of = { ownerId, avatarId: avatar.id, clientId: clientId ?? null, visitorId: null };
    const row = await this.#start(of, {
      hold: (tx) => users(tx.em).holdCaller(ownerId),
      keep: (tx, started) => keepResult(tx, principal, this.show(started, { as: 'owner' })),
    });
    return this.show(row, { as: 'owner' });
  }

  /** Makes the conversation of a visitor who has none; the caller decides who may have one. */
  startVisit(visit: { ownerId: string; avatarId: string; visitorId: string }): Promise<OpenConversation> {
    return this.#start({ ...visit, clientId: null });
  }

  async #start(
    of: Pick<NewConversation, 'ownerId' | 'avatarId' | 'clientId' | 'visitorId'>,
    { hold = async () => {}, keep = () => {} }: Within = {},
  ): Promise<OpenConversation> {
    const createdAt = this.#p.clock.now();
    const id = newId('cnv', createdAt);
    const pinned = { avatar: of.avatarId, isPrimary: true };
    const image = await this.#p.db.em().findOne(AvatarImageEntity, pinned, { fields: ['id'] });
    for (let attempt = 1; ; attempt += 1) {
      const values = {
        ...of,
        id,
        shareSlug: newSlug('c', createdAt, this.#p.config.SLUG_LENGTH),
        imageId: image?.id ?? null,
        viewerToken: randomText(32),
        createdAt,
      };
      const started = await this.#p.db
        .transaction(async (tx) => {
          await hold(tx);
          if ((await addConversation(tx, values)).length === 0) return undefined;
          await checkQuota(tx, this.#p.config, of.ownerId, 'conversations');
          const row = await findConversation(tx, id);
          if (!row) throw new Error(`Conversation ${id} was started and is not there.`);
          keep(tx, row);
          return row;
        })
        .catch((error: unknown) => {
          throw isGone(error, ...STARTED_WITH) ? new PlatformError('NOT_FOUND', 'Avatar not found.') : error;
        });
      if (started) return started;
      if (attempt === SLUG_ATTEMPTS) throw busy('No free slug was found: try again.', { seconds: 1 });
    }
  }

  /**
   * The caller’s conversations, newest first; with `search` those whose title, avatar or words hold it. That takes longer than a
   * replica is waited for.
   */
  list(principal: Principal, { search, ...page }: ConversationListArgs): Promise<Connection<Conversation>> {
    const { userId: ownerId } = principal;
    const read = (keyset: Keyset) =>
      search
        ? searchedConversations(this.#p.db, { ownerId, ...keyset, pattern: containsPattern(search) })
        : this.#p.replicas.read((on) => ownConversations(on, { ownerId, ...keyset }));
    return readPage(page, NEWEST, read, (row) => this.#showListed(row));
  }

  /** The conversation and how the viewer is let in. 404 for an unknown slug, 403 for another user's private one. */
  async open(
    slug: string,
    principal: Principal | undefined,
    grant: ViewerGrant = {},
  ): Promise<[OpenConversation, Viewer]> {
    return this.#letIn(readSlug(slug, 'c') ? await findConversation(this.#p.db, slug) : undefined, principal, grant);
  }

  /** The same for a poll, which may go by the row of a moment ago. */
  async #openToPoll(
    slug: string,
    principal: Principal | undefined,
    grant: ViewerGrant,
  ): Promise<[OpenConversation, Viewer, AtVersion]> {
    const known = readSlug(slug, 'c');
    const found = known ? await this.#cache.find(known) : undefined;
    const [row, viewer] = await this.#letIn(found?.row, principal, grant);
    // By now a row that was kept may have a later version than it says.
    const version = found?.isKept ? Number.POSITIVE_INFINITY : row.version;
    return [row, viewer, { conversationId: row.id, version }];
  }

  async #letIn(
    row: OpenConversation | undefined,
    principal: Principal | undefined,
    grant: ViewerGrant,
  ): Promise<[OpenConversation, Viewer]> {
    if (!row) throw new PlatformError('NOT_FOUND', 'Conversation not found.');
    const viewer = await authorizeViewer(this.#p.db, row, principal, grant);
    if (!viewer) throw new PlatformError('FORBIDDEN', 'This conversation is private.');
    return [row, viewer];
  }

  /** The conversation alone, by id or slug: 404 when unknown, 403 when this viewer is not let in. */
  async read(idOrSlug: string, principal: Principal | undefined, grant: ViewerGrant = {}): Promise<Conversation> {
    const [row, viewer] = await this.#letIn(await findConversation(this.#p.db, idOrSlug), principal, grant);
    return this.show(row, viewer);
  }

  /** One turn by its id, for callers who may read its conversation: else 404, or 403. */
  async turn(turnId: string, principal: Principal | undefined): Promise<Turn> {
    const [row] = await turnsOfIds(this.#p.db, { ids: [turnId] });
    if (!row) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    await this.read(row.conversationId, principal);
    return showTurn(this.#p, row);
  }

  /** Those of these turns whose conversation the caller may read; null for any other. For loaders. */
  async readTurns(principal: Principal, ids: readonly string[]): Promise<(Turn | null)[]> {
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

  /** The caller's own conversations with each avatar, newest first; none for an app. For loaders. */
  async withAvatars(
    principal: Principal | undefined,
    avatarIds: string[],
    page: PageRequest,
  ): Promise<Connection<Conversation>[]> {
    const keyset = keysetOf(page, NEWEST);
    const isAsked = principal && !principal.scopes;
    const rows = isAsked
      ? await this.#p.replicas.read((on) =>
          ownConversationsWith(on, { ownerId: principal.userId, avatarIds, ...keyset }),
        )
      : [];
    const byAvatar = Map.groupBy(rows, ({ avatarId }) => avatarId);
    const show = (row: OpenConversation) => this.#showListed(row);
    return avatarIds.map((id) => pageOf(page, NEWEST, keyset, byAvatar.get(id) ?? [], show));
  }

  /**
   * A page of the turns of each conversation, in the order they are shown, from a replica where all of them have a version.
   * For loaders: the caller was let in before.
   */
  async turns(
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

  /**
   * The conversation, which the caller owns: 404 when unknown, 403 when another user’s, another app’s or, without
   * `orOnPage`, held on the avatar's own page, where its owner has the rules.
   */
  async own(principal: Principal, idOrSlug: string, { orOnPage = false } = {}): Promise<OpenConversation> {
    const row = await findConversation(this.#p.db, idOrSlug);
    if (!row) throw new PlatformError('NOT_FOUND', 'Conversation not found.');
    if (!isOwner(row, principal)) throw new PlatformError('FORBIDDEN', 'This is not your conversation.');
    if (row.visitorId !== null && !orOnPage) {
      throw new PlatformError('FORBIDDEN', 'This conversation is held on the avatar’s own page.');
    }
    return row;
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
    const conversation = this.show(row, viewer);
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
    return this.#tag(row.version, this.show(row, viewer), request);
  }

  /** One turn by its `t-` slug, which is the grant. */
  async turnBySlug(text: string): Promise<Turn> {
    const slug = readSlug(text, 't');
    const [row] = slug ? await this.#p.replicas.read((on) => turnOfSlug(on, { slug })) : [];
    if (!row) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    return showTurn(this.#p, row);
  }

  /** Gives the caller's conversation a name of their own; none takes it away. Throws 404 and 403. */
  async rename(principal: Principal, idOrSlug: string, title: string | null): Promise<Conversation> {
    const row = await this.own(principal, idOrSlug);
    await this.#p.db.transaction(async (tx) => {
      await tx.em.nativeUpdate(ConversationEntity, row.id, { title });
      bumpVersion(tx, this.#p, row.id, {});
    });
    return this.show({ ...row, title }, { as: 'owner' });
  }

  async setVisibility(principal: Principal, idOrSlug: string, isPublic: boolean): Promise<VisibilityResult> {
    const row = await this.own(principal, idOrSlug);
    await this.#p.db.transaction(async (tx) => {
      await tx.em.nativeUpdate(ConversationEntity, row.id, { isPublic });
      const detail = isPublic ? 'public' : 'private';
      this.#p.audit.record(tx, principal, 'visibility_changed', { userId: principal.userId, subject: row.id, detail });
      bumpVersion(tx, this.#p, row.id, {});
      if (!isPublic) tx.afterCommit(() => this.#p.notifier.emit('revoked', `public ${row.id}`));
    });
    const { liveUrl } = this.show({ ...row, isPublic }, { as: 'owner' });
    return { ok: true, conversationId: row.id, isPublic, liveUrl };
  }

  /** Pins another image of the avatar: later video turns use it. */
  async pinImage(principal: Principal, idOrSlug: string, avatarImageUrl: string): Promise<PinnedImage> {
    const row = await this.own(principal, idOrSlug);
    const image = await this.#images.byUrl(row.avatarId, 'avatarImageUrl', avatarImageUrl);
    await this.#p.db.transaction(async (tx) => {
      await tx.em.nativeUpdate(ConversationEntity, row.id, { image: image.id });
      bumpVersion(tx, this.#p, row.id, {});
    });
    return { ok: true, conversationId: row.id, avatarImageUrl: this.#p.links.signPublic(image.mediaKey) };
  }

  /** The conversation as this viewer sees it: the viewer token is the owner’s alone. */
  show(row: OpenConversation, viewer: Viewer): Conversation {
    const live = `${this.#p.config.SITE_URL}/live/${row.shareSlug}`;
    const isOwner = viewer.as === 'owner';
    return {
      conversationId: row.id,
      shareSlug: row.shareSlug,
      shareUrl: `${this.#p.config.SITE_URL}/${row.shareSlug}`,
      viewerToken: isOwner ? row.viewerToken : null,
      liveUrl: isOwner && !row.isPublic ? `${live}?token=${row.viewerToken}` : live,
      isPublic: row.isPublic,
      title: isOwner ? row.title : null,
      avatarId: row.avatarId,
      avatarOwnerUserId: row.avatarOwnerUserId,
      avatarDisplayName: row.avatarDisplayName,
      avatarImageUrl: row.imageKey ? this.#p.links.signPublic(row.imageKey) : null,
      createdAt: row.createdAt,
    };
  }

  #showListed(row: OpenConversation): Conversation {
    return { ...this.show(row, { as: 'owner' }), version: row.version };
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
