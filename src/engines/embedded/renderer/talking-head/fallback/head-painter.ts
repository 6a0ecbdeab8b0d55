/**
 * The head of one frame: the source, bent through a coarse grid of shifts into the video's
 * frame. Only cells that can move are written; the background keeps its bytes from the first frame on.
 */
import type { Area, FaceShape } from '../../graphics/face/geometry.ts';
import { CELL, type HeadMask } from '../mask.ts';
import type { HeadPose } from '../motion.ts';
import { OVERSAMPLE } from '../still.ts';
import type { Warp } from '../warp.ts';

/** Largest motions, in heights of the face (brows to chin), and the tilt in radians. */
const SWAY = 0.016;
const NOD = 0.014;
const TURN = 0.026;
const TILT = 0.014;
const BROW = 0.024;

/** Bends the head. */
export interface HeadPainter {
  /** Bends the warp's source by the pose into its frame. */
  paint(pose: HeadPose): void;
}

/** @param drawn areas of the source that other painters redraw: they are copied even where the head is at rest */
export function headPainter(face: FaceShape, mask: HeadMask, warp: Warp, drawn: Area[]): HeadPainter {
  const unit = face.h / OVERSAMPLE;
  const points = mask.columns * mask.rows;
  const dx = new Float32Array(points);
  const dy = new Float32Array(points);
  warp.moving.set(movingCells(mask, drawn));
  return {
    paint(pose) {
      shifts(pose, mask, unit, dx, dy);
      warp.bend(dx, dy);
    },
  };
}

/** How far each grid point is moved, video pixels. */
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
