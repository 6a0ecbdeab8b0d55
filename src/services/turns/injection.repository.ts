/**
 * One accepted POST .../turn on its way: waiting, being written by one attempt, done. Replies of a conversation are
 * written one after another, and a later attempt fences off an earlier one that was taken for dead.
 */
import { InjectionEntity } from '../../../schema/entities/turns.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Platform } from '../platform.ts';
import { StaleAttemptError } from '../work-attempt.ts';
import { finishInjection, lockConversation, lockInjection, nextWaiting, takeInjection } from './turn-work.queries.ts';

/**
 * An injection as one attempt has it, with the avatar that answers; `rewritten` of its request is the whole line of a speak
 * turn in the persona's words, once it is written. `pendingTurnId` is the first turn of the reply, made when the injection was
 * accepted, and `pendingTurnOutput` what it will be.
 */
export type Injection = Awaited<ReturnType<typeof takeInjection>>[number];

/**
 * Takes an injection for an attempt, in one statement. Undefined when it is done, when an earlier one of its conversation
 * is unfinished (that one's end enqueues this one again), or when another attempt has it and `isRetry` is false.
 */
export async function claimInjection(
  { db }: Pick<Platform, 'db'>,
  id: string,
  isRetry: boolean,
): Promise<Injection | undefined> {
  const [row] = await takeInjection(db, { id, isRetry });
  return row;
}

/** When another attempt has taken an injection over, or it is done. */
export const takenOver = ({ id }: Pick<Injection, 'id'>): StaleAttemptError =>
  new StaleAttemptError(`Injection ${id} was taken over.`);

/** Locks the injection for this attempt. Throws StaleAttemptError when another has taken it over, or it is done. */
export async function fenceInjection(tx: Tx, injection: Pick<Injection, 'id' | 'attempt'>): Promise<void> {
  const held = await lockInjection(tx, injection);
  if (held.length === 0) throw takenOver(injection);
}

/** Ends the injection and wakes the next one of its conversation; does nothing when another attempt has it. */
export async function endInjection(p: Pick<Platform, 'db' | 'jobs'>, injection: Injection): Promise<void> {
  const { conversationId, number } = injection;
  await p.db.transaction(async (tx) => {
    // Sent together, run one after the other.
    const [ended, , [next]] = await Promise.all([
      finishInjection(tx, injection),
      // An injection that is being accepted commits before this lock or after this commit: in between, its job would
      // find this reply unfinished, and this look would not find it waiting.
      lockConversation(tx, { id: conversationId }),
      nextWaiting(tx, { conversationId, number }),
    ]);
    if (ended.length === 0) return;
    if (next) await p.jobs.enqueue(tx, 'reply', next);
  });
}

/** Takes a reply that is not done from whoever writes it, behind a lock of its row. `wakeNext` is to follow. */
export async function endReply(tx: Tx, { id, attempt }: InjectionEntity): Promise<void> {
  await tx.em.nativeUpdate(InjectionEntity, { id }, { state: 'done', attempt: attempt + 1 });
}

/**
 * Wakes the next of the conversation of a reply that was ended. It locks the conversation, so it comes behind the locks of
 * turns: whoever settles a turn takes them in this order.
 */
export async function wakeNext(
  tx: Tx,
  jobs: Platform['jobs'],
  { number, conversation }: InjectionEntity,
): Promise<void> {
  // As at the end of a reply: one that is being accepted now sees this one done, or is seen here.
  await lockConversation(tx, { id: conversation.id });
  const [next] = await nextWaiting(tx, { conversationId: conversation.id, number: number ?? 0 });
  if (next) await jobs.enqueue(tx, 'reply', next);
}
