/**
 * The face detector on drawn images: where it says the parts of a face are, and that it stays silent elsewhere. The photographs:
 * Eileen Collins by NASA, in the public domain, and a cat named Chelsea by Stéfan van der Walt (CC0).
 */

import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import sharp, { type Sharp } from 'sharp';
import { createFaceDetector, type Detection } from '../../../src/engines/embedded/faces/index.ts';
import { type DrawnFace, drawFace, negatives, paintImage, portrait, turnedHead } from './images.ts';

const detector = createFaceDetector();
afterAll(() => detector.close());

interface Size {
  width: number;
  height: number;
}

/** Distances of the found points from the truth, as shares of the face's width (eyes) and height (mouth, chin). */
function errors({ rig }: Detection, truth: DrawnFace, { width, height }: Size) {
  const away = (found: { x: number; y: number }, real: { x: number; y: number }) =>
    Math.hypot(found.x * width - real.x, found.y * height - real.y);
  return {
    leftEye: away(rig.leftEye, truth.leftEye) / truth.width,
    rightEye: away(rig.rightEye, truth.rightEye) / truth.width,
    mouth: away(rig.mouth, truth.mouth) / truth.height,
    chin: away(rig.chin, truth.chin) / truth.height,
  };
}

function expectNear(found: Detection | undefined, truth: DrawnFace, size: Size): void {
  if (!found) throw new Error('No face was found.');
  const error = errors(found, truth, size);
  expect(error.leftEye).toBeLessThan(0.06);
  expect(error.rightEye).toBeLessThan(0.06);
  expect(error.mouth).toBeLessThan(0.08);
  expect(error.chin).toBeLessThan(0.15);
}

/** A painted scene with one face at (x, y) of the given eye distance. */
function scene(width: number, height: number, x: number, y: number, unit: number, skin?: string) {
  let truth!: DrawnFace;
  const image = paintImage(width, height, (g) => {
    g.fillStyle = '#8aa0a8';
    g.fillRect(0, 0, width, height);
    truth = drawFace(g, x, y, unit, skin);
  });
  return { image, truth, size: { width, height } };
}

