/** How firmly the lips of a face are pressed, which is found by looking at them. The photograph is that of `mesh.test.ts`. */
import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { createFaceDetector } from '../../../../src/engines/embedded/faces/index.ts';
import { createPressFitter, type LipsApart } from '../../../../src/engines/embedded/renderer/talking-head/fit-press.ts';

const detector = createFaceDetector();
afterAll(() => detector.close());

const photograph = async () =>
  new Uint8Array(await readFile(new URL('../../../fixtures/astronaut.jpg', import.meta.url)));

/** The press of the face of an image, by someone who looks at its shut lips; the looks, and what failed. */
async function fitted(image: Uint8Array, lipsApart: LipsApart) {
  const looks: number[] = [];
  const failures: unknown[] = [];
  const fitter = createPressFitter({
    lipsApart: async (...what) => {
      const apart = await lipsApart(...what);
      looks.push(apart);
      return apart;
    },
    onFitFailed: (error) => failures.push(error),
  });
  try {
    const { rig } = (await detector.detect(image))!;
    const found = await fitter.fit(image, rig);
    const looked = looks.length;
    // What has its press is not looked at again.
    if (found.press !== undefined) expect(await fitter.fit(image, found)).toBe(found);
    expect(looks).toHaveLength(looked);
    return { press: found.press, isSame: found === rig, looks, failures };
  } finally {
    await fitter.close();
  }
}

test('lips that the models see shut are pressed lightly', async () => {
  const { press, looks } = await fitted(await photograph(), detector.lipsApart);
  expect(press).toBeLessThan(1);
  expect(looks.length).toBeGreaterThan(0);
});

test('lips are pressed the more firmly the longer they are seen apart', async () => {
  const image = await photograph();
  const seenShutAfter = async (looks: number) => {
    let count = 0;
    const { press } = await fitted(image, async () => (count++ < looks ? 0.02 : 0.001));
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
  const { press } = await fitted(await photograph(), async () => apart[count++] ?? 0.04);
  expect(press).toBe(before > 0.021 ? 0.7 : 0.35);
});

test('a face whose lips could not be looked at is a face like any other', async () => {
  const failed = new Error('No look.');
  const { press, isSame, failures } = await fitted(await photograph(), () => Promise.reject(failed));
  expect(press).toBeUndefined();
  expect(isSame).toBe(true);
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
  const { press, isSame, looks } = await fitted(masked, detector.lipsApart);
  expect(isSame).toBe(true);
  expect(press).toBeUndefined();
  expect(looks).toEqual([]);
});
