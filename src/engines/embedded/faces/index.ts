/**
 * Finds the face of a still that came without a rig: Viola-Jones cascades (data of the npm package `tracking`, our
 * evaluator), then measurement of eyes, mouth, chin, outline and colours. For upright faces seen from the front,
 * photographed or drawn; it recognises nobody, and profiles and strongly turned heads stay unfound.
 */
import path from 'node:path';
import { createPool } from '../threads.ts';
import type { Detection } from './detect.ts';

export type { Detection } from './detect.ts';

export interface FaceDetector {
  /**
   * The largest central face, in fractions of the picture as EXIF turns it; undefined when none convinces. Rejects
   * with BAD_INPUT naming `image` when the bytes are not a JPEG, PNG or WebP picture of at most 40 megapixels.
   */
  detect(image: Uint8Array): Promise<Detection | undefined>;
  /** Ends the thread; searches under way reject with UNAVAILABLE. */
  close(): Promise<void>;
}

/** One thread, started with the first search: a search takes about 0.1 s of it and must not hold up the caller. */
export function createFaceDetector(): FaceDetector {
  const pool = createPool(new URL(`./thread${path.extname(import.meta.url)}`, import.meta.url), 1);
  return {
    detect: (image) => pool.run<Detection | undefined>({ image }),
    close: () => pool.close(),
  };
}
