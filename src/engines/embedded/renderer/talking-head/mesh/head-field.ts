/**
 * How the head's pose moves every part of the image: a coarse grid of shifts with the depth of the landmarks, by which
 * near parts move further than far ones. Shifts are in pixels of the video.
 */

import { smoothstep } from '../../graphics/numbers.ts';
import { CELL, type HeadMask } from '../mask.ts';
import type { HeadPose } from '../motion.ts';
import { OVERSAMPLE } from '../still.ts';
import { type MeshFace, OVAL } from './mesh-face.ts';

/** Turns for a pose of 1, in radians. */
const YAW = (12 * Math.PI) / 180;
const PITCH = (5 * Math.PI) / 180;
const ROLL = (2.4 * Math.PI) / 180;
/** Shifts for a pose of 1, in heights of the face. */
const SWAY = 0.012;
const NOD = 0.012;
const BROW = 0.021;
const BREATH = 0.007;

/** Shifts of the image by the head's pose. */
export interface HeadField {
  dx: Float32Array;
  dy: Float32Array;
  /** 1 for each cell in which anything can ever move. */
  moving: Uint8Array;
  pose(pose: HeadPose, breath: number): void;
  /** Where points of the source (x, y pairs in its pixels) are in the video now. */
  carry(points: Float32Array, to: Float32Array): void;
}

export function headField(face: MeshFace, mask: HeadMask, width: number, height: number): HeadField {
  const { columns, rows, share, brow, pivot } = mask;
  const depth = depthGrid(face, mask, COARSE, SMOOTH);
  const nodding = nodGrids(face, mask);
  const chest = chestGrid(face, mask, width, height);
  const dx = new Float32Array(columns * rows);
  const dy = new Float32Array(columns * rows);
  const unit = face.height / OVERSAMPLE;
  return {
    dx,
    dy,
    moving: movingCells(mask, chest),
    pose(pose, breath) {
      const [yaw, pitch, roll] = [Math.sin(pose.yaw * YAW), Math.sin(pose.pitch * PITCH), pose.roll * ROLL];
      const [swayX, swayY] = [pose.swayX * SWAY * unit, pose.swayY * NOD * unit];
      const [lift, air] = [pose.brows * BROW * unit, breath * BREATH * unit];
      for (let row = 0, at = 0; row < rows; row++) {
        const y = row * CELL - pivot.y;
        for (let column = 0; column < columns; column++, at++) {
          const part = share[at] as number;
          const near = depth[at] as number;
          dx[at] = part * (swayX + yaw * near + pitch * (nodding.aside[at] as number) - roll * y);
          dy[at] =
            part *
              (swayY +
                pitch * (nodding.depth[at] as number) +
                roll * (column * CELL - pivot.x) -
                lift * (brow[at] as number)) -
            air * (chest[at] as number);
        }
      }
    },
    carry(points, to) {
      for (let i = 0; i < points.length; i += 2) {
        const x = (points[i] as number) / OVERSAMPLE;
        const y = (points[i + 1] as number) / OVERSAMPLE;
        let [px, py] = [x, y];
        // The warp reads backwards: where a pixel comes from is known, so where one goes is found by trying.
        for (let round = 0; round < 3; round++) {
          const gx = Math.min(columns - 1.001, Math.max(0, px / CELL));
          const gy = Math.min(rows - 1.001, Math.max(0, py / CELL));
          const [column, row] = [gx | 0, gy | 0];
          const [fx, fy] = [gx - column, gy - row];
          const at = row * columns + column;
          px = x + blend(dx, at, columns, fx, fy);
          py = y + blend(dy, at, columns, fx, fy);
        }
        to[i] = px;
        to[i + 1] = py;
      }
    },
  };
}

function blend(grid: Float32Array, at: number, columns: number, fx: number, fy: number): number {
  const top = (grid[at] as number) * (1 - fx) + (grid[at + 1] as number) * fx;
  const low = (grid[at + columns] as number) * (1 - fx) + (grid[at + columns + 1] as number) * fx;
  return top + (low - top) * fy;
}

/** Turns are wide: by a depth that is smooth, in widths of a face, they keep a face's likeness. Grid points between those whose depth is worked out. */
const SMOOTH = 0.05;
const COARSE = 4;
/** A nod is small, and seen by the nose's way against the sides of the face: its depth is as sharp as the landmarks'. */
const SHARP = 0.02;
/** How much more the sides of a face recede in a nod than landmarks say, at one width of the face from its middle, up to the bound. */
const ROUND = 0.4;
const MOST_ROUND = 0.4;
/** Heights of a face between it and the eye that sees it nod: what comes forward grows, what goes back is narrower. */
const LENS = 4;

