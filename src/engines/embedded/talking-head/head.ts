/**
 * The head of one frame: reads the working copy of the source through a coarse grid of shifts and writes the film's
 * frame. Only cells that can move are written; the background keeps its bytes from the first frame on.
 */
import type { Planes } from '../codec/colour.ts';
import type { FaceShape } from './geometry.ts';
import { CELL, type HeadMask } from './mask.ts';
import type { Area } from './mouth.ts';
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
const BROW = 0.035;

export interface HeadPainter {
  /** Bends `working` by the pose into `frame`. */
  paint(pose: HeadPose): void;
}

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
  const cells = movingCells(mask, drawn);
  return {
    paint(pose) {
      for (let row = 0; row < mask.rows; row++) {
        const fromPivotY = row * CELL - mask.pivot.y;
        for (let column = 0; column < mask.columns; column++) {
          const at = row * mask.columns + column;
          const share = mask.share[at] as number;
          if (share === 0) continue;
          const depth = mask.depth[at] as number;
          const fromPivotX = column * CELL - mask.pivot.x;
          const x = (pose.swayX * SWAY + pose.yaw * TURN * depth) * unit - pose.roll * TILT * fromPivotY;
          const y = (pose.swayY * NOD + pose.pitch * TURN * depth) * unit + pose.roll * TILT * fromPivotX;
          dx[at] = share * x;
          dy[at] = share * y - pose.brows * BROW * unit * (mask.brow[at] as number);
        }
      }
      for (const cell of cells) drawCell(cell, mask, dx, dy, working, frame);
    },
  };
}

/** Top left grid points of the cells in which anything can ever move. */
function movingCells(mask: HeadMask, drawn: Area[]): Uint32Array {
  const cells: number[] = [];
  for (let row = 0; row + 1 < mask.rows; row++) {
    for (let column = 0; column + 1 < mask.columns; column++) {
      const at = row * mask.columns + column;
      const corners = [at, at + 1, at + mask.columns, at + mask.columns + 1];
      const [x, y] = [column * CELL * OVERSAMPLE, row * CELL * OVERSAMPLE];
      const side = CELL * OVERSAMPLE;
      const covers = (area: Area) => x < area.right && x + side > area.left && y < area.bottom && y + side > area.top;
      if (corners.some((corner) => (mask.share[corner] as number) > 0) || drawn.some(covers)) cells.push(at);
    }
  }
  return Uint32Array.from(cells);
}

function drawCell(
  cell: number,
  mask: HeadMask,
  dx: Float32Array,
  dy: Float32Array,
  working: Planes,
  frame: Planes,
): void {
  const x0 = (cell % mask.columns) * CELL;
  const y0 = Math.floor(cell / mask.columns) * CELL;
  const below = cell + mask.columns;
  const corners = [
    dx[cell],
    dx[cell + 1],
    dx[below],
    dx[below + 1],
    dy[cell],
    dy[cell + 1],
    dy[below],
    dy[below + 1],
  ] as number[];
  drawPlane(
    corners,
    x0,
    y0,
    CELL,
    OVERSAMPLE,
    working.y,
    working.width,
    working.height,
    frame.y,
    frame.width,
    frame.height,
  );
  const half = [working.width >> 1, working.height >> 1, frame.width >> 1, frame.height >> 1] as const;
  drawPlane(corners, x0 / 2, y0 / 2, CELL / 2, 1, working.u, half[0], half[1], frame.u, half[2], half[3]);
  drawPlane(corners, x0 / 2, y0 / 2, CELL / 2, 1, working.v, half[0], half[1], frame.v, half[2], half[3]);
}

/**
 * One cell of one plane. A film pixel's centre lies between four source pixels, so at rest this averages them.
 * @param perShift source pixels of this plane per film pixel of shift
 */
function drawPlane(
  corners: number[],
  x0: number,
  y0: number,
  side: number,
  perShift: number,
  from: Uint8Array,
  fromWidth: number,
  fromHeight: number,
  to: Uint8Array,
  toWidth: number,
  toHeight: number,
): void {
  const [xa, xb, xc, xd, ya, yb, yc, yd] = corners as [number, number, number, number, number, number, number, number];
  const right = Math.min(x0 + side, toWidth);
  const bottom = Math.min(y0 + side, toHeight);
  const limitX = fromWidth - 1.001;
  const limitY = fromHeight - 1.001;
  for (let y = y0; y < bottom; y++) {
    const along = (y - y0 + 0.5) / side;
    const shiftX = xa + (xc - xa) * along;
    const stepX = (xb + (xd - xb) * along - shiftX) / side;
    const shiftY = ya + (yc - ya) * along;
    const stepY = (yb + (yd - yb) * along - shiftY) / side;
    for (let x = x0; x < right; x++) {
      const across = x - x0 + 0.5;
      let sx = x * 2 + 0.5 - (shiftX + stepX * across) * perShift;
      let sy = y * 2 + 0.5 - (shiftY + stepY * across) * perShift;
      sx = sx < 0 ? 0 : sx > limitX ? limitX : sx;
      sy = sy < 0 ? 0 : sy > limitY ? limitY : sy;
      const column = sx | 0;
      const row = sy | 0;
      const fx = sx - column;
      const at = row * fromWidth + column;
      const top = (from[at] as number) + ((from[at + 1] as number) - (from[at] as number)) * fx;
      const lowLeft = from[at + fromWidth] as number;
      const low = lowLeft + ((from[at + fromWidth + 1] as number) - lowLeft) * fx;
      to[y * toWidth + x] = top + (low - top) * (sy - row) + 0.5;
    }
  }
}

/** The whole frame at rest, by the same sampling: moving and still parts then look alike. */
export function restFrame(source: Planes, frame: Planes): void {
  const still = [0, 0, 0, 0, 0, 0, 0, 0];
  const side = Math.max(frame.width, frame.height);
  drawPlane(still, 0, 0, side, OVERSAMPLE, source.y, source.width, source.height, frame.y, frame.width, frame.height);
  const half = [source.width >> 1, source.height >> 1, frame.width >> 1, frame.height >> 1] as const;
  drawPlane(still, 0, 0, side, 1, source.u, half[0], half[1], frame.u, half[2], half[3]);
  drawPlane(still, 0, 0, side, 1, source.v, half[0], half[1], frame.v, half[2], half[3]);
}
