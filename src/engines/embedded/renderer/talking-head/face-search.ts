/** Looks for the face of a still, and for how firmly its lips are to be pressed; remembers what it found. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { built } from '../../../ports/built.ts';
import { createIdlePool } from '../../../ports/idle-pool.ts';
import type { Rig } from '../../../ports/index.ts';
import { fitPress, type LipsApart } from './fit-press.ts';

/** Stills whose outcome is remembered: those stored before their landmarks were are looked at once a process. */
const REMEMBERED = 64;

/** A detected face with how sure the detector is, 0 to 1. */
export interface Found {
  rig: Rig;
  confidence: number;
}

/** Who finds faces, and who looks at them. */
export interface FaceSearchOptions {
  /** Looks for a face in an encoded still, for the one `near` a known rig when that is given. Absent: none is found. */
  detect?: (image: Uint8Array, near?: Rig) => Promise<Found | undefined>;
  /** Looks at lips that are drawn shut. Absent: those of all faces are pressed as firmly. */
  lipsApart?: LipsApart;
  /** Hears why a search failed: its image is then taken for one without a face, or its face for one like any other. */
  onDetectFailed?: (error: unknown) => void;
}

/** Searches stills for faces. */
export interface FaceSearch {
  /** The face of a still, with its landmarks and `press`; undefined where there is none, or the search failed. */
  find(image: Uint8Array, near?: Rig): Promise<Found | undefined>;
  /** Ends the thread that draws faces. */
  close(): Promise<void>;
}

export function createFaceSearch({ detect, lipsApart, onDetectFailed }: FaceSearchOptions): FaceSearch {
  const closedLips = createIdlePool(built('src/engines/embedded/renderer/talking-head/closed-lips-thread.js'), 1);
  const known = new LRUCache<string, { found: Found | undefined }>({ max: REMEMBERED });

  async function fitted(found: Found, image: Uint8Array): Promise<Found> {
    if (!found.rig.landmarks || !lipsApart) return found;
    try {
      const press = await fitPress(closedLips, lipsApart, { image, rig: found.rig });
      return press === undefined ? found : { ...found, rig: { ...found.rig, press } };
    } catch (error) {
      onDetectFailed?.(error);
      return found;
    }
  }

  return {
    async find(image, near) {
      const { leftEye, rightEye, mouth } = near ?? {};
      const where = JSON.stringify([leftEye, rightEye, mouth]);
      const key = createHash('sha256').update(image).update(where).digest('base64');
      const before = known.get(key);
      if (before) return before.found;
      try {
        const seen = await detect?.(image, near);
        const found = seen && (await fitted(seen, image));
        known.set(key, { found });
        return found;
      } catch (error) {
        // A detector that fails on an odd image means the same to the caller as one that finds nothing.
        onDetectFailed?.(error);
        return undefined;
      }
    },
    close: () => closedLips.close(),
  };
}
