/**
 * What the landmark library sees in frames of a talking head: lips, lids, angles, teeth, likeness. Points have the numbers
 * of MediaPipe Face Mesh.
 */
import { leanOf } from '../../src/engines/embedded/faces/detect.ts';
import { createPool } from '../../src/engines/ports/threads.ts';

export interface FrameTask {
  rgba: Uint8Array;
  width: number;
  height: number;
  /** A square in which the face is looked for; absent: the whole frame. */
  region?: Region;
  /** False: its description is not needed, and is empty. */
  isDescribed?: boolean;
}

/** Whole pixels of a frame. */
export interface Region {
  left: number;
  top: number;
  side: number;
  /** Radians by which its face leans, as the viewer's clock goes: it is looked at upright. */
  lean: number;
}

export interface SeenFace {
  points: [number, number, number][];
  /** Radians. */
  angle: { yaw: number; pitch: number; roll: number };
  /** Describes who it is; empty where that was not asked. */
  embedding: number[];
}

export function createFaceMeasures() {
  const pool = createPool(new URL('./face-measures-thread.ts', import.meta.url), 1);
  return {
    see: (frame: FrameTask) => pool.run<SeenFace | undefined>(frame),
    close: () => pool.close(),
  };
}

/** The square about a face in which it stays while it speaks. */
export function regionOf({ points }: Pick<SeenFace, 'points'>, { width, height }: FrameTask): Region {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.round(Math.min(2 * Math.max(right - left, bottom - top), width, height));
  const within = (from: number, to: number, length: number) =>
    Math.round(Math.min(Math.max(0, (from + to - side) / 2), length - side));
  return { left: within(left, right, width), top: within(top, bottom, height), side, lean: leanOf({ points }) };
}

/** Looks at each p, b and m: of 33 means the widest is then .0007 beyond the truth by chance, and .0014 with five (docs/engines/talking-head-figures.md). */
const LOOKS = 13;
/** How far crops are shifted aside and down, and how much larger or smaller they are, at most; in shares of the region's side. */
const SHIFTED = 0.03;
const SCALED = 0.05;
/** Steps that fill a cube evenly: powers of the root of x^4 = x + 1. */
const STEPS = [0.8191725, 0.6710436, 0.5497005] as const;
/** Shift aside, down, and scale of each crop. What the library sees should not depend on them, and does. */
const CROPS = Array.from({ length: LOOKS }, (_, i) => {
  const [aside, down, larger] = STEPS.map((step) => ((i * step + 0.5) % 1) - 0.5) as [number, number, number];
  return [aside * 2 * SHIFTED, down * 2 * SHIFTED, larger * 2 * SCALED] as const;
});

/** The region, then others that show the same face a little beside and a little larger or smaller. */
export function cropsAbout({ left, top, side, lean }: Region, { width, height }: FrameTask): Region[] {
  return CROPS.map(([aside, down, larger]) => {
    const long = Math.min(Math.round(side * (1 + larger)), width, height);
    const within = (from: number, shift: number, length: number) =>
      Math.round(Math.min(Math.max(0, from + (side - long) / 2 + shift * side), length - long));
    return { left: within(left, aside, width), top: within(top, down, height), side: long, lean };
  });
}

const apart = ({ points }: SeenFace, one: number, other: number) =>
  Math.hypot(points[one]![0] - points[other]![0], points[one]![1] - points[other]![1]);

/** Height between the inner lips in heights of the face. */
export const opening = (face: SeenFace) => apart(face, 13, 14) / apart(face, 10, 152);

/** Height between the lids in widths of the eye, of the viewer's left and right eye. */
export const lidsApart = (face: SeenFace): [number, number] => [
  apart(face, 159, 145) / apart(face, 33, 133),
  apart(face, 386, 374) / apart(face, 263, 362),
];

/** Width of the mouth in heights of the face. */
export const mouthWidth = (face: SeenFace) => apart(face, 61, 291) / apart(face, 10, 152);

