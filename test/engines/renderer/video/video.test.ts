import { afterAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createCodec } from '../../../../src/engines/embedded/codec/index.ts';
import { createVideoEngine } from '../../../../src/engines/embedded/renderer/video/index.ts';
import { sharedDecoders } from '../../../support/decoders.ts';
import { difference, fitted, framesAt, loudness, madeImage, plain, rendered, shareOf, tone } from './support.ts';

const decoders = sharedDecoders();
const engine = createVideoEngine({ decoders });
const codec = createCodec({ decoders });
afterAll(async () => {
  await engine.close();
  await codec.close();
});

/** Small and quick: what is tested here does not depend on sharpness. */
const quick = { model: 'cinematic', draft: true, duration: 1, seed: 7 } as const;
/** The shortest there is, by its sound: where what is tested shows in twelve frames. */
const brief = { ...quick, audio: tone(0.5, 16_000) } as const;

describe('what the video is', () => {
  test('has the size, frame rate and length asked for, and reports its progress', async () => {
    const video = await rendered(engine, { ...quick, prompt: 'a lake at dawn', aspectRatio: '9:16' });
    expect(video).toMatchObject({ width: 720, height: 1280, fps: 24, seed: 7 });
    expect(video.seconds).toBeCloseTo(1, 2);
    expect(await codec.durationSeconds(video.file)).toBeCloseTo(1, 1);
    const [frame] = await framesAt(codec, video, [0.5]);
    expect([frame?.width, frame?.height]).toEqual([720, 1280]);
    expect(video.progress).toEqual([...video.progress].sort((a, b) => a - b));
    expect(video.progress.length).toBeGreaterThan(5);
    expect(video.progress.at(-1)).toBe(1);
    expect(Buffer.from(video.file.subarray(4, 8)).toString()).toBe('ftyp');
    expect(Buffer.from(video.file).indexOf('moov')).toBeLessThan(Buffer.from(video.file).indexOf('mdat'));
  });

  test('48 frames a second in 1080p are as many frames', async () => {
    const query = { ...brief, prompt: 'waves of the sea', resolution: '1080p', fps: 48, aspectRatio: '1:1' } as const;
    const video = await rendered(engine, query);
    expect(video).toMatchObject({ width: 1080, height: 1080, fps: 48 });
    expect(video.seconds).toBeCloseTo(0.5, 2);
    const at = [0.25, 0.25 + 1 / 24];
    const [one, next] = await framesAt(codec, video, at);
    expect(difference(one as never, next as never)).toBeGreaterThan(0);
  });

  test('an opening image decides the proportions', async () => {
    const image = await madeImage(600, 400, 1);
    const video = await rendered(engine, { ...brief, prompt: 'slowly', image, aspectRatio: '1:1' });
    expect([video.width, video.height]).toEqual([1080, 720]);
  });

  test('an image that no codec can shorten makes no large file', async () => {
    // The left half red, the right half noise.
    const [width, height] = [1280, 720];
    const pixels = Buffer.alloc(width * height * 3);
    let noise = 1;
    for (let at = 0; at < pixels.length; at += 3) {
      noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0;
      const isRed = (at / 3) % width < width / 2;
      pixels.set(isRed ? [200, 30, 30] : [noise >>> 24, (noise >>> 16) & 255, (noise >>> 8) & 255], at);
    }
    const image = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
    const video = await rendered(engine, { ...quick, draft: false, prompt: 'static camera', image, saveAudio: false });
    // One and a half times 3.9 Mbit/s, and what that is in one second more; without a limit it was 2.1 MB.
    expect(video.file.length).toBeLessThan(1.21e6);
    expect(video.seconds).toBeCloseTo(1, 2);
    // Made again from its start: whole, and its progress did not go back.
    expect(video.progress).toEqual([...video.progress].sort((a, b) => a - b));
    expect(video.progress.at(-1)).toBe(1);
    for (const frame of await framesAt(codec, video, [0, 0.5, 1]))
      expect(shareOf(frame, [200, 30, 30])).toBeGreaterThan(0.4);
  });

  test('equal seeds give equal frames, another seed gives others', async () => {
    const query = { ...brief, prompt: 'a snowy forest with falling snow' };
    const videos = [
      await rendered(engine, query),
      await rendered(engine, query),
      await rendered(engine, { ...query, seed: 8 }),
    ];
    const [a, b, c] = await Promise.all(videos.map((video) => framesAt(codec, video, [0, 0.5, 1])));
    for (const i of [0, 1, 2]) {
      // What is drawn is the same to the bit; the encoder gives one run in a hundred other bits to a frame.
      expect(difference(a?.[i] as never, b?.[i] as never)).toBeLessThan(1);
      expect(difference(a?.[i] as never, c?.[i] as never)).toBeGreaterThan(3);
    }
  });

  test('a scene moves, and does not jerk', async () => {
    const video = await rendered(engine, { ...brief, prompt: 'a meadow in spring, pan right' });
    const frames = await framesAt(
      codec,
      video,
      Array.from({ length: 10 }, (_, i) => (i + 1.5) / 12),
    );
    const steps = frames.slice(1).map((frame, i) => difference(frame, frames[i] as never));
    const sorted = [...steps].sort((a, b) => a - b);
    expect(sorted[4]).toBeGreaterThan(0.3);
    expect(sorted.at(-1)).toBeLessThan(3 * (sorted[4] as number) + 1);
    expect(difference(frames[0] as never, frames[9] as never)).toBeGreaterThan(1.2 * (sorted[4] as number));
  });

  test('a static shot stands still where a panned one moves', async () => {
    const still = { ...brief, prompt: 'a red house in a desert, static camera', promptUpsampling: false };
    const [held, panned] = [
      await rendered(engine, still),
      await rendered(engine, { ...still, prompt: 'a red house in a desert, pan left' }),
    ];
    const [from, to] = await framesAt(codec, held, [0.1, 0.9]);
    const [left, right] = await framesAt(codec, panned, [0.1, 0.9]);
    expect(difference(from as never, to as never)).toBeLessThan(difference(left as never, right as never) / 3);
  });
});

