/** Where the face is in an image of ours, so that an image that is used again keeps its exact rig. */
import { prepared } from '../../../schema/entities/tables.ts';
import type { Rig } from '../../engines/ports.ts';
import type { Platform } from '../platform.ts';

const rigOfKey = prepared((tables, given: { key: string }) =>
  tables
    .selectFrom('image_generation')
    .select('rig')
    .where('media_key', '=', given.key)
    .unionAll(tables.selectFrom('upload').select('rig').where('media_key', '=', given.key))
    .unionAll(tables.selectFrom('avatar_image').select('rig').where('media_key', '=', given.key))
    .$castTo<{ rig: Rig | null }>(),
);

/** The rig kept with the image that an address of ours names; undefined for others and where no face is known. */
export async function rigOfOwnUrl(p: Pick<Platform, 'db' | 'links'>, url: string): Promise<Rig | undefined> {
  const key = p.links.parseOwnUrl(url)?.key;
  if (!key) return undefined;
  const [row] = await rigOfKey(p.db, { key });
  return row?.rig ?? undefined;
}
