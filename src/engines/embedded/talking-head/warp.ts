/**
 * Reads the source through a grid of shifts and writes the video's frame, plane by plane. The inner loops of the
 * talking head: they allocate nothing and count in integers.
 */
import type { Planes } from '../codec/colour.ts';
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