describe('given images', () => {
  test('the light of a fire comes and goes in its room', async () => {
    const shares = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
    const swing = async (prompt: string) => {
      const video = await rendered(engine, { ...quick, prompt, promptUpsampling: false });
      const light = (await framesAt(codec, video, shares)).map(({ rgba, width, height }) => {
        let sum = 0;
        // The floor before the hearth.
        for (let y = Math.round(height * 0.76); y < height * 0.8; y++)
          for (let x = Math.round(width * 0.8); x < width * 0.92; x++) sum += rgba[(y * width + x) * 4] as number;
        return sum / (height * 0.04 * width * 0.12);
      });
      return Math.max(...light) - Math.min(...light);
    };
    expect(await swing('static shot of a room with a fireplace at night')).toBeGreaterThan(5);
    expect(await swing('static shot of a room at night')).toBeLessThan(2.5);
  });

  test('the first frame is the opening image, the last one the closing image', async () => {
    const [image, lastFrameImage] = [await madeImage(1280, 720, 1), await madeImage(1280, 720, 4)];
    const video = await rendered(engine, { ...quick, draft: false, prompt: 'a change', image, lastFrameImage });
    const [first, middle, last] = await framesAt(codec, video, [0, 0.5, 1]);
    const [open, close] = [await fitted(image, 1280, 720), await fitted(lastFrameImage, 1280, 720)];
    expect(difference(first as never, open)).toBeLessThan(4);
    expect(difference(last as never, close)).toBeLessThan(4);
    expect(difference(middle as never, close)).toBeGreaterThan(8);
  });

  test('a scene can close on an image', async () => {
    const lastFrameImage = await madeImage(1280, 720, 2);
    const video = await rendered(engine, { ...quick, prompt: 'rain over a city at night', lastFrameImage });
    const [first, last] = await framesAt(codec, video, [0, 1]);
    const close = await fitted(lastFrameImage, 1280, 720);
    expect(difference(last as never, close)).toBeLessThan(5);
    expect(difference(first as never, close)).toBeGreaterThan(20);
  });

  test('every featured avatar is seen', async () => {
    const colours = [
      [230, 30, 200],
      [30, 220, 60],
      [250, 160, 20],
    ] as const;
    const references = await Promise.all(colours.map(async (colour) => ({ image: await plain(300, 300, colour) })));
    const video = await rendered(engine, {
      ...brief,
      model: 'ensemble',
      prompt: 'friends in the mountains',
      references,
    });
    const bare = await rendered(engine, { ...brief, model: 'ensemble', prompt: 'friends in the mountains' });
    const [frame] = await framesAt(codec, video, [0.9]);
    const [without] = await framesAt(codec, bare, [0.9]);
    for (const colour of colours) {
      expect(shareOf(frame as never, colour)).toBeGreaterThan(0.06);
      expect(shareOf(without as never, colour)).toBeLessThan(0.02);
    }
  });
});

