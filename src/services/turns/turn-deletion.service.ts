/**
 * Deleting a turn: its words, its files and what was remembered of it go; what it cost stays in the ledger. A reply that
 * is still being written ends with it: nothing of it is charged that was not finished. Viewers are notified.
 */
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { InjectionEntity, TurnEntity } from '../../../schema/entities/turns.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { lockHolds } from '../../ledger/holds.ts';
import type { MemoryPort } from '../brain/memory.port.ts';
import type { Conversations } from '../conversations/conversation.service.ts';
import { bumpDeleted } from '../conversations/conversation-version.repository.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { endReply, wakeNext } from './injection.repository.ts';
import { lockedAnew, releaseLocked } from './turn-locks.service.ts';
import { filesOf } from './turn-render.service.ts';

type Needs = Pick<Platform, 'db' | 'clock' | 'notifier' | 'jobs' | 'log'>;

/** A turn whose media are not all there: its hold is open. */
const UNFINISHED = {
  $or: [{ status: 'pending' }, { status: 'audio', output: 'video' }],
} satisfies FilterQuery<TurnEntity>;

/** Deletes turns: media, memories and holds go with them, viewers learn of it. */
export class TurnDeletion {
  readonly #p: Needs;
  readonly #conversations: Conversations;
  readonly #memory: Pick<MemoryPort, 'forget'>;
  readonly #removals: MediaRemovals;

  constructor(
    platform: Needs,
    conversations: Conversations,
    memory: Pick<MemoryPort, 'forget'>,
    removals: MediaRemovals,
  ) {
    this.#p = platform;
    this.#conversations = conversations;
    this.#memory = memory;
    this.#removals = removals;
  }

  /** Deletes a turn of the caller's. Throws 404 for an unknown one, 403 for one of another user's conversation. */
  async delete(principal: Principal, turnId: string): Promise<void> {
    const turn = await this.#p.db.em().findOne(TurnEntity, { id: turnId }, { fields: ['conversation'] });
    if (!turn) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    await this.#conversations.own(principal, turn.conversation.id);
    await lockedAnew(this.#p.db, (tx) => this.drop(tx, turnId));
    this.#p.log.info({ turnId }, 'turn deleted');
  }

  /** In a transaction of `lockedAnew`: nothing where the turn is gone already. */
  async drop(tx: Tx, turnId: string): Promise<void> {
    const turn = await tx.em.findOne(TurnEntity, { id: turnId }, { fields: ['injection'] });
    if (!turn) return;
    const injectionId = turn.injection.id;
    const withRest: FilterQuery<TurnEntity> = {
      $or: [{ id: turnId }, { injection: injectionId, role: 'avatar', ...UNFINISHED }],
    };
    const held = holdsOf(await tx.em.find(TurnEntity, withRest));
    await lockHolds(tx, held);
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const injection = await tx.em.findOne(InjectionEntity, { id: injectionId }, { lockMode });
    if (!injection) return;
    const isWritten = injection.state === 'done';
    if (!isWritten) await endReply(tx, injection);
    // Behind the locks: what was accepted or written meanwhile is seen, and nothing more comes.
    const turns = await tx.em.find(TurnEntity, isWritten ? { id: turnId } : withRest, { refresh: true });
    if (turns.length > 0) await this.#delete(tx, injection, turns, held);
    if (!isWritten) await wakeNext(tx, this.#p.jobs, injection);
  }

  async #delete(tx: Tx, injection: InjectionEntity, turns: TurnEntity[], held: string[]): Promise<void> {
    const nowMs = this.#p.clock.now();
    await releaseLocked(tx, { locked: held, holdIds: holdsOf(turns) }, nowMs);
    const saysWords = turns.some(({ role }) => role === 'user');
    if (saysWords) await this.#memory.forget(tx, [injection.id]);
    const conversationId = injection.conversation.id;
    await this.#removals.add(tx, {
      owned: turns.flatMap(({ audioKey, videoKey }) => [audioKey ?? null, videoKey ?? null]),
      others: turns.flatMap(({ id, attempt }) =>
        Array.from({ length: attempt }, (_, index) => filesOf({ id, conversationId, attempt: index + 1 })).flat(),
      ),
    });
    await tx.em.nativeDelete(TurnEntity, { id: { $in: turns.map(({ id }) => id) } });
    const left = await tx.em.count(TurnEntity, { injection: injection.id });
    if (left === 0) await tx.em.nativeDelete(InjectionEntity, { id: injection.id });
    else if (saysWords) {
      const request = { ...(injection.request as object), userText: '' };
      await tx.em.nativeUpdate(InjectionEntity, { id: injection.id }, { request });
    }
    await bumpDeleted(tx, this.#p.notifier, conversationId, turns, nowMs);
  }
}

const holdsOf = (turns: readonly TurnEntity[]): string[] => turns.flatMap(({ hold }) => hold?.id ?? []);

/** The open holds of whole conversations. */
export async function openHoldsOf(tx: Tx, conversationIds: string[]): Promise<string[]> {
  const turns = await tx.em.find(
    TurnEntity,
    { conversation: { $in: conversationIds }, hold: { $ne: null }, ...UNFINISHED },
    { fields: ['hold'], refresh: true },
  );
  return turns.flatMap(({ hold }) => hold?.id ?? []);
}
