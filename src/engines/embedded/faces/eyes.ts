/**
 * The far eye of a turned head again, by the model of eyes alone: the mesh often has it below where it is, so that its lids would
 * not shut over it.
 */
import type { Point } from '../../ports/index.ts';
import { EYE_SIDE, type Eye, type FoundFace, type Landmarker, type Pixels } from './landmarker.ts';
import { placeIn, sampled, type View } from './view.ts';

/** Which landmark each point of the model of eyes is, in its order: of the viewer's left eye, then of the right one. */
const LEFT = {
  lower: [33, 7, 163, 144, 145, 153, 154, 155, 133],
  upper: [246, 161, 160, 159, 158, 157, 173],
  below: [130, 25, 110, 24, 23, 22, 26, 112, 243],
  fold: [247, 30, 29, 27, 28, 56, 190],
  furtherBelow: [226, 31, 228, 229, 230, 231, 232, 233, 244],
  aboveFold: [113, 225, 224, 223, 222, 221, 189],
  browLower: [35, 124, 46, 53, 52, 65],
  cheek: [143, 111, 117, 118, 119, 120, 121, 128, 245],
  browUpper: [156, 70, 63, 105, 66, 107, 55, 193],
  iris: [473, 474, 475, 476, 477],
} as const;
const RIGHT = {
  lower: [263, 249, 390, 373, 374, 380, 381, 382, 362],
  upper: [466, 388, 387, 386, 385, 384, 398],
  below: [359, 255, 339, 254, 253, 252, 256, 341, 463],
  fold: [467, 260, 259, 257, 258, 286, 414],
  furtherBelow: [446, 261, 448, 449, 450, 451, 452, 453, 464],
  aboveFold: [342, 445, 444, 443, 442, 441, 413],
  browLower: [265, 353, 276, 283, 282, 295],
  cheek: [372, 340, 346, 347, 348, 349, 350, 357, 465],
  browUpper: [383, 300, 293, 334, 296, 336, 285, 417],
  iris: [468, 469, 470, 471, 472],
} as const;

/** The model sees this much about an eye, in distances between its corners. */
const ABOUT = 2.3;
/** It sees an eye where it expects one: each look is centred on what the one before found. */
const LOOKS = 3;
/** An eye is taken that is higher than the mesh has it by more than the first and less than the second, in distances between its corners. */
const HIGHER = [0.03, 0.5] as const;

/** The face with the points of that eye and its brow as the model of eyes has them; depths stay. Points in pixels of the image. */
export async function withFarEye(
  models: Landmarker,
  pixels: Pixels,
  face: FoundFace,
  side: 'left' | 'right',
): Promise<FoundFace> {
  const pointAt = (index: number) => face.points[index] as FoundFace['points'][number];
  const at = (index: number): Point => ({ x: pointAt(index)[0], y: pointAt(index)[1] });
  const [from, to] = [at(LEFT.lower[0]), at(RIGHT.lower[0])];
  const lean = Math.atan2(to.y - from.y, to.x - from.x);
  const indices = side === 'left' ? LEFT : RIGHT;
  const [outer, inner] = [at(indices.lower[0]), at(indices.lower[8])];
  const wide = Math.hypot(inner.x - outer.x, inner.y - outer.y);
  const view: View = { centre: middle(outer, inner), side: wide * ABOUT, lean, isMirrored: side === 'right' };
  let eye: Eye = [];
  for (let look = 0; look < LOOKS; look++) {
    eye = (await models.eye(sampled(pixels, view, EYE_SIDE))).map(({ x, y }) => placeIn(view, x, y));
    view.centre = middle(eye[0] as Point, eye[8] as Point);
  }
  // The middles of both lids are looked at: corners are the least sure of all.
  const [was, is] = [middle(at(indices.upper[3]), at(indices.lower[4])), middle(eye[12] as Point, eye[4] as Point)];
  const higher = ((was.y - is.y) * Math.cos(lean) - (was.x - is.x) * Math.sin(lean)) / wide;
  if (higher < HIGHER[0] || higher > HIGHER[1]) return face;
  const points = [...face.points];
  for (const [i, index] of Object.values(indices).flat().entries()) {
    points[index] = [(eye[i] as Point).x, (eye[i] as Point).y, pointAt(index)[2]];
  }
  return { ...face, points };
}

const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
