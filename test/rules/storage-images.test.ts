import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { reencodeImage } from '../../src/engines/decoders/image.ts';
import { PlatformError } from '../../src/kernel/errors.ts';

const SENTENCE = 'imageUrl is not a JPEG, PNG or WebP image that can be read.';
const field = 'imageUrl';
const RED = { r: 200, g: 30, b: 30 };

const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: RED } });

/** Left half red, right half blue: shows which way up an image is. */
async function halves(): Promise<Sharp> {
  const blue = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();
  return plain(80, 40).composite([
    { input: await sharp(blue).raw().toBuffer(), raw: { width: 40, height: 40, channels: 3 }, left: 40, top: 0 },
  ]);
}

async function pixel(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
  return [...(await sharp(bytes).extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer())];
}

const noise = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 7919 + ((i * i) % 251)) % 256));

describe('an image is written anew', () => {
  test.each([
    ['jpeg', () => plain(60, 40).jpeg()],
    ['png', () => plain(60, 40).png()],
    ['webp', () => plain(60, 40).webp()],
    ['16-bit png', () => plain(60, 40).toColourspace('rgb16').png()],
    ['grey png', () => plain(60, 40).greyscale().png()],
    ['palette png', () => plain(60, 40).png({ palette: true })],
    ['CMYK jpeg', () => plain(60, 40).toColourspace('cmyk').jpeg()],
    ['progressive jpeg', () => plain(60, 40).jpeg({ progressive: true })],
  ])('%s', async (_name, make) => {
    const image = await reencodeImage(await make().toBuffer(), { field });
    expect(image).toMatchObject({ width: 60, height: 40, contentType: 'image/jpeg', extension: 'jpg' });
    expect(await sharp(image.bytes).metadata()).toMatchObject({ format: 'jpeg', space: 'srgb', width: 60, height: 40 });
  });

  test('with its transparency', async () => {
    const clear = sharp({ create: { width: 30, height: 30, channels: 4, background: { ...RED, alpha: 0.5 } } });
    const image = await reencodeImage(await clear.png().toBuffer(), { field });
    expect(image).toMatchObject({ contentType: 'image/webp', extension: 'webp' });
    expect((await pixel(image.bytes, 5, 5))[3]).toBeGreaterThan(120);
  });

  test('no larger than asked, and never enlarged', async () => {
    const bytes = await plain(3_000, 1_500).jpeg().toBuffer();
    expect(await reencodeImage(bytes, { field })).toMatchObject({ width: 2_048, height: 1_024 });
    expect(await reencodeImage(bytes, { field, maxSide: 300 })).toMatchObject({ width: 300, height: 150 });
    expect(await reencodeImage(await plain(1, 1).png().toBuffer(), { field })).toMatchObject({ width: 1, height: 1 });
  });

  test('upright, whatever way the camera was held', async () => {
    const turned = await (await halves()).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer();
    const image = await reencodeImage(turned, { field });
    expect(image).toMatchObject({ width: 40, height: 80 });
    expect((await pixel(image.bytes, 20, 10))[0]).toBeGreaterThan(150);
    expect((await pixel(image.bytes, 20, 70))[2]).toBeGreaterThan(150);
    expect((await sharp(image.bytes).metadata()).orientation).toBeUndefined();
  });

  test('without metadata and without whatever was hung on behind it', async () => {
    const exif = { IFD0: { Copyright: 'a-name-of-someone' }, IFD3: { GPSLatitude: '51/1 30/1 3230/100' } };
    const tagged = await plain(60, 40)
      .withExif(exif)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .jpeg()
      .toBuffer();
    expect(tagged.includes('a-name-of-someone')).toBe(true);
    const { bytes } = await reencodeImage(Buffer.concat([tagged, Buffer.from('<script>alert(1)</script>')]), { field });
    const { exif: left, xmp, icc } = await sharp(bytes).metadata();
    expect([left, xmp, icc]).toEqual([undefined, undefined, undefined]);
    expect(Buffer.from(bytes).includes('script')).toBe(false);
  });
});

