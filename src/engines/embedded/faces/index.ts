/**
 * Finds the face of a still: 478 landmarks by the models of `@vladmandic/human`, in a thread of its own that is started
 * with the first search and ended when there was none for a while. For faces of people seen from the front or turned,
 * photographed, painted or drawn, no profiles and no animals; it identifies no person.
 */
import { built } from '../../ports/built.ts';
import { createIdlePool } from '../../ports/idle-pool.ts';
import type { Detection, Near } from './detect.ts';
import type { Pixels } from './landmarker.ts';
import type { FaceTask } from './thread.ts';
import type { View } from './view.ts';

export type { Detection } from './detect.ts';

/** Finds faces, in a thread that ends when it idles. */
export interface FaceDetector {
  /**
   * The largest central face, or the one whose eyes and mouth are `near`; undefined when none convinces. In fractions of
   * the image as EXIF turns it. Rejects with BAD_INPUT naming `image` when the bytes are not a JPEG, PNG or WebP
   * image of at most 40 megapixels.
   */
  detect(image: Uint8Array, near?: Near): Promise<Detection | undefined>;
  /**
   * The height between the inner lips of a face, in heights of the face, as the models see it.
   * @param face where it is in the image: its middle, its longer side, and by how much it leans
   */
  lipsApart(pixels: Pixels, face: View): Promise<number>;
  /** Ends the thread; searches under way reject with UNAVAILABLE. */
  close(): Promise<void>;
}

export function createFaceDetector(): FaceDetector {
  // The models hold some 200 MB.
  const pool = createIdlePool(built('src/engines/embedded/faces/thread.js'), 1);
  const ask = <Result>(task: FaceTask) => pool.run<Result>(task);
  return {
    detect(image, near) {
      const where = near && { leftEye: near.leftEye, rightEye: near.rightEye, mouth: near.mouth };
      return ask<Detection | undefined>({ kind: 'detect', image, near: where });
    },
    lipsApart: (pixels, face) => ask<number>({ kind: 'lipsApart', pixels, face }),
    close: () => pool.close(),
  };
}
