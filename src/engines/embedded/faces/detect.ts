/**
 * Looks for one face in a still and measures it: cascades propose, eyes, mouth and symmetry decide. Without a face that
 * convinces it says so; a wrong face on a landscape would be worse than none. Deterministic, and touches no file.
 */
import type { Point, Rig } from '../../ports.ts';
import { type Cascade, type Group, groupHits, loadCascade, scan } from './cascade.ts';
import { eyeOpening, findBrow, guessBeard, hex, sampleColours } from './colours.ts';
import { type Evidence, faceConfidence, weighEvidence } from './evidence.ts';
import { alignedPatch, centreEyes, type EyePair, eyePairs, eyesInFace, UNIT } from './eyes.ts';
import { EYE_LINE, faceSides, findChin, findMouth, MIDDLE, type Mouth } from './mouth.ts';
import { headOutline } from './outline.ts';
import { decodePicture, greyOf, type Patch, type Picture } from './picture.ts';

/** A face that was found. */
export interface Detection {
  rig: Rig;
  /** 0..1: how clear eyes and mouth were. */
  confidence: number;
}

/** The cascades see the picture at this many pixels: 50 ms on one core where 512 took 170. */
const SEARCH_SIDE = 256;
/** Below this a face has no pixels to animate. */
const MIN_SIDE = 48;
const MIN_VOTES = 3;
const MAX_FACES = 4;

let loaded: { face: Cascade; eye: Cascade } | undefined;

function cascades(): { face: Cascade; eye: Cascade } {
  loaded ??= { face: loadCascade('face'), eye: loadCascade('eye') };
  return loaded;
}

/** Size of a square, reduced towards the border of the picture: of several faces the large central one is meant. */
function prominence(face: Group, width: number, height: number): number {
  const dx = (face.x + face.size / 2 - width / 2) / width;
  const dy = (face.y + face.size / 2 - height / 2) / height;
  return face.size * (1 - Math.hypot(dx, dy));
}

/** A pair of eyes with what speaks for it, measured in the patch they level. */
export interface Candidate {
  eyes: EyePair;
  patch: Patch;
  mouth: Mouth;
  evidence: Evidence;
}

function examine(picture: Picture, found: EyePair, faceVotes: number): Candidate {
  const eyes = centreEyes(picture, found);
  const patch = alignedPatch(picture, eyes);
  const mouth = findMouth(patch);
  return { eyes, patch, mouth, evidence: weighEvidence(patch, mouth, eyes.votes, faceVotes) };
}

/**
 * What may be a face in a decoded picture, most prominent first: eyes inside face squares, then in doubtful
 * squares, then lone pairs of eyes. Lazy, as the last search costs as much as the first and is mostly needless.
 */
export function* candidates(picture: Picture): Generator<Candidate> {
  const { face, eye } = cascades();
  const grey = greyOf(picture, SEARCH_SIDE);
  const toPicture = picture.width / grey.width;
  const shorter = Math.min(grey.width, grey.height);
  const hits = scan(face, grey, { minSize: Math.max(20, shorter * 0.13), maxSize: shorter, growth: 1.12 });
  const squares = groupHits(hits, 0.3).sort(
    (a, b) => prominence(b, grey.width, grey.height) - prominence(a, grey.width, grey.height),
  );
  const inSquare = ({ x, y, size }: Group) =>
    eyesInFace(eye, picture, { x: x * toPicture, y: y * toPicture, size: size * toPicture });
  for (const square of squares.filter(({ count }) => count >= MIN_VOTES).slice(0, MAX_FACES)) {
    const eyes = inSquare(square);
    if (eyes) yield examine(picture, eyes, square.count);
  }
  // One or two hits are no face, but a place worth a look for eyes that must then convince by themselves.
  for (const square of squares.filter(({ count }) => count < MIN_VOTES).slice(0, MAX_FACES)) {
    const eyes = inSquare(square);
    if (eyes) yield examine(picture, eyes, 0);
  }
  const scaled = ({ x, y }: Point) => ({ x: (x + 0.5) * toPicture - 0.5, y: (y + 0.5) * toPicture - 0.5 });
  for (const pair of eyePairs(eye, grey)) {
    yield examine(picture, { ...pair, left: scaled(pair.left), right: scaled(pair.right) }, 0);
  }
}

const clamp = (value: number) => Math.min(Math.max(value, 0), 1);

/** The measures of a candidate as a rig, in fractions of the picture. */
function toRig(picture: Picture, { patch, mouth }: Candidate): Rig {
  const point = (x: number, y: number): Point => {
    const at = patch.toPicture(x, y);
    return { x: clamp((at.x + 0.5) / picture.width), y: clamp((at.y + 0.5) / picture.height) };
  };
  const [origin, one] = [patch.toPicture(0, 0), patch.toPicture(1, 0)];
  const scale = Math.hypot(one.x - origin.x, one.y - origin.y);
  const across = (length: number) => clamp((length * scale) / picture.width);
  const along = (length: number) => clamp((length * scale) / picture.height);

  const beard = guessBeard(patch, mouth);
  const chinRow = findChin(patch, mouth);
  const sides = faceSides(patch);
  const top = EYE_LINE - UNIT * 0.5;
  const centre = point(MIDDLE + (sides.right - sides.left) / 2, (top + chinRow) / 2);
  const face = { w: across(sides.left + sides.right), h: along(chinRow - top) };
  const opening = eyeOpening(patch);
  const eye = { rx: across(opening.rx), ry: along(opening.ry) };
  const [leftX, rightX] = [MIDDLE - UNIT / 2, MIDDLE + UNIT / 2];
  const [leftBrow, rightBrow] = [findBrow(patch, leftX), findBrow(patch, rightX)];
  const colours = sampleColours(patch, mouth, beard);
  return {
    version: 1,
    source: 'detected',
    face: { x: clamp(centre.x - face.w / 2), y: clamp(centre.y - face.h / 2), ...face },
    leftEye: { ...point(leftX, EYE_LINE), ...eye },
    rightEye: { ...point(rightX, EYE_LINE), ...eye },
    mouth: { ...point(mouth.x, mouth.y), w: across(mouth.w), h: along(mouth.h) },
    chin: point(MIDDLE, chinRow),
    ...(leftBrow !== undefined && { leftBrow: point(leftX, leftBrow) }),
    ...(rightBrow !== undefined && { rightBrow: point(rightX, rightBrow) }),
    head: headOutline(patch, (sides.left + sides.right) / 2, chinRow).map(({ x, y }) => point(x, y)),
    skin: hex(colours.skin),
    lips: hex(colours.lips),
    lid: hex(colours.lid),
    beard,
  };
}

/** The face of an encoded still, or undefined when there is none. Throws BAD_INPUT for what is not a picture. */
export async function detectFace(image: Uint8Array): Promise<Detection | undefined> {
  const picture = await decodePicture(image);
  if (Math.min(picture.width, picture.height) < MIN_SIDE) return undefined;
  for (const candidate of candidates(picture)) {
    const confidence = faceConfidence(candidate.evidence);
    if (confidence > 0) return { rig: toRig(picture, candidate), confidence };
  }
  return undefined;
}