/** -1 to 1: cosine of the angle between two descriptions. */
export function likeness({ embedding: one }: SeenFace, { embedding: other }: SeenFace): number {
  let [dot, left, right] = [0, 0, 0];
  for (const [i, value] of one.entries()) {
    const second = other[i] as number;
    dot += value * second;
    left += value * value;
    right += second * second;
  }
  return dot / Math.sqrt(left * right);
}

/** 0 to 1: the library's own measure of likeness, by the distance of two descriptions; 0.5 is said to be the same person. */
export function similarity({ embedding: one }: SeenFace, { embedding: other }: SeenFace): number {
  const distance = one.reduce((sum, value, i) => sum + (value - (other[i] as number)) ** 2, 0);
  return Math.min(1, Math.max(0, (1 - Math.sqrt(25 * distance) / 100 - 0.2) / 0.6));
}

/** Pixels at least as red as this are tongue or lip, whatever the light. */
const RED = 60;
/** In any light so are those with this share of the lips' own red, where it separates lips from teeth. */
const AS_LIPS = 0.65;
const LEAST_RED = 16;
/** Teeth are brighter than this, and than lips without colour by this factor; within a row down to this share of it. */
const BRIGHT = 105;
const BEYOND_LIPS = 1.15;
const STILL_BRIGHT = 0.76;

/** Bright bands with dark between them from the upper lip to the lower one, in the middle of the mouth: rows of teeth. */
export function rowsOfTeeth(face: SeenFace, { rgba, width }: FrameTask): number {
  const [[x, top], [, bottom]] = [face.points[13]!, face.points[14]!];
  const half = apart(face, 78, 308) / 2;
  const redAt = (at: number) => (rgba[at] as number) - ((rgba[at + 1] as number) + (rgba[at + 2] as number)) / 2;
  const lumaAt = (at: number) =>
    0.2126 * (rgba[at] as number) + 0.7152 * (rgba[at + 1] as number) + 0.0722 * (rgba[at + 2] as number);
  const pairs = [
    [0, 13],
    [17, 14],
  ] as const;
  const pixelAt = ([outer, inner]: (typeof pairs)[number], share: number, aside = 0) => {
    const between = (axis: 0 | 1) => face.points[outer]![axis] * share + face.points[inner]![axis] * (1 - share);
    return (Math.round(between(1)) * width + Math.round(between(0) + aside)) * 4;
  };
  // The library's inner edges often lie within the lips, which coloured light makes as pale as teeth.
  const lips = Math.min(...pairs.map((pair) => redAt(pixelAt(pair, 0.7))));
  const red = lips < LEAST_RED ? RED : Math.min(RED, lips * AS_LIPS);
  const lights = pairs.map((pair) => {
    const near = [0.2, 0.35, 0.5].flatMap((share) => [-0.15, 0, 0.15].map((side) => pixelAt(pair, share, side * half)));
    return near.map(lumaAt).sort((one, other) => one - other)[near.length >> 1] as number;
  });
  const bright = lips < LEAST_RED ? Math.max(BRIGHT, Math.max(...lights) * BEYOND_LIPS) : BRIGHT;
  const counts = [-0.3, -0.15, 0, 0.15, 0.3].map((share) => {
    const column = Math.round(x + share * half);
    const lumas: number[] = [];
    for (let y = Math.ceil(top + 1); y < bottom - 1; y++) {
      const at = (y * width + column) * 4;
      // Tongue and lips are red, teeth are not.
      lumas.push(redAt(at) > red ? 0 : lumaAt(at));
    }
    let [rows, inside] = [0, false];
    for (const luma of lumas) {
      if (!inside && luma > bright) rows += 1;
      inside = luma > (inside ? bright * STILL_BRIGHT : bright);
    }
    return rows;
  });
  return counts.sort((one, other) => one - other)[2] as number;
}

/** Pearson's r. */
export function correlation(one: number[], other: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(one), mean(other)];
  let [both, first, second] = [0, 0, 0];
  for (const [i, value] of one.entries()) {
    const away = (other[i] as number) - b;
    both += (value - a) * away;
    first += (value - a) ** 2;
    second += away ** 2;
  }
  return both / Math.sqrt(first * second);
}
