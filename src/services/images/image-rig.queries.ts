/**
 * Where the face is in an image of ours, so that an image that is used again keeps its exact rig, and how it came about,
 * so that its words can be changed.
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';
import type { Rig } from '../../engines/ports.ts';
import type { Platform } from '../platform.ts';

const NO_DRAWING = sql.lit(null).as('drawing');

const knownOfKey = prepared((tables, given: { key: string; caller: string }) =>
  tables
    .selectFrom('image_generation')
    .select('rig')
    // It has the words that were asked for, which are their author's alone.
    .select(({ eb, ref }) => eb.case().when('user_id', '=', given.caller).then(ref('drawing')).end().as('drawing'))
    .where('media_key', '=', given.key)
    .unionAll(tables.selectFrom('upload').select(['rig', NO_DRAWING]).where('media_key', '=', given.key))
    .unionAll(tables.selectFrom('avatar_image').select(['rig', NO_DRAWING]).where('media_key', '=', given.key))
    .$castTo<{ rig: Rig | null; drawing: object | null }>(),
);

/** What is kept with the image that an address of ours names, for the account `caller`; nothing for other addresses. */
export async function knownOfOwnUrl(
  p: Pick<Platform, 'db' | 'links'>,
  url: string,
  caller: string,
): Promise<{ rig?: Rig; drawing?: object }> {
  const key = p.links.parseOwnUrl(url)?.key;
  const [row] = key ? await knownOfKey(p.db, { key, caller }) : [];
  return { ...(row?.rig ? { rig: row.rig } : {}), ...(row?.drawing ? { drawing: row.drawing } : {}) };
}
