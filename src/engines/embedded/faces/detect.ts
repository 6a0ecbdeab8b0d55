/**
 * Looks for the face of a still that is to speak. An image without a face that convinces has none: a wrong face on a
 * landscape would be worse. Deterministic.
 */
import type { Point, Rig } from '../../ports/index.ts';
import { withFarEye } from './eyes.ts';
import { type FoundFace, KNOWN_SIDE, type Landmarker, type Pixels } from './landmarker.ts';
import { decodePixels, mirrored, type Part, partOf, turned } from './pixels.ts';
import { type FacePoints, rigOfPoints } from './rig-from-points.ts';

/** A face that was found. */
export interface Detection {
  rig: Rig;
  /** 0..1: how sure the models are. */
  confidence: number;
}

/** Eyes and mouth that a user pointed at, in fractions of the image: the face meant is the one there. */
export type Near = Pick<Rig, 'leftEye' | 'rightEye' | 'mouth'>;

/** The models see this many pixels: beyond them only small faces gain. */
const SEARCH_SIDE = 900;
/** A face is looked at again at this width: the models' points are whole pixels. */
const FACE_SIDE = 480;
/** A head that leans more, in radians, is looked at upright: of a leaning one the models see the mouth beside where it is. */
const UPRIGHT = 0.07;
/** Below this a face has no pixels to animate. */
const MIN_SIDE = 48;
const MIN_SCORE = 0.7;
/** In a part of an image things pass for faces that do not in the whole. */
const MIN_SCORE_OF_PART = 0.9;
/** The nose between both sides of the face, as `facing` says it: below, it is a profile, whose far half is hidden. */
const LEAST_FACING = -0.35;
const MOST_PARTS = 3;
/** What a face that fills the image is searched with about it, in longer sides of it: the models know faces with some room. */
const ROOM = 0.3;
/** A head turned further than this (as `LEAST_FACING`) is found where its mirror image is, or not at all. */
const SURELY_FACING = 0.45;
/** Mouths of a head and of its mirror image that are further apart, in heights of its box, are guesses. */
const MOST_APART = 0.08;
/** The same of heads turned by more than some 40 degrees, which `facing` says as less than `AWAY`. */
const MOST_APART_IF_AWAY = 0.018;
const AWAY = 0.14;
/**
 * What is seen of a head to know whether it is an animal's, in longer sides of its face. At 1.6 a painted old woman passed for a dog;
 * at this, animals were at least .23 sure and people at most .14.
 */
const KNOWN_BY = 1.4;

/** The face of an encoded still, or undefined when there is none. Throws BAD_INPUT for what is not an image. */
export async function detectFace(models: Landmarker, image: Uint8Array, near?: Near): Promise<Detection | undefined> {
  const pixels = await decodePixels(image);
  if (Math.min(pixels.width, pixels.height) < MIN_SIDE) return undefined;
  for (const part of searched(pixels)) {
    const least = part.width === pixels.width && part.height === pixels.height ? MIN_SCORE : MIN_SCORE_OF_PART;
    const faces = (await facesIn(models, pixels, part)).filter((face) => isFace(face, least));
    const meant = near ? faces.filter((face) => isThere(face, near, pixels)) : faces;
    meant.sort((one, other) => prominence(other, pixels) - prominence(one, pixels));
    const face = await firstOfPerson(models, pixels, meant);
    if (!face) continue;
    if (facing(face) > SURELY_FACING) return describe(face, pixels);
    if (await isAlikeMirrored(models, pixels, face))
      return describe(await withFarEye(models, pixels, face, farSide(face)), pixels);
  }
  return undefined;
}

/**
 * The whole image, then with room about it, for a face that fills it, and then, for faces too small to be seen in it,
 * overlapping parts of it, the middle ones first.
 */
