/**
 * Where the lips of a still are said to be, landmarks corrected by the colours about them, and what is beside them when
 * they are rounded: on painted mouths.
 */
import { expect, test } from '@jest/globals';
import type { Planes } from '../../../../src/engines/embedded/codec/colour.ts';
import { meshFace } from '../../../../src/engines/embedded/renderer/talking-head/mesh/mesh-face.ts';
import { meshPainter } from '../../../../src/engines/embedded/renderer/talking-head/mesh/mesh-painter.ts';
import { COLUMNS, mouthOutline } from '../../../../src/engines/embedded/renderer/talking-head/mesh/mouth-outline.ts';
import type { Rig } from '../../../../src/engines/ports/index.ts';

const SIDE = 400;
const [MIDDLE, LINE, HALF] = [200, 260, 60];
/** Pixels from the lips' inner edges to their outer ones in the middle of the mouth. */
const THICK = 20;

type Colour = [y: number, u: number, v: number];
const SKIN: Colour = [160, 115, 148];
const LIP: Colour = [110, 116, 168];
/** The same lips in blue light. */
const BLUE_LIP: Colour = [140, 140, 142];
const TEETH: Colour = [205, 124, 130];
const DARK: Colour = [40, 126, 136];
const GLINT: Colour = [150, 118, 164];

