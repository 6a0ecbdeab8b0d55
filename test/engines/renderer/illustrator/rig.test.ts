/** The face of an edited image is where its rig says: coloured dots at eyes and mouth are found again after the edit. */
import { expect, test } from '@jest/globals';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { runTask } from '../../../../src/engines/embedded/renderer/illustrator/run-task.ts';
import type { Rig } from '../../../../src/engines/ports/index.ts';

const [WIDTH, HEIGHT] = [600, 800];
const DOTS = { leftEye: [220, 30, 30], rightEye: [30, 200, 30], mouth: [30, 30, 220] } as const;
type Dot = keyof typeof DOTS;

const RIG: Rig = {
  version: 1,
  source: 'rig',
  face: { x: 0.35, y: 0.3, w: 0.3, h: 0.3 },
  leftEye: { x: 0.44, y: 0.4, rx: 0.03, ry: 0.01 },
  rightEye: { x: 0.58, y: 0.41, rx: 0.04, ry: 0.02 },
  mouth: { x: 0.52, y: 0.54, w: 0.1, h: 0.03 },
  chin: { x: 0.52, y: 0.6 },
  leftBrow: { x: 0.44, y: 0.36 },
  head: [
    { x: 0.3, y: 0.2 },
    { x: 0.7, y: 0.2 },
    { x: 0.5, y: 0.65 },
  ],
  skin: '#aa8877',
};

async function dotted(): Promise<Uint8Array> {
  const dot = (name: Dot) => {
    const { x, y } = RIG[name];
    return `<circle cx="${x * WIDTH}" cy="${y * HEIGHT}" r="9" fill="rgb(${DOTS[name].join()})"/>`;
  };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="#999"/>${(Object.keys(DOTS) as Dot[]).map(dot).join('')}</svg>`;
  return new Resvg(svg).render().asPng();
}

/** Middle of a colour's pixels, in fractions. */
async function found(image: Uint8Array, name: Dot) {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [r, g, b] = DOTS[name];
  let [n, sx, sy] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 3) {
    if (Math.abs(data[at]! - r) + Math.abs(data[at + 1]! - g) + Math.abs(data[at + 2]! - b) > 60) continue;
    n += 1;
    sx += (at / 3) % info.width;
    sy += Math.floor(at / 3 / info.width);
  }
  return { x: (sx / n + 0.5) / info.width, y: (sy / n + 0.5) / info.height };
}

const edit = async (prompt: string, aspectRatio?: string, count = 1) => {
  const image = await dotted();
  const images = Array.from({ length: count }, () => image);
  return runTask({ kind: 'edit', prompt, images, aspectRatio, seed: 1, rig: RIG });
};

test.each<[string, string | undefined, boolean]>([
  ['mirror it', undefined, true],
  ['crop to a square', undefined, false],
  ['crop to the centre', undefined, false],
  ['add a thick black frame', undefined, false],
  ['make it a polaroid', undefined, false],
  ['flip horizontally and crop to 3:4', undefined, true],
  ['add a vignette', '16:9', false],
  ['crop to the top half', '1:1', false],
  ['add the caption "HELLO" at the bottom', undefined, false],
])('%s (%s)', async (prompt, aspectRatio, isMirrored) => {
  const { image, rig } = await edit(prompt, aspectRatio);
  if (prompt.includes('top half')) return expect(rig).toBeUndefined();
  const seen = { leftEye: await found(image, 'leftEye'), rightEye: await found(image, 'rightEye') };
  const [left, right] = isMirrored ? [seen.rightEye, seen.leftEye] : [seen.leftEye, seen.rightEye];
  for (const [told, is] of [
    [rig!.leftEye, left],
    [rig!.rightEye, right],
    [rig!.mouth, await found(image, 'mouth')],
  ] as const) {
    expect(told.x).toBeCloseTo(is.x, 2);
    expect(told.y).toBeCloseTo(is.y, 2);
  }
  expect(rig!.leftEye.x).toBeLessThan(rig!.rightEye.x);
  expect(rig!.face.x).toBeLessThan(rig!.leftEye.x);
  expect(rig!.face.x + rig!.face.w).toBeGreaterThan(rig!.rightEye.x);
  expect(rig![isMirrored ? 'rightBrow' : 'leftBrow']).toBeDefined();
});

test('colours are read anew after a tint and kept after a crop; shape stays', async () => {
  const grey = await edit('make it black and white');
  expect(grey.rig).toMatchObject({ mouth: RIG.mouth, source: 'rig' });
  expect(grey.rig).not.toHaveProperty('skin');
  expect((await edit('crop to a square')).rig).toMatchObject({ skin: RIG.skin });
});

test.each([
  ['rotate by 20 degrees', 1],
  ['flip it vertically', 1],
  ['put them side by side', 2],
  ['blend them', 2],
])('%s of %d: the face is looked for anew', async (prompt, count) => {
  expect((await edit(prompt, undefined, count)).rig).toBeUndefined();
});