function* searched({ width, height }: Pixels): Generator<Part> {
  yield { left: 0, top: 0, width, height };
  const room = Math.round(Math.max(width, height) * ROOM);
  yield { left: -room, top: -room, width: width + room * 2, height: height + room * 2 };
  const side = Math.round(Math.min(width, height) * 0.7);
  const starts = (length: number) => {
    const count = Math.min(MOST_PARTS, Math.ceil((length - side) / (side * 0.75)) + 1);
    const at = Array.from({ length: count }, (_, i) => Math.round(((length - side) * i) / (count - 1)));
    return at.sort((one, other) => Math.abs(one + side / 2 - length / 2) - Math.abs(other + side / 2 - length / 2));
  };
  for (const left of starts(width)) for (const top of starts(height)) yield { left, top, width: side, height: side };
}

/** Faces of a part, their points in pixels of the whole image. @param lean radians that the part is turned back by first */
async function facesIn(models: Landmarker, pixels: Pixels, part: Part, lean = 0): Promise<FoundFace[]> {
  const seen = await partOf(pixels, part, SEARCH_SIDE);
  const scale = part.width / seen.width;
  const shown = lean === 0 ? seen : await turned(seen, -lean);
  const [cos, sin] = [Math.cos(lean), Math.sin(lean)];
  const back = (x: number, y: number): [x: number, y: number] => {
    const [dx, dy] = [x - shown.width / 2, y - shown.height / 2];
    const [px, py] = [seen.width / 2 + dx * cos - dy * sin, seen.height / 2 + dx * sin + dy * cos];
    return [px * scale + part.left, py * scale + part.top];
  };
  const found = await models.find(shown);
  return found.map(({ points, box: [x, y, w, h], score }) => {
    const [middleX, middleY] = back(x + w / 2, y + h / 2);
    return {
      // The models cut points to whole pixels: the middle of a pixel is nearest to what they found.
      points: points.map(([px, py, pz]) => [...back(px + 0.5, py + 0.5), pz * scale]),
      box: [middleX - (w * scale) / 2, middleY - (h * scale) / 2, w * scale, h * scale],
      score,
    };
  });
}

/**
 * The first of these faces that is a person's, seen closer: the models lay their mesh over the heads of dogs and bears too, with a
 * mouth somewhere in the snout.
 */
async function firstOfPerson(
  models: Landmarker,
  pixels: Pixels,
  faces: readonly FoundFace[],
): Promise<FoundFace | undefined> {
  for (const found of faces) {
    const face = (await closer(models, pixels, found)) ?? found;
    const side = Math.round(Math.max(face.box[2], face.box[3]) * KNOWN_BY);
    const head = await partOf(pixels, squareAbout(face, side), KNOWN_SIDE);
    const lean = leanOf(face);
    const isAnimal = await models.isAnimal(lean === 0 ? head : await turned(head, -lean));
    if (!isAnimal && face.score >= MIN_SCORE) return face;
  }
  return undefined;
}

/** A square about the middle of a face. @param side in pixels of the image */
function squareAbout({ box: [x, y, w, h] }: FoundFace, side: number): Part {
  return { left: Math.round(x + w / 2 - side / 2), top: Math.round(y + h / 2 - side / 2), width: side, height: side };
}

/** Whether the mirror image of a face has its mouth in the same place: of heads that are turned too far the mesh is a guess. */
async function isAlikeMirrored(models: Landmarker, pixels: Pixels, face: FoundFace): Promise<boolean> {
  const [x, y, w, h] = face.box;
  const box: FoundFace['box'] = [pixels.width - x - w, y, w, h];
  const mirror = await closer(models, await mirrored(pixels), { ...face, box }, -leanOf(face));
  if (!mirror) return false;
  const [one, other] = [measured(face.points).mouth, measured(mirror.points).mouth];
  const apart = Math.hypot(one.x - (pixels.width - other.x), one.y - other.y) / h;
  return apart < (facing(face) < AWAY ? MOST_APART_IF_AWAY : MOST_APART);
}

