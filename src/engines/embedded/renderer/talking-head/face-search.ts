/** Looks for the face of a still; remembers what it found. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Rig } from '../../../ports/index.ts';

/** Stills whose outcome is remembered: those stored before their landmarks were are looked at once a process. */
const REMEMBERED = 64;

/** A detected face with how sure the detector is, 0 to 1. */
export interface Found {
  rig: Rig;
  confidence: number;
}

/** Who finds faces. */
export interface FaceSearchOptions {
  /** Looks for a face in an encoded still, for the one `near` a known rig when that is given. Absent: none is found. */
  detect?: (image: Uint8Array, near?: Rig) => Promise<Found | undefined>;
  /** Hears why a search failed: its image is then taken for one without a face. */
  onDetectFailed?: (error: unknown) => void;
}

/** Searches stills for faces. */
export interface FaceSearch {
  /** The face of a still, with its landmarks; undefined where there is none, or the search failed. */
  find(image: Uint8Array, near?: Rig): Promise<Found | undefined>;
}

export function createFaceSearch({ detect, onDetectFailed }: FaceSearchOptions): FaceSearch {
  const known = new LRUCache<string, { found: Found | undefined }>({ max: REMEMBERED });

  return {
    async find(image, near) {
      const { leftEye, rightEye, mouth } = near ?? {};
      const where = JSON.stringify([leftEye, rightEye, mouth]);
      const key = createHash('sha256').update(image).update(where).digest('base64');
      const before = known.get(key);
      if (before) return before.found;
      try {
        const found = await detect?.(image, near);
        known.set(key, { found });
        return found;
      } catch (error) {
        // A detector that fails on an odd image means the same to the caller as one that finds nothing.
        onDetectFailed?.(error);
        return undefined;
      }
    },
  };
}
