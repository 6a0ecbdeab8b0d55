/** Sizes of images by aspect ratio, all near one megapixel. */

/** Width and height in pixels, multiples of 32. */
export const SIZES: Record<string, readonly [number, number]> = {
  '1:1': [1024, 1024],
  '16:9': [1344, 768],
  '9:16': [768, 1344],
  '4:3': [1152, 864],
  '3:4': [864, 1152],
  '3:2': [1216, 832],
  '2:3': [832, 1216],
};

/** Longest side of an image we give back, pixels. */
export const MAX_SIDE = 1536;
/** Inputs smaller than this on their longest side are enlarged to it: letters must have room. */
const MIN_SIDE = 512;

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The size of a ratio of the table, or about one megapixel of any other `w:h`. */
export function sizeOf(aspectRatio: string): Size {
  const known = SIZES[aspectRatio];
  if (known) return { width: known[0], height: known[1] };
  const [w, h] = aspectRatio.split(':').map(Number);
  const ratio = Math.min(4, Math.max(0.25, w && h ? w / h : 1));
  const even = (v: number) => Math.round(v / 8) * 8;
  return { width: even(1024 * Math.sqrt(ratio)), height: even(1024 / Math.sqrt(ratio)) };
}

/**
 * The size an edit works at: `match_input_image` (or undefined) keeps the first input's proportions, its longest side
 * within 512..1536 pixels; any other value is a ratio of the table.
 */
export function editSize(inputs: readonly Size[], aspectRatio: string | undefined): Size {
  const first = inputs[0];
  if (!first || (aspectRatio !== undefined && aspectRatio !== 'match_input_image')) return sizeOf(aspectRatio ?? '1:1');
  const longest = Math.max(first.width, first.height);
  const k = longest > MAX_SIDE ? MAX_SIDE / longest : longest < MIN_SIDE ? MIN_SIDE / longest : 1;
  return { width: Math.max(1, Math.round(first.width * k)), height: Math.max(1, Math.round(first.height * k)) };
}