/** The face again in a part of its own, upright: for points finer than pixels and with all that the image has of it. */
async function closer(
  models: Landmarker,
  pixels: Pixels,
  face: FoundFace,
  lean = leanOf(face),
): Promise<FoundFace | undefined> {
  const [, , w, h] = face.box;
  const side = Math.round(Math.max(w, h) * (SEARCH_SIDE / FACE_SIDE));
  const around = squareAbout(face, side);
  const [left, top] = [Math.max(0, around.left), Math.max(0, around.top)];
  const within = { left, top, width: Math.min(side, pixels.width - left), height: Math.min(side, pixels.height - top) };
  const centre = (one: FoundFace): Point => ({ x: one.box[0] + one.box[2] / 2, y: one.box[1] + one.box[3] / 2 });
  const from = centre(face);
  // A face that fills its image is found again only with room about it; the lips of drawings are found better without.
  for (const part of [within, around]) {
    const again = await facesIn(models, pixels, part, lean);
    const same = again.find((one) => Math.hypot(centre(one).x - from.x, centre(one).y - from.y) < w / 3);
    if (same) return same;
  }
  return undefined;
}

/** Radians by which a head leans to its left, as the viewer's clock goes; 0 where it is all but upright. */
export function leanOf({ points }: Pick<FoundFace, 'points'>): number {
  const { leftEye, rightEye } = measured(points);
  const lean = Math.atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x);
  return Math.abs(lean) > UPRIGHT ? lean : 0;
}

/** Width of a face, reduced towards the border of the image: of several faces the large central one is meant. */
function prominence({ box: [x, y, w, h] }: FoundFace, { width, height }: Pixels): number {
  return w * (1 - Math.hypot((x + w / 2) / width - 0.5, (y + h / 2) / height - 0.5));
}

/** The mesh is laid over whatever the box was drawn round: eyes above mouth above chin, seen from the front, make a face. */
function isFace({ points, score }: FoundFace, least: number): boolean {
  const { leftEye, rightEye, mouth, chin } = measured(points);
  const apart = Math.hypot(rightEye.x - leftEye.x, rightEye.y - leftEye.y);
  const lean = Math.abs(rightEye.y - leftEye.y) / apart;
  const middle = (leftEye.y + rightEye.y) / 2;
  const down = (mouth.y - middle) / apart;
  if (score < least || facing({ points }) < LEAST_FACING) return false;
  return rightEye.x > leftEye.x && lean < 0.7 && down > 0.5 && down < 3 && chin.y > mouth.y;
}

/**
 * The nose's ways to both sides of the face, in the direction of its eyes, the shorter in lengths of the longer: 1 is seen from the
 * front, below 0 is the nose beyond a side.
 */
function facing(face: Pick<FoundFace, 'points'>): number {
  const [left, right] = waysOfNose(face);
  return Math.min(left, right) / Math.max(left, right);
}

/** The side of a turned head that is further from the viewer. */
function farSide(face: Pick<FoundFace, 'points'>): 'left' | 'right' {
  const [left, right] = waysOfNose(face);
  return left < right ? 'left' : 'right';
}

/** The nose's ways to the left and the right side of the face, in the direction of its eyes. */
function waysOfNose({ points }: Pick<FoundFace, 'points'>): [left: number, right: number] {
  const { leftEye, rightEye } = measured(points);
  const [dx, dy] = [rightEye.x - leftEye.x, rightEye.y - leftEye.y];
  const [left, nose, right] = [234, 1, 454].map((index) => points[index]![0] * dx + points[index]![1] * dy) as [
    number,
    number,
    number,
  ];
  return [nose - left, right - nose];
}

function isThere({ points }: FoundFace, near: Near, { width, height }: Pixels): boolean {
  const seen = measured(points);
  const apart = Math.hypot(seen.rightEye.x - seen.leftEye.x, seen.rightEye.y - seen.leftEye.y);
  const away = (one: Point, other: Point) => Math.hypot(one.x - other.x * width, one.y - other.y * height);
  const names = ['leftEye', 'rightEye', 'mouth'] as const;
  return names.every((name) => away(seen[name], near[name]) < apart * 0.35);
}

function measured(points: FacePoints) {
  const between = (one: number, other: number): Point => {
    const [first, second] = [points[one]!, points[other]!];
    return { x: (first[0] + second[0]) / 2, y: (first[1] + second[1]) / 2 };
  };
  return { leftEye: between(33, 133), rightEye: between(263, 362), mouth: between(13, 14), chin: between(152, 152) };
}

function describe({ points, score }: FoundFace, pixels: Pixels): Detection {
  return { rig: rigOfPoints(points, pixels), confidence: Math.round(score * 100) / 100 };
}
