/**
 * How firmly the lips of a face are to be pressed at p, b and m: lips that meet lightly are more like the face and please more, but of some
 * faces (broad smiles, grey photographs, beards) viewers see such lips ajar. So the landmark models look at drawn ones.
 */
import { built } from '../../../ports/built.ts';
import { createIdlePool } from '../../../ports/idle-pool.ts';
import type { Rig } from '../../../ports/index.ts';
import type { Pool } from '../../../ports/threads.ts';
import type { ClosedLips, FaceImage } from './closed-lips-thread.ts';

/** The height between the inner lips of a face, in heights of the face, as a viewer would see it. */
export type LipsApart = (pixels: FaceImage['pixels'], face: FaceImage['face']) => Promise<number>;

/** Lips nearer to each other than this, in heights of the face, are seen shut: those of photographed closed mouths are .003 to .015. */
const SHUT = 0.006;
/** Presses that differ by less show as much of a gap: the lighter one keeps more of the lips. */
const ALIKE = 0.0005;

/** Who looks at lips that are drawn shut; absent: those of all faces are pressed as firmly. */
export interface PressFitterOptions {
  lipsApart?: LipsApart;
  /** Hears why lips could not be looked at: their face is then taken for one like any other. */
  onFitFailed?: (error: unknown) => void;
}

/** Fits how firmly lips are pressed to faces, with a thread that draws them. */
export interface PressFitter {
  /** The rig with its `press`; as it is where it has one or no landmarks, the still shows no mouth, or looking at it failed. */
  fit(image: Uint8Array, rig: Rig, signal?: AbortSignal): Promise<Rig>;
  /** Ends the thread. */
  close(): Promise<void>;
}

export function createPressFitter({ lipsApart, onFitFailed }: PressFitterOptions): PressFitter {
  const pool = createIdlePool(built('src/engines/embedded/renderer/talking-head/closed-lips-thread.js'), 1);
  return {
    async fit(image, rig, signal) {
      if (!lipsApart || !rig.landmarks || rig.press !== undefined) return rig;
      try {
        const press = await lightestPress(pool, lipsApart, { image, rig }, signal);
        return press === undefined ? rig : { ...rig, press };
      } catch (error) {
        signal?.throwIfAborted();
        onFitFailed?.(error);
        return rig;
      }
    },
    close: () => pool.close(),
  };
}

/**
 * The lightest press with which the lips are seen shut in every pose, or with which they are all but as near to it as with any; undefined
 * where the still shows no mouth.
 * @param pool threads of `closed-lips-thread.ts`
 */
async function lightestPress(
  pool: Pool,
  lipsApart: LipsApart,
  task: { image: Uint8Array; rig: Rig },
  signal?: AbortSignal,
): Promise<number | undefined> {
  const seen: { press: number; widest: number }[] = [];
  let least = Number.POSITIVE_INFINITY;
  for await (const { press, faces } of pool.stream<ClosedLips>(task, { signal })) {
    const widest = await widestOf(faces, lipsApart, least + ALIKE);
    seen.push({ press, widest });
    least = Math.min(least, widest);
    if (widest <= SHUT) return press;
  }
  return seen.find(({ widest }) => widest < least + ALIKE)?.press;
}

/** The largest opening of several images; no longer than until it is `beyond` what is known already and not shut. */
async function widestOf(faces: readonly FaceImage[], lipsApart: LipsApart, beyond: number): Promise<number> {
  let widest = 0;
  for (const face of faces) {
    widest = Math.max(widest, await lipsApart(face.pixels, face.face));
    if (widest > SHUT && widest >= beyond) break;
  }
  return widest;
}
