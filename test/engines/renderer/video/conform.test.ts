/** Another engine's video made into what was asked for: the same images at another size, with their closing frame. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCodec } from '../../../../src/engines/embedded/codec/index.ts';
import { createVideoEngine } from '../../../../src/engines/embedded/renderer/video/index.ts';
import type { VideoFile, VideoPiece, VideoQuery } from '../../../../src/engines/ports/index.ts';
import { sharedDecoders } from '../../../support/decoders.ts';
import { difference, framesAt, madeImage, type Raster, rendered, tone } from './support.ts';

const decoders = sharedDecoders();
const engine = createVideoEngine({ decoders });
const codec = createCodec({ decoders });
afterAll(() => Promise.all([engine.close(), codec.close()]));

const PROMPT = 'A red balloon over green hills, clear sky, static shot';
const model = 'cinematic';
/** Half a second, by sound that is not kept. */
const brief = { audio: tone(0.5, 16_000), saveAudio: false };

async function conformed(query: VideoQuery, made: Uint8Array): Promise<VideoFile> {
  const pieces: VideoPiece[] = [];
  for await (const piece of engine.conform({ seed: 1, ...query }, made)) pieces.push(piece);
  const last = pieces.at(-1);
  if (!last || !('file' in last)) throw new Error('No video came back.');
  return last;
}

/** Mean colour of each cell of a grid over the image: comparable between sizes. */
function cells({ width, height, rgba }: Raster, across = 16, down = 9): Raster {
  const sums = new Float64Array(across * down * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const cell = Math.floor((y * down) / height) * across + Math.floor((x * across) / width);
      for (let c = 0; c < 4; c++)
        sums[cell * 4 + c] = (sums[cell * 4 + c] as number) + (rgba[(y * width + x) * 4 + c] as number);
    }
  const each = (width * height) / (across * down);
  return { width: across, height: down, rgba: Uint8Array.from(sums, (sum) => Math.round(sum / each)) };
}

describe('a video of another engine', () => {
  const size = { resolution: '1080p', duration: 1, draft: true } as const;
  let made: VideoFile;
  beforeAll(async () => {
    made = await rendered(engine, { prompt: PROMPT, model, seed: 3, ...size, saveAudio: false });
  });

  test('comes out in the size and rate asked for and shows the same', async () => {
    const video = await conformed({ prompt: PROMPT, model, duration: 1, fps: 48 }, made.file);
    expect(video).toMatchObject({ width: 1280, height: 720, fps: 48, seconds: 1 });
    const [before, after] = [await framesAt(codec, made, [0, 0.5, 1]), await framesAt(codec, video, [0, 0.5, 1])];
    for (const [i, frame] of after.entries()) {
      expect([frame.width, frame.height]).toEqual([1280, 720]);
      expect(difference(cells(frame), cells(before[i] as Raster))).toBeLessThan(2);
    }
  });

  test('is cut at both sides alike where its proportions differ', async () => {
    const wide = await rendered(engine, { prompt: PROMPT, model, seed: 3, duration: 1, ...brief });
    const video = await conformed({ prompt: PROMPT, model, duration: 1, aspectRatio: '1:1', ...brief }, wide.file);
    expect(video).toMatchObject({ width: 720, height: 720 });
    const [whole] = (await framesAt(codec, wide, [0.5])) as [Raster];
    const [square] = (await framesAt(codec, video, [0.5])) as [Raster];
    const middle = new Uint8Array(720 * 720 * 4);
    for (let y = 0; y < 720; y++)
      middle.set(whole.rgba.subarray((y * 1280 + 280) * 4, (y * 1280 + 1000) * 4), y * 720 * 4);
    expect(difference(square, { width: 720, height: 720, rgba: middle })).toBeLessThan(4);
  });

  test('ends on the closing image', async () => {
    const lastFrameImage = await madeImage(1280, 720, 2);
    const video = await conformed({ prompt: PROMPT, model, duration: 1, lastFrameImage }, made.file);
    const closing = await rendered(engine, {
      prompt: PROMPT,
      model,
      image: lastFrameImage,
      duration: 1,
      ...brief,
    });
    const [first, last] = (await framesAt(codec, video, [0, 1])) as [Raster, Raster];
    const [wanted] = (await framesAt(codec, closing, [0])) as [Raster];
    const [begun] = (await framesAt(codec, made, [0])) as [Raster];
    expect(difference(last, wanted)).toBeLessThan(3);
    expect(difference(cells(first), cells(begun))).toBeLessThan(2);
  });
});
