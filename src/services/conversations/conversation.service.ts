/**
 * Conversations: started with an avatar, found, renamed, shown or hidden. A conversation belongs to its creator; who may look at one is
 * decided in `conversation.access.ts`. What was said in them: `conversation-turns.service.ts`.
 */

import type { Conversation, PinnedImage, VisibilityResult } from '../../../schema/conversation.ts';
import { AvatarEntity, AvatarImageEntity } from '../../../schema/entities/avatars.ts';
import { ConversationEntity } from '../../../schema/entities/conversations.ts';
import type { ConversationListArgs } from '../../../schema/inputs/conversation.ts';
import type { Principal } from '../../auth/principal.ts';
import { isGone } from '../../kernel/constraint-errors.ts';
import type { Tx } from '../../kernel/database.ts';
import { busy, PlatformError } from '../../kernel/errors.ts';
import { newId, randomText } from '../../kernel/ids.ts';
import {
  type Connection,
  type Keyset,
  keysetOf,
  type Listing,
  type PageRequest,
  pageOf,
  readPage,
} from '../../kernel/keyset.ts';
import { newSlug, readSlug, SLUG_ATTEMPTS } from '../../kernel/slugs.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota } from '../accounts/quota.service.ts';
import { users } from '../accounts/user.repository.ts';
import type { AvatarImages } from '../avatars/avatar-image.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { authorizeViewer, isOwner, type Viewer, type ViewerGrant } from './conversation.access.ts';
import {
  addConversation,
  containsPattern,
  findConversation,
  type NewConversation,
  type OpenConversation,
  ownConversations,
  ownConversationsWith,
  searchedConversations,
} from './conversation.queries.ts';
import { bumpVersion } from './conversation-version.repository.ts';

const NEWEST: Listing<OpenConversation> = { name: 'Conversation', order: 'desc', keyOf: ({ id }) => id };
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

  constructor(
    platform: Pick<Platform, 'db' | 'replicas' | 'clock' | 'config' | 'links' | 'notifier' | 'audit'>,
    images: AvatarImages,
  ) {
    this.#p = platform;
    this.#images = images;
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
    return this.letIn(readSlug(slug, 'c') ? await findConversation(this.#p.db, slug) : undefined, principal, grant);
  }

  /** The same of a row that was read: 404 where there is none, 403 where this viewer is not let in. */
  async letIn(
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
    const [row, viewer] = await this.letIn(await findConversation(this.#p.db, idOrSlug), principal, grant);
    return this.show(row, viewer);
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
}
