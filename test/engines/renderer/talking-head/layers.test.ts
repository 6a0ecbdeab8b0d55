/** A portrait of our own art that speaks, measured on the frames it is drawn as: mouth by sound, lids, gaze, turns. */
import { describe, expect, test } from '@jest/globals';
import { createCanvas } from '@napi-rs/canvas';
import { planesOf, toI420, toRgba } from '../../../../src/engines/embedded/codec/colour.ts';
import { drawStill, type Look, type Pose, REST } from '../../../../src/engines/embedded/renderer/graphics/art/index.ts';
import { describePerson, lookOf } from '../../../../src/engines/embedded/renderer/graphics/portrait/index.ts';
import { layeredPainter } from '../../../../src/engines/embedded/renderer/talking-head/layered-painter.ts';
import type { MotionTrack } from '../../../../src/engines/embedded/renderer/talking-head/motion.ts';
import type { MouthTrack } from '../../../../src/engines/embedded/renderer/talking-head/mouth-track.ts';

const SIDE = 320;
const woman = lookOf(describePerson('a young woman with long black hair, no glasses, in a red dress', 7), 7);
const dog: Look = { ...woman, head: 'dog', over: [] };

/** Frames of poses, in turn, as RGBA. */
function framesOf(look: Look, poses: Partial<Pose>[]): Uint8Array[] {
  const tracks = Object.fromEntries(
    (Object.keys(REST) as (keyof Pose)[]).map((key) => [key, Float32Array.from(poses, (pose) => pose[key] ?? 0)]),
  ) as unknown as MouthTrack & MotionTrack;
  const painter = layeredPainter(look, { width: SIDE, height: SIDE }, tracks, tracks);
  return poses.map((_, index) => {
    painter.draw(index);
    return toRgba(planesOf(painter.frame.slice(), SIDE, SIDE));
  });
}

interface Area {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** How many pixels of an area are dark or red inside, as an open mouth is. */
function openness(rgba: Uint8Array, { x, y, w, h }: Area): number {
  let count = 0;
  for (let row = Math.round(y * SIDE); row < (y + h) * SIDE; row++) {
    for (let column = Math.round(x * SIDE); column < (x + w) * SIDE; column++) {
      const at = (row * SIDE + column) * 4;
      const [r, g] = [rgba[at] as number, rgba[at + 1] as number];
      if (g < 95 && r < 190) count++;
    }
  }
  return count;
}

const change = (one: Uint8Array, other: Uint8Array, { x, y, w, h }: Area): number => {
  let [sum, count] = [0, 0];
  for (let row = Math.round(y * SIDE); row < (y + h) * SIDE; row++) {
    for (let column = Math.round(x * SIDE); column < (x + w) * SIDE; column++) {
      const at = (row * SIDE + column) * 4;
      for (let c = 0; c < 3; c++) sum += Math.abs((one[at + c] as number) - (other[at + c] as number));
      count += 3;
    }
  }
  return sum / count;
};

const POSES = [
  {},
  { press: 1 },
  { open: 0.95 },
  { open: 0.27, wide: -1 },
  { open: 0.24, wide: 0.85 },
  { lids: 1 },
  { gazeX: 1 },
  { yaw: 1 },
  { brows: 1 },
  { breath: 1 },
  {},
] satisfies Partial<Pose>[];

describe.each([
  ['a woman', woman],
  ['a dog', dog],
])('%s', (_who, look) => {
  const frames = framesOf(look, POSES);
  const [rest, pressed, open, round, wide, shut, aside, turned, , breathing, again] = frames as [...Uint8Array[]] as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const { rig } = drawStill(look, SIDE, SIDE);
  const mouth: Area = { x: rig.mouth.x - rig.mouth.w * 0.7, y: rig.mouth.y - 0.02, w: rig.mouth.w * 1.4, h: 0.13 };
  const eyes: Area = {
    x: rig.leftEye.x - rig.leftEye.rx,
    y: rig.leftEye.y - rig.leftEye.ry,
    w: rig.rightEye.x - rig.leftEye.x + rig.leftEye.rx * 2,
    h: rig.leftEye.ry * 2,
  };

  test('is at rest what its still is', () => {
    const { canvas } = drawStill(look, SIDE, SIDE);
    const still = toRgba(planesOf(toI420(new Uint8Array(canvas.data()), SIDE, SIDE), SIDE, SIDE));
    expect(change(rest, still, { x: 0, y: 0, w: 1, h: 1 })).toBeLessThan(1);
  });

  test('closes its mouth at p, b, m, opens it at a, and rounds it at u', () => {
    expect(openness(pressed, mouth)).toBeLessThanOrEqual(openness(rest, mouth) * 1.1);
    expect(openness(open, mouth)).toBeGreaterThan(openness(rest, mouth) * 1.5);
    expect(change(round, wide, mouth)).toBeGreaterThan(1.5);
  });

  test('shuts its eyes, and looks aside', () => {
    expect(change(rest, shut, eyes)).toBeGreaterThan(6);
    expect(change(rest, aside, eyes)).toBeGreaterThan(0.8);
  });

  test('turns its features further than its head, and breathes', () => {
    expect(change(rest, turned, { x: 0.35, y: 0.3, w: 0.3, h: 0.35 })).toBeGreaterThan(1);
    expect(change(rest, breathing, { x: 0.1, y: 0.7, w: 0.8, h: 0.3 })).toBeGreaterThan(0.1);
  });

  test('leaves the wall as it was, and comes back to rest', () => {
    for (const frame of frames) expect(change(rest, frame, { x: 0, y: 0, w: 0.1, h: 0.5 })).toBe(0);
    // Where a shoulder's edge is cut by the part that is drawn anew, a grey level may stay.
    expect(change(rest, again, { x: 0, y: 0, w: 1, h: 1 })).toBeLessThan(0.01);
  });
});

test('a canvas gives its pixels red first', () => {
  const canvas = createCanvas(2, 2);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#ff0000';
  pen.fillRect(0, 0, 2, 2);
  expect([...canvas.data().subarray(0, 4)]).toEqual([255, 0, 0, 255]);
});
