/**
 * An injection: one accepted POST .../turn, which is waiting, being written by one attempt, or done. Replies of a
 * conversation are written one after another. A new attempt fences off an earlier one that was presumed dead.
 */
import { InjectionEntity } from '../../../schema/entities/turns.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Platform } from '../platform/platform.port.ts';
import { StaleAttemptError } from '../work/attempt-failure.rules.ts';
import {
  finishInjection,
  keepWritten,
  lockConversation,
  lockInjection,
  nextWaiting,
  takeInjection,
} from './turn-work.queries.ts';

/**
 * An injection as one attempt has it, with the avatar that answers. Of its request `rewritten` is the whole line of a speak
 * turn in the persona's words, once there is one, and `isWritten` says that the last chunk of the reply is written.
 * `pendingTurnId` is the first turn of the reply, made when the injection was accepted, and `pendingTurnOutput` what it will be.
 */
export type Injection = Awaited<ReturnType<typeof takeInjection>>[number];

/**
 * Takes an injection for an attempt, in one statement. Undefined when it is done, when an earlier one of its conversation
 * is unfinished (its end enqueues this one again), or when another attempt has it and `isRetry` is false.
 */
export async function claimInjection(
  { db }: Pick<Platform, 'db'>,
  id: string,
  isRetry: boolean,
): Promise<Injection | undefined> {
  const [row] = await takeInjection(db, { id, isRetry, startedJob: null });
  return row;
}

/** The error when another attempt has taken the injection over, or it is done. */
export const takenOver = ({ id }: Pick<Injection, 'id'>): StaleAttemptError =>
  new StaleAttemptError(`Injection ${id} was taken over.`);

/** Locks the injection for this attempt. Throws StaleAttemptError when another has taken it over, or it is done. */
export async function fenceInjection(tx: Tx, injection: Pick<Injection, 'id' | 'attempt'>): Promise<void> {
  const held = await lockInjection(tx, injection);
  if (held.length === 0) throw takenOver(injection);
}

/** As `fenceInjection`, and notes that the reply has its whole text: a later attempt asks for no more of it. */
export async function fenceLastChunk(tx: Tx, injection: Pick<Injection, 'id' | 'attempt'>): Promise<void> {
  const held = await keepWritten(tx, injection);
  if (held.length === 0) throw takenOver(injection);
}

/**
 * Ends the injection and wakes the next one of its conversation; does nothing when another attempt has it.
 * @param complete ends the job in the same transaction
 */
export async function endInjection(
  p: Pick<Platform, 'db' | 'jobs'>,
  injection: Injection,
  complete?: (tx: Tx) => void,
): Promise<void> {
  const { conversationId, number, request } = injection;
  await p.db.transaction(async (tx) => {
    // This commit does not wait for the disk, and settling the reply's turns, which locks the same conversation, does not wait
    // behind it. If it is lost, the job ends the reply again. Only for a reply whose text is known to be complete: a model that is
    // asked for the rest of a complete reply may say more, which is charged.
    if (request.verbatim !== null || request.isWritten) tx.send('set local synchronous_commit = off', []);
    // Sent together, run one after the other.
    const ending = finishInjection(tx, injection);
    complete?.(tx);
    const [ended, , [next]] = await Promise.all([
      ending,
      // With this lock an injection that is being accepted commits either before it, and is found below, or after this
      // transaction, and finds this reply done. Without it no worker would start that injection.
      lockConversation(tx, { id: conversationId }),
      nextWaiting(tx, { conversationId, number }),
    ]);
    if (ended.length === 0) return;
    if (next) await p.jobs.enqueue(tx, 'reply', next);
  });
}

/** Ends an unfinished reply, whichever attempt writes it. The row must be locked; call `wakeNext` afterwards. */
export async function endReply(tx: Tx, { id, attempt }: InjectionEntity): Promise<void> {
  await tx.em.nativeUpdate(InjectionEntity, { id }, { state: 'done', attempt: attempt + 1 });
}

/**
 * Enqueues the next reply of the conversation after `endReply`. It locks the conversation, so call it after locking
 * turns: settling a turn locks in the same order.
 */
export async function wakeNext(
  tx: Tx,
  jobs: Platform['jobs'],
  { number, conversation }: InjectionEntity,
): Promise<void> {
  // As in `endInjection`: an injection that is being accepted now is found below, or finds this reply done.
  await lockConversation(tx, { id: conversation.id });
  const [next] = await nextWaiting(tx, { conversationId: conversation.id, number: number ?? 0 });
  if (next) await jobs.enqueue(tx, 'reply', next);
}
