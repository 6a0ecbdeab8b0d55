/**
 * Decodes a still for the face detector and samples squares of it at any place, scale and tilt. Accepts JPEG, PNG and
 * WebP by their first bytes, because sharp would also run its SVG, TIFF and GIF loaders on what a stranger sends.
 */
import sharp from 'sharp';
import { badInput } from '../../../kernel/errors.ts';
import { type Grey, resizeGrey } from './grey.ts';

/** A colour picture, three bytes a pixel, turned upright as its EXIF says. */
export interface Picture {
  rgb: Uint8Array;
  width: number;
  height: number;
}

/** A sampled piece: colours and grey of the same pixels, and the way back to the picture. */
export interface Patch extends Picture {
  grey: Uint8Array;
  /** Pixels of the patch to pixels of the picture. */
  toPicture(x: number, y: number): { x: number; y: number };
}

const MAX_INPUT_PIXELS = 40e6;
/** Features are measured at this size at most: a face over a quarter of the picture still has eyes 40 pixels apart. */
const MAX_SIDE = 640;
const DECODE_TIMEOUT_SECONDS = 10;

/** True for the first bytes of JPEG, PNG and WebP. */
function isAccepted(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(12, bytes.byteLength)).toString('latin1');
  return head.startsWith('\xff\xd8\xff') || head.startsWith('\x89PNG\r\n\x1a\n') || /^RIFF.{4}WEBP/s.test(head);
}

/** Decodes, at most 640 pixels wide or high; transparency becomes white. Throws BAD_INPUT naming `image`. */
export async function decodePicture(image: Uint8Array): Promise<Picture> {
  if (!isAccepted(image)) throw badInput('image', 'must be a JPEG, PNG or WebP picture.');
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

function luma(r: number, g: number, b: number): number {
  return 0.299 * r + 0.587 * g + 0.114 * b;
}

/** The picture in grey, its longer side at most `maxSide` pixels. */
export function greyOf({ rgb, width, height }: Picture, maxSide: number): Grey {
  const data = new Uint8Array(width * height);
  for (let i = 0; i < data.length; i++) data[i] = luma(rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!) + 0.5;
  const shrink = Math.max(1, Math.max(width, height) / maxSide);
  return resizeGrey({ data, width, height }, Math.round(width / shrink), Math.round(height / shrink));
}

/** How a patch lies in the picture: its pixel (originX, originY) is at (x, y); `scale` is picture pixels a patch one. */
export interface Placement {
  x: number;
  y: number;
  scale: number;
  /** Radians, clockwise as seen. */
  tilt: number;
  originX: number;
  originY: number;
  width: number;
  height: number;
}

/** Samples a piece of the picture by linear interpolation; beyond its border the border is repeated. */
export function samplePatch(picture: Picture, placement: Placement): Patch {
  const { width, height, originX, originY } = placement;
  const cos = Math.cos(placement.tilt) * placement.scale;
  const sin = Math.sin(placement.tilt) * placement.scale;
  const toPicture = (x: number, y: number) => ({
    x: placement.x + (x - originX) * cos - (y - originY) * sin,
    y: placement.y + (x - originX) * sin + (y - originY) * cos,
  });
  const rgb = new Uint8Array(width * height * 3);
  const grey = new Uint8Array(width * height);
  const [maxX, maxY] = [picture.width - 1, picture.height - 1];
  for (let y = 0, i = 0; y < height; y++) {
    const start = toPicture(0, y);
    for (let x = 0; x < width; x++, i++) {
      const px = Math.min(Math.max(start.x + x * cos, 0), maxX);
      const py = Math.min(Math.max(start.y + x * sin, 0), maxY);
      const [x0, y0] = [Math.floor(px), Math.floor(py)];
      const [fx, fy] = [px - x0, py - y0];
      const a = (y0 * picture.width + x0) * 3;
      const right = x0 < maxX ? 3 : 0;
      const below = y0 < maxY ? picture.width * 3 : 0;
      for (let c = 0; c < 3; c++) {
        const upper = picture.rgb[a + c]! * (1 - fx) + picture.rgb[a + right + c]! * fx;
        const lower = picture.rgb[a + below + c]! * (1 - fx) + picture.rgb[a + below + right + c]! * fx;
        rgb[i * 3 + c] = upper * (1 - fy) + lower * fy + 0.5;
      }
      grey[i] = luma(rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!) + 0.5;
    }
  }
  return { rgb, grey, width, height, toPicture };
}
