/** Private share links of a conversation, `/{slug}?key=...`: made and revoked by its owner; the key is shown once. */
import type { AccessLink, StandingLink } from '../../../schema/conversation.ts';
import { AccessLinkEntity } from '../../../schema/entities/conversations.ts';
import type { Principal } from '../../auth/principal.ts';
import { isGone } from '../../kernel/constraint-errors.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId, randomText, sha256 } from '../../kernel/ids.ts';
import { byId, type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota } from '../accounts/quota.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Conversations } from './conversation.service.ts';

/** Newest first. */
const LINKS: Listing<{ id: string }> = { name: 'StandingLink', order: 'desc', keyOf: ({ id }) => id };

export class AccessLinks {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit'>;
  readonly #conversations: Pick<Conversations, 'own'>;

  constructor(
    platform: Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit'>,
    conversations: Pick<Conversations, 'own'>,
  ) {
    this.#p = platform;
    this.#conversations = conversations;
  }

  /** 404 and 403 as every call of the conversation's owner. */
  async create(principal: Principal, idOrSlug: string): Promise<AccessLink> {
    const row = await this.#conversations.own(principal, idOrSlug);
    const key = randomText(32);
    const createdAt = this.#p.clock.now();
    const id = newId('lnk', createdAt);
    const made = { ok: true, linkId: id, url: `${this.#p.config.SITE_URL}/${row.shareSlug}?key=${key}` };
    await this.#p.db
      .transaction(async (tx) => {
        tx.em.create(AccessLinkEntity, { id, conversation: row.id, keyHash: sha256(key), createdAt });
        await checkQuota(tx, this.#p.config, principal.userId, 'accessLinks');
        this.#p.audit.record(tx, principal, 'access_link_created', { userId: principal.userId, subject: id });
        keepResult(tx, principal, made);
      })
      .catch((error: unknown) => {
        const isDeleted = isGone(error, 'access_link_conversation_id_fkey');
        throw isDeleted ? new PlatformError('NOT_FOUND', 'Conversation not found.') : error;
      });
    return made;
  }

  /** Those that are not revoked, newest first. */
  async list(principal: Principal, idOrSlug: string, page: PageRequest): Promise<Connection<StandingLink>> {
    const row = await this.#conversations.own(principal, idOrSlug);
    const read = (keyset: Keyset) => {
      const [where, options] = byId(keyset);
      return this.#p.db.em().find(AccessLinkEntity, { conversation: row.id, revokedAt: null, ...where }, options);
    };
    return readPage(page, LINKS, read, ({ id, createdAt }) => ({ linkId: id, createdAt }));
  }

  /** One that is not revoked, of a conversation of the caller's; else 404, or 403. */
  async read(principal: Principal, id: string): Promise<StandingLink> {
    const link = await this.#p.db.em().findOne(AccessLinkEntity, { id, revokedAt: null });
    if (!link) throw new PlatformError('NOT_FOUND', 'Access link not found.');
    await this.#conversations.own(principal, link.conversation.id);
    return { linkId: link.id, createdAt: link.createdAt };
  }

  /** Revokes a link; its viewers are disconnected at once. 404 when there is none, or it was revoked before. */
  async revoke(principal: Principal, idOrSlug: string, linkId: string): Promise<void> {
    const row = await this.#conversations.own(principal, idOrSlug);
    await this.#p.db.transaction(async (tx) => {
      const standing = { id: linkId, conversation: row.id, revokedAt: null };
      const revoked = await tx.em.nativeUpdate(AccessLinkEntity, standing, { revokedAt: this.#p.clock.now() });
      if (revoked === 0) throw new PlatformError('NOT_FOUND', 'Access link not found.');
      this.#p.audit.record(tx, principal, 'access_link_revoked', { userId: principal.userId, subject: linkId });
      tx.afterCommit(() => this.#p.notifier.emit('revoked', `link ${linkId}`));
    });
  }
}
