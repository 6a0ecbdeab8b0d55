/**
 * Reads the source through a grid of shifts and writes the video's frame, plane by plane. The inner loops of the
 * talking head: they allocate nothing and count in integers.
 */
import type { Planes } from '../../codec/colour.ts';
import { CELL, type HeadMask } from './mask.ts';

/** Positions are integers in 1/256 of a source pixel: twice as fast here as floating point (measured). */
const BITS = 8;
const ONE = 1 << BITS;

/** A video pixel's centre lies between four source pixels, so at rest this averages them. */
export function bendLuma(
  moving: Uint8Array,
  mask: HeadMask,
  dx: Float32Array,
  dy: Float32Array,
  working: Planes,
  frame: Planes,
): void {
  const { y: from, width: fromWidth } = working;
  const { y: to, width, height } = frame;
  const { columns } = mask;
  for (let y = 0; y < height; y++) {
    const gridRow = Math.floor(y / CELL) * columns;
    const along = ((y % CELL) + 0.5) / CELL;
    // The right side of a cell is the left side of the next one.
    let rightX = 0;
    let rightY = 0;
    let edge = -1;
    for (let column = 0; column + 1 < columns; column++) {
      const cell = gridRow + column;
      if (moving[cell] === 0) continue;
      const x0 = column * CELL;
      const below = cell + columns;
      const isKnown = edge === column;
      const leftX = isKnown ? rightX : (dx[cell] as number) + ((dx[below] as number) - (dx[cell] as number)) * along;
      const leftY = isKnown ? rightY : (dy[cell] as number) + ((dy[below] as number) - (dy[cell] as number)) * along;
      rightX = (dx[cell + 1] as number) + ((dx[below + 1] as number) - (dx[cell + 1] as number)) * along;
      rightY = (dy[cell + 1] as number) + ((dy[below + 1] as number) - (dy[cell + 1] as number)) * along;
      edge = column + 1;
      const stepX = ((2 - ((rightX - leftX) * 2) / CELL) * ONE) | 0;
      const stepY = ((((leftY - rightY) * 2) / CELL) * ONE) | 0;
      let sx = (((x0 - leftX) * 2 + 0.5) * ONE) | 0;
      let sy = (((y - leftY) * 2 + 0.5) * ONE) | 0;
      const end = y * width + Math.min(x0 + CELL, width);
      for (let target = y * width + x0; target < end; target++) {
        const at = (Math.imul(sy >> BITS, fromWidth) + (sx >> BITS)) | 0;
        // As `mixed`, written out: called, it is no faster than four products a pixel.
        const left = from[at] as number;
        const lower = from[at + fromWidth] as number;
        const top = (left << BITS) + Math.imul((from[at + 1] as number) - left, sx & (ONE - 1));
        const low = (lower << BITS) + Math.imul((from[at + fromWidth + 1] as number) - lower, sx & (ONE - 1));
        to[target] = ((top << BITS) + Math.imul(low - top, sy & (ONE - 1)) + 32_768) >> 16;
        sx = (sx + stepX) | 0;
        sy = (sy + stepY) | 0;
      }
    }
  }
}

/** As `bendLuma`, for both colour planes, whose source has one pixel per video pixel. */
export function bendChroma(
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
  const { columns } = mask;
  for (let y = 0; y < height; y++) {
    const gridRow = Math.floor(y / side) * columns;
    const along = ((y % side) + 0.5) / side;
    let rightX = 0;
    let rightY = 0;
    let edge = -1;
    for (let column = 0; column + 1 < columns; column++) {
      const cell = gridRow + column;
      if (moving[cell] === 0) continue;
      const x0 = column * side;
      const count = Math.min(side, width - x0);
      const below = cell + columns;
      const isKnown = edge === column;
      const leftX = isKnown ? rightX : (dx[cell] as number) + ((dx[below] as number) - (dx[cell] as number)) * along;
      const leftY = isKnown ? rightY : (dy[cell] as number) + ((dy[below] as number) - (dy[cell] as number)) * along;
      rightX = (dx[cell + 1] as number) + ((dx[below + 1] as number) - (dx[cell + 1] as number)) * along;
      rightY = (dy[cell + 1] as number) + ((dy[below + 1] as number) - (dy[cell + 1] as number)) * along;
      edge = column + 1;
      for (let i = 0; i < count; i++) {
        const across = (i + 0.5) / side;
        const sx = (((x0 + i) * 2 + 0.5 - leftX - (rightX - leftX) * across) * ONE) | 0;
        const sy = ((y * 2 + 0.5 - leftY - (rightY - leftY) * across) * ONE) | 0;
        const at = (Math.imul(sy >> BITS, fromWidth) + (sx >> BITS)) | 0;
        const target = y * width + x0 + i;
        toU[target] = mixed(fromU, at, fromWidth, sx & (ONE - 1), sy & (ONE - 1));
        toV[target] = mixed(fromV, at, fromWidth, sx & (ONE - 1), sy & (ONE - 1));
      }
    }
  }
}

/** The four pixels from `at` on, by their shares in 1/256. `imul`, or each product is looked at for -0 and overflow. */
function mixed(from: Uint8Array, at: number, width: number, fx: number, fy: number): number {
  const left = from[at] as number;
  const lower = from[at + width] as number;
  const top = (left << BITS) + Math.imul((from[at + 1] as number) - left, fx);
  const low = (lower << BITS) + Math.imul((from[at + width + 1] as number) - lower, fx);
  return ((top << BITS) + Math.imul(low - top, fy) + 32_768) >> 16;
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
