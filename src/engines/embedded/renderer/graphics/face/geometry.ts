/**
 * The face in pixels of the source: a rig's fractions made concrete, and what the rig does not say read off the
 * image (the bend of the lip line, the colour of the lids). Read-only; once per video.
 */

import type { Point, Rig, RigEye } from '../../../../ports/index.ts';
import type { Planes } from '../../../codec/colour.ts';
import { type Colour, darkest, fromHex, lumaAt, medianColour, mix, samples } from './skin.ts';

/** A rectangle of the source; right and bottom lie just outside. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** An eye, in pixels of the source. */
export interface EyeShape {
  x: number;
  y: number;
  rx: number;
  ry: number;
  /** Skin above and below the eye: what the shut lid is painted with. */
  above: Colour;
  below: Colour;
  /** Lashes. */
  dark: Colour;
}

/** The closed mouth, in pixels of the source. */
export interface MouthShape {
  x: number;
  y: number;
  /** Half the width of the closed mouth. */
  half: number;
  /** Thickness of one lip. */
  lip: number;
  /** How much lower than the middle the corners of the lip line are; negative in a smile. */
  bend: number;
  /** From the lip line to the chin. */
  toChin: number;
  /** Widest opening between the lips. */
  most: number;
}

/** All in pixels of the source. */
export interface FaceShape {
  x: number;
  y: number;
  w: number;
  h: number;
  mouth: MouthShape;
  eyes: EyeShape[];
  brows: { x: number; y: number }[];
  brow: { rx: number; ry: number };
  chin: Point;
  head: Point[] | undefined;
  beard: boolean;
  /** False when an inexact detector drew the rig: then edges are treated with more caution. */
  exact: boolean;
}

export function faceShape(rig: Rig, source: Planes): FaceShape {
  const { width, height } = source;
  const at = ({ x, y }: Point) => ({ x: x * width, y: y * height });
  const face = { x: rig.face.x * width, y: rig.face.y * height, w: rig.face.w * width, h: rig.face.h * height };
  const chin = at(rig.chin);
  const eyes = [rig.leftEye, rig.rightEye].map((eye) => eyeShape(eye, rig.lid, source));
  const seen = eyes.filter((eye) => isSeen(eye, source));
  const brows = [rig.leftBrow, rig.rightBrow].map((brow, i) => {
    const eye = eyes[i] as EyeShape;
    return brow ? at(brow) : { x: eye.x, y: eye.y - eye.ry * 2.4 };
  });
  const apart = Math.abs((eyes[1] as EyeShape).x - (eyes[0] as EyeShape).x);
  return {
    ...face,
    chin,
    mouth: mouthShape(rig, chin.y, source),
    eyes: seen,
    brows,
    brow: { rx: apart * 0.42, ry: apart * 0.2 },
    head: rig.head && rig.head.length > 2 ? rig.head.map(at) : undefined,
    beard: rig.beard ?? false,
    exact: rig.source === 'rig',
  };
}

function mouthShape(rig: Rig, chinY: number, source: Planes): MouthShape {
  const x = rig.mouth.x * source.width;
  const y = rig.mouth.y * source.height;
  const half = (rig.mouth.w * source.width) / 2;
  const lip = Math.max(half * 0.14, (rig.mouth.h * source.height) / 2);
  const toChin = Math.max(half * 0.9, chinY - y);
  const line = lipLine(source, x, y, half, lip);
  return { x, y: line.y, half, lip, bend: line.bend, toChin, most: Math.min(half * 0.95, toChin * 0.56) };
}

/**
 * The closed lips meet in a dark line: its height in each column, weighted by how much it stands out, fitted by a
 * parabola. Falls back to a straight line where nothing stands out (a beard, a blurred photograph).
 */
function lipLine(source: Planes, x: number, y: number, half: number, lip: number): { y: number; bend: number } {
  let [n, sumS, sumSS, sumD, sumSD] = [0, 0, 0, 0, 0];
  const reach = Math.max(2, Math.round(lip * 0.75));
  for (let step = -10; step <= 10; step++) {
    const share = (step / 10) * 0.92;
    const column = Math.round(x + share * half);
    let [darkest, mean, offset] = [255, 0, 0];
    for (let k = -reach; k <= reach; k++) {
      const luma = lumaAt(source, column, Math.round(y) + k);
      mean += luma / (2 * reach + 1);
      if (luma < darkest) [darkest, offset] = [luma, k];
    }
    const weight = Math.max(0, mean - darkest - 4);
    const square = share * share;
    n += weight;
    sumS += weight * square;
    sumSS += weight * square * square;
    sumD += weight * offset;
    sumSD += weight * offset * square;
  }
  const spread = n * sumSS - sumS * sumS;
  if (n < 40 || spread <= 1e-6) return { y, bend: 0 };
  const bend = Math.min(lip * 0.7, Math.max(-lip * 0.7, (n * sumSD - sumS * sumD) / spread));
  return { y: y + Math.min(reach, Math.max(-reach, (sumD - bend * sumS) / n)), bend };
}

function eyeShape(eye: RigEye, lid: string | undefined, source: Planes): EyeShape {
  const x = eye.x * source.width;
  const y = eye.y * source.height;
  const rx = eye.rx * source.width;
  const ry = eye.ry * source.height;
  // The median, so that a lash, a brow or the rim of glasses in the sample does not tint the lid.
  const above = medianColour(source, x - rx * 0.5, y - ry * 1.75, rx, ry * 0.5);
  const below = medianColour(source, x - rx * 0.5, y + ry * 1.35, rx, ry * 0.6);
  const given = lid ? fromHex(lid) : undefined;
  return {
    x,
    y,
    rx,
    ry,
    above: lidColour(given, above),
    below: lidColour(given, below),
    dark: darkest(source, x, y, rx, ry),
  };
}

/** False for an eye behind a patch or dark glasses, which has no white: a lid drawn there would lie on top of them. */
function isSeen(eye: EyeShape, source: Planes): boolean {
  const sorted = samples(source, eye.x - eye.rx * 0.75, eye.y - eye.ry * 0.5, eye.rx * 1.5, eye.ry);
  const [dark, bright] = [(sorted[3] as Colour).y, (sorted[35] as Colour).y];
  return bright - dark > 36 && bright > eye.above.y * 0.75;
}

/** The image's own skin, which knows of light and of tinted glasses, unless it is far from what the rig says. */
function lidColour(given: Colour | undefined, seen: Colour): Colour {
  if (!given) return seen;
  return mix(given, seen, Math.abs(given.y - seen.y) < 45 ? 0.7 : 0.15);
}
