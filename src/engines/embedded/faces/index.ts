/**
 * Finds the face of a still: 478 landmarks by the models of `@vladmandic/human`, in a thread of its own that is started
 * with the first search and ended when there was none for a while. For faces of people seen from the front or turned,
 * photographed, painted or drawn, no profiles and no animals; it identifies no person.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { built } from '../../ports/built.ts';
import { PlatformError } from '../../ports/errors.ts';
import { createPool, type Pool } from '../../ports/threads.ts';
import type { Detection, Near } from './detect.ts';

export type { Detection } from './detect.ts';

/** Finds faces, in a thread that ends when it idles. */
export interface FaceDetector {
  /**
   * The largest central face, or the one whose eyes and mouth are `near`; undefined when none convinces. In fractions of
   * the image as EXIF turns it. Rejects with BAD_INPUT naming `image` when the bytes are not a JPEG, PNG or WebP
   * image of at most 40 megapixels.
   */
  detect(image: Uint8Array, near?: Near): Promise<Detection | undefined>;
  /** Ends the thread; searches under way reject with UNAVAILABLE. */
  close(): Promise<void>;
}

/** The models hold some 200 MB, which an idle process gives back. */
const IDLE_MS = 60_000;
/** Stills whose outcome is remembered: those stored before their landmarks were are looked at once a process. */
const REMEMBERED = 64;

export function createFaceDetector(): FaceDetector {
  let pool: Pool | undefined;
  let idle: NodeJS.Timeout | undefined;
  let underWay = 0;
  let isClosed = false;
  const known = new LRUCache<string, { found: Detection | undefined }>({ max: REMEMBERED });

  async function search(image: Uint8Array, near: Near | undefined): Promise<Detection | undefined> {
    if (isClosed) throw new PlatformError('UNAVAILABLE', 'The media engine is closed.');
    clearTimeout(idle);
    pool ??= createPool(built('src/engines/embedded/faces/thread.js'), 1);
    underWay += 1;
    try {
      return await pool.run<Detection | undefined>({ image, near });
    } finally {
      underWay -= 1;
      if (underWay === 0) idle = setTimeout(end, IDLE_MS).unref();
    }
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = pool;
    pool = undefined;
    await ended?.close();
  }

  return {
    async detect(image, near) {
      const { leftEye, rightEye, mouth } = near ?? {};
      const where = JSON.stringify([leftEye, rightEye, mouth]);
      const key = createHash('sha256').update(image).update(where).digest('base64');
      const before = known.get(key);
      if (before) return before.found;
      const found = await search(image, near && { leftEye: near.leftEye, rightEye: near.rightEye, mouth: near.mouth });
      known.set(key, { found });
      return found;
    },
    async close() {
      isClosed = true;
      await end();
    },
  };
}
