/** Faces in films blink: eyes shut where the rig says, nothing else of the picture changes, and not all the time. */
import { expect, test } from '@jest/globals';
import { perform } from '../../src/engines/embedded/illustrator/perform.ts';
import { lidsOf } from '../../src/engines/embedded/video/blink.ts';
import { readFace } from '../../src/engines/embedded/video/stills.ts';
import type { Rig } from '../../src/engines/ports.ts';

const portrait = (prompt: string) => perform({ kind: 'generate', prompt, width: 512, height: 512, seed: 3 });

test('the lids cover the eyes and nothing else, also in a part of the picture', async () => {
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

test('behind sunglasses nobody blinks, nor where no face is known', async () => {
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
