/**
 * One accepted POST .../turn on its way: waiting, being written by one attempt, done. Replies of a conversation are
 * written one after another, and a later attempt fences off an earlier one that was taken for dead.
 */
import type { Tx } from '../../kernel/database.ts';
import { StaleAttemptError } from '../job-attempts.ts';
import type { Platform } from '../platform.ts';
import type { TurnRequest } from './turn-plan.ts';

/** An injection as one attempt has it, with the avatar that answers. */
export interface Injection extends Record<string, unknown> {
  id: string;
  conversationId: string;
  clientId: string | null;
  number: number;
  attempt: number;
  /** `rewritten`: the whole line of a speak turn in the persona's words, once it is written. */
  request: TurnRequest & { rewritten?: string };
  avatarId: string;
  avatarOwnerUserId: string;
  name: string;
  personalityPrompt: string | null;
  ttsVoiceId: string | null;
  /** The first turn of the reply, made when the injection was accepted, and what it will be. */
  shellId: string | null;
  shellOutput: 'audio' | 'video' | null;
}

/**
 * Takes an injection for an attempt, in one statement. Undefined when it is done, when an earlier one of its conversation
 * is unfinished (that one's end enqueues this one again), or when another attempt has it and `isRetry` is false.
 */
export async function claimInjection(
  { db }: Pick<Platform, 'db'>,
  injectionId: string,
  isRetry: boolean,
): Promise<Injection | undefined> {
  const [row] = await db.rows<Injection>(
    `update injection i set state = 'writing', attempt = i.attempt + 1
     from conversation c join avatar a on a.id = c.avatar_id
       left join turn t on t.injection_id = $1 and t.chunk = 1
     where i.id = $1 and c.id = i.conversation_id and i.state = any($2)
       and not exists (select 1 from injection e where e.conversation_id = i.conversation_id
         and e.number < i.number and e.state <> 'done')
     returning i.id, i.conversation_id as "conversationId", c.client_id as "clientId", i.number, i.attempt, i.request,
       a.id as "avatarId", a.owner_user_id as "avatarOwnerUserId", a.display_name as "name",
       a.personality_prompt as "personalityPrompt", a.tts_voice_id as "ttsVoiceId",
       t.id as "shellId", t.output as "shellOutput"`,
    [injectionId, isRetry ? ['waiting', 'writing'] : ['waiting']],
  );
  return row;
}

/** Locks the injection for this attempt. Throws StaleAttemptError when another has taken it over, or it is done. */
export async function fenceInjection(tx: Tx, injection: Pick<Injection, 'id' | 'attempt'>): Promise<void> {
  const held = await tx.rows(
    `select 1 from injection where id = $1 and attempt = $2 and state = 'writing' for update`,
    [injection.id, injection.attempt],
  );
  if (held.length === 0) throw new StaleAttemptError(`Injection ${injection.id} was taken over.`);
}

/** Ends the injection and wakes the next one of its conversation; does nothing when another attempt has it. */
export async function endInjection(p: Pick<Platform, 'db' | 'jobs'>, injection: Injection): Promise<void> {
  await p.db.transaction(async (tx) => {
    // Sent together, run one after the other.
    const [ended, , [next]] = await Promise.all([
      tx.rows(`update injection set state = 'done' where id = $1 and attempt = $2 and state = 'writing' returning id`, [
        injection.id,
        injection.attempt,
      ]),
      // An injection that is being accepted commits before this lock or after this commit: in between, its job would
      // find this reply unfinished, and this look would not find it waiting.
      tx.rows('select 1 from conversation where id = $1 for update', [injection.conversationId]),
      tx.rows<{ id: string; account: string }>(
        `select id, request->>'callerUserId' as account from injection where conversation_id = $1 and state = 'waiting' and number > $2 order by number limit 1`,
        [injection.conversationId, injection.number],
      ),
    ]);
    if (ended.length === 0) return;
    if (next) await p.jobs.enqueue(tx, 'reply', next);
  });
}
