/**
 * The statements that take a turn from its acceptance to its media. Not the ORM's: they run for every turn or chunk,
 * mostly without being awaited, and fence what an attempt writes; entities would be read before each write (8.1 times as
 * much: docs/decisions/0002).
 */
import { type NotNull, sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';
import type { Rig, TalkingHeadOrder } from '../../engines/ports/index.ts';
import { STARTED_JOB_SETTING } from '../../kernel/job-kinds.ts';
import { unplannedLimit } from '../../kernel/prepared.ts';
import type { JobOrigin } from '../../kernel/work-account.ts';
import { MANAGED } from '../brain/memory/memory-system.service.ts';
import { SHOWN_IMAGE } from './turn.queries.ts';
import type { TurnRequest } from './turn-plan.rules.ts';

/** Inserts an accepted injection; it gets its number at the end of the transaction. */
export const insertInjection = prepared(
  (
    tables,
    given: { id: string; conversationId: string; state: 'waiting' | 'done'; request: TurnRequest; createdAt: number },
  ) =>
    tables.insertInto('injection').values({
      id: given.id,
      conversation_id: given.conversationId,
      state: given.state,
      request: given.request,
      created_at: given.createdAt,
    }),
);

/** The columns of a new turn. */
export interface TurnValues {
  id: string;
  conversationId: string;
  injectionId: string;
  number: number | null;
  chunk: number;
  role: 'user' | 'avatar';
  userText: string | null;
  avatarText: string | null;
  output: 'audio' | 'video' | null;
  status: 'pending' | 'ready' | 'error';
  voicedByAvatarId: string;
  holdId: string | null;
  mediaError: string | null;
  errorMessage: string | null;
  createdAt: number;
}

/** Inserts a turn. No row when an earlier attempt has inserted this chunk: each partition keeps that unique, the whole has no such index. */
export const insertTurnRow = prepared((tables, given: TurnValues) =>
  tables
    .insertInto('conversation_turn')
    .values({
      id: given.id,
      conversation_id: given.conversationId,
      injection_id: given.injectionId,
      number: given.number,
      chunk: given.chunk,
      role: given.role,
      user_text: given.userText,
      avatar_text: given.avatarText,
      output: given.output,
      status: given.status,
      voiced_by_avatar_id: given.voicedByAvatarId,
      hold_id: given.holdId,
      media_error: given.mediaError,
      error_message: given.errorMessage,
      created_at: given.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/** Whether this transaction has started the job; with null any transaction may go on. */
const hasStarted = (given: { startedJob: string | null }) =>
  sql<boolean>`(${given.startedJob}::text is null or current_setting(${sql.lit(STARTED_JOB_SETTING)}, true) = ${given.startedJob})`;

/**
 * Claims an injection for an attempt, with the avatar that answers, whether that has any memory, and the pending turn of the
 * reply. No row where it is done, where an earlier injection of its conversation is unfinished, where another attempt has it and
 * `isRetry` is false, or where the transaction has not started the job.
 */
export const takeInjection = prepared((tables, given: { id: string; isRetry: boolean; startedJob: string | null }) =>
  tables
    .updateTable('injection as i')
    .from('conversation as c')
    .innerJoin('avatar as a', 'a.id', 'c.avatar_id')
    .leftJoin('conversation_turn as t', (join) =>
      join.on('t.injection_id', '=', given.id).on('t.chunk', '=', sql.lit(1)),
    )
    .set(({ eb }) => ({ state: 'writing', attempt: eb('i.attempt', '+', 1) }))
    .where('i.id', '=', given.id)
    .where(hasStarted(given))
    .whereRef('c.id', '=', 'i.conversation_id')
    .where(({ eb, or, and }) =>
      or([
        eb('i.state', '=', sql.lit('waiting')),
        and([eb('i.state', '=', sql.lit('writing')), sql<boolean>`${given.isRetry}::boolean`]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('injection as e')
            .select('e.id')
            .whereRef('e.conversation_id', '=', 'i.conversation_id')
            .whereRef('e.number', '<', 'i.number')
            .where('e.state', '<>', sql.lit('done')),
        ),
      ),
    )
    .returning([
      'i.id',
      'i.conversation_id as conversationId',
      'c.client_id as clientId',
      'i.number',
      'i.attempt',
      'i.request',
      'i.created_at as createdAt',
      'a.id as avatarId',
      'a.owner_user_id as avatarOwnerUserId',
      'a.display_name as name',
      'a.personality_prompt as personalityPrompt',
      'a.tts_voice_id as ttsVoiceId',
      't.id as pendingTurnId',
      't.output as pendingTurnOutput',
    ])
    .returning(({ or, eb, exists, selectFrom }) =>
      or([
        eb('a.brain_system', '<>', sql.lit(MANAGED)),
        exists(
          selectFrom('brain as b')
            .select('b.scope_id')
            .whereRef('b.avatar_id', '=', 'a.id')
            .where('b.sandbox_id', '=', sql.lit(''))
            .where('b.n', '>', sql.lit(0)),
        ),
      ]).as('hasMemory'),
    )
    .$narrowType<{ number: NotNull; request: TurnRequest & { rewritten?: string; isWritten?: boolean } }>(),
);

interface OfAttempt {
  id: string;
  attempt: number;
}

/** Locks an injection. No row when another attempt has it, or it is done. */
export const lockInjection = prepared((tables, given: OfAttempt) =>
  tables
    .selectFrom('injection')
    .select('id')
    .where('id', '=', given.id)
    .where('attempt', '=', given.attempt)
    .where('state', '=', sql.lit('writing'))
    .forUpdate(),
);

/** Marks an injection as done, for the attempt that has it. */
export const finishInjection = prepared((tables, given: OfAttempt) =>
  tables
    .updateTable('injection')
    .set({ state: 'done' })
    .where('id', '=', given.id)
    .where('attempt', '=', given.attempt)
    .where('state', '=', sql.lit('writing'))
    .returning('id'),
);

/** Keeps the whole line of a speak turn in the persona's words. */
export const keepRewritten = prepared((tables, given: OfAttempt & { rewritten: string }) =>
  tables
    .updateTable('injection')
    .set({ request: sql`request || jsonb_build_object('rewritten', ${given.rewritten}::text)` })
    .where('id', '=', given.id)
    .where('attempt', '=', given.attempt)
    .where('state', '=', sql.lit('writing'))
    .returning('id'),
);

/** Records with the last chunk that the text of a reply is complete; fences that chunk as `lockInjection` does. */
export const keepWritten = prepared((tables, given: OfAttempt) =>
  tables
    .updateTable('injection')
    .set({ request: sql`request || jsonb_build_object('isWritten', true)` })
    .where('id', '=', given.id)
    .where('attempt', '=', given.attempt)
    .where('state', '=', sql.lit('writing'))
    .returning('id'),
);

/** The next waiting injection of the conversation. */
export const nextWaiting = prepared((tables, given: { conversationId: string; number: number }) =>
  tables
    .selectFrom('injection')
    .select(['id', sql<string>`request->>'callerUserId'`.as('account')])
    .select(sql<JobOrigin | null>`request->'origin'`.as('origin'))
    .where('conversation_id', '=', given.conversationId)
    .where('state', '=', sql.lit('waiting'))
    .where('number', '>', given.number)
    .orderBy('number')
    .limit(sql.lit(1)),
);

/** Locks the conversation's row until the transaction ends. */
export const lockConversation = prepared((tables, given: { id: string }) =>
  tables.selectFrom('conversation').select('id').where('id', '=', given.id).forUpdate(),
);

/**
 * What was said before an injection, newest first. An interrupted reply is cut to what was heard, ending in an ellipsis. No row
 * where the transaction has not started the job. The rows are read by their index, only as many as asked for: a join with the
 * injection would sort the whole conversation.
 */
export const historyBefore = prepared((tables, given: { id: string; startedJob: string | null; limit: number }) => {
  const injection = tables.selectFrom('injection').where('id', '=', given.id);
  return tables
    .selectFrom('conversation_turn')
    .select(({ fn }) => [
      'role',
      fn.coalesce(sql<string>`nullif(heard_text, '') || ' …'`, 'heard_text', 'user_text', 'avatar_text').as('text'),
    ])
    .where(hasStarted(given))
    .where('conversation_id', '=', injection.select('conversation_id'))
    .where('number', '<', injection.select('number').$narrowType<{ number: NotNull }>())
    .where('status', '<>', sql.lit('error'))
    .orderBy('number', 'desc')
    .orderBy('chunk', 'desc')
    .limit(unplannedLimit(given.limit));
});

/** What was said before an injection. */
export type History = Awaited<ReturnType<typeof historyBefore>>;

/** Puts words into the pending turn of a reply; without a medium the turn is ready with them. */
export const fillPendingTurn = prepared((tables, given: { id: string; text: string }) =>
  tables
    .updateTable('conversation_turn')
    .set({
      avatar_text: given.text,
      status: sql<'pending' | 'ready'>`case when output is null then 'ready' else status end`,
    })
    .where('id', '=', given.id)
    .where('avatar_text', 'is', null)
    .where('status', '=', sql.lit('pending'))
    .returning('id'),
);

/**
 * Claims a turn that waits for its media for a new attempt, with the avatar that voices it. No row where it waits for no media,
 * or where the transaction has not started the job.
 */
export const claimTurn = prepared((tables, given: { id: string; startedJob: string | null }) =>
  tables
    .with('claimed', (inner) =>
      inner
        .updateTable('conversation_turn')
        .set(({ eb }) => ({ attempt: eb('attempt', '+', 1) }))
        .where('id', '=', given.id)
        .where(hasStarted(given))
        .where('output', 'is not', null)
        .where(({ eb, or, and }) =>
          or([
            eb('status', '=', sql.lit('pending')),
            and([eb('status', '=', sql.lit('audio')), eb('output', '=', sql.lit('video'))]),
          ]),
        )
        .returningAll(),
    )
    .selectFrom('claimed as t')
    .innerJoin('avatar as a', 'a.id', 't.voiced_by_avatar_id')
    .innerJoin('conversation as c', 'c.id', 't.conversation_id')
    .leftJoin('avatar_image as i', (join) => join.on('i.id', '=', SHOWN_IMAGE))
    .select(({ fn }) => [
      't.id',
      't.conversation_id as conversationId',
      't.attempt',
      't.status',
      't.output',
      fn.coalesce('t.avatar_text', 't.user_text').as('text'),
      't.hold_id as holdId',
      't.share_slug as shareSlug',
      't.audio_key as audioKey',
      't.talking_head_order as order',
      't.created_at as createdAt',
      'a.tts_voice_id as ttsVoiceId',
      'a.owner_user_id as ownerUserId',
      'i.media_key as imageKey',
      'i.rig',
    ])
    .$narrowType<{
      status: 'pending' | 'audio';
      output: NotNull;
      text: NotNull;
      rig: Rig | null;
      order: TalkingHeadOrder | null;
    }>(),
);

/** Stores the order of a remote talking head as JSON, or null for none. No row when another attempt has the turn. */
export const keepTurnOrder = prepared((tables, given: OfAttempt & { order: string | null }) =>
  tables
    .updateTable('conversation_turn')
    .set({ talking_head_order: sql`${given.order}::jsonb` })
    .where('id', '=', given.id)
    .where('attempt', '=', given.attempt)
    .where('status', 'in', ['pending', 'audio'])
    .returning('id'),
);

/** The attempt that has a turn; no row when the turn has ended or was deleted. */
export const attemptAtTurn = prepared((tables, given: { id: string }) =>
  tables
    .selectFrom('conversation_turn')
    .select('attempt')
    .where('id', '=', given.id)
    .where('status', 'in', ['pending', 'audio']),
);

/** A change of a turn's state. Null leaves a column unchanged, except `streamKey` when `setsStream` is true. */
export interface TurnTransition extends OfAttempt {
  from: readonly string[];
  to: 'pending' | 'audio' | 'video' | 'ready' | 'error';
  audioKey: string | null;
  videoKey: string | null;
  setsStream: boolean;
  streamKey: string | null;
  shareSlug: string | null;
  errorMessage: string | null;
  /** Marks of the spoken text, as JSON. */
  marks: string | null;
  seconds: number | null;
}

/** Changes a turn's state. No row when another attempt has the turn, or its state allows no such transition. */
export const transitionTurnRow = prepared((tables, given: TurnTransition) =>
  tables
    .updateTable('conversation_turn')
    .set({
      status: given.to,
      audio_key: sql`coalesce(${given.audioKey}, audio_key)`,
      video_key: sql`coalesce(${given.videoKey}, video_key)`,
      stream_key: sql`case when ${given.setsStream}::boolean then ${given.streamKey} else stream_key end`,
      share_slug: sql`coalesce(${given.shareSlug}, share_slug)`,
      error_message: sql`coalesce(${given.errorMessage}, error_message)`,
      marks: sql`coalesce(${given.marks}::jsonb, marks)`,
      seconds: sql`coalesce(${given.seconds}, seconds)`,
    })
    .where('id', '=', given.id)
    .where('attempt', '=', given.attempt)
    .where('status', '=', sql<'pending'>`any(${given.from}::text[])`)
    .returning('id'),
);
