/**
 * Pictures that came from outside are decoded and written anew, always: what we store and serve is a plain picture in
 * sRGB, upright, of bounded size, without the metadata (places, names, thumbnails) of its maker. Importing this module
 * takes every loader but JPEG, PNG and WebP away from sharp in this process, because the others (SVG, PDF, TIFF, ...)
 * are what attacks are made of.
 */
import sharp from 'sharp';
import { badInput } from '../kernel/errors.ts';

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });

export interface ReencodeOptions {
  /** The field of the API that the picture came by; the error begins with it. */
  field: string;
  /** Longest side in pixels; larger pictures are scaled down, smaller ones stay. Default 2048. */
  maxSide?: number;
}

export interface ReencodedImage {
  bytes: Uint8Array;
  contentType: 'image/jpeg' | 'image/webp';
  /** Pixels, after turning and scaling. */
  width: number;
  height: number;
  /** For the storage key, without a dot. */
  extension: 'jpg' | 'webp';
}

const MAX_INPUT_PIXELS = 40e6;
const TIMEOUT_S = 10;
const DEFAULT_MAX_SIDE = 2_048;
const FORMATS = new Set(['jpeg', 'png', 'webp']);

async function reencode(bytes: Uint8Array, maxSide: number): Promise<ReencodedImage> {
  const source = sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error', pages: 1 });
  const { format, hasAlpha } = await source.metadata();
  if (!FORMATS.has(format)) throw new Error(`Format ${format}`);
  const upright = source
    .timeout({ seconds: TIMEOUT_S })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  // JPEG wherever it can be, since some card crawlers still read no WebP; full chroma keeps drawn edges clean.
  const encoded = hasAlpha
    ? upright.webp({ quality: 92, alphaQuality: 100 })
    : upright.jpeg({ quality: 92, chromaSubsampling: '4:4:4' });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  const form = hasAlpha
    ? ({ contentType: 'image/webp', extension: 'webp' } as const)
    : ({ contentType: 'image/jpeg', extension: 'jpg' } as const);
  return { bytes: data, width: info.width, height: info.height, ...form };
}

/**
 * The same picture, written anew: JPEG, or WebP when it has transparency. Throws PlatformError BAD_INPUT "`field` is
 * not a JPEG, PNG or WebP image that can be read." for anything else: other formats, truncated files, over 40 million
 * pixels, more than 10 s of work.
 */
export async function reencodeImage(bytes: Uint8Array, options: ReencodeOptions): Promise<ReencodedImage> {
  try {
    return await reencode(bytes, options.maxSide ?? DEFAULT_MAX_SIDE);
  } catch {
    // The decoder's message is for its author: it tells a caller nothing and names libraries.
    throw badInput(options.field, 'is not a JPEG, PNG or WebP image that can be read.');
  }
}
