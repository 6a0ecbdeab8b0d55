/** The image model as the platform uses it: determinism, sizes, rigs, refusals; and the layers of scenes. */

import type { ImageModelV4CallOptions } from '@ai-sdk/provider';
import { afterAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { emptyCanvas } from '../../../../src/engines/embedded/renderer/graphics/canvas.ts';
import { paintPrompt } from '../../../../src/engines/embedded/renderer/graphics/paint.ts';
import { readPrompt } from '../../../../src/engines/embedded/renderer/graphics/prompt.ts';
import { sceneLayers } from '../../../../src/engines/embedded/renderer/graphics/scene/index.ts';
import { SIZES } from '../../../../src/engines/embedded/renderer/graphics/sizes.ts';
import { createIllustrator } from '../../../../src/engines/embedded/renderer/illustrator/index.ts';

const illustrator = createIllustrator();
afterAll(() => illustrator.close());

const call = (options: Partial<ImageModelV4CallOptions>): ImageModelV4CallOptions => ({
  prompt: undefined,
  n: 1,
  size: undefined,
  aspectRatio: undefined,
  seed: undefined,
  files: undefined,
  mask: undefined,
  providerOptions: {},
  ...options,
});
const generate = async (
  options: Partial<ImageModelV4CallOptions>,
  id: 'default' | 'typo_gen' | 'typo_edit' = 'default',
) => illustrator.model(id).doGenerate(call(options));
const small = '256x256' as const;
const png = async (colour: string, width = 300, height = 200) =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: colour } })
      .png()
      .toBuffer(),
  );
const file = (data: Uint8Array | string) => ({ type: 'file' as const, mediaType: 'image/png', data });

