/**
 * Images and videos by a provider of the AI SDK in place of the embedded engines (README, "Plug in real ones"): the real
 * client of fal, chosen by configuration alone, against a server that speaks fal's protocol.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import sharp from 'sharp';
import { createEngines } from '../../src/engines/create.ts';
import { createVideoEngine } from '../../src/engines/embedded/renderer/video/index.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { plain, rendered, shareOf, tone } from '../engines/renderer/video/support.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { sharedDecoders } from '../support/decoders.ts';
import { type FalServer, serveFal } from '../support/fal-server.ts';
import { type ImageServer, serveImages } from '../support/image-server.ts';
import { remoteCalls } from '../support/remote-calls.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

const RED = [220, 30, 30] as const;

let t: TestApp;
let fal: FalServer;
let imageServer: ImageServer;
let ada: TestUser;
let nova: any;
let worker: TestWorker;

beforeAll(async () => {
  imageServer = await serveImages({ '/red.png': { type: 'image/png', body: await plain(640, 360, RED) } });
  fal = await serveFal();
  fal.image = await plain(1024, 768, [30, 90, 160]);
  const decoders = sharedDecoders();
  const embedded = createVideoEngine({ decoders });
  // Square, at 48 frames and with sound: nothing of it is as the tests below ask for.
  const query = { prompt: 'a hill', model: 'scene', duration: 1, aspectRatio: '1:1', fps: 48, draft: true } as const;
  fal.video = (await rendered(embedded, { ...query, audio: tone(1, 16_000) })).file;
  await embedded.close();
  process.env.FAL_KEY = 'fal-key-of-the-operator';
  t = await openTestApp({
    engines: 'real',
    env: {
      FETCH_ALLOW_HOSTS: `${imageServer.host},${fal.host}`,
      VIDEO_MODEL: '@ai-sdk/fal:fal-ai/words-to-video, motion=@ai-sdk/fal:fal-ai/image-to-video',
      VIDEO_OPTIONS: '{"fal": {"loop": false}}',
      IMAGE_MODEL:
        '@ai-sdk/fal:fal-ai/painter, edit=@ai-sdk/fal:fal-ai/retoucher, typo_gen=@ai-sdk/fal:fal-ai/letterer',
      IMAGE_OPTIONS: '{"fal": {"useMultipleImages": true}}',
      IMAGE_BASE_URL: fal.url,
    },
  });
  worker = await openWorker(t, t.app.engines);
  ada = await t.person('Ada', 5);
  const { body } = await t.rest('POST', '/avatars', {
    as: ada.apiKey,
    body: {
      displayName: 'Nova',
      imageUrl: `${imageServer.url}/red.png`,
      ttsVoiceId: t.app.engines.speech.voices()[0]!.id,
    },
  });
  nova = body.avatar;
});
afterAll(async () => {
  delete process.env.FAL_KEY;
  await worker.stop();
  await t.close();
  await fal.close();
  await imageServer.close();
});
beforeEach(() => {
  fal.requests.length = 0;
  fal.refuse = undefined;
  fal.breaks = false;
  fal.pendingPolls = 1;
});

const balance = async () =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, ada.session)).body.data.me.balance;

async function video(body: object) {
  const accepted = await t.rest('POST', '/videos/generate', { as: ada.apiKey, body });
  expect(accepted).toMatchObject({ status: 202 });
  return until(async () => {
    const answer = await t.rest('GET', accepted.body.poll, { as: ada.apiKey });
    return ['ready', 'error'].includes(answer.body.status) && answer.body;
  });
}

async function contents(url: string) {
  const file = new Uint8Array(await (await fetch(url)).arrayBuffer());
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const video = (await input.getPrimaryVideoTrack())!;
  const { averagePacketRate } = await video.computePacketStats();
  return {
    file,
    codec: await video.getCodec(),
    size: [await video.getDisplayWidth(), await video.getDisplayHeight()],
    fps: Math.round(averagePacketRate),
    seconds: await input.computeDuration(),
    hasSound: (await input.getPrimaryAudioTrack()) !== null,
  };
}

describe('videos', () => {
  test('go through the provider’s queue and come out as they were asked for, billed once', async () => {
    const before = await balance();
    const done = await video({ prompt: 'A boat at dawn', duration: 1, seed: 7, saveAudio: false });
    expect(done).toMatchObject({ status: 'ready', seconds: 1, creditCost: 0.025 });
    const [submitted, ...polls] = fal.requests;
    expect(submitted).toMatchObject({ method: 'POST', url: '/queue/fal-ai/words-to-video' });
    expect(submitted!.key).toBe('Key fal-key-of-the-operator');
    expect(submitted!.body).toEqual({
      prompt: 'A boat at dawn',
      aspect_ratio: '16:9',
      duration: '1s',
      seed: 7,
      loop: false,
    });
    expect(polls).toHaveLength(2);
    const made = await contents(done.videoUrl);
    expect(made).toMatchObject({ codec: 'avc', size: [1280, 720], fps: 24, hasSound: false });
    expect(made.seconds).toBeCloseTo(1, 1);
    expect(await balance()).toEqual({ available: expect.closeTo(before.available - 0.025, 6), held: 0 });
  });

  test('a video that opens on an image goes to the model for that, and closes on the image asked for', async () => {
    const url = `${imageServer.url}/red.png`;
    const done = await video({ prompt: 'It wakes', image: url, lastFrameImage: url, duration: 1 });
    const { url: path, body } = fal.requests[0]!;
    expect(path).toBe('/queue/fal-ai/image-to-video');
    expect(body).not.toHaveProperty('aspect_ratio');
    expect(body.image_url).toMatch(/^data:image\/(png|jpeg|webp);base64,/);
    const made = await contents(done.videoUrl);
    expect(made).toMatchObject({ size: [1280, 720], hasSound: true });
    const [first, last] = await t.app.engines.codec.decodeFrames(made.file, [0, 10_000]);
    expect(shareOf(first!, RED)).toBeLessThan(0.2);
    expect(shareOf(last!, RED)).toBeGreaterThan(0.95);
  });

  test('what an avatar says is laid under the provider’s video and sets its length', async () => {
    const body = { prompt: 'A hall', avatarId: nova.avatarId, speechText: 'Good morning.' };
    const done = await video({ ...body, duration: 9 });
    expect(done.status).toBe('ready');
    const made = await contents(done.videoUrl);
    const { pcm, rate } = await t.app.engines.codec.decodeAudio(made.file);
    expect(made.seconds).toBeCloseTo(pcm.length / rate, 0);
    expect(done.seconds).toBeCloseTo(made.seconds, 1);
    expect(fal.requests[0]!.body.duration).toBe(`${Math.ceil(done.seconds)}s`);
    expect(made.seconds).toBeLessThan(5);
    expect(pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeGreaterThan(1_000);
  });

  test('a video that outlives its worker is gone on with: it is asked for once, with its seed', async () => {
    fal.pendingPolls = Number.POSITIVE_INFINITY;
    const making = video({ prompt: 'A long dawn', duration: 1 });
    await until(async () => fal.requests.some(({ method }) => method === 'GET'));
    await worker.stop();
    fal.pendingPolls = 0;
    worker = await openWorker(t, t.app.engines);
    const done = await making;
    expect(done).toMatchObject({ status: 'ready', seconds: 1, creditCost: 0.025 });
    const asked = fal.requests.filter(({ method }) => method === 'POST');
    expect(asked).toHaveLength(1);
    const [row] = await t.app.db.rows<any>('select seed, attempt from video_generation where id = $1', [
      done.generationId,
    ]);
    expect([Number(row.seed), row.attempt]).toEqual([asked[0]!.body.seed, 2]);
  });

  test.each<[string, () => void, number]>([
    ['refuses it', () => (fal.refuse = 422), 1],
    ['breaks while it is made', () => (fal.breaks = true), 3],
  ])('a provider that %s: error, nothing charged, nothing of its answer disclosed', async (_, set, submits) => {
    set();
    fal.pendingPolls = 0;
    const before = await balance();
    const done = await video({ prompt: 'A boat', duration: 2 });
    expect(done).toMatchObject({
      status: 'error',
      error: 'The video model could not make this video.',
      creditCost: 0,
    });
    expect(fal.requests.filter(({ method }) => method === 'POST')).toHaveLength(submits);
    expect(await balance()).toEqual(before);
  });
});

describe('images', () => {
  const sizeOf = async (url: string) => {
    const { width, height } = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata();
    return [width, height];
  };

  test('are drawn, edited and lettered by the models named for it, in the proportions asked for', async () => {
    const generate = (body: object) => t.rest('POST', '/images/generate', { as: ada.apiKey, body });
    const drawn = await generate({ prompt: 'A boat', aspectRatio: '3:2' });
    expect(drawn).toMatchObject({ status: 200, body: { creditCost: 0.005, aspectRatio: '3:2' } });
    expect(await sizeOf(drawn.body.imageUrl)).toEqual([1024, 683]);
    await generate({ prompt: 'A sign that says "OPEN"' });
    await generate({ prompt: 'A boat' });
    const face = `${imageServer.url}/red.png`;
    const edit = { prompt: 'Give it a hat', images: [face, face] };
    const edited = await t.rest('POST', '/images/edit', { as: ada.apiKey, body: edit });
    expect(await sizeOf(edited.body.imageUrl)).toEqual([1024, 576]);
    expect(fal.requests.map(({ url }) => url.split('/').at(-1))).toEqual([
      'painter',
      'letterer',
      'painter',
      'retoucher',
    ]);
    expect(fal.requests[3]!.body.image_urls).toHaveLength(2);
    const seeds = fal.requests.map(({ body }) => body.seed);
    expect(seeds[0]).toBe(seeds[2]);
    expect(seeds[1]).not.toBe(seeds[0]);
  });

  test('an avatar without an image is drawn by the illustrator all the same, with its exact rig', async () => {
    fal.refuse = 500;
    const made = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Captain Rosa' } });
    expect(made.status).toBe(200);
    const rigs = await t.app.db.rows<any>('select rig from avatar_image where avatar_id = $1', [made.body.avatarId]);
    expect(rigs).toEqual([{ rig: expect.objectContaining({ source: 'rig' }) }]);
    expect(fal.requests).toEqual([]);
  });

  test('a provider that refuses is a 502 that discloses nothing, uncharged', async () => {
    const before = await balance();
    fal.refuse = 422;
    const { status, body } = await t.rest('POST', '/images/generate', { as: ada.apiKey, body: { prompt: 'A boat' } });
    expect([status, body.error]).toEqual([502, 'The image could not be made.']);
    expect(await balance()).toEqual(before);
  });
});

describe('a wrong name stops the start with one sentence', () => {
  test.each<[Record<string, string>, string]>([
    [{ VIDEO_MODEL: 'sora' }, 'VIDEO_MODEL must name a model as package:model, not "sora".'],
    [
      { VIDEO_MODEL: '@ai-sdk/nowhere:video' },
      'VIDEO_MODEL names the package @ai-sdk/nowhere, which is not installed: npm install @ai-sdk/nowhere',
    ],
    [{ IMAGE_MODEL: 'sharp:x' }, 'IMAGE_MODEL names sharp, which is no provider of the AI SDK.'],
    [{ IMAGE_BASE_URL: 'http://localhost:1' }, 'IMAGE_MODEL must be set when IMAGE_BASE_URL is.'],
    [{ VIDEO_BASE_URL: 'http://localhost:1' }, 'VIDEO_MODEL must be set when VIDEO_BASE_URL is.'],
    [{ VIDEO_MODEL: 'motion=a:b' }, 'VIDEO_MODEL must name the model for everything first'],
    [{ VIDEO_MODEL: 'a:b, opera=c:d' }, 'VIDEO_MODEL knows motion, scene, ensemble, not "opera".'],
    [{ VIDEO_OPTIONS: '[1]' }, 'VIDEO_OPTIONS must be a JSON object of objects by provider'],
  ])('%j', async (env, sentence) => {
    const start = async () => {
      const ports = { download: async () => new Uint8Array(), decoders: sharedDecoders(), calls: remoteCalls() };
      return createEngines(readConfig(env), ports);
    };
    await expect(start()).rejects.toThrow(sentence);
  });
});
