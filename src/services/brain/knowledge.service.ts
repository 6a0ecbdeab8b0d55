/**
 * What an own avatar learnt by training, as its owner sees it: how much of which page, the passages themselves, and a page
 * forgotten. It is kept by the platform itself whichever system keeps the memories, and learnt by `training.service.ts`.
 */
import type { ForgottenSource, KnowledgePassage, KnowledgeSource } from '../../../schema/brain.ts';
import type { Principal } from '../../auth/principal.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { forgetSource, knowledgePassages, knowledgeSources, lockBrain } from './memory/knowledge.queries.ts';

/** In the order in which they stand on their pages. */
const PASSAGES: Listing<{ seq: number }> = {
  name: 'KnowledgePassage',
  order: 'asc',
  keyOf: ({ seq }) => String(seq),
  key: /^\d{1,9}$/,
};

export class Knowledge {
  readonly #p: Pick<Platform, 'db' | 'clock'>;

  constructor(platform: Pick<Platform, 'db' | 'clock'>) {
    this.#p = platform;
  }

  /** How much was learnt of what. NOT_FOUND where the avatar is not the caller's. */
  async sources({ userId }: Principal, avatarId: string): Promise<KnowledgeSource[]> {
    await avatars(this.#p.db.em()).owned(avatarId, userId);
    return knowledgeSources(this.#p.db, { avatarId });
  }

  /** Passages of all pages or of one, with a text in them where one is looked for. NOT_FOUND as above. */
  async passages(
    { userId }: Principal,
    avatarId: string,
    { source, search, ...page }: PageRequest & { source?: string | null; search?: string | null },
  ): Promise<Connection<KnowledgePassage>> {
    await avatars(this.#p.db.em()).owned(avatarId, userId);
    const asked = { avatarId, source: source ?? null, search: search?.trim() || null };
    const read = (keyset: Keyset) => knowledgePassages(this.#p.db, { ...asked, ...keyset });
    return readPage(page, PASSAGES, read, ({ id, content, source: address, createdAt }) => ({
      id,
      content,
      source: address ?? '',
      learnedAt: createdAt,
    }));
  }

  /**
   * Forgets what was learnt of a page and takes its address off the avatar's list, so that no training reads it again. One
   * that reads it at this moment leaves it out. NOT_FOUND where it is neither learnt nor on the list.
   */
  async forget({ userId }: Principal, avatarId: string, source: string): Promise<ForgottenSource> {
    return this.#p.db.transaction(async (tx) => {
      // As a training that ends does: the avatar first, then its brain.
      const avatar = await avatars(tx.em).lockOwned(avatarId, userId);
      const knowledgeBaseUrls = avatar.knowledgeBaseUrls.filter((url) => url !== source);
      const wasListed = knowledgeBaseUrls.length < avatar.knowledgeBaseUrls.length;
      if (wasListed) tx.em.assign(avatar, { knowledgeBaseUrls, updatedAt: this.#p.clock.now() });
      const [locked] = await lockBrain(tx, { avatarId });
      const [forgotten] = locked ? await forgetSource(tx, { scopeId: locked.scope_id, source }) : [];
      const passages = forgotten?.passages ?? 0;
      if (!wasListed && passages === 0) throw new PlatformError('NOT_FOUND', 'Nothing was learned from this page.');
      return { source, passages };
    });
  }
}
