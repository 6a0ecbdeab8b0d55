/**
 * Reads a still through a grid of shifts and writes the video's frame. The inner loops are `kernel/warp.as`, in whose memory
 * still and frame lie.
 */
import { compileKernel, PAGE_BYTES } from '../../../ports/kernel.ts';
import { type Planes, planesOf } from '../../codec/colour.ts';
import type { HeadMask } from './mask.ts';

/** The functions of `kernel/warp.as`, which says what they are given. */
type Kernel = Record<'bendLuma' | 'bendChroma', (...given: number[]) => void>;

/** Two pixels and the row below are read for each; behind the last plane they may lie beyond it. */
const BEHIND = 16;
const openKernel = compileKernel<Kernel>('src/engines/embedded/renderer/talking-head/kernel/warp.wasm');

/** A still, and the frame that it is bent into. */
export interface Warp {
  /** A copy of the still, twice the frame's size. What is drawn into it is seen from the next `bend` on. */
  source: Planes;
  /** I420 of the frame; at rest before the first `bend`. */
  frame: Uint8Array;
  /** The frame's planes. */
  planes: Planes;
  /** Set to 1 for each cell, by its top left grid point, that `bend` writes; the others stay as they are. */
  moving: Uint8Array;
  /**
   * Writes the cells that move, each pixel from where its shift says that it came from.
   * @param dx for each grid point, how far to the right it was moved, in pixels of the video @param dy down
   */
  bend(dx: Float32Array, dy: Float32Array): void;
}

/** @param still twice the video's size, which is even */
export function createWarp(still: Planes, { columns, rows }: HeadMask): Warp {
  const [width, height] = [still.width >> 1, still.height >> 1];
  const points = columns * rows;
  let taken = 0;
  const take = (bytes: number) => {
    const at = taken;
    taken = (taken + bytes + 15) & ~15;
    return at;
  };
  const at = {
    dx: take(points * 4 + 16),
    dy: take(points * 4 + 16),
    moving: take(points),
    scratch: take(columns * 8 + 48),
    frame: take((width * height * 3) / 2),
    source: take(width * height * 6 + width * 2 + BEHIND),
  };
  const { memory, functions: kernel } = openKernel(Math.ceil(taken / PAGE_BYTES));
  const bytes = (from: number, count: number) => new Uint8Array(memory.buffer, from, count);
  const shifts = [at.dx, at.dy].map((from) => new Float32Array(memory.buffer, from, points)) as [
    Float32Array,
    Float32Array,
  ];
  const source = planesOf(bytes(at.source, width * height * 6), still.width, still.height);
  for (const plane of ['y', 'u', 'v'] as const) source[plane].set(still[plane]);
  const frame = bytes(at.frame, (width * height * 3) / 2);
  const planes = planesOf(frame, width, height);
  restFrame(source, planes);
  const grid = [columns, at.moving, at.dx, at.dy, at.scratch] as const;
  const colours = [source.u, source.v, planes.u, planes.v].map(({ byteOffset }) => byteOffset);
  return {
    source,
    frame,
    planes,
    moving: bytes(at.moving, points),
    bend(dx, dy) {
      shifts[0].set(dx);
      shifts[1].set(dy);
      kernel.bendLuma(at.source, at.frame, width, height, ...grid);
      kernel.bendChroma(...colours, width >> 1, height >> 1, ...grid);
    },
  };
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
