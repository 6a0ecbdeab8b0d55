import { expect, test } from '@jest/globals';
import { type Planes, planesOf } from '../../../../src/engines/embedded/codec/colour.ts';
import { CELL, type HeadMask } from '../../../../src/engines/embedded/renderer/talking-head/mask.ts';
import { createWarp } from '../../../../src/engines/embedded/renderer/talking-head/warp.ts';

/** A still whose every plane rises to the right and down, by different steps. */
function slopes(width: number, height: number): Planes {
  const still = planesOf(new Uint8Array(width * height * 6), width * 2, height * 2);
  for (const [plane, across, down, wide] of [
    [still.y, 0.25, 1.6, width * 2],
    [still.u, 0.5, 3, width],
    [still.v, 1.6, 0.5, width],
  ] as const)
    plane.forEach((_, at) => {
      plane[at] = (at % wide) * across + Math.floor(at / wide) * down;
    });
  return still;
}

function maskOf(width: number, height: number): HeadMask {
  const columns = Math.ceil(width / CELL) + 1;
  const rows = Math.ceil(height / CELL) + 1;
  const [share, depth, brow] = [0, 1, 2].map(() => new Float32Array(columns * rows)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  return { columns, rows, share, depth, brow, pivot: { x: 0, y: 0 } };
}

/** Shifts by which the grid is turned about its middle: rows of pixels cross rows of the still. */
function turned({ columns, rows }: HeadMask, angle: number): [Float32Array, Float32Array] {
  const [dx, dy] = [new Float32Array(columns * rows), new Float32Array(columns * rows)];
  for (let at = 0; at < dx.length; at++) {
    dx[at] = -angle * (Math.floor(at / columns) - rows / 2) * CELL;
    dy[at] = angle * ((at % columns) - columns / 2) * CELL;
  }
  return [dx, dy];
}

test.each([
  ['at rest', 0, 0, 0],
  ['moved by whole and by half pixels', 3, -1.5, 0],
  ['turned', 0, 0, 0.12],
])('each pixel of the frame is what the still has where its shift says, %s', (_, right, down, angle) => {
  // Neither side is a multiple of a cell.
  const [width, height] = [102, 58];
  const still = slopes(width, height);
  const mask = maskOf(width, height);
  const warp = createWarp(still, mask);
  warp.moving.fill(1);
  const [dx, dy] = turned(mask, angle);
  warp.bend(
    dx.map((shift) => shift + right),
    dy.map((shift) => shift + down),
  );

  const edge = 14;
  for (const [plane, across, falling, scale] of [
    [warp.planes.y, 0.25, 1.6, 1],
    [warp.planes.u, 0.5, 3, 2],
    [warp.planes.v, 1.6, 0.5, 2],
  ] as const) {
    for (let y = edge / scale; y < (height - edge) / scale; y++)
      for (let x = edge / scale; x < (width - edge) / scale; x++) {
        const [wasX, wasY] = [
          (x + 0.5) * scale - right + angle * ((y + 0.5) * scale - (mask.rows / 2) * CELL),
          (y + 0.5) * scale - down - angle * ((x + 0.5) * scale - (mask.columns / 2) * CELL),
        ];
        const there = ((wasX * 2) / scale - 0.5) * across + ((wasY * 2) / scale - 0.5) * falling;
        // The still itself is rounded down to whole values.
        expect(Math.abs((plane[y * (width / scale) + x] as number) - (there - 0.5))).toBeLessThan(1.2);
      }
  }
});

test('what does not move keeps its bytes, up to the last column of a width that is no multiple of a cell', () => {
  const [width, height] = [102, 58];
  const mask = maskOf(width, height);
  const warp = createWarp(slopes(width, height), mask);
  const rest = warp.frame.slice();
  const shifts = new Float32Array(mask.columns * mask.rows).fill(5);
  warp.bend(shifts, shifts);
  expect(Buffer.from(warp.frame).equals(rest)).toBe(true);

  // One cell in the last column: two pixels of luma wide, one of each colour.
  warp.moving[7 * mask.columns + mask.columns - 2] = 1;
  warp.bend(shifts, shifts);
  const changed = [...warp.frame.keys()].filter((at) => warp.frame[at] !== rest[at]);
  const luma = width * height;
  const quarter = luma / 4;
  const allowed = new Set<number>();
  for (let y = 28; y < 32; y++) for (const x of [100, 101]) allowed.add(y * width + x);
  for (const y of [14, 15]) for (const plane of [luma, luma + quarter]) allowed.add(plane + y * 51 + 50);
  expect(changed.length).toBeGreaterThan(8);
  expect(changed.filter((at) => !allowed.has(at))).toEqual([]);
});
