/** How firmly the lips of a face are pressed, which is found by looking at them. The photograph is that of `mesh.test.ts`. */
import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { createFaceDetector } from '../../../../src/engines/embedded/faces/index.ts';
import { createFaceSearch } from '../../../../src/engines/embedded/renderer/talking-head/face-search.ts';
import type { LipsApart } from '../../../../src/engines/embedded/renderer/talking-head/fit-press.ts';

const detector = createFaceDetector();
afterAll(() => detector.close());

const photograph = async () =>
  new Uint8Array(await readFile(new URL('../../../fixtures/astronaut.jpg', import.meta.url)));

/** The face of an image, by someone who looks at its shut lips; the looks, and what failed. */
async function searched(image: Uint8Array, lipsApart: LipsApart) {
  const looks: number[] = [];
  const failures: unknown[] = [];
  const search = createFaceSearch({
    detect: detector.detect,
    lipsApart: async (...what) => {
      const apart = await lipsApart(...what);
      looks.push(apart);
      return apart;
    },
    onDetectFailed: (error) => failures.push(error),
  });
  try {
    const [found, again] = [await search.find(image), await search.find(image)];
    expect(again).toBe(found);
    return { press: found?.rig.press, hasLandmarks: !!found?.rig.landmarks, looks, failures };
  } finally {
    await search.close();
  }
}

test('lips that the models see shut are pressed lightly', async () => {
  const { press, looks } = await searched(await photograph(), detector.lipsApart);
  expect(press).toBeLessThan(1);
  expect(looks.length).toBeGreaterThan(0);
});

test('lips are pressed the more firmly the longer they are seen apart', async () => {
  const image = await photograph();
  const seenShutAfter = async (looks: number) => {
    let count = 0;
    const { press } = await searched(image, async () => (count++ < looks ? 0.02 : 0.001));
    return press as number;
  };
  const [light, firm, firmest] = [await seenShutAfter(0), await seenShutAfter(4), await seenShutAfter(8)];
  expect(light).toBe(0);
  expect(firm).toBeGreaterThan(light);
  expect(firmest).toBeGreaterThan(firm);
});

test.each([
  ['the one that comes nearest', 0.022],
  ['a lighter one that comes all but as near', 0.0203],
])('where no press has the lips seen shut it is %s', async (_which, before) => {
  let count = 0;
  // Four poses each: what is apart further than it was before is not looked at to its end.
  const apart = [0.05, before, 0.02, 0.03].flatMap((one) => [one, one, one, one]);
  const { press } = await searched(await photograph(), async () => apart[count++] ?? 0.04);
  expect(press).toBe(before > 0.021 ? 0.7 : 0.35);
});

test('a face whose lips could not be looked at is a face like any other', async () => {
  const failed = new Error('No look.');
  const { press, hasLandmarks, failures } = await searched(await photograph(), () => Promise.reject(failed));
  expect(press).toBeUndefined();
  expect(hasLandmarks).toBe(true);
  expect(failures).toEqual([failed]);
});

test('a mouth behind a mask is not looked at', async () => {
  const { rig } = (await detector.detect(await photograph()))!;
  const loaded = await loadImage(await photograph());
  const canvas = createCanvas(loaded.width, loaded.height);
  const g = canvas.getContext('2d');
  g.drawImage(loaded, 0, 0);
  const { face, mouth } = rig;
  const top = (mouth.y - mouth.h * 2) * canvas.height;
  g.fillStyle = '#9cc4dd';
  g.fillRect(face.x * canvas.width, top, face.w * canvas.width, (face.y + face.h * 1.1) * canvas.height - top);
  const masked = new Uint8Array(canvas.toBuffer('image/png'));
  const { press, hasLandmarks, looks } = await searched(masked, detector.lipsApart);
  expect(hasLandmarks).toBe(true);
  expect(press).toBeUndefined();
  expect(looks).toEqual([]);
});
