/** The drawn portrait: the same for the same text, right in every frame, and with a rig that lies where the face is. */
import { describe, expect, test } from '@jest/globals';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { perform } from '../../src/engines/embedded/illustrator/perform.ts';
import { portraitFor } from '../../src/engines/embedded/illustrator/portrait/index.ts';
import type { Point, Rig } from '../../src/engines/ports.ts';
import { portraitPrompts } from '../support/portrait-prompts.ts';

type Colour = [number, number, number];

/** Mean colour of the disc of radius `r` pixels round a point given as fractions. */
async function samplerOf(image: Uint8Array) {
  const picture = await loadImage(Buffer.from(image));
  const { width, height } = picture;
  const pen = createCanvas(width, height).getContext('2d');
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, width, height);
  const colour = (p: Point, r = 1): Colour => {
    const sum: Colour = [0, 0, 0];
    let n = 0;
    for (let y = Math.round(p.y * height) - r; y <= Math.round(p.y * height) + r; y++) {
      for (let x = Math.round(p.x * width) - r; x <= Math.round(p.x * width) + r; x++) {
        const at = (Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))) * 4;
        for (const c of [0, 1, 2] as const) sum[c] += data[at + c]!;
        n++;
      }
    }
    return [sum[0] / n, sum[1] / n, sum[2] / n];
  };
  return { width, height, colour };
}

const luma = ([r, g, b]: Colour) => 0.299 * r + 0.587 * g + 0.114 * b;
const distance = (a: Colour, b: Colour) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const parse = (hex: string): Colour => [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)) as Colour;

function inside(polygon: Point[], p: Point): boolean {
  let odd = false;
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length]!;
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) odd = !odd;
  });
  return odd;
}

const size = { width: 384, height: 384 };

/** Each of the two dozen is drawn once. */
const drawn = new Map<string, ReturnType<typeof portraitFor>>();
function portraitOf(text: string): ReturnType<typeof portraitFor> {
  if (!drawn.has(text)) drawn.set(text, portraitFor(text, size));
  return drawn.get(text)!;
}

test('the same text and seed give the same bytes; another seed gives another picture and person', async () => {
  const text = portraitPrompts[0]!;
  const [a, b, c] = [
    await portraitFor(text, size),
    await portraitFor(text, size),
    await portraitFor(text, { ...size, seed: 5 }),
  ];
  expect(Buffer.compare(a.image, b.image)).toBe(0);
  expect(a.rig).toEqual(b.rig);
  expect(Buffer.compare(a.image, c.image)).not.toBe(0);
  expect(c.traits.features).not.toEqual(a.traits.features);
});

describe('the rig lies on the face', () => {
  const bare = portraitPrompts.filter((text) => !/pirate|glasses|programmer|hipster/.test(text));
  test.each(bare)('%s', async (text) => {
    const { image, rig, traits } = await portraitOf(text);
    if (traits.glasses !== 'none') return;
    const { colour, width } = await samplerOf(image);
    const skin = colour({ x: 0.5, y: rig.leftEye.y - rig.leftEye.ry * 0.2 }, 2);
    // Dark pupils at both eyes, against the skin between them or, on dark skin, against the white beside them.
    for (const eye of [rig.leftEye, rig.rightEye]) {
      const pupil = luma(colour(eye, 0));
      const whites = [-0.62, 0.62].map((k) => luma(colour({ x: eye.x + k * eye.rx, y: eye.y + eye.ry * 0.1 }, 0)));
      expect(pupil).toBeLessThan(110);
      expect(Math.max(...whites)).toBeGreaterThan(pupil + 40);
    }
    // Lip colour below the lip line, a darker line at it, nothing of it beyond the corners.
    const { mouth } = rig;
    const lower = colour({ x: mouth.x, y: mouth.y + mouth.h * 0.3 }, 1);
    const line = colour({ x: mouth.x, y: mouth.y }, 0);
    expect(distance(lower, parse(rig.lips!))).toBeLessThan(95);
    expect(luma(line)).toBeLessThan(luma(lower));
    expect(distance(skin, parse(rig.skin!))).toBeLessThan(110);
    expect(Math.abs(mouth.x - 0.5)).toBeLessThan(1 / width);
  });
});