describe('generation', () => {
  test('same prompt and seed, same bytes; another seed, another image', async () => {
    const [a, b, c] = await Promise.all([
      generate({ prompt: 'a fox in a forest at dawn', size: small, seed: 4 }),
      generate({ prompt: 'a fox in a forest at dawn', size: small, seed: 4 }),
      generate({ prompt: 'a fox in a forest at dawn', size: small, seed: 5 }),
    ]);
    expect(a.images[0]).toEqual(b.images[0]);
    expect(a.images[0]).not.toEqual(c.images[0]);
    const [first, again] = [
      await generate({ prompt: 'a lake', size: small }),
      await generate({ prompt: 'a lake', size: small }),
    ];
    expect(first.images).toEqual(again.images);
  });

  test('each aspect ratio has its size and is a WebP', async () => {
    for (const [ratio, [width, height]] of Object.entries(SIZES)) {
      const { images } = await generate({ prompt: 'soft gradient pink and blue', aspectRatio: ratio as '1:1' });
      expect(await sharp(images[0] as Uint8Array).metadata()).toMatchObject({ format: 'webp', width, height });
    }
  });

  test('a portrait brings its rig, a scene none', async () => {
    const { providerMetadata } = await generate({ prompt: 'portrait of a smiling man', size: '512x512' });
    expect(providerMetadata?.embedded?.images).toMatchObject([{ rig: { version: 1, source: 'rig' } }]);
    const scene = await generate({ prompt: 'a mountain lake', size: small });
    expect(scene.providerMetadata?.embedded?.images).toEqual([{ drawing: expect.objectContaining({ steps: [] }) }]);
  });

  test('words that every object of JavaScript has a property of name no colour and no plural', async () => {
    for (const prompt of ['constructor', 'a constructor cat on a constructor', 'a cat and two toString hats'])
      expect((await generate({ prompt, size: small })).images).toHaveLength(1);
  });

  test('n images differ', async () => {
    const { images } = await generate({ prompt: 'city at night', size: small, n: 2 });
    expect(images).toHaveLength(2);
    expect(images[0]).not.toEqual(images[1]);
  });

  test('refusals name the field', async () => {
    await expect(generate({ prompt: ' ' })).rejects.toMatchObject({ code: 'BAD_INPUT', details: { field: 'prompt' } });
    await expect(generate({ prompt: 'sign "漢字"' }, 'typo_gen')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      details: { field: 'prompt' },
    });
    await expect(generate({ prompt: 'x', size: '9000x9000' })).rejects.toMatchObject({ details: { field: 'size' } });
    await expect(generate({ prompt: 'grey' }, 'typo_edit')).rejects.toMatchObject({ details: { field: 'images' } });
  });

  test('an aborted call rejects with its reason', async () => {
    const reason = new Error('gone');
    await expect(generate({ prompt: 'a lake', abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('edits', () => {
  test('keep the input proportions, or take the ratio asked for', async () => {
    const files = [file(await png('#804020', 800, 600))];
    const matched = await generate({ prompt: 'grey', files });
    expect(await sharp(matched.images[0] as Uint8Array).metadata()).toMatchObject({ width: 800, height: 600 });
    const tall = await generate({ prompt: 'grey', files, aspectRatio: '9:16' });
    expect(await sharp(tall.images[0] as Uint8Array).metadata()).toMatchObject({ width: 768, height: 1344 });
    const { data } = await sharp(matched.images[0] as Uint8Array)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(Math.abs((data[0] as number) - (data[2] as number))).toBeLessThanOrEqual(2);
  });

  test('five references as bytes or base64; typo_edit at most two; an unsupported edit is refused', async () => {
    const bytes = await png('#206080');
    const five = [file(bytes), file(Buffer.from(bytes).toString('base64')), file(bytes), file(bytes), file(bytes)];
    expect((await generate({ prompt: 'make a collage', files: five })).images).toHaveLength(1);
    await expect(generate({ prompt: '"Hi"', files: five }, 'typo_edit')).rejects.toMatchObject({
      details: { field: 'images' },
    });
    await expect(generate({ prompt: 'collage', files: [...five, file(bytes)] })).rejects.toMatchObject({
      details: { field: 'images' },
    });
    await expect(generate({ prompt: 'remove the man', files: [file(bytes)] })).rejects.toThrow(/remove the man/);
  });

  test.each(['jpeg', 'png', 'webp'] as const)('%s is decoded', async (format) => {
    const bytes = await sharp({ create: { width: 600, height: 520, channels: 3, background: '#a03020' } })
      .toFormat(format)
      .toBuffer();
    const { images } = await generate({ prompt: 'invert', files: [file(new Uint8Array(bytes))] });
    const { dominant } = await sharp(images[0] as Uint8Array).stats();
    expect(dominant.b).toBeGreaterThan(dominant.r);
  });

  test.each([
    ['svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'],
    ['gif', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64').toString('latin1')],
    ['rubbish', 'not an image'],
  ])('%s is not decoded', async (_name, text) => {
    const files = [file(new Uint8Array(Buffer.from(text, 'latin1')))];
    await expect(generate({ prompt: 'grey', files })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('scene layers', () => {
  test('are of one size, far to near, and make the image', () => {
    const image = readPrompt('a red fox by a mountain lake at sunset in the rain');
    const layers = sceneLayers(image, 320, 200, 9);
    const kinds = layers.map(({ kind }) => kind);
    for (const kind of ['sky', 'clouds', 'far', 'water', 'ground', 'subject', 'weather']) expect(kinds).toContain(kind);
    for (const { canvas, depth } of layers) {
      expect([canvas.width, canvas.height]).toEqual([320, 200]);
      expect(depth).toBeGreaterThanOrEqual(0);
      expect(depth).toBeLessThanOrEqual(1);
    }
    expect(layers[0]?.depth).toBe(0);
    const { ctx } = emptyCanvas(320, 200);
    for (const { canvas } of layers) ctx.drawImage(canvas, 0, 0);
    const { data } = ctx.getImageData(0, 0, 320, 200);
    for (let i = 3; i < data.length; i += 4) expect(data[i]).toBe(255);
  });

  test('light follows the hour', () => {
    const brightness = (prompt: string) => {
      const { data } = paintPrompt(prompt, 240, 160, 3).canvas.getContext('2d').getImageData(0, 0, 240, 160);
      return data.reduce((sum, v) => sum + v, 0) / data.length;
    };
    expect(brightness('a meadow at noon')).toBeGreaterThan(brightness('a meadow at night') + 30);
  });

  test.each([
    'mountains',
    'the sea',
    'a beach',
    'a city',
    'a forest',
    'a desert',
    'a wheat field',
    'a meadow',
    'outer space',
    'a lake',
    'a village',
    'a street',
    'a living room',
    'the snowy arctic',
    'a garden',
    'a jungle',
    'a river',
    'above the clouds',
    'a coral reef',
  ])('%s can be painted at every shape', (place) => {
    for (const [w, h] of [
      [192, 108],
      [108, 192],
    ] as const) {
      const { canvas, image } = paintPrompt(`${place} with two dogs, a boat and a bird at dusk in fog`, w, h);
      expect(image.kind).toBe('scene');
      expect(canvas.width).toBe(w);
    }
  });
});
