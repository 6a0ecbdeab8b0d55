/**
 * Deleting a conversation: turns, files, links to it and what was remembered of it go; what it cost stays in the ledger.
 * What is being written or rendered ends uncharged, and its viewers are sent away.
 */
import { ConversationEntity } from '../../../schema/entities/conversations.ts';
import { InjectionEntity, TurnEntity } from '../../../schema/entities/turns.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { lockUsage } from '../accounts/quota.service.ts';
import type { MemoryPort } from '../brain/memory.port.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { lockDeletion, openHoldsOf } from '../turns/turn-deletion.service.ts';
import { lockedAnew, releaseLocked } from '../turns/turn-locks.service.ts';
import type { Conversations } from './conversation.service.ts';

/** Deletes conversations, alone or with the avatar or the visitor whose they are. */
export class ConversationDeletion {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'notifier' | 'audit' | 'log'>;
  readonly #conversations: Conversations;
  readonly #memory: Pick<MemoryPort, 'forget'>;
  readonly #removals: MediaRemovals;

  constructor(
    platform: Pick<Platform, 'db' | 'clock' | 'notifier' | 'audit' | 'log'>,
    conversations: Conversations,
    memory: Pick<MemoryPort, 'forget'>,
    removals: MediaRemovals,
  ) {
    this.#p = platform;
    this.#conversations = conversations;
    this.#memory = memory;
    this.#removals = removals;
  }

  /** Deletes a conversation of the caller's, by id or slug. Throws 404 for an unknown one, 403 for another user's. */
  async delete(principal: Principal, idOrSlug: string): Promise<string> {
    const { id } = await this.#conversations.own(principal, idOrSlug, { orOnPage: true });
    await lockedAnew(this.#p.db, async (tx) => {
      await this.drop(tx, [id]);
      this.#p.audit.record(tx, principal, 'conversation_deleted', { userId: principal.userId, subject: id });
    });
    this.#p.log.info({ conversationId: id }, 'conversation deleted');
    return id;
  }

  /**
   * Several, in a transaction of `lockedAnew`. `isMeant` is asked behind all locks, when no turn can be added any more;
   * false: nothing is done. Returns what it says. `locked`: the holds that `lockDeletion` returned for them and for more.
   */
  async drop(
    tx: Tx,
    ids: string[],
    { isMeant = async () => true, locked }: { isMeant?: () => Promise<boolean>; locked?: readonly string[] } = {},
  ): Promise<boolean> {
    if (ids.length === 0) return isMeant();
    const held = locked ?? (await lockDeletion(tx, { conversationIds: ids }));
    if (!(await isMeant())) return false;
    const of = { conversation: { $in: ids } };
    const turns = await tx.em.find(TurnEntity, of, { fields: ['audioKey', 'videoKey'] });
    const mediaKeys = turns.flatMap(({ audioKey, videoKey }) => [audioKey, videoKey]);
    // Behind all other locks, as what is made counts itself.
    if (!locked) await lockUsage(tx, { conversationIds: ids, mediaKeys });
    await releaseLocked(tx, { locked: held, holdIds: await openHoldsOf(tx, of) }, this.#p.clock.now());
    const remembered = await tx.em.find(InjectionEntity, { ...of, remembered: true }, { fields: ['id'] });
    await this.#memory.forget(
      tx,
      remembered.map(({ id }) => id),
    );
    await this.#removals.add(tx, {
      owned: mediaKeys.map((key) => key ?? null),
      others: ids.map((id) => `conversations/${id}/`),
    });
    await tx.em.nativeDelete(ConversationEntity, { id: { $in: ids } });
    // Caches forget it; feeds find that it is gone.
    tx.afterCommit(() => {
      for (const id of ids) this.#p.notifier.emit('turn', `${id} 0`);
    });
    return true;
  }
}
