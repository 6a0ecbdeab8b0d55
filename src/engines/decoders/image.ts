/**
 * Images that came from outside are decoded and written anew, always: what we store and serve is a plain image in
 * sRGB, upright, of bounded size, without the metadata (places, names, thumbnails) of its maker. Importing this module
 * takes every loader but JPEG, PNG and WebP away from sharp in this process, because the others (SVG, PDF, TIFF, ...)
 * are what attacks are made of. Runs in decoder processes only.
 */
import sharp from 'sharp';
import { badInput, PlatformError } from '../../kernel/errors.ts';

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });

/** How an image is encoded anew. */
export interface ReencodeOptions {
  /** The field of the API that the image came by; the error begins with it. */
  field: string;
  /** Longest side in pixels; larger images are scaled down, smaller ones stay. Default 2048. */
  maxSide?: number;
}

/** An image of ours: upright, without metadata. */
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
/** Of a side: decoders hold some rows at once, and a row of two million pixels is as large as a whole image. */
const MAX_INPUT_SIDE = 16_384;
const DEFAULT_MAX_SIDE = 2_048;
const FORMATS = new Set(['jpeg', 'png', 'webp']);

async function reencode(bytes: Uint8Array, maxSide: number, field: string): Promise<ReencodedImage> {
  const source = sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1 });
  // The header alone: nothing is decoded before its numbers are known to be bearable.
  const { format, hasAlpha, width, height } = await source.metadata();
  if (!FORMATS.has(format)) throw new Error(`Format ${format}`);
  checkSize(width, height, field);
  const upright = source
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

function checkSize(width: number, height: number, field: string): void {
  if (width <= MAX_INPUT_SIDE && height <= MAX_INPUT_SIDE && width * height <= MAX_INPUT_PIXELS) return;
  const rule = `at most ${MAX_INPUT_SIDE} pixels on each side and ${MAX_INPUT_PIXELS / 1e6} megapixels`;
  throw badInput(field, `is an image of ${width} x ${height} pixels: it must have ${rule}.`);
}

/**
 * The same image, written anew: JPEG, or WebP when it has transparency; of an animation the first frame. Throws
 * PlatformError BAD_INPUT that names the size of one that is too large, and "`field` is not a JPEG, PNG or WebP image
 * that can be read." for anything else: other formats, truncated files. How long it may work is its process's matter.
 */
export async function reencodeImage(bytes: Uint8Array, options: ReencodeOptions): Promise<ReencodedImage> {
  try {
    return await reencode(bytes, options.maxSide ?? DEFAULT_MAX_SIDE, options.field);
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    // The decoder's message is for its author: it says nothing to a caller and names libraries.
    throw badInput(options.field, 'is not a JPEG, PNG or WebP image that can be read.');
  }
}

/** Closer than this nothing is cut: models round their sides to multiples of 8 or 16. */
const NEAR_ENOUGH = 0.012;

/** The image cut to a ratio around its middle; as it is where it has that ratio already. Rejects as sharp does. */
export async function cutTo(ratio: number, image: Uint8Array): Promise<Uint8Array> {
  const open = () => sharp(image, { limitInputPixels: MAX_INPUT_PIXELS });
  const { width, height } = await open().metadata();
  if (Math.abs(width / height / ratio - 1) < NEAR_ENOUGH) return image;
  const cut = {
    width: Math.min(width, Math.round(height * ratio)),
    height: Math.min(height, Math.round(width / ratio)),
  };
  return open()
    .resize({ ...cut, fit: 'cover' })
    .png()
    .toBuffer();
}
