/**
 * The face of a still as points in pixels of the source, with its own axes: across the mouth and down to the chin,
 * however the head leans. Read-only; once a video.
 *
 * Landmarks are those of MediaPipe Face Mesh: 468 points by number, and 468 to 477 the irises. Numbers in this folder are its.
 */
import type { Point, Rig } from '../../../../ports/index.ts';

/** A face's landmarks, in pixels of the still. */
export interface MeshFace {
  /** x, y and depth (towards the viewer, from the ears) of each landmark. */
  points: Float32Array;
  at(index: number): Point;
  depth(index: number): number;
  /** Unit vector across the face, to the viewer's right, and down it. */
  across: Point;
  down: Point;
  /** From the forehead's top to the chin, and between the sides of the face. */
  height: number;
  width: number;
  /** The nose's tip from the middle between the sides of the face, to the right, in their distance: 0 faces the viewer, .5 is before a side. */
  turn: number;
  centre: Point;
  chin: Point;
}

/** Landmarks of the outline, from the forehead's middle, clockwise as seen. */
export const OVAL = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136,
  172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
] as const;

/** Landmarks that are used by themselves; left and right as the viewer sees them. */
export const LANDMARK = {
  foreheadTop: 10,
  noseTip: 1,
  chin: 152,
  leftEar: 234,
  rightEar: 454,
  leftEyeOuter: 33,
  rightEyeOuter: 263,
  noseBase: 2,
  leftMouthCorner: 61,
  rightMouthCorner: 291,
  upperLipInner: 13,
  lowerLipInner: 14,
  leftCheek: 205,
} as const;

/** How far the nose's tip is before the ears, in widths of a face: the models' depth has a scale of its own. */
const NOSE_DEPTH = 0.6;

/** @param landmarks of a rig @param width and height of the source in pixels */
export function meshFace({ landmarks = [] }: Rig, width: number, height: number): MeshFace {
  const count = landmarks.length / 3;
  const points = new Float32Array(count * 3);
  const at = (index: number): Point => ({ x: points[index * 3] as number, y: points[index * 3 + 1] as number });
  const z = (index: number) => (landmarks[index * 3 + 2] as number) * width;
  const ears = (z(LANDMARK.leftEar) + z(LANDMARK.rightEar)) / 2;
  for (let i = 0; i < count; i++) {
    points[i * 3] = (landmarks[i * 3] as number) * width;
    points[i * 3 + 1] = (landmarks[i * 3 + 1] as number) * height;
    points[i * 3 + 2] = ears - z(i);
  }
  const [top, chin] = [at(LANDMARK.foreheadTop), at(LANDMARK.chin)];
  const tall = Math.hypot(top.x - chin.x, top.y - chin.y);
  const [one, other] = [at(LANDMARK.leftEar), at(LANDMARK.rightEar)];
  const wide = Math.hypot(one.x - other.x, one.y - other.y);
  const [left, right] = [at(LANDMARK.leftEyeOuter), at(LANDMARK.rightEyeOuter)];
  const apart = Math.hypot(right.x - left.x, right.y - left.y);
  const across = { x: (right.x - left.x) / apart, y: (right.y - left.y) / apart };
  const nose = at(LANDMARK.noseTip);
  const aside = (nose.x - (one.x + other.x) / 2) * across.x + (nose.y - (one.y + other.y) / 2) * across.y;
  // On a turned head a part of the nose's way from the ears goes aside, and only the rest of it is depth.
  const deep = Math.hypot(points[LANDMARK.noseTip * 3 + 2] as number, aside);
  // A head seen from the side is narrower than it is.
  const scale = deep > 0 ? (NOSE_DEPTH * Math.max(wide, tall * 0.75)) / deep : 1;
  for (let i = 2; i < points.length; i += 3) points[i] = (points[i] as number) * scale;
  return {
    points,
    at,
    depth: (index) => points[index * 3 + 2] as number,
    across,
    down: { x: -across.y, y: across.x },
    height: tall,
    width: wide,
    turn: aside / ((other.x - one.x) * across.x + (other.y - one.y) * across.y),
    centre: { x: (one.x + other.x) / 2, y: (top.y + chin.y) / 2 },
    chin,
  };
}
