/** Kinds and proportions of images that go to remote models: written by us, so that they are read here. */
import sharp from 'sharp';

const PIXEL_LIMIT = 40e6;
/** Width by height of an encoded image as it is to be seen. Rejects when it cannot be read. */
export async function ratioOfImage(image: Uint8Array): Promise<number> {
  const { autoOrient } = await sharp(image, { limitInputPixels: PIXEL_LIMIT }).metadata();
  return autoOrient.width / autoOrient.height;
}

/** `16:9` as a number. */
export function ratioOfName(aspectRatio: string): number {
  const [w = 1, h = 1] = aspectRatio.split(':').map(Number);
  return w / h;
}

/** An image's format, by its first bytes; providers insist on the right name. */
export function imageType(image: Uint8Array): string {
  const start = Buffer.from(image.subarray(0, 4)).toString('latin1');
  if (start === '\x89PNG') return 'image/png';
  return start === 'RIFF' ? 'image/webp' : 'image/jpeg';
}
