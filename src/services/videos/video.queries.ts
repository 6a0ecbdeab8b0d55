/**
 * Videos as they are stored, and how one is shown. By statements, not the ORM: who waits for a video polls it (a row
 * by its key costs 4.5 times as much as an entity: docs/decisions/0002), what workers do to one is a single fenced
 * statement (8.1 times), one is accepted by the statement that sees whether its slug is free, and the names that a prompt
 * may have are looked for in PostgreSQL, where the ORM would read every avatar. What is listed or shared is the ORM's
 * (`video.repository.ts`).
 */
import { type InferResult, type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { Video } from '../../../schema/video.ts';
import { anyOf } from '../../kernel/prepared.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Featured, KeptRequest } from './video-input.service.ts';

/** What is read of a video to show it. */
const COLUMNS = [
  'id',
  'share_slug as shareSlug',
  'user_id as userId',
  'status',
  'progress',
  'model',
  'referenced_avatars as referencedAvatars',
  'is_public as isPublic',
  'seconds',
  'credit_cost as creditCost',
  'media_key as mediaKey',
  'still_key as stillKey',
  'error_message as error',
  'seed',
  'created_at as createdAt',
] as const;
const PROMPT = sql<string>`request->>'prompt'`.as('prompt');

const reading = (tables: Kysely<Tables>) => tables.selectFrom('video_generation').select([...COLUMNS, PROMPT]);

/** A video as it is read. */
export type VideoRow = InferResult<ReturnType<typeof reading>>[number];

/** A video as it is shown, from a statement or as an entity. */
export type ShownVideo = Omit<VideoRow, 'creditCost'> & { creditCost: number | bigint };

/** Those of these ids that are this user's; where `clientId` is one, only what that app asked for. */
export const ownVideos = prepared(
  (tables, given: { ids: readonly string[]; userId: string; clientId: string | null }) =>
    reading(tables)
      .where('id', '=', anyOf(given.ids))
      .where('user_id', '=', given.userId)
      .where((eb) => eb.or([eb(sql`${given.clientId}::text`, 'is', null), eb('client_id', '=', given.clientId)])),
);

/** Positions beyond this are not counted. */
const COUNTED_POSITIONS = 1000;

/** Of these videos, those that no worker has begun, and how many such ones were ordered before each. */
export const queuedBefore = prepared((tables, given: { ids: readonly string[] }) =>
  tables
    .selectFrom('video_generation as v')
    .select((eb) => [
      'v.id',
      eb
        .selectFrom(
          eb
            .selectFrom('video_generation as o')
            .select('o.id')
            .where('o.status', '=', 'queued')
            // The literal statuses are those of the index.
            .where(sql<boolean>`o.status = any (array['queued', 'rendering'])`)
            .where(sql<boolean>`(o.created_at, o.id) < (v.created_at, v.id)`)
            .limit(sql.lit(COUNTED_POSITIONS))
            .as('before'),
        )
        .select(sql<number>`count(*)::int`.as('count'))
        .as('count'),
    ])
    .where('v.id', '=', anyOf(given.ids))
    .where('v.status', '=', 'queued'),
);

/** A video that is accepted. `request` and `referencedAvatars` are JSON. */
export interface NewVideo {
  id: string;
  userId: string;
  clientId: string | null;
  request: string;
  model: string;
  referencedAvatars: string;
  isPublic: boolean;
  seconds: number;
  creditCost: bigint;
  holdId: string;
  createdAt: number;
  shareSlug: string;
}

/** No row where the slug is taken. */
export const insertVideo = prepared((tables, given: NewVideo) =>
  tables
    .insertInto('video_generation')
    .values({
      id: given.id,
      user_id: given.userId,
      client_id: given.clientId,
      request: given.request,
      model: given.model,
      // JSON as text: the column's type is what is read from it.
      referenced_avatars: given.referencedAvatars as never,
      is_public: given.isPublic,
      seconds: given.seconds,
      credit_cost: given.creditCost,
      hold_id: given.holdId,
      created_at: given.createdAt,
      share_slug: given.shareSlug,
    })
    .onConflict((conflict) => conflict.column('share_slug').doNothing())
    .returning([...COLUMNS, PROMPT]),
);

/** Avatars of the user with these ids, and those whose name may be in the prompt; oldest first. */
export const avatarsToFeature = prepared((tables, given: { userId: string; ids: string[]; prompt: string }) =>
  tables
    .selectFrom('avatar as a')
    .leftJoin('avatar_image as i', (join) => join.onRef('i.avatar_id', '=', 'a.id').on('i.is_primary', '=', true))
    .select(['a.id', 'a.display_name as name', 'a.tts_voice_id as ttsVoiceId', 'i.media_key as imageKey', 'i.rig'])
    .where('a.owner_user_id', '=', given.userId)
    .where((eb) =>
      eb.or([
        eb('a.id', '=', anyOf(given.ids)),
        sql<boolean>`strpos(lower(regexp_replace(${given.prompt}, '\\s+', ' ', 'g')), lower(trim(a.display_name))) > 0`,
      ]),
    )
    .orderBy('a.created_at')
    .orderBy('a.id')
    .$narrowType<{ rig: Featured['rig'] }>(),
);

/** Takes a video for the next attempt; no row where it has ended. */
export const claimVideo = prepared((tables, given: { id: string }) =>
  tables
    .updateTable('video_generation')
    .set((eb) => ({ attempt: eb('attempt', '+', 1), status: 'rendering' }))
    .where('id', '=', given.id)
    .where('status', 'in', ['queued', 'rendering'])
    .returning(['id', 'attempt', 'request', 'hold_id as holdId', 'user_id as userId'])
    .$narrowType<{ request: KeptRequest; holdId: string }>(),
);

/** One attempt, which has the video. */
interface OfAttempt {
  id: string;
  attempt: number;
}

const ofAttempt = (tables: Kysely<Tables>, given: OfAttempt) =>
  tables
    .updateTable('video_generation')
    .where('id', '=', given.id)
    .where('attempt', '=', given.attempt)
    .where('status', '=', 'rendering')
    .returning('id');

/** Keeps what the video is being made under elsewhere, as JSON; `{}` forgets it. No row where the attempt lost it. */
export const keepOrder = prepared((tables, given: OfAttempt & { order: string }) =>
  ofAttempt(tables, given).set({ request: sql`(request - 'under') || ${given.order}::jsonb` }),
);

/** The share that is done, which never falls. No row where the attempt lost the video. */
export const showProgress = prepared((tables, given: OfAttempt & { share: number }) =>
  ofAttempt(tables, given).set({ progress: sql`greatest(progress, ${given.share})` }),
);

/** The row as a video is documented, its media freshly signed. */
export function showVideo({ links, config }: Pick<Platform, 'links' | 'config'>, row: ShownVideo): Video {
  return {
    generationId: row.id,
    slug: row.shareSlug,
    url: `${config.SITE_URL}/${row.shareSlug}`,
    status: row.status,
    progress: row.progress,
    model: row.model,
    referencedAvatars: row.referencedAvatars,
    seconds: row.seconds,
    creditCost: BigInt(row.creditCost),
    videoUrl: row.mediaKey ? links.signPublic(row.mediaKey) : null,
    stillUrl: row.stillKey ? links.signPublic(row.stillKey) : null,
    error: row.error,
    poll: `/videos/${row.id}`,
    storePath: `videos/${row.id}`,
    visibility: row.isPublic ? 'public' : 'private',
    prompt: row.prompt,
    seed: row.seed,
    createdAt: row.createdAt,
  };
}