describe('a face is found', () => {
  test('with all a rig needs, the same in another file of the same pixels', async () => {
    const { image, truth } = portrait();
    const found = await detector.detect(image);
    expectNear(found, truth, { width: 640, height: 640 });
    const { rig, confidence } = found as Detection;
    expect(confidence).toBeGreaterThan(0.7);
    expect(rig).toMatchObject({ version: 6, source: 'detected' });
    expect(rig.landmarks).toHaveLength(478 * 3);
    expect(rig.skin).toMatch(/^#[0-9a-f]{6}$/);
    expect(rig.leftEye.x).toBeLessThan(rig.rightEye.x);
    expect(rig.leftBrow?.y).toBeLessThan(rig.leftEye.y);
    expect(rig.head?.length).toBeGreaterThan(20);
    const top = Math.min(...(rig.head as { y: number }[]).map(({ y }) => y));
    // The drawn hair ends 1.75 eye distances of 110 pixels above the eyes.
    expect(top * 640).toBeGreaterThan(260 - 2.05 * 110);
    expect(top * 640).toBeLessThan(260 - 1.45 * 110);
    // Other bytes: it remembers what it found in a file.
    expect(await detector.detect(await sharp(image).png({ compressionLevel: 1 }).toBuffer())).toEqual(found);
  });

  test.each([
    ['at the left', 900, 600, 180, 250, 60, undefined],
    ['at the lower right', 900, 700, 700, 420, 55, undefined],
    ['in a tall image', 400, 1100, 200, 300, 70, undefined],
    ['filling the image', 500, 500, 250, 230, 125, undefined],
    ['small in a wide image', 1400, 600, 700, 250, 42, undefined],
    ['with dark skin', 640, 640, 320, 260, 100, '#6b3f28'],
    ['with light skin', 640, 640, 320, 260, 100, '#f3d3bd'],
    ['in 4000 x 3000', 4000, 3000, 2100, 1200, 420, undefined],
    ['in 64 x 64', 64, 64, 32, 27, 12, undefined],
  ] as const)('%s', async (_where, width, height, x, y, unit, skin) => {
    const { image, truth, size } = scene(width, height, x, y, unit, skin);
    expectNear(await detector.detect(image), truth, size);
  });

  test.each<[string, (image: Uint8Array) => Promise<Uint8Array>]>([
    ['grey', (image) => sharp(image).greyscale().png().toBuffer()],
    ['a one-channel JPEG', (image) => sharp(image).toColourspace('b-w').jpeg().toBuffer()],
    ['a strongly compressed JPEG', (image) => sharp(image).jpeg({ quality: 15 }).toBuffer()],
    ['WebP', (image) => sharp(image).webp().toBuffer()],
    ['a 16 bit PNG', (image) => sharp(image).toColourspace('rgb16').png().toBuffer()],
    ['a CMYK JPEG', (image) => sharp(image).toColourspace('cmyk').jpeg().toBuffer()],
    ['dark', (image) => sharp(image).linear(0.4, 0).png().toBuffer()],
    ['washed out', (image) => sharp(image).linear(0.6, 100).png().toBuffer()],
    ['out of focus', (image) => sharp(image).blur(4).png().toBuffer()],
  ])('in an image that is %s', async (_what, change) => {
    const { image, truth } = portrait();
    expectNear(await detector.detect(await change(image)), truth, { width: 640, height: 640 });
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('as EXIF orientation %i turns it', async (orientation) => {
    const { image, truth, size } = scene(700, 500, 220, 200, 70);
    // Stored turned the other way, so that the viewer's turn restores it.
    const stored = await unturn(image, orientation);
    const jpeg = await sharp(stored).withMetadata({ orientation }).jpeg().toBuffer();
    expectNear(await detector.detect(jpeg), truth, size);
  });

  test('on a transparent ground', async () => {
    let truth!: DrawnFace;
    const image = paintImage(600, 600, (g) => {
      truth = drawFace(g, 300, 240, 95);
    });
    expectNear(await detector.detect(image), truth, { width: 600, height: 600 });
  });

  test.each([-14, -8, 8, 14])('when the head leans by %i degrees', async (degrees) => {
    const { image } = portrait();
    const canvas = createCanvas(640, 640);
    const g = canvas.getContext('2d');
    g.fillStyle = '#7f93a6';
    g.fillRect(0, 0, 640, 640);
    g.translate(320, 320);
    g.rotate((degrees * Math.PI) / 180);
    g.drawImage(await loadImage(Buffer.from(image)), -320, -320);
    const found = await detector.detect(canvas.toBuffer('image/png'));
    const { leftEye, rightEye } = (found as Detection).rig;
    const lean = (Math.atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x) * 180) / Math.PI;
    expect(Math.abs(lean - degrees)).toBeLessThan(4);
  });

  test.each([
    ['the larger one', [260, 240, 80], [720, 260, 45], 0],
    ['the central one of equals', [150, 260, 60], [500, 260, 60], 1],
  ] as const)('of several: %s', async (_which, first, second, wanted) => {
    const truths: DrawnFace[] = [];
    const image = paintImage(960, 640, (g) => {
      g.fillStyle = '#8aa0a8';
      g.fillRect(0, 0, 960, 640);
      for (const [x, y, unit] of [first, second]) truths.push(drawFace(g, x, y, unit));
    });
    expectNear(await detector.detect(image), truths[wanted]!, { width: 960, height: 640 });
  });

  test('while the calling thread stays free', async () => {
    const { image } = scene(660, 660, 330, 270, 100);
    const search = detector.detect(image);
    let turns = 0;
    let done = false;
    void search.finally(() => {
      done = true;
    });
    while (!done) {
      turns++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(turns).toBeGreaterThan(20);
  });
});

/** The image stored so that a viewer who obeys the orientation sees the original. */
function unturn(image: Uint8Array, orientation: number): Promise<Uint8Array> {
  const still = sharp(image);
  const moves: Record<number, () => Sharp> = {
    1: () => still,
    2: () => still.flop(),
    3: () => still.rotate(180),
    4: () => still.flip(),
    5: () => still.rotate(270).flop(),
    6: () => still.rotate(270),
    7: () => still.rotate(90).flop(),
    8: () => still.rotate(90),
  };
  return moves[orientation]!().png().toBuffer();
}

describe('no face is found', () => {
  test('in images of other things: at most one of them all', async () => {
    const images = await negatives();
    expect(images.length).toBeGreaterThanOrEqual(20);
    const wrong: string[] = [];
    for (const { name, image } of images) if (await detector.detect(image)) wrong.push(name);
    expect(wrong.length).toBeLessThanOrEqual(1);
  });

  test.each([
    [1, 1],
    [2, 300],
    [40, 40],
    [3000, 20],
  ])('in an image of %i x %i pixels', async (width, height) => {
    expect(await detector.detect(scene(width, height, width / 2, height / 2, 10).image)).toBeUndefined();
  });

  test('in an image turned upside down', async () => {
    const image = await sharp(portrait().image).rotate(180).png().toBuffer();
    expect(await detector.detect(image)).toBeUndefined();
  });
});

describe('what is no image is refused', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>';
  test.each<[string, () => Uint8Array | Promise<Uint8Array>]>([
    ['nothing', () => new Uint8Array()],
    ['text', () => Buffer.from('not an image at all')],
    ['SVG', () => Buffer.from(svg)],
    ['GIF', () => sharp(portrait().image).gif().toBuffer()],
    ['TIFF', () => sharp(portrait().image).tiff().toBuffer()],
    ['a PNG that stops after its signature', () => portrait().image.slice(0, 40)],
    [
      'more pixels than allowed',
      () =>
        sharp({ create: { width: 8000, height: 5100, channels: 3, background: '#777' } })
          .png({ compressionLevel: 1 })
          .toBuffer(),
    ],
  ])('%s', async (_what, make) => {
    const attempt = detector.detect(await make());
    await expect(attempt).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringMatching(/^image /) });
  });

  test('and the detector goes on', async () => {
    expect(await detector.detect(portrait().image)).toBeDefined();
  });
});

