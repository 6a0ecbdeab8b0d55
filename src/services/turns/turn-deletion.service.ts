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
import { lockedAnew, releaseLocked, WrittenMeanwhileError } from './turn-locks.service.ts';
import { filesOf } from './turn-render.service.ts';
import { lockConversation } from './turn-work.queries.ts';

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

  /**
   * In a transaction of `lockedAnew`: nothing where the turn is gone already.
   * @param locked the holds whose accounts the transaction has locked by `lockDeletion`; absent: it locks those of the turn
   */
  async drop(tx: Tx, turnId: string, locked?: readonly string[]): Promise<void> {
    const turn = await tx.em.findOne(TurnEntity, { id: turnId }, { fields: ['injection'] });
    if (!turn) return;
    const injectionId = turn.injection.id;
    const withRest: FilterQuery<TurnEntity> = {
      $or: [{ id: turnId }, { injection: injectionId, role: 'avatar', ...UNFINISHED }],
    };
    const held = locked ?? holdsOf(await tx.em.find(TurnEntity, withRest));
    if (!locked) await lockHolds(tx, held);
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

  async #delete(tx: Tx, injection: InjectionEntity, turns: TurnEntity[], held: readonly string[]): Promise<void> {
    const nowMs = this.#p.clock.now();
    await releaseLocked(tx, { locked: held, holdIds: holdsOf(turns.filter(isUnfinished)) }, nowMs);
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

/** Some of its media are missing. */
export const isUnfinished = ({ status, output }: TurnEntity): boolean =>
  status === 'pending' || (status === 'audio' && output === 'video');

const holdsOf = (turns: readonly TurnEntity[]): string[] => turns.flatMap(({ hold }) => hold?.id ?? []);

/** Conversations that go as a whole, and replies of which turns go. */
interface Going {
  conversationIds: readonly string[];
  injectionIds?: readonly string[];
  /** Holds of other work that goes with them. */
  holdIds?: readonly string[];
}

/**
 * Locks all that a deletion changes, in the order of a reply: accounts, injections, turns, conversations, each in the order
 * of their ids. Returns the holds whose accounts are locked. In a transaction of `lockedAnew`.
 */
export async function lockDeletion(
  tx: Tx,
  { conversationIds, injectionIds = [], holdIds = [] }: Going,
): Promise<string[]> {
  const of = { $or: [{ conversation: { $in: [...conversationIds] } }, { injection: { $in: [...injectionIds] } }] };
  const held = [...(await openHoldsOf(tx, of)), ...holdIds];
  await lockHolds(tx, held);
  const inOrder = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
  const replies = { $or: [{ conversation: { $in: [...conversationIds] } }, { id: { $in: [...injectionIds] } }] };
  const injections = await tx.em.find(InjectionEntity, replies, { ...inOrder, fields: ['id', 'conversation'] });
  // A render changes its turn and then raises the conversation's version.
  const locked = await tx.em.find(TurnEntity, of, { ...inOrder, fields: ['id'] });
  // Who accepts a turn now has done so, or finds no conversation.
  const conversations = new Set([...conversationIds, ...injections.map(({ conversation }) => conversation.id)]);
  for (const id of [...conversations].toSorted()) await lockConversation(tx, { id });
  // A transaction that writes or renders what came in between may wait for this one already, so this one must not wait for it.
  const known = new Set(held);
  const isNew = (await openHoldsOf(tx, of)).some((id) => !known.has(id));
  if (isNew || (await tx.em.count(TurnEntity, of)) > locked.length) throw new WrittenMeanwhileError();
  return held;
}

/** The holds of turns that are not finished. */
export async function openHoldsOf(tx: Tx, of: FilterQuery<TurnEntity>): Promise<string[]> {
  const open: FilterQuery<TurnEntity> = { $and: [of, { hold: { $ne: null }, ...UNFINISHED }] };
  return holdsOf(await tx.em.find(TurnEntity, open, { refresh: true }));
}
