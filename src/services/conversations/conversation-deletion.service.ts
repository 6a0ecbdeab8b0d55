/**
 * Deleting a conversation: turns, files, links to it and what was remembered of it go; what it cost stays in the ledger.
 * What is being written or rendered ends uncharged, and its viewers are sent away.
 */
import { LockMode } from '@mikro-orm/core';
import { ConversationEntity } from '../../../schema/entities/conversations.ts';
import { InjectionEntity, TurnEntity } from '../../../schema/entities/turns.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Database, Tx } from '../../kernel/database.ts';
import { lockHolds, settleHold } from '../../ledger/holds.ts';
import type { MemoryPort } from '../brain/memory.port.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { openHoldsOf } from '../turns/turn-deletion.service.ts';
import { lockConversation } from '../turns/turn-work.queries.ts';
import type { Conversations } from './conversation.service.ts';

/** A turn was accepted while its conversation was being locked to be deleted. */
class TurnAcceptedError extends Error {}

/** How often a deletion begins anew: each time somebody has spoken at that very moment. */
const ATTEMPTS = 5;

/** A transaction that drops conversations, again where a turn was accepted in between. */
export async function deleting(db: Pick<Database, 'transaction'>, work: (tx: Tx) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!(error instanceof TurnAcceptedError) || attempt === ATTEMPTS) throw error;
    }
  }
}

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

  /** Deletes a conversation of the caller's, by id or slug. Throws 404 for an unknown one, 403 for somebody else's. */
  async delete(principal: Principal, idOrSlug: string): Promise<string> {
    const { id } = await this.#conversations.own(principal, idOrSlug, { orOnPage: true });
    await deleting(this.#p.db, async (tx) => {
      await this.drop(tx, [id]);
      this.#p.audit.record(tx, principal, 'conversation_deleted', { userId: principal.userId, subject: id });
    });
    this.#p.log.info({ conversationId: id }, 'conversation deleted');
    return id;
  }

  /**
   * Several, in a transaction. Throws TurnAcceptedError, for which `deleting` does all of it again; never to who has locked the
   * conversations beforehand, for then no turn is accepted.
   */
  async drop(tx: Tx, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await lockHolds(tx, await openHoldsOf(tx, ids));
    const of = { conversation: { $in: ids } };
    // In the order of a reply, which locks its injection and then the conversation.
    const inOrder = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' }, fields: ['id'] } as const;
    const locked = await tx.em.find(InjectionEntity, of, inOrder);
    // A render changes its turn and then raises the conversation's version.
    await tx.em.find(TurnEntity, of, inOrder);
    // Who accepts a turn now has done so, or finds no conversation.
    for (const id of ids.toSorted()) await lockConversation(tx, { id });
    // The reply to what was accepted in between may wait for us already, so we must not wait for it.
    if ((await tx.em.count(InjectionEntity, of)) > locked.length) throw new TurnAcceptedError();
    const nowMs = this.#p.clock.now();
    for (const holdId of await openHoldsOf(tx, ids)) await settleHold(tx, holdId, 0n, nowMs);
    const remembered = await tx.em.find(InjectionEntity, { ...of, remembered: true }, { fields: ['id'] });
    await this.#memory.forget(
      tx,
      remembered.map(({ id }) => id),
    );
    const turns = await tx.em.find(TurnEntity, of, { fields: ['audioKey', 'videoKey'] });
    await this.#removals.add(tx, {
      owned: turns.flatMap(({ audioKey, videoKey }) => [audioKey ?? null, videoKey ?? null]),
      others: ids.map((id) => `conversations/${id}/`),
    });
    await tx.em.nativeDelete(ConversationEntity, { id: { $in: ids } });
    // Caches forget it; feeds find that it is gone.
    tx.afterCommit(() => {
      for (const id of ids) this.#p.notifier.emit('turn', `${id} 0`);
    });
  }
}