describe('sound', () => {
  test('given sound is the sound track and sets the length', async () => {
    const audio = tone(1.6, 24_000);
    expect(await engine.seconds({ ...quick, prompt: 'the sea', audio })).toBeCloseTo(1.6, 3);
    const video = await rendered(engine, { ...quick, prompt: 'the sea', duration: 9, audio });
    expect(video.seconds).toBeCloseTo(1.6, 2);
    const heard = await codec.decodeAudio(video.file);
    expect(heard.pcm.length / heard.rate).toBeCloseTo(1.6, 1);
    expect(loudness(heard.pcm)).toBeGreaterThan(5000);
  });

  test('a video without given sound has an ambience; a silent one has no sound track at all', async () => {
    const video = await rendered(engine, { ...quick, prompt: 'waves on a beach' });
    expect(loudness((await codec.decodeAudio(video.file)).pcm)).toBeGreaterThan(100);
    const silent = await rendered(engine, {
      ...quick,
      prompt: 'waves on a beach',
      saveAudio: false,
      audio: tone(0.6, 16_000),
    });
    await expect(codec.decodeAudio(silent.file)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect(silent.seconds).toBeCloseTo(0.6, 1);
  });
});

describe('video edits', () => {
  test('every frame is edited and the sound is kept', async () => {
    const source = await rendered(engine, {
      ...quick,
      prompt: 'a red balloon over a green meadow',
      audio: tone(0.5, 16_000),
    });
    const query = { ...quick, model: 'ensemble', prompt: 'make it black and white', srcVideo: source.file } as const;
    expect(await engine.seconds({ ...query, duration: 20 })).toBeCloseTo(0.5, 1);
    const video = await rendered(engine, { ...query, duration: 20 });
    expect(video.seconds).toBeCloseTo(0.5, 1);
    const frames = await framesAt(codec, video, [0, 0.5, 1]);
    const before = await framesAt(codec, source, [0, 0.5, 1]);
    const colourful = (rgba: Uint8Array) => {
      let most = 0;
      for (let i = 0; i < rgba.length; i += 4)
        most = Math.max(most, Math.abs((rgba[i] as number) - (rgba[i + 2] as number)));
      return most;
    };
    for (const [i, frame] of frames.entries()) {
      expect(colourful(frame.rgba)).toBeLessThan(12);
      expect(colourful(before[i]?.rgba as Uint8Array)).toBeGreaterThan(60);
    }
    expect(loudness((await codec.decodeAudio(video.file)).pcm)).toBeGreaterThan(4000);
  });

  test('what cannot be done is refused before any work, naming the field', async () => {
    const query = { ...quick, prompt: 'remove the man on the left', srcVideo: new Uint8Array(9) };
    await expect(engine.seconds(query)).rejects.toMatchObject({ code: 'BAD_INPUT', details: { field: 'prompt' } });
    const broken = { ...quick, prompt: 'sepia', srcVideo: new Uint8Array(900) };
    await expect(rendered(engine, broken)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('failures', () => {
  test('images that are none are refused with the name of their field', async () => {
    for (const field of ['image', 'lastFrameImage'] as const) {
      const query = { ...quick, prompt: 'a hill', [field]: new TextEncoder().encode('<svg/>') };
      await expect(rendered(engine, query)).rejects.toThrow(new RegExp(field));
    }
  });

  test('an aborted video rejects with the reason and the next one is made', async () => {
    const control = new AbortController();
    const reason = new Error('enough');
    const seen: unknown[] = [];
    const rendering = (async () => {
      for await (const piece of engine.render({
        ...quick,
        duration: 20,
        prompt: 'a storm at sea',
        signal: control.signal,
      })) {
        seen.push(piece);
        control.abort(reason);
      }
    })();
    await expect(rendering).rejects.toBe(reason);
    expect(seen.some((piece) => 'file' in (piece as object))).toBe(false);
    const next = await rendered(engine, { ...brief, prompt: 'a calm lake' });
    expect(next.file.length).toBeGreaterThan(1000);
  });
});
