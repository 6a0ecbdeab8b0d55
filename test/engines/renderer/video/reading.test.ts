import { APICallError } from '@ai-sdk/provider';
import { describe, expect, test } from '@jest/globals';
import { readPrompt } from '../../../../src/engines/embedded/renderer/graphics/prompt.ts';
import { ambience, mixOf } from '../../../../src/engines/embedded/renderer/video/ambience.ts';
import { airOf } from '../../../../src/engines/embedded/renderer/video/atmosphere.ts';
import { poseAt, readCameraMoves } from '../../../../src/engines/embedded/renderer/video/camera-moves.ts';
import { secondsOf, shapeOf } from '../../../../src/engines/embedded/renderer/video/plan.ts';
import { readSubject } from '../../../../src/engines/embedded/renderer/video/subject.ts';
import type { VideoModelV4 } from '../../../../src/engines/ports/index.ts';
import { fromVideoModels } from '../../../../src/engines/remote/video.ts';
import { FILMED, REFUSED } from '../../../support/image-prompts.ts';
import { loudness, plain, rendered, tone } from './support.ts';

describe('what a prompt shows', () => {
  test('no prompt is refused for words about the camera', () => {
    expect(FILMED.flatMap((prompt) => readSubject(prompt, []).unknown ?? [])).toEqual([]);
  });

  test.each(REFUSED.slice(0, 5))('%s: cannot show %s, as in an image', (prompt, thing) => {
    expect(readSubject(`A drone shot of ${prompt}`, []).unknown).toBe(thing);
  });

  test('a featured avatar is no thing', () => {
    expect(readSubject('Waterfall waves on a beach', ['Waterfall']).unknown).toBeUndefined();
  });
});

describe('size and length', () => {
  test.each([
    ['16:9', 1280, 720],
    ['9:16', 720, 1280],
    ['4:3', 960, 720],
    ['3:4', 720, 960],
    ['3:2', 1080, 720],
    ['2:3', 720, 1080],
    ['1:1', 720, 720],
  ] as const)('%s at 720p is %d x %d', (aspectRatio, width, height) => {
    expect(shapeOf({ aspectRatio })).toEqual({ width, height, fps: 24 });
    const large = shapeOf({ aspectRatio, resolution: '1080p', fps: 48 });
    expect(large).toEqual({ width: width * 1.5, height: height * 1.5, fps: 48 });
    expect((large.width % 2) + (large.height % 2)).toBe(0);
  });

  test('an image of odd proportions gives even sides, an extreme one is cropped', () => {
    expect(shapeOf({}, 1.7)).toMatchObject({ width: 1224, height: 720 });
    expect(shapeOf({}, 9).width).toBe(1728);
  });

  test('sound sets the length, then the source, then the wish', () => {
    expect(secondsOf({})).toBe(5);
    expect(secondsOf({ duration: 3 })).toBe(3);
    expect(secondsOf({ duration: 3, audio: tone(7, 8000) })).toBe(7);
    expect(secondsOf({ duration: 20 }, 4.2)).toBe(4.2);
    expect(secondsOf({ duration: 2 }, 4.2)).toBe(2);
    expect(secondsOf({}, 300)).toBe(20);
  });
});

describe('motion words', () => {
  test.each([
    ['a beach, pan left', { pan: -1 }],
    ['the camera pans slowly to the right over a beach', { pan: 1 }],
    ['zoom in on a castle', { zoom: 1 }],
    ['slow zoom out from a castle', { zoom: -1 }],
    ['aerial view of a coast', { zoom: 1 }],
    ['tilt up to the sky', { tilt: -1 }],
    ['a static shot of a room', { pan: 0, tilt: 0, zoom: 0 }],
  ])('%s', (prompt, way) => {
    expect(readCameraMoves(prompt, 1)).toMatchObject({ ...way, isNamed: true });
  });

  test('pace is read, and a prompt without directions still moves a little', () => {
    expect(readCameraMoves('a fast river', 1).pace).toBeGreaterThan(readCameraMoves('a calm river', 1).pace);
    const moves = readCameraMoves('a river', 3);
    expect(moves.isNamed).toBe(false);
    expect(poseAt(moves, 0, 0)).not.toEqual(poseAt(moves, 1, 5));
  });

  test('words about the video are not drawn, nor are featured avatars', () => {
    const shown = (prompt: string, names: string[] = []) => readSubject(prompt, names).subjects.map(({ word }) => word);
    expect(shown('a lake, static camera')).toEqual([]);
    expect(shown('the camera pans over a dog in a field')).toEqual(['dog']);
    expect(shown('Robot and a dog on a beach', ['Robot'])).toEqual(['dog']);
    expect(shown('a cat under stars')).toEqual(['cat']);
  });
});