/** What a nod of 1 radian moves, in pixels of the video: down, and aside as the forehead comes forward and the chin goes back. */
function nodGrids(face: MeshFace, mask: HeadMask): { depth: Float32Array; aside: Float32Array } {
  const { columns, rows } = mask;
  const aside = new Float32Array(columns * rows);
  const [wide, tall] = [face.width / OVERSAMPLE, face.height / OVERSAMPLE];
  // Large faces need no point of the grid for each of theirs.
  const depth = depthGrid(face, mask, Math.max(1, Math.round((wide * 2 * SHARP) / CELL)), SHARP);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      const x = column * CELL - face.centre.x / OVERSAMPLE;
      const y = row * CELL - face.centre.y / OVERSAMPLE;
      const u = (x * face.across.x + y * face.across.y) / wide;
      const v = (x * face.down.x + y * face.down.y) / tall;
      depth[at] = (depth[at] as number) - ROUND * wide * Math.min(MOST_ROUND, u * u) * Math.exp(-((v * 2) ** 4));
      aside[at] = -(u * v * wide) / LENS;
    }
  }
  return { depth, aside };
}

/**
 * Depth at each grid point in pixels of the video: the landmarks' where they are, falling to that of the ears outside.
 * @param step grid points from one whose depth is worked out to the next @param softness in widths of the face
 */
function depthGrid(face: MeshFace, { columns, rows, share }: HeadMask, step: number, softness: number): Float32Array {
  const wide = Math.ceil((columns - 1) / step) + 1;
  const tall = Math.ceil((rows - 1) / step) + 1;
  const coarse = new Float32Array(wide * tall);
  const outline = OVAL.map((index) => face.at(index));
  const far = face.width * 1.2;
  const side = CELL * OVERSAMPLE * step;
  const soft = (face.width * softness) ** 2;
  for (let row = 0, at = 0; row < tall; row++) {
    for (let column = 0; column < wide; column++, at++) {
      const [x, y] = [column * side, row * side];
      if (step === 1 && (share[at] as number) === 0) continue;
      if (Math.hypot(x - face.centre.x, y - face.centre.y) < far) coarse[at] = depthAt(face, outline, x, y, soft);
    }
  }
  const out = new Float32Array(columns * rows);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      if ((share[at] as number) === 0) continue;
      const [x, y] = [Math.min(column / step, wide - 1.001), Math.min(row / step, tall - 1.001)];
      out[at] = blend(coarse, (y | 0) * wide + (x | 0), wide, x % 1, y % 1) / OVERSAMPLE;
    }
  }
  return out;
}

function depthAt(face: MeshFace, outline: { x: number; y: number }[], x: number, y: number, soft: number): number {
  const { points } = face;
  let [sum, weight, nearest] = [0, 0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < 468 * 3; i += 3) {
    const [px, py] = [(points[i] as number) - x, (points[i + 1] as number) - y];
    const squared = px * px + py * py;
    const pull = 1 / ((squared + soft) * (squared + soft));
    if (squared < nearest) nearest = squared;
    sum += pull * (points[i + 2] as number);
    weight += pull;
  }
  const outside = inside(outline, x, y) ? 0 : Math.sqrt(nearest);
  return (sum / weight) * (1 - smoothstep(0, 1, outside / (face.width * 0.42)));
}

function inside(outline: { x: number; y: number }[], x: number, y: number): boolean {
  let isInside = false;
  let from = outline.at(-1)!;
  for (const to of outline) {
    if (from.y > y !== to.y > y && x < ((to.x - from.x) * (y - from.y)) / (to.y - from.y) + from.x)
      isInside = !isInside;
    from = to;
  }
  return isInside;
}

/** Chest and shoulders below the chin, which rise with the breath. */
function chestGrid(face: MeshFace, { columns, rows }: HeadMask, width: number, height: number): Float32Array {
  const out = new Float32Array(columns * rows);
  const [chinX, chinY] = [face.chin.x / OVERSAMPLE, face.chin.y / OVERSAMPLE];
  const [wide, tall] = [face.width / OVERSAMPLE, face.height / OVERSAMPLE];
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      const [x, y] = [column * CELL, row * CELL];
      const below = smoothstep(0, 1, (y - chinY - tall * 0.15) / (tall * 0.5));
      const spread = wide * (0.5 + Math.min(1.1, Math.max(0, (y - chinY) / tall) * 1.4));
      const aside = 1 - smoothstep(0, 1, (Math.abs(x - chinX) - spread * 0.8) / (wide * 0.35));
      const edges = smoothstep(0, 1, Math.min(x, width - x) / 12) * (y >= height ? 0 : 1);
      out[at] = below * aside * edges * smoothstep(0, 1, (height - y) / 12);
    }
  }
  return out;
}

function movingCells({ columns, rows, share }: HeadMask, chest: Float32Array): Uint8Array {
  const cells = new Uint8Array(columns * rows);
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const at = row * columns + column;
      const corners = [at, at + 1, at + columns, at + columns + 1];
      if (corners.some((one) => (share[one] as number) > 0 || (chest[one] as number) > 0)) cells[at] = 1;
    }
  }
  return cells;
}
