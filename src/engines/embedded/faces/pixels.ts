/**
 * Decodes a still of ours to the raw pixels that the landmark models see, and cuts parts out of them. Accepts JPEG, PNG
 * and WebP by their first bytes, because sharp would also run its SVG, TIFF and GIF loaders.
 */
import sharp from 'sharp';
import { badInput } from '../../ports/errors.ts';
import type { Pixels } from './landmarker.ts';

const MAX_INPUT_PIXELS = 40e6;
/** A face of 80 pixels in an image of this side has its points within a pixel; more only costs memory. */
const MAX_SIDE = 1600;
const DECODE_TIMEOUT_SECONDS = 10;

/** True for the first bytes of JPEG, PNG and WebP. */
function isAccepted(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(12, bytes.byteLength)).toString('latin1');
  return head.startsWith('\xff\xd8\xff') || head.startsWith('\x89PNG\r\n\x1a\n') || /^RIFF.{4}WEBP/s.test(head);
}

/** Decodes as EXIF turns it, at most 1600 pixels wide or high; transparency becomes white. Throws BAD_INPUT naming `image`. */
export async function decodePixels(image: Uint8Array): Promise<Pixels> {
  if (!isAccepted(image)) throw badInput('image', 'must be a JPEG, PNG or WebP image.');
  try {
    const { data, info } = await sharp(image, { limitInputPixels: MAX_INPUT_PIXELS })
      .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
      .autoOrient()
      .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true, fastShrinkOnLoad: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { rgb: data, width: info.width, height: info.height };
  } catch (cause) {
    throw badInput('image', `cannot be decoded: ${(cause as Error).message.split('\n')[0]}.`);
  }
}

/** A part of an image in whole pixels. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A part of the image, its longer side of `side` pixels, grey beyond the image; the whole image is not enlarged. */
export async function partOf({ rgb, width, height }: Pixels, part: Part, side: number): Promise<Pixels> {
  const isWhole = part.left === 0 && part.top === 0 && part.width === width && part.height === height;
  if (isWhole && Math.max(width, height) <= side) return { rgb, width, height };
  const [left, top] = [Math.max(0, part.left), Math.max(0, part.top)];
  const right = Math.min(width, part.left + part.width);
  const bottom = Math.min(height, part.top + part.height);
  const within = sharp(rgb, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: right - left, height: bottom - top })
    .extend({
      left: left - part.left,
      top: top - part.top,
      right: part.left + part.width - right,
      bottom: part.top + part.height - bottom,
      background: '#808080',
    });
  // Of one chain sharp would enlarge first and extend then.
  const raw = { width: part.width, height: part.height, channels: 3 } as const;
  const { data, info } = await sharp(await within.raw().toBuffer(), { raw })
    .resize(side, side, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { rgb: data, width: info.width, height: info.height };
}

/** An image with its left and right exchanged. */
export async function mirrored({ rgb, width, height }: Pixels): Promise<Pixels> {
  const data = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .flop()
    .raw()
    .toBuffer();
  return { rgb: data, width, height };
}

/** An image turned about its middle, on a canvas that holds all of it. @param angle radians as the clock goes */
export async function turned({ rgb, width, height }: Pixels, angle: number): Promise<Pixels> {
  const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .rotate((angle * 180) / Math.PI, { background: '#808080' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { rgb: data, width: info.width, height: info.height };
}