describe('air and sound', () => {
  const read = (prompt: string, upsample: boolean) => airOf(prompt, readPrompt(prompt), true, upsample);
  test('what is named falls; what is only likely comes with upsampling alone', () => {
    expect(read('a village in heavy rain', false)).toEqual(['rain']);
    expect(read('a forest in autumn', true)).toEqual(['leaves']);
    expect(read('a forest in autumn', false)).toEqual([]);
    expect(read('a room in the rain', true)).not.toContain('rain');
  });

  test('each place has its sound; it is the same for the same seed and fades at both ends', () => {
    expect(mixOf(readPrompt('waves on a beach'), [])).toHaveProperty('waves');
    expect(mixOf(readPrompt('a city at night'), ['rain'])).toMatchObject({
      city: expect.any(Number),
      rain: expect.any(Number),
    });
    expect(mixOf(undefined, [])).toHaveProperty('pad');
    for (const prompt of [
      'a beach',
      'a city street',
      'a forest at night',
      'a spaceship in space',
      'a campfire in the rain',
    ]) {
      const pcm = ambience(mixOf(readPrompt(prompt), ['rain']), 2, 4);
      expect(pcm.length).toBe(64_000);
      expect(loudness(pcm.subarray(16_000, 48_000))).toBeGreaterThan(150);
      expect(Math.abs(pcm[0] as number) + Math.abs(pcm.at(-1) as number)).toBeLessThan(20);
      expect(pcm).toEqual(ambience(mixOf(readPrompt(prompt), ['rain']), 2, 4));
      expect(Math.max(...pcm)).toBeLessThan(20_000);
    }
  });
});

describe('models of the AI SDK', () => {
  const model: VideoModelV4 = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'video-1',
    maxVideosPerCall: 1,
    async doGenerate(call) {
      calls.push(call);
      return {
        videos: [{ type: 'binary', data: new Uint8Array([1, 2, 3]), mediaType: 'video/mp4' }],
        warnings: [],
        response: { timestamp: new Date(0), modelId: 'video-1', headers: undefined },
      };
    },
  };
  const calls: unknown[] = [];
  const engineOf = (one: VideoModelV4) =>
    fromVideoModels({
      models: { all: one },
      codec: { durationSeconds: async () => 4 },
      async *conform({ seed }, made) {
        yield { progress: 0.5 };
        yield { file: made, seconds: 4, width: 1280, height: 720, fps: 24, seed };
      },
      download: async () => new Uint8Array(),
      pollMs: 1,
    });

  test('that answer at once become a VideoEngine: fields are mapped, progress never falls', async () => {
    const png = await plain(64, 36, [1, 2, 3]);
    const asked = { prompt: 'a hill', model: 'cinematic', duration: 4, lastFrameImage: png, saveAudio: false } as const;
    const video = await rendered(engineOf(model), asked);
    expect(video).toMatchObject({ seconds: 4, width: 1280, height: 720, file: new Uint8Array([1, 2, 3]) });
    expect(video.progress).toEqual([...video.progress].sort());
    expect(calls).toEqual([
      expect.objectContaining({
        prompt: 'a hill',
        resolution: '1280x720',
        aspectRatio: undefined,
        duration: 4,
        seed: video.seed,
        generateAudio: false,
        frameImages: [{ frameType: 'last_frame', image: { type: 'file', mediaType: 'image/png', data: png } }],
      }),
    ]);
  });

  test('that report a failure fail with one sentence; their words are its cause', async () => {
    const cause = new Error('out of stock');
    const engine = engineOf({
      ...model,
      async doGenerate() {
        throw cause;
      },
    });
    const failed = rendered(engine, { prompt: 'x', model: 'scene' });
    await expect(failed).rejects.toMatchObject({ code: 'UPSTREAM_FAILED', cause });
  });

  const away = (statusCode?: number) =>
    new APICallError({ message: 'away', url: 'x', requestBodyValues: {}, isRetryable: true, statusCode });

  test.each<[string, APICallError[], { isMade: boolean; looks: number }]>([
    ['is looked for again when the line breaks', [away(), away(503)], { isMade: true, looks: 3 }],
    ['is given up when nobody answers any more', Array(20).fill(away()), { isMade: false, looks: 6 }],
    ['has ended when the provider says that it broke', [away(500)], { isMade: false, looks: 1 }],
  ])('an operation, which is paid for, %s', async (_, failures, expected) => {
    let looks = 0;
    const engine = engineOf({
      ...model,
      doStart: async () => ({ operation: 1, warnings: [], response: {} as never }),
      async doStatus() {
        looks += 1;
        if (failures[looks - 1]) throw failures[looks - 1];
        return { ...(await model.doGenerate!({} as never)), status: 'completed' };
      },
    });
    const made = rendered(engine, { prompt: 'x', model: 'scene' });
    expect({
      isMade: await made.then(
        () => true,
        () => false,
      ),
      looks,
    }).toEqual(expected);
  });

  test('an aborted video rejects with the reason, while an operation is waited for too', async () => {
    const aborter = new AbortController();
    const reason = new Error('enough');
    const engine = engineOf({
      ...model,
      doStart: async () => ({ operation: 1, warnings: [], response: {} as never }),
      async doStatus() {
        aborter.abort(reason);
        return { status: 'pending', response: {} as never };
      },
    });
    await expect(rendered(engine, { prompt: 'x', model: 'scene', signal: aborter.signal })).rejects.toBe(reason);
  });
});
