/**
 * The head of one frame: reads the working copy of the source through a coarse grid of shifts and writes the film's
 * frame. Only cells that can move are written; the background keeps its bytes from the first frame on.
 */
import type { Planes } from '../codec/colour.ts';
import type { Area, FaceShape } from './geometry.ts';
import { CELL, type HeadMask } from './mask.ts';
import { OVERSAMPLE } from './still.ts';

/** Pose of the head, each about -1 to 1; brows 0 to 1. */
export interface HeadPose {
  swayX: number;
  swayY: number;
  yaw: number;
  pitch: number;
  roll: number;
  brows: number;
}

/** Largest motions, in heights of the face (brows to chin), and the tilt in radians. */
const SWAY = 0.016;
const NOD = 0.014;
const TURN = 0.026;
const TILT = 0.014;
const BROW = 0.024;

export interface HeadPainter {
  /** Bends `working` by the pose into `frame`. */
  paint(pose: HeadPose): void;
}

/** Positions are integers in 1/256 of a source pixel: twice as fast here as floating point (measured). */
const BITS = 8;
const ONE = 1 << BITS;

/** @param drawn areas of the source that other painters redraw: they are copied even where the head is at rest */
export function headPainter(
  face: FaceShape,
  mask: HeadMask,
  working: Planes,
  frame: Planes,
  drawn: Area[],
): HeadPainter {
  const unit = face.h / OVERSAMPLE;
  const points = mask.columns * mask.rows;
  const dx = new Float32Array(points);
  const dy = new Float32Array(points);
  const moving = movingCells(mask, drawn);
  return {
    paint(pose) {
      shifts(pose, mask, unit, dx, dy);
      bendLuma(moving, mask, dx, dy, working, frame);
      bendChroma(moving, mask, dx, dy, working, frame);
    },
  };
}

/** How far each grid point is moved, film pixels. */
function shifts(pose: HeadPose, mask: HeadMask, unit: number, dx: Float32Array, dy: Float32Array): void {
  const swayX = pose.swayX * SWAY * unit;
  const swayY = pose.swayY * NOD * unit;
  const yaw = pose.yaw * TURN * unit;
  const pitch = pose.pitch * TURN * unit;
  const roll = pose.roll * TILT;
  const brows = pose.brows * BROW * unit;
  for (let row = 0; row < mask.rows; row++) {
    const fromPivotY = row * CELL - mask.pivot.y;
    for (let column = 0; column < mask.columns; column++) {
      const at = row * mask.columns + column;
      const share = mask.share[at] as number;
      if (share === 0) continue;
      const depth = mask.depth[at] as number;
      dx[at] = share * (swayX + yaw * depth - roll * fromPivotY);
      dy[at] =
        share * (swayY + pitch * depth + roll * (column * CELL - mask.pivot.x) - brows * (mask.brow[at] as number));
    }
  }
}

/** 1 for each cell, by its top left grid point, in which anything can ever move. */
function movingCells(mask: HeadMask, drawn: Area[]): Uint8Array {
  const cells = new Uint8Array(mask.columns * mask.rows);
  const side = CELL * OVERSAMPLE;
  for (let row = 0; row + 1 < mask.rows; row++) {
    for (let column = 0; column + 1 < mask.columns; column++) {
      const at = row * mask.columns + column;
      const corners = [at, at + 1, at + mask.columns, at + mask.columns + 1];
      const [x, y] = [column * side, row * side];
      const covers = (area: Area) => x < area.right && x + side > area.left && y < area.bottom && y + side > area.top;
      if (corners.some((corner) => (mask.share[corner] as number) > 0) || drawn.some(covers)) cells[at] = 1;
    }
  }
  return cells;
}

