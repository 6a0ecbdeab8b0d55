/** Faces in videos blink and sway: eyes shut where the rig says, heads move a little, and the shoulders stay. */
import { expect, test } from '@jest/globals';
import { emptyCanvas } from '../../../../src/engines/embedded/renderer/graphics/canvas.ts';
import { runTask } from '../../../../src/engines/embedded/renderer/illustrator/run-task.ts';
import { lidsOf } from '../../../../src/engines/embedded/renderer/video/blink.ts';
import { readFace } from '../../../../src/engines/embedded/renderer/video/stills.ts';
import { drawSwaying } from '../../../../src/engines/embedded/renderer/video/sway.ts';
import type { Rig } from '../../../../src/engines/ports/index.ts';

const portrait = (prompt: string) => runTask({ kind: 'generate', prompt, width: 512, height: 512, seed: 3 });

test('the lids cover the eyes and nothing else, also in a part of the image', async () => {
  const { image, rig } = await portrait('portrait of a woman');
  const [width, height] = [300, 400];
  const { open, shut } = await readFace(image, 'image', width, height, rig);
  const [before, after] = [open, shut!].map((one) => one.getContext('2d').getImageData(0, 0, width, height).data);
  // The cut takes the middle three quarters of the width.
  const inCut = ({ x, y, rx, ry }: Rig['leftEye']) => ({ x: (x - 0.125) / 0.75, y, rx: rx / 0.75, ry });
  const eyes = [inCut(rig!.leftEye), inCut(rig!.rightEye)];
  let [inside, outside] = [0, 0];
  for (let i = 0; i < before!.length; i += 4) {
    if (Math.abs(before![i]! - after![i]!) < 12) continue;
    const [x, y] = [((i / 4) % width) / width, Math.floor(i / 4 / width) / height];
    const isEye = eyes.some((eye) => Math.abs(x - eye.x) < eye.rx * 1.6 && Math.abs(y - eye.y) < eye.ry * 2.4);
    if (isEye) inside += 1;
    else outside += 1;
  }
  expect(inside).toBeGreaterThan(60);
  expect(outside).toBe(0);
});

test('behind sunglasses there is no blink, nor where no face is known', async () => {
  const { image, rig } = await portrait('portrait of a man with sunglasses');
  expect((await readFace(image, 'image', 300, 300, rig)).shut).toBeUndefined();
  expect((await readFace(image, 'image', 300, 300)).shut).toBeUndefined();
});

test('blinks are short and some seconds apart; the first frame looks at the viewer', () => {
  const lids = lidsOf(20, 24, 7, 'somebody');
  const frames = Array.from({ length: 480 }, (_, index) => lids(index / 24));
  expect(frames[0]).toBe(0);
  const starts = frames.filter((lid, index) => lid > 0 && !frames[index - 1]).length;
  expect(starts).toBeGreaterThanOrEqual(4);
  expect(starts).toBeLessThanOrEqual(10);
  expect(frames.filter((lid) => lid > 0).length).toBeLessThan(60);
  expect(Math.max(...frames)).toBeGreaterThan(0.9);
});

test('a head sways over shoulders that stay; the first moment is the image as it is', async () => {
  const { image, rig } = await portrait('portrait of a woman');
  const { open, face } = await readFace(image, 'image', 512, 512, rig);
  const at = (t: number) => {
    const { canvas, ctx } = emptyCanvas(500, 500);
    drawSwaying(ctx, open, [-6, -6, 512, 512], face!, t, 500);
    return canvas.getContext('2d').getImageData(0, 0, 500, 500).data;
  };
  const moved = (from: number, to: number, one: Uint8ClampedArray, other: Uint8ClampedArray) => {
    let sum = 0;
    for (let i = from * 2000; i < to * 2000; i += 4) sum += Math.abs(one[i]! - other[i]!);
    return sum / ((to - from) * 500);
  };
  const [start, later] = [at(0), at(2.2)];
  const { canvas, ctx } = emptyCanvas(500, 500);
  ctx.drawImage(open, -6, -6);
  const still = canvas.getContext('2d').getImageData(0, 0, 500, 500).data;
  expect(moved(0, 500, start, still)).toBeLessThan(0.5);
  expect(moved(150, 300, later, start)).toBeGreaterThan(1);
  expect(moved(470, 500, later, start)).toBeLessThan(0.5);
  expect(moved(0, 500, at(2.2), later)).toBe(0);
});
