/** Proportions of pictures that go to and come from remote models, which keep to them more or less. */
import sharp from 'sharp';

const PIXEL_LIMIT = 40e6;
/** Closer than this nothing is cut: models round their sides to multiples of 8 or 16. */
const NEAR_ENOUGH = 0.012;

/** Width by height of an encoded picture as it is to be seen. Rejects when it cannot be read. */
export async function ratioOfPicture(image: Uint8Array): Promise<number> {
  const { autoOrient } = await sharp(image, { limitInputPixels: PIXEL_LIMIT }).metadata();
  return autoOrient.width / autoOrient.height;
}

/** `16:9` as a number. */
export function ratioOfName(aspectRatio: string): number {
  const [w = 1, h = 1] = aspectRatio.split(':').map(Number);
  return w / h;
}

/** The picture cut to a ratio around its middle; as it is where it has that ratio already. */
export async function cutTo(ratio: number, image: Uint8Array): Promise<Uint8Array> {
  const { width, height } = await sharp(image, { limitInputPixels: PIXEL_LIMIT }).metadata();
  if (Math.abs(width / height / ratio - 1) < NEAR_ENOUGH) return image;
  const cut = {
    width: Math.min(width, Math.round(height * ratio)),
    height: Math.min(height, Math.round(width / ratio)),
  };
  return sharp(image, { limitInputPixels: PIXEL_LIMIT })
    .resize({ ...cut, fit: 'cover' })
    .png()
    .toBuffer();
}
