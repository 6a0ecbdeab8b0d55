/**
 * One-shot speech as it is stored. By statements, not the ORM: who waits for a generation polls it (a row by its key
 * costs 4.5 times as much as an entity: docs/decisions/0002), each accepted text reads its avatar with the image (12 times),
 * of identical texts one goes on by the statement that sees the other, and an attempt takes one by the statement that says
 * whether it has ended (8.1 times). What is listed or shared is the ORM's (`speech.repository.ts`).
 */
import { type InferResult, type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { Rig, TalkingHeadOrder } from '../../engines/ports/index.ts';
import { anyOf } from '../../kernel/prepared.ts';

/** What is read of a generation to show it. */
const COLUMNS = [
  'g.id',
  'g.status',
  'g.audio_key as audioKey',
  'g.video_key as videoKey',
  'g.share_slug as shareSlug',
  'g.error_message as errorMessage',
  'g.text',
  'g.created_at as createdAt',
] as const;

const reading = (tables: Kysely<Tables>) => tables.selectFrom('speech_generation as g').select(COLUMNS);

/** A generation as it is read. */
export type SpeechRow = InferResult<ReturnType<typeof reading>>[number];

/** For the account that asked or the one that pays; with `clientId` only what that app asked for. */
export const ownSpeeches = prepared(
  (tables, given: { ids: readonly string[]; userId: string; clientId: string | null }) =>
    reading(tables)
      .where('g.id', '=', anyOf(given.ids))
      .where((eb) => eb.or([eb('g.caller_user_id', '=', given.userId), eb('g.payer_user_id', '=', given.userId)]))
      .where((eb) => eb.or([eb(sql`${given.clientId}::text`, 'is', null), eb('g.client_id', '=', given.clientId)])),
);

/** The generation of identical requests, unless it failed. */
export const identicalSpeech = prepared((tables, given: { dedupKey: string }) =>
  reading(tables).where('g.dedup_key', '=', given.dedupKey).where('g.status', '<>', 'error'),
);

/** An avatar of this owner, with what it speaks and looks like. */
export const speaker = prepared((tables, given: { avatarId: string; ownerUserId: string }) =>
  tables
    .selectFrom('avatar as a')
    .leftJoin('avatar_image as i', (join) => join.onRef('i.avatar_id', '=', 'a.id').on('i.is_primary', '=', true))
    .select([
      'a.id',
      'a.owner_user_id as ownerUserId',
      'a.personality_prompt as personalityPrompt',
      'a.tts_voice_id as ttsVoiceId',
      'a.publicly_renderable as publiclyRenderable',
      'i.id as imageId',
    ])
    .where('a.id', '=', given.avatarId)
    .where('a.owner_user_id', '=', given.ownerUserId),
);

/** A text that is accepted. */
export interface NewSpeech {
  id: string;
  callerUserId: string;
  payerUserId: string;
  clientId: string | null;
  avatarId: string;
  imageId: string | null;
  voiceId: string;
  dedupKey: string;
  text: string;
  textMode: 'literal' | 'personality';
  output: 'audio' | 'video';
  language: string | null;
  createdAt: number;
}

/** No row where an identical request came first: it waits for that one's transaction to end. */
export const insertSpeech = prepared((tables, given: NewSpeech) =>
  tables
    .insertInto('speech_generation')
    .values({
      id: given.id,
      caller_user_id: given.callerUserId,
      payer_user_id: given.payerUserId,
      client_id: given.clientId,
      avatar_id: given.avatarId,
      image_id: given.imageId,
      voice_id: given.voiceId,
      dedup_key: given.dedupKey,
      text: given.text,
      text_mode: given.textMode,
      output: given.output,
      language: given.language,
      created_at: given.createdAt,
    })
    // In the words of the index: PostgreSQL finds it by them before a parameter has a value.
    .onConflict((conflict) => conflict.column('dedup_key').where('status', '<>', sql.lit('error')).doNothing())
    .returning('id'),
);

/** Notes the hold that pays for a speech. */
export const setHold = prepared((tables, given: { id: string; holdId: string }) =>
  tables
    .updateTable('speech_generation as g')
    .set({ hold_id: given.holdId })
    .where('g.id', '=', given.id)
    .returning(COLUMNS),
);

/** Takes a generation for the next attempt, with the avatar that speaks; no row where it has ended. */
export const claimSpeech = prepared((tables, given: { id: string }) =>
  tables
    .with('claimed', (inner) =>
      inner
        .updateTable('speech_generation')
        .set((eb) => ({ attempt: eb('attempt', '+', 1) }))
        .where('id', '=', given.id)
        .where((eb) =>
          eb.or([eb('status', '=', 'pending'), eb.and([eb('status', '=', 'audio'), eb('output', '=', 'video')])]),
        )
        .returningAll(),
    )
    .selectFrom('claimed as g')
    .innerJoin('avatar as a', 'a.id', 'g.avatar_id')
    .leftJoin('avatar_image as i', 'i.id', 'g.image_id')
    .select([
      'g.id',
      'g.attempt',
      'g.status',
      'g.output',
      'g.text',
      'g.text_mode as textMode',
      'g.spoken_text as spokenText',
      'g.language',
      'g.voice_id as voiceId',
      'g.audio_key as audioKey',
      'g.share_slug as shareSlug',
      'g.hold_id as holdId',
      'g.talking_head_order as order',
      'a.owner_user_id as ownerUserId',
      'a.display_name as name',
      'a.personality_prompt as personalityPrompt',
      'i.media_key as imageKey',
      'i.rig',
    ])
    .$narrowType<{ rig: Rig | null; order: TalkingHeadOrder | null }>(),
);

/** Keeps who makes the talking head elsewhere, as JSON; null forgets it. No row where the attempt lost the generation. */
export const keepSpeechOrder = prepared((tables, given: { id: string; attempt: number; order: string | null }) =>
  tables
    .updateTable('speech_generation')
    .set({ talking_head_order: sql`${given.order}::jsonb` })
    .where('id', '=', given.id)
    .where('attempt', '=', given.attempt)
    .where('status', 'in', ['pending', 'audio'])
    .returning('id'),
);

/** The attempt that has a generation; no row where it has ended or is gone. */
export const attemptAtSpeech = prepared((tables, given: { id: string }) =>
  tables
    .selectFrom('speech_generation')
    .select('attempt')
    .where('id', '=', given.id)
    .where('status', 'in', ['pending', 'audio']),
);

/** Keeps what is said in the persona's words. No row where the attempt lost the generation. */
export const keepWords = prepared((tables, given: { id: string; attempt: number; text: string }) =>
  tables
    .updateTable('speech_generation')
    .set({ spoken_text: given.text })
    .where('id', '=', given.id)
    .where('attempt', '=', given.attempt)
    .returning('id'),
);
