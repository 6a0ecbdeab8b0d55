/** Removing the files that attempts at a piece of work have stored and that are not shown. */

import type { Platform } from '../platform/platform.port.ts';
import { forgetMedia } from './media.repository.ts';

/**
 * Removes the files of an attempt that failed. It never throws: a file that cannot be removed is logged, and the next
 * attempt removes it (`removeEarlierMedia`). Files without a next attempt are removed by `MediaRemovals`.
 */
export async function removeAttemptMedia(p: Pick<Platform, 'db' | 'store' | 'log'>, keys: string[]): Promise<void> {
  await forgetMedia(p.db, keys).catch((error: unknown) => p.log.warn({ err: error, keys }, 'media not disowned'));
  for (const key of keys) {
    await p.store.remove(key).catch((error: unknown) => p.log.warn({ err: error, key }, 'media not removed'));
  }
}

/**
 * Removes the files of all attempts before this one, except `kept`: an attempt that was killed, stopped or failed did not
 * remove them itself. An overtaken attempt that still runs removes its own. @param keysOf keys of an attempt's files
 */
export async function removeEarlierMedia(
  p: Pick<Platform, 'db' | 'store' | 'log'>,
  attempt: number,
  keysOf: (attempt: number) => string[],
  kept: string | null = null,
): Promise<void> {
  const earlier = Array.from({ length: attempt - 1 }, (_, index) => keysOf(index + 1)).flat();
  await removeAttemptMedia(
    p,
    earlier.filter((key) => key !== kept),
  );
}