const MOUTH = {
  innerUpper: [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
  innerLower: [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
  outerUpper: [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
  outerLower: [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291],
};
const bow = (s: number) => 1 - s * s;

/** Landmarks of a face from the front, 250 pixels tall, whose inner lips are `apart` pixels in the middle. */
function rigOf(apart: number): Rig {
  const points = Array.from({ length: 478 }, () => [MIDDLE, 180, 0] as [number, number, number]);
  const set = (index: number, x: number, y: number) => {
    points[index] = [x, y, 0];
  };
  for (const [index, x, y] of [
    [10, 200, 70],
    [152, 200, 320],
    [234, 90, 200],
    [454, 310, 200],
    [33, 140, 170],
    [263, 260, 170],
    [2, 200, 220],
  ] as const)
    set(index, x, y);
  for (const [name, indices] of Object.entries(MOUTH)) {
    const [sign, isOuter] = [name.endsWith('Upper') ? -1 : 1, name.startsWith('outer')];
    for (const [i, index] of indices.entries()) {
      const s = (i / (indices.length - 1)) * 2 - 1;
      set(index, MIDDLE + s * HALF, LINE + sign * (apart / 2 + (isOuter ? THICK : 0)) * bow(s));
    }
  }
  return {
    version: 6,
    source: 'detected',
    face: { x: 0.2, y: 0.2, w: 0.6, h: 0.6 },
    leftEye: { x: 0.35, y: 0.42, rx: 0.05, ry: 0.02 },
    rightEye: { x: 0.65, y: 0.42, rx: 0.05, ry: 0.02 },
    mouth: { x: 0.5, y: 0.65, w: 0.3, h: 0.1 },
    chin: { x: 0.5, y: 0.8 },
    landmarks: points.flatMap(([x, y, z]) => [x / SIDE, y / SIDE, z]),
  };
}

/** A mouth whose lips' outer edges are where those landmarks say, with its inside from `above` to `below` the line. */
function painted(apart: number, above: number, below: number, within: Colour, isBlue: boolean): Planes {
  const source: Planes = {
    width: SIDE,
    height: SIDE,
    y: new Uint8Array(SIDE * SIDE),
    u: new Uint8Array((SIDE * SIDE) / 4),
    v: new Uint8Array((SIDE * SIDE) / 4),
  };
  const at = (x: number, y: number): Colour => {
    const s = (x - MIDDLE) / HALF;
    const d = y - LINE;
    if (Math.abs(s) >= 1 || Math.abs(d) > (apart / 2 + THICK) * bow(s)) return SKIN;
    if (d > -above * bow(s) && d < below * bow(s)) return within;
    return isBlue && s > 0 ? BLUE_LIP : LIP;
  };
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const [luma, u, v] = at(x + 0.5, y + 0.5);
      source.y[y * SIDE + x] = luma;
      const small = (y >> 1) * (SIDE >> 1) + (x >> 1);
      source.u[small] = u;
      source.v[small] = v;
    }
  }
  return source;
}

test.each<[what: string, apart: number, above: number, below: number, within: Colour, isBlue: boolean, parted: number]>(
  [
    ['teeth', 16, 8, 8, TEETH, false, 1],
    ['the dark of a mouth', 16, 8, 8, DARK, false, 1],
    ['teeth, in light of two colours', 16, 8, 8, TEETH, true, 1],
    ['teeth that go on over the lower lip', 16, 8, 15, TEETH, false, 1],
    ['dark that goes on over the lower lip', 16, 8, 15, DARK, false, 1],
    ['teeth that go on over the upper lip', 16, 15, 8, TEETH, false, 1],
    ['teeth where landmarks see closed lips', 0.5, 7, 7, TEETH, false, 1],
    ['a glint on lips that landmarks see apart', 6, 3, 3, GLINT, false, 0],
    ['a glint on lips in light of two colours', 6, 3, 3, GLINT, true, 0],
  ],
)('between the lips: %s', (_what, apart, above, below, within, isBlue, parted) => {
  const face = meshFace(rigOf(apart), SIDE, SIDE);
  const { upper, lower, ...shape } = mouthOutline(face, painted(apart, above, below, within, isBlue));
  expect(shape.parted).toBe(parted);
  // Columns of either half, beside the middle one.
  for (const k of [COLUMNS >> 2, COLUMNS >> 1, COLUMNS - 1 - (COLUMNS >> 2)]) {
    const rise = bow((k / (COLUMNS - 1)) * 2 - 1);
    const [top, bottom] = [upper.v[k] as number, lower.v[k] as number];
    if (parted === 0) {
      expect(bottom - top).toBe(0);
      continue;
    }
    // Edges lie a little within the lips, so that no rim of teeth is left on them, and leave most of the lip.
    expect(-top).toBeGreaterThan(above * rise);
    expect(-top).toBeLessThan(above * rise + 4.5);
    expect(bottom).toBeGreaterThan(below * rise);
    expect(bottom).toBeLessThan(below * rise + 4.5);
  }
});

test('rounded lips leave no line between them in the cheeks', () => {
  const source = painted(0.5, 1, 1, DARK, false);
  // The line goes on beyond the corners, as in most faces.
  for (let y = LINE - 2; y < LINE + 2; y++) {
    for (let x = MIDDLE - HALF * 1.2; x < MIDDLE + HALF * 1.2; x++) {
      if (Math.abs(x + 0.5 - MIDDLE) > HALF * 0.9) source.y[y * SIDE + x] = DARK[0];
    }
  }
  const side = SIDE / 2;
  const zero = new Float32Array(1);
  const shut = { press: zero, bite: zero, tongue: zero, kept: zero };
  const mouths = { ...shut, open: Float32Array.of(0.27), wide: Float32Array.of(-1) };
  const still = { lids: zero, gazeX: zero, gazeY: zero, brows: zero, swayX: zero, swayY: zero };
  const motion = { ...still, yaw: zero, pitch: zero, roll: zero, breath: zero };
  const painter = meshPainter({ width: side, height: side, source }, rigOf(0.5), mouths, motion);
  painter.draw(0);
  const light = (x: number, y: number) => painter.frame[Math.round(y / 2) * side + Math.round(x / 2)] as number;
  const darker = [-1, 1].flatMap((sign) =>
    [0.8, 0.9, 1, 1.1, 1.2].map((s) => {
      const x = MIDDLE + sign * s * HALF;
      return (
        Math.min(light(x, LINE - 24), light(x, LINE + 24)) -
        Math.min(...[-4, -2, 0, 2, 4].map((d) => light(x, LINE + d)))
      );
    }),
  );
  expect(Math.max(...darker)).toBeLessThan(12);
});

test('lips have no sharp cut between them and the teeth', () => {
  const zero = new Float32Array(1);
  const mouths = { press: zero, bite: zero, tongue: zero, kept: zero, open: Float32Array.of(0.6), wide: zero };
  const still = { lids: zero, gazeX: zero, gazeY: zero, brows: zero, swayX: zero, swayY: zero };
  const motion = { ...still, yaw: zero, pitch: zero, roll: zero, breath: zero };
  const [source, side] = [painted(0.5, 1, 1, DARK, false), SIDE / 2];
  const painter = meshPainter({ width: side, height: side, source }, rigOf(0.5), mouths, motion);
  painter.draw(0);
  const column = Array.from({ length: 30 }, (_, i) => painter.frame[(LINE / 2 - 15 + i) * side + MIDDLE / 2] as number);
  const teeth = column.indexOf(Math.max(...column));
  // How much darker than the upper lip it is right below its edge.
  expect(LIP[0] - Math.min(...column.slice(0, teeth))).toBeLessThan(16);
});
