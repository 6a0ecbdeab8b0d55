/**
 * Where the face is in an image of ours, so that an image that is used again keeps its exact rig, and how it came about,
 * so that its words can be changed. By statements, not the ORM: one union over the three tables that an image may be in,
 * where the ORM would ask each (4.5 times as much a row: docs/decisions/0002), and a write that says itself whether it
 * still replaces what was read.
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';
import type { Rig, TalkingHeadQuery } from '../../engines/ports/index.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Platform } from '../platform/platform.port.ts';

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

const replaceRig = prepared((tables, given: { key: string; before: string; found: string }) =>
  tables
    .updateTable('avatar_image')
    .set({ rig: sql`${given.found}::jsonb` })
    .where('media_key', '=', given.key)
    .where('rig', '=', sql`${given.before}::jsonb`),
);

/** Keeps a rig with the avatar's still in the place of one that was read, unless another is there meanwhile. */
export const keepRig = (on: Pick<Tx, 'rows'>, key: string, { before, found }: { before: Rig; found: Rig }) =>
  replaceRig(on, { key, before: JSON.stringify(before), found: JSON.stringify(found) });

/** The still of an avatar, with where its face is. */
interface StillOfAvatar {
  imageKey: string | null;
  rig: Rig | null;
  ownerUserId: string;
}

/** Has a face fitted for speaking that is stored by this transaction: it takes seconds, and videos do without until then. */
export async function fitLater(
  { jobs }: Pick<Platform, 'jobs'>,
  tx: Tx,
  { imageKey, rig, ownerUserId }: StillOfAvatar,
): Promise<void> {
  if (imageKey && rig?.landmarks && rig.press === undefined)
    await jobs.enqueue(tx, 'face', { id: imageKey, account: ownerUserId });
}

/**
 * The rig of an avatar's still for its talking head. One that is found in the place of an older version is kept with the
 * still, unless the owner has set another meanwhile; a video is worth more than that, so it goes on where it fails.
 */
export function rigOf(
  p: Pick<Platform, 'db' | 'log' | 'jobs'>,
  still: StillOfAvatar,
): Pick<TalkingHeadQuery, 'rig' | 'keepRig'> {
  const { imageKey: key, rig } = still;
  if (!rig || !key) return {};
  return {
    rig,
    async keepRig(found) {
      const kept = p.db.transaction(async (tx) => {
        await keepRig(tx, key, { before: rig, found });
        await fitLater(p, tx, { ...still, rig: found });
      });
      await kept.catch((err: unknown) => p.log.warn({ err, key }, 'rig not kept'));
    },
  };
}
