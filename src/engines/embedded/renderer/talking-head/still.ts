/**
 * The still image, prepared once per video: an I420 source at twice the video's size, and the first frame. The source
 * is larger so that sub-pixel motion, which resamples it, keeps the image sharp.
 */
import sharp from 'sharp';
import { badInput } from '../../../ports/errors.ts';
import { type Planes, planesOf, toI420 } from '../../codec/colour.ts';

/** Source pixels per video pixel. The samplers in `warp.ts` and `faceless-painter.ts` rely on 2. */
export const OVERSAMPLE = 2;
const SMALLEST_LONG_SIDE = 64;
const SMALLEST_SIDE = 32;
const LARGEST_SIDE = 1920;
const MAX_INPUT_PIXELS = 40_000_000;

/** The prepared image of a video. */
export interface Still {
  /** Size of the video, even. */
  width: number;
  height: number;
  /** The image at twice that size. */
  source: Planes;
}

/** The longer side of an encoded image, pixels. Rejects with BAD_INPUT when it is none. */
export async function longSideOf(image: Uint8Array): Promise<number> {
  const { width, height } = await decoding(() => sharp(image, { limitInputPixels: MAX_INPUT_PIXELS }).metadata());
  return Math.max(width, height);
}

/** The size of a still's video. Rejects with BAD_INPUT when it is no image. @param size longest side of the video. */
export async function sizeOfStill(image: Uint8Array, size: number): Promise<{ width: number; height: number }> {
  const long = Math.min(LARGEST_SIDE, Math.max(SMALLEST_LONG_SIDE, size));
  return decoding(async () => {
    const { autoOrient } = await sharp(image, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' }).metadata();
    const scale = long / Math.max(autoOrient.width, autoOrient.height);
    const even = (side: number) => Math.max(SMALLEST_SIDE, Math.round((side * scale) / 2) * 2);
    return { width: even(autoOrient.width), height: even(autoOrient.height) };
  });
}

/** Decodes and scales a still. Rejects with BAD_INPUT when it is no image. @param size longest side of the video. */
export async function readStill(image: Uint8Array, size: number): Promise<Still> {
  const { width, height } = await sizeOfStill(image, size);
  const [wide, tall] = [width * OVERSAMPLE, height * OVERSAMPLE];
  return decoding(async () => {
    const rgba = await sharp(image, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .resize(wide, tall, { fit: 'fill', kernel: 'lanczos3' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer();
    return { width, height, source: planesOf(toI420(rgba, wide, tall), wide, tall) };
  });
}

async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Error && /pixel limit/.test(cause.message)) throw badInput('image', 'has too many pixels.');
    throw badInput('image', 'must be a jpeg, png or webp image.');
  }
}