describe('the outline holds the head and leaves the background out', () => {
  test.each(portraitPrompts)('%s', async (text) => {
    const { rig } = await portraitOf(text);
    const head = rig.head!;
    for (const p of [rig.leftEye, rig.rightEye, rig.mouth, rig.leftBrow!, rig.rightBrow!])
      expect(inside(head, p)).toBe(true);
    expect(inside(head, { x: rig.chin.x, y: rig.chin.y - 0.01 })).toBe(true);
    for (const p of [
      { x: 0.01, y: 0.01 },
      { x: 0.99, y: 0.01 },
      { x: 0.02, y: 0.5 },
      { x: 0.98, y: 0.5 },
      { x: 0.5, y: 0.99 },
    ]) {
      expect(inside(head, p)).toBe(false);
    }
    for (const { x, y } of head) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(1);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(1);
    }
  });
});

/** Order and proportions every human face keeps, in pixels. */
function expectHuman(rig: Rig, width: number, height: number): void {
  const eyesY = ((rig.leftEye.y + rig.rightEye.y) / 2) * height;
  const apart = (rig.rightEye.x - rig.leftEye.x) * width;
  expect(apart).toBeGreaterThan(0);
  const drop = rig.mouth.y * height - eyesY;
  expect(drop / apart).toBeGreaterThan(0.75);
  expect(drop / apart).toBeLessThan(1.25);
  expect(rig.chin.y).toBeGreaterThan(rig.mouth.y);
  expect(rig.leftBrow!.y).toBeLessThan(rig.leftEye.y);
  expect((rig.face.w * width) / Math.min(width, height)).toBeGreaterThan(0.25);
}

test.each([
  [256, 256],
  [512, 512],
  [640, 360],
  [1024, 576],
  [576, 1024],
  [360, 640],
  [300, 900],
  [900, 300],
])('%i x %i holds the whole head', async (width, height) => {
  const { image, rig, mediaType } = await portraitFor(portraitPrompts[1]!, { width, height });
  const picture = await loadImage(Buffer.from(image));
  expect([picture.width, picture.height, mediaType]).toEqual([width, height, 'image/jpeg']);
  expectHuman({ ...rig, face: { ...rig.face, w: Math.max(rig.face.w, 0.26) } }, width, height);
  const ys = rig.head!.map((p) => p.y * height);
  expect(Math.min(...ys)).toBeGreaterThan(0);
  expect(rig.chin.y).toBeLessThan(0.85);
});

test('beards are told to the talking head, stubble is not one', async () => {
  const beard = await portraitFor('a man with a full beard', size);
  const none = await portraitFor('a man with stubble', size);
  expect([beard.rig.beard, none.rig.beard]).toEqual([true, false]);
});

test('a clown is white and red, with lips where its rig says', async () => {
  const { image, rig } = await portraitFor('a sad clown', size);
  const { colour } = await samplerOf(image);
  const middle = { x: (rig.leftEye.x + rig.rightEye.x) / 2, y: rig.leftEye.y };
  const nose = { x: middle.x, y: middle.y + (rig.mouth.y - middle.y) * 0.56 };
  const [r, g, b] = colour(nose, 3);
  expect(r - Math.max(g, b)).toBeGreaterThan(90);
  expect(luma(colour({ x: middle.x - rig.face.w * 0.1, y: rig.face.y - 0.04 }, 3))).toBeGreaterThan(200);
  const lips = colour({ x: rig.mouth.x, y: rig.mouth.y + rig.mouth.h * 0.25 });
  expect(lips[0] - Math.max(lips[1], lips[2])).toBeGreaterThan(70);
});

test.each([
  ['portrait of a cat', 700, 700],
  ['portrait of a dog', 900, 500],
  ['portrait of a monkey', 500, 900],
])('%s at %i x %i has its eyes and its mouth where its rig says', async (prompt, width, height) => {
  const { image, rig } = await perform({ kind: 'generate', prompt, width, height, seed: 3 });
  const { colour } = await samplerOf(image);
  if (!rig) throw new Error('no rig');
  const cheek = colour({ x: (rig.mouth.x + rig.leftEye.x) / 2, y: (rig.leftEye.y + rig.mouth.y) / 2 }, 2);
  for (const eye of [rig.leftEye, rig.rightEye]) expect(luma(colour(eye, 1))).toBeLessThan(luma(cheek) * 0.6);
  expect(rig.mouth.y).toBeGreaterThan(rig.leftEye.y);
  expect(distance(parse(rig.skin!), colour({ x: rig.mouth.x, y: (rig.mouth.y * 2 + rig.chin.y) / 3 }))).toBeLessThan(
    40,
  );
  expect(rig.head!.every(({ x, y }) => x > 0 && x < 1 && y > 0 && y < 1)).toBe(true);
});
