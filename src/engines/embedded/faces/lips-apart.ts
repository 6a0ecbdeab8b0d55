/** How far the lips of a face are apart to the landmark models, whose answer depends on how the face is cut out. */
import type { Point } from '../../ports/index.ts';
import { FACE_SIDE, type Landmarker, type Pixels } from './landmarker.ts';
import { sampled, type View } from './view.ts';

/**
 * What is looked at, in longer sides of the face, and how far its middle lies aside and down. Looks at one closed mouth differ by .005 of the
 * face's height; the mean of five is steady enough to choose by.
 */
const LOOKS = [
  { side: 1.18, aside: 0.01, down: 0.01 },
  { side: 1.23, aside: -0.02, down: -0.02 },
  { side: 1.28, aside: 0, down: 0 },
  { side: 1.33, aside: 0.02, down: -0.03 },
  { side: 1.38, aside: -0.01, down: 0.02 },
] as const;

/** In heights of the face, the mean of several looks. @param face its middle, longer side and lean in the image */
export async function lipsApart(models: Landmarker, pixels: Pixels, face: View): Promise<number> {
  let sum = 0;
  for (const { side, aside, down } of LOOKS) {
    const centre = { x: face.centre.x + aside * face.side, y: face.centre.y + down * face.side };
    const points = await models.face(sampled(pixels, { ...face, centre, side: face.side * side }, FACE_SIDE));
    const at = (index: number) => points[index] as Point;
    const apart = (one: number, other: number) => Math.hypot(at(one).x - at(other).x, at(one).y - at(other).y);
    sum += apart(13, 14) / apart(10, 152);
  }
  return sum / LOOKS.length;
}