/** A PNG's head that announces a size, and nothing else to speak of. */
function announced(png: Buffer, width: number, height: number): Buffer {
  const forged = Buffer.from(png);
  forged.writeUInt32BE(width, 16);
  forged.writeUInt32BE(height, 20);
  forged.writeUInt32BE(crc32(forged.subarray(12, 29)), 29);
  return forged;
}

describe('is refused by the size in its header', () => {
  const rule = 'it must have at most 16384 pixels on each side and 40 megapixels.';
  const cases: [string, number, number, () => Promise<Uint8Array>][] = [
    ['over 40 megapixels', 7_000, 6_000, () => plain(7_000, 6_000).png({ compressionLevel: 1 }).toBuffer()],
    ['a long JPEG', 16_385, 4, () => plain(16_385, 4).jpeg().toBuffer()],
    ['a tall PNG', 4, 16_385, () => plain(4, 16_385).png().toBuffer()],
    // Its 38 million pixels are within the limit, and took 1.5 GB.
    ['a PNG of two million columns', 2_000_000, 19, async () => announced(await plain(9, 9).png().toBuffer(), 2e6, 19)],
    ['a forged size', 60_000, 60_000, async () => announced(await plain(9, 9).png().toBuffer(), 60_000, 60_000)],
  ];

  test.each(cases)('%s', async (_name, width, height, make) => {
    const message = `imageUrl is an image of ${width} x ${height} pixels: ${rule}`;
    await expect(reencodeImage(await make(), { field })).rejects.toMatchObject({ code: 'BAD_INPUT', message });
  });

  test('as is an animation, of which else the first image is taken', async () => {
    const frames = (side: number) =>
      plain(side, side * 2)
        .webp()
        .toBuffer();
    const still = await sharp([await frames(40), await frames(40)], { join: { animated: true } })
      .webp()
      .toBuffer();
    expect(await reencodeImage(still, { field })).toMatchObject({ width: 40, height: 80 });
  });
});

describe('is refused with one sentence', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
  const raw = { raw: { width: 200, height: 200, channels: 3 as const } };
  const cases: [string, () => Promise<Uint8Array> | Uint8Array][] = [
    ['nothing', () => new Uint8Array()],
    ['HTML', () => Buffer.from('<!doctype html><p>hello</p>')],
    ['SVG', () => Buffer.from(svg)],
    ['SVG behind an XML head', () => Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['GIF', () => plain(9, 9).gif().toBuffer()],
    ['TIFF', () => plain(9, 9).tiff().toBuffer()],
    ['AVIF', () => plain(9, 9).avif().toBuffer()],
    ['PDF', () => Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
    ['PPM', () => Buffer.from('P6 1 1 255\n\xff\xff\xff', 'latin1')],
    ['noise', () => noise(4_000)],
    ['a PNG signature and noise', () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(500)])],
    ['a JPEG signature and noise', () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noise(500)])],
    ['a truncated JPEG', async () => cut(await sharp(noise(120_000), raw).jpeg().toBuffer())],
    ['a truncated PNG', async () => cut(await sharp(noise(120_000), raw).png().toBuffer())],
    ['a truncated WebP', async () => cut(await sharp(noise(120_000), raw).webp().toBuffer())],
  ];

  function cut(bytes: Buffer): Buffer {
    return bytes.subarray(0, Math.floor(bytes.length / 2));
  }

  test.each(cases)('%s', async (_name, make) => {
    const failure = reencodeImage(await make(), { field });
    await expect(failure).rejects.toBeInstanceOf(PlatformError);
    await expect(failure).rejects.toMatchObject({ code: 'BAD_INPUT', message: SENTENCE, details: { field } });
  });
});

test('loaders other than the three are gone for the whole process, not merely unwelcome', async () => {
  for (const bytes of [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), await plain(9, 9).gif().toBuffer()]) {
    await expect(sharp(bytes).metadata()).rejects.toThrow('unsupported image format');
  }
});
