/** What the video engine's tests look at: videos, their decoded frames, and measures of them. */
import sharp from 'sharp';
import type { EmbeddedCodec } from '../../../../src/engines/embedded/codec/index.ts';
import type { VideoEngine, VideoFile, VideoQuery } from '../../../../src/engines/ports/index.ts';

export interface Raster {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** The video, and the progress reported on the way. */
export async function rendered(engine: VideoEngine, query: VideoQuery): Promise<VideoFile & { progress: number[] }> {
  const progress: number[] = [];
  const files: VideoFile[] = [];
  for await (const piece of engine.render(query)) {
    if ('file' in piece) files.push(piece);
    else progress.push(piece.progress);
  }
  if (files.length !== 1) throw new Error(`The engine gave ${files.length} files.`);
  return { ...(files[0] as VideoFile), progress };
}

/** Frames at shares of the length. */
export const framesAt = (codec: EmbeddedCodec, video: VideoFile, shares: number[]): Promise<Raster[]> =>
  codec.decodeFrames(
    video.file,
    shares.map((share) => Math.min(share * video.seconds, video.seconds - 0.5 / video.fps) * 1000),
  );

/** Mean difference of two images of one size, 0 to 255. */
export function difference(one: Raster, other: Raster): number {
  if (one.rgba.length !== other.rgba.length) throw new Error('The images differ in size.');
  let sum = 0;
  for (let i = 0; i < one.rgba.length; i++) sum += Math.abs((one.rgba[i] as number) - (other.rgba[i] as number));
  return sum / (one.rgba.length * 0.75);
}

/** Share of pixels within `reach` of a colour in every channel. */
export function shareOf({ rgba }: Raster, [r, g, b]: readonly [number, number, number], reach = 40): number {
  let count = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    const far = (c: number, value: number) => Math.abs((rgba[i + c] as number) - value) > reach;
    if (!far(0, r) && !far(1, g) && !far(2, b)) count++;
  }
  return count / (rgba.length / 4);
}

/** An image of coloured fields, smooth enough for codecs: four corners of their own colour. */
export async function madeImage(width: number, height: number, hue: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      pixels[at] = 40 + 160 * (x / width) * (hue % 2 ? 1 : 0.3);
      pixels[at + 1] = 40 + 160 * (y / height) * (hue % 3 ? 1 : 0.2);
      pixels[at + 2] = 60 + 40 * hue;
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

export const plain = (width: number, height: number, [r, g, b]: readonly [number, number, number]): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();

/** The same encoded image at a video's size, as pixels. */
export async function fitted(image: Uint8Array, width: number, height: number): Promise<Raster> {
  const rgba = await sharp(image).resize(width, height, { fit: 'cover' }).ensureAlpha().raw().toBuffer();
  return { width, height, rgba };
}

/** A steady tone. */
export function tone(seconds: number, rate: number, hertz = 440): { pcm: Int16Array; rate: number } {
  const pcm = Int16Array.from(
    { length: Math.round(seconds * rate) },
    (_, i) => 9000 * Math.sin((i / rate) * hertz * 6.2832),
  );
  return { pcm, rate };
}

export const loudness = (pcm: Int16Array): number =>
  Math.sqrt(pcm.reduce((sum, value) => sum + value * value, 0) / Math.max(1, pcm.length));