/** A film pixel's centre lies between four source pixels, so at rest this averages them. */
function bendLuma(
  moving: Uint8Array,
  mask: HeadMask,
  dx: Float32Array,
  dy: Float32Array,
  working: Planes,
  frame: Planes,
): void {
  const { y: from, width: fromWidth } = working;
  const { y: to, width, height } = frame;
  for (let y = 0; y < height; y++) {
    const gridRow = Math.floor(y / CELL) * mask.columns;
    const along = ((y % CELL) + 0.5) / CELL;
    for (let column = 0; column + 1 < mask.columns; column++) {
      const cell = gridRow + column;
      if (moving[cell] === 0) continue;
      const x0 = column * CELL;
      const count = Math.min(CELL, width - x0);
      const below = cell + mask.columns;
      const leftX = (dx[cell] as number) + ((dx[below] as number) - (dx[cell] as number)) * along;
      const rightX = (dx[cell + 1] as number) + ((dx[below + 1] as number) - (dx[cell + 1] as number)) * along;
      const leftY = (dy[cell] as number) + ((dy[below] as number) - (dy[cell] as number)) * along;
      const rightY = (dy[cell + 1] as number) + ((dy[below + 1] as number) - (dy[cell + 1] as number)) * along;
      const stepX = ((2 - ((rightX - leftX) * 2) / CELL) * ONE) | 0;
      const stepY = ((((leftY - rightY) * 2) / CELL) * ONE) | 0;
      let sx = (((x0 - leftX) * 2 + 0.5) * ONE) | 0;
      let sy = (((y - leftY) * 2 + 0.5) * ONE) | 0;
      const target = y * width + x0;
      for (let i = 0; i < count; i++) {
        const at = (sy >> BITS) * fromWidth + (sx >> BITS);
        const fx = sx & (ONE - 1);
        const fy = sy & (ONE - 1);
        const top = (from[at] as number) * (ONE - fx) + (from[at + 1] as number) * fx;
        const low = (from[at + fromWidth] as number) * (ONE - fx) + (from[at + fromWidth + 1] as number) * fx;
        to[target + i] = (top * (ONE - fy) + low * fy + 32_768) >> 16;
        sx += stepX;
        sy += stepY;
      }
    }
  }
}

/** As `bendLuma`, for both colour planes, whose source has one pixel per film pixel. */
function bendChroma(
  moving: Uint8Array,
  mask: HeadMask,
  dx: Float32Array,
  dy: Float32Array,
  working: Planes,
  frame: Planes,
): void {
  const { u: fromU, v: fromV } = working;
  const fromWidth = working.width >> 1;
  const { u: toU, v: toV } = frame;
  const [width, height, side] = [frame.width >> 1, frame.height >> 1, CELL / 2];
  for (let y = 0; y < height; y++) {
    const gridRow = Math.floor(y / side) * mask.columns;
    const along = ((y % side) + 0.5) / side;
    for (let column = 0; column + 1 < mask.columns; column++) {
      const cell = gridRow + column;
      if (moving[cell] === 0) continue;
      const x0 = column * side;
      const count = Math.min(side, width - x0);
      const below = cell + mask.columns;
      const leftX = (dx[cell] as number) + ((dx[below] as number) - (dx[cell] as number)) * along;
      const rightX = (dx[cell + 1] as number) + ((dx[below + 1] as number) - (dx[cell + 1] as number)) * along;
      const leftY = (dy[cell] as number) + ((dy[below] as number) - (dy[cell] as number)) * along;
      const rightY = (dy[cell + 1] as number) + ((dy[below + 1] as number) - (dy[cell + 1] as number)) * along;
      for (let i = 0; i < count; i++) {
        const across = (i + 0.5) / side;
        const sx = (((x0 + i) * 2 + 0.5 - leftX - (rightX - leftX) * across) * ONE) | 0;
        const sy = ((y * 2 + 0.5 - leftY - (rightY - leftY) * across) * ONE) | 0;
        const at = (sy >> BITS) * fromWidth + (sx >> BITS);
        const fx = sx & (ONE - 1);
        const fy = sy & (ONE - 1);
        const [a, b, c, d] = [(ONE - fx) * (ONE - fy), fx * (ONE - fy), (ONE - fx) * fy, fx * fy];
        const target = y * width + x0 + i;
        toU[target] = (mixed(fromU, at, fromWidth, a, b, c, d) + 32_768) >> 16;
        toV[target] = (mixed(fromV, at, fromWidth, a, b, c, d) + 32_768) >> 16;
      }
    }
  }
}

function mixed(from: Uint8Array, at: number, width: number, a: number, b: number, c: number, d: number): number {
  const low = at + width;
  return (
    (from[at] as number) * a + (from[at + 1] as number) * b + (from[low] as number) * c + (from[low + 1] as number) * d
  );
}

/** The whole frame at rest, by the same averaging: moving and still parts then look alike. */
export function restFrame(source: Planes, frame: Planes): void {
  halve(source.y, source.width, frame.y, frame.width, frame.height);
  halve(source.u, source.width >> 1, frame.u, frame.width >> 1, frame.height >> 1);
  halve(source.v, source.width >> 1, frame.v, frame.width >> 1, frame.height >> 1);
}

function halve(from: Uint8Array, fromWidth: number, to: Uint8Array, width: number, height: number): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * 2 * fromWidth + x * 2;
      const sum = (from[at] as number) + (from[at + 1] as number);
      to[y * width + x] = (sum + (from[at + fromWidth] as number) + (from[at + fromWidth + 1] as number) + 2) >> 2;
    }
  }
}
