/** Where the face is in a picture of ours, so that a picture that is used again keeps its exact rig. */
import type { Rig } from '../../engines/ports.ts';
import type { Platform } from '../platform.ts';

/** The rig kept with the picture that an address of ours names; undefined for others and where no face is known. */
export async function rigOfOwnUrl(p: Pick<Platform, 'db' | 'links'>, url: string): Promise<Rig | undefined> {
  const key = p.links.parseOwnUrl(url)?.key;
  if (!key) return undefined;
  const [row] = await p.db.rows<{ rig: Rig | null }>(
    `select rig from image_generation where media_key = $1
     union all select rig from avatar_image where media_key = $1`,
    [key],
  );
  return row?.rig ?? undefined;
}
