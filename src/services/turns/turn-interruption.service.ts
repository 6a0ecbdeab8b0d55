/**
 * Interrupting a reply, because the listener has begun to speak. Turns whose rendering has not begun are deleted and not
 * charged. For the others it stores what was heard, which is what the avatar remembers having said.
 */
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { InjectionEntity, TurnEntity } from '../../../schema/entities/turns.ts';
import type { InterruptTurnInput } from '../../../schema/inputs/turn.ts';
import type { InterruptedTurn } from '../../../schema/turn.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { lockHolds } from '../../ledger/holds.ts';
import type { Conversations } from '../conversations/conversation.service.ts';
import { bumpDeleted, bumpVersion } from '../conversations/conversation-version.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { endReply, wakeNext } from './injection.repository.ts';
import { isUnfinished } from './turn-deletion.service.ts';
import { lockedAnew, releaseLocked } from './turn-locks.service.ts';

type Needs = Pick<Platform, 'db' | 'clock' | 'notifier' | 'jobs' | 'log'>;

export class TurnInterruption {
  readonly #p: Needs;
  readonly #conversations: Conversations;

  constructor(platform: Needs, conversations: Conversations) {
    this.#p = platform;
    this.#conversations = conversations;
  }

  /**
   * Ends the reply that a turn belongs to, at that turn. A reply that was interrupted before stays as it is, and so does a
   * finished reply that is followed by another one: it was heard, and is only being played again. Throws 404 for an
   * unknown turn, 403 for another user's conversation, 400 for a turn that is not an avatar's reply.
   */
  async interrupt(principal: Principal, { turnId, heardMs }: InterruptTurnInput): Promise<InterruptedTurn> {
    const turn = await this.#p.db.em().findOne(TurnEntity, { id: turnId });
    if (!turn) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    await this.#conversations.own(principal, turn.conversation.id);
    return this.#interrupt(turn, heardMs ?? null);
  }

  /** The same in a conversation that the caller was let into before; 404 for a turn of another one. */
  async interruptIn(conversationId: string, { turnId, heardMs }: InterruptTurnInput): Promise<InterruptedTurn> {
    const turn = await this.#p.db.em().findOne(TurnEntity, { id: turnId, conversation: conversationId });
    if (!turn) throw new PlatformError('NOT_FOUND', 'Turn not found.');
    return this.#interrupt(turn, heardMs ?? null);
  }

  async #interrupt(turn: TurnEntity, heardMs: number | null): Promise<InterruptedTurn> {
    const turnId = turn.id;
    if (turn.role !== 'avatar') throw badInput('turnId', 'must be a turn of the avatar’s reply.');
    const ended = await lockedAnew(this.#p.db, (tx) => this.#end(tx, turn, heardMs));
    this.#p.log.info({ turnId, heardMs, dropped: ended.droppedTurnIds.length }, 'turn interrupted');
    return ended;
  }

  async #end(tx: Tx, { id: turnId, chunk, ...turn }: TurnEntity, heardMs: number | null): Promise<InterruptedTurn> {
    const here: FilterQuery<TurnEntity> = { injection: turn.injection.id, role: 'avatar', chunk: { $gte: chunk } };
    const holds = (turns: TurnEntity[]): string[] => turns.filter(isUnbegun).flatMap(({ hold }) => hold?.id ?? []);
    const held = holds(await tx.em.find(TurnEntity, here));
    await lockHolds(tx, held);
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const injection = await tx.em.findOne(InjectionEntity, { id: turn.injection.id }, { lockMode });
    const isWritten = injection?.state === 'done';
    if (injection && !isWritten) await endReply(tx, injection);
    // Read after locking, so that everything written meanwhile is seen and nothing more is added.
    const turns = await tx.em.find(TurnEntity, here, { lockMode, refresh: true, orderBy: { chunk: 'asc' } });
    if (injection && isWritten && !turns.some(isUnfinished) && (await isFollowed(tx, injection))) {
      return { turnId, droppedTurnIds: [] };
    }
    const nowMs = this.#p.clock.now();
    const dropped = turns.filter(isUnbegun);
    await releaseLocked(tx, { locked: held, holdIds: holds(dropped) }, nowMs);
    const changed = turns.flatMap((one) => {
      if (isUnbegun(one) || one.heardText !== null) return [];
      const heardText = one.id === turnId ? heardOf(one, heardMs) : '';
      return heardText === null ? [] : [{ id: one.id, heardText }];
    });
    for (const { id, heardText } of changed) await tx.em.nativeUpdate(TurnEntity, { id }, { heardText });
    const conversationId = turn.conversation.id;
    if (changed.length > 0) {
      bumpVersion(tx, this.#p, conversationId, { turnIds: changed.map(({ id }) => id) });
    }
    const droppedTurnIds = dropped.map(({ id }) => id);
    if (dropped.length > 0) {
      await tx.em.nativeDelete(TurnEntity, { id: { $in: droppedTurnIds } });
      await bumpDeleted(tx, this.#p.notifier, conversationId, dropped, nowMs);
    }
    if (injection && !isWritten) await wakeNext(tx, this.#p.jobs, injection);
    return { turnId, droppedTurnIds };
  }
}

/** Its rendering has not begun, so it has cost nothing yet. */
const isUnbegun = ({ status, attempt }: TurnEntity): boolean => status === 'pending' && attempt === 0;

/** Something was said after it. */
async function isFollowed(tx: Tx, { conversation, number }: InjectionEntity): Promise<boolean> {
  const later = { conversation: conversation.id, number: { $gt: number ?? 0 } };
  return (await tx.em.count(InjectionEntity, later)) > 0;
}

/** The whole words of a turn that were heard by `heardMs`; null when all of them were. */
function heardOf(
  { avatarText, marks, seconds }: Pick<TurnEntity, 'avatarText' | 'marks' | 'seconds'>,
  heardMs: number | null,
): string | null {
  if (heardMs === null || (seconds != null && heardMs >= seconds * 1_000)) return null;
  const text = avatarText ?? '';
  const heard = marks?.findLast(({ ms, len }) => len > 0 && ms < heardMs);
  if (heard) return text.slice(0, heard.at + heard.len);
  return '';
}