describe('a head that is turned', () => {
  const turned = async (degrees: number, lean: number) => {
    const image = await readFile(new URL('../../fixtures/astronaut.jpg', import.meta.url));
    const { landmarks } = (await detector.detect(new Uint8Array(image)))!.rig;
    const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const rgb = turnedHead({ rgb: data, width, height }, landmarks!, degrees);
    const cut = {
      left: Math.round(width * 0.2),
      top: 0,
      width: Math.round(width * 0.5),
      height: Math.round(height * 0.45),
    };
    const head = sharp(rgb, { raw: { width, height, channels: 3 } })
      .extract(cut)
      .resize(500)
      .median(3);
    return sharp(await head.png().toBuffer())
      .rotate(lean, { background: '#808080' })
      .png()
      .toBuffer();
  };

  test.each([-25, 0, 25])('by 30 degrees is found, leaning by %i', async (lean) => {
    expect(await detector.detect(await turned(30, lean))).toBeDefined();
  });

  // Its nose is below its ears, so that it comes to lie between them as the head leans.
  test.each([-25, 0, 25])('by 70 degrees is not, leaning by %i', async (lean) => {
    expect(await detector.detect(await turned(70, lean))).toBeUndefined();
  });
});

test('an animal has no face that speaks: the mouth would open in its snout', async () => {
  const image = await readFile(new URL('../../fixtures/cat.jpg', import.meta.url));
  expect(await detector.detect(new Uint8Array(image))).toBeUndefined();
});

test('the face that the caller pointed at is found beside a larger one', async () => {
  let meant!: DrawnFace;
  const size = { width: 960, height: 640 };
  const image = paintImage(size.width, size.height, (g) => {
    g.fillStyle = '#8aa0a8';
    g.fillRect(0, 0, size.width, size.height);
    drawFace(g, 260, 240, 80);
    meant = drawFace(g, 720, 260, 45);
  });
  const share = ({ x, y }: { x: number; y: number }) => ({ x: x / size.width, y: y / size.height });
  const eye = (point: { x: number; y: number }) => ({ ...share(point), rx: 0.02, ry: 0.01 });
  const near = {
    leftEye: eye(meant.leftEye),
    rightEye: eye(meant.rightEye),
    mouth: { ...share(meant.mouth), w: 0.05, h: 0.02 },
  };
  expectNear(await detector.detect(image, near), meant, size);
  const nobody = { ...near, mouth: { ...near.mouth, y: 0.9 } };
  expect(await detector.detect(image, nobody)).toBeUndefined();
});

test('a closed detector refuses', async () => {
  const other = createFaceDetector();
  await other.close();
  await expect(other.detect(portrait().image)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
