/** POST /videos/generate, its poll, pricing and sharing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { Engines, VideoEngine, VideoQuery } from '../../src/engines/ports/index.ts';
import { badInput, PlatformError } from '../../src/kernel/errors.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type ImageServer, serveImages } from '../support/image-server.ts';
import { makeClient, tokenFor } from '../support/oauth.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

let t: TestApp;
let worker: TestWorker;
let imageServer: ImageServer;
let ada: TestUser;
let nova: any;
let zed: any;
let rose: any;
const videos: VideoQuery[] = [];
let video: VideoEngine['render'];
const usual = createNoopEngines().video;

function engines(): Engines {
  const noop = createNoopEngines();
  return {
    ...noop,
    speech: { ...noop.speech, estimateSeconds: (text) => text.length * 0.1 },
    codec: {
      ...noop.codec,
      decodeAudio: async (file, { field = 'file', maxSeconds } = {}) => {
        if (Buffer.from(file).includes('RIFF')) return { pcm: new Int16Array(3 * 8_000), rate: 8_000 };
        if (Buffer.from(file).includes('long')) throw badInput(field, `must be at most ${maxSeconds} seconds long.`);
        throw badInput(field, 'is not a recording that can be read.');
      },
    },
    video: {
      ...noop.video,
      seconds: async (query) => {
        if (query.srcVideo && !Buffer.from(query.srcVideo).includes('ftyp')) {
          throw new PlatformError('BAD_INPUT', 'srcVideo is not a video that can be read.');
        }
        return query.srcVideo ? 4 : (query.duration ?? 5);
      },
      async *render(query) {
        videos.push(query);
        yield* video(query);
      },
    },
  };
}

beforeAll(async () => {
  imageServer = await serveImages({
    '/voice.wav': { type: 'audio/wav', body: 'RIFF....WAVE' },
    '/long.wav': { type: 'audio/wav', body: 'long' },
    '/noise.mp3': { type: 'audio/mpeg', body: 'nothing' },
    '/video.mp4': { type: 'video/mp4', body: '....ftypisom' },
    '/broken.mp4': { type: 'video/mp4', body: 'nothing' },
  });
  t = await openTestApp({
    env: { SIGNUP_CREDITS: '0', FETCH_ALLOW_HOSTS: imageServer.host },
    engines: { ...engines(), close: async () => {} },
  });
  worker = await openWorker(t, engines());
  ada = await t.person('Ada', 100);
  nova = await make('Nova Star', 'noop');
  zed = await make('Zedekiah');
  rose = await make('Rose');
});
afterAll(async () => {
  await worker.stop();
  await t.close();
  await imageServer.close();
});
beforeEach(() => {
  videos.length = 0;
  video = usual.render;
});

const make = async (displayName: string, ttsVoiceId?: string, owner = ada) =>
  (await t.rest('POST', '/avatars', { as: owner.apiKey, body: { displayName, ttsVoiceId } })).body.avatar;
const generate = (body: object, as = ada.apiKey, headers = {}) =>
  t.rest('POST', '/videos/generate', { as, body, headers });
const read = (generationId: string, as = ada.apiKey) => t.rest('GET', `/videos/${generationId}`, { as });
const ended = (generationId: string, as = ada.apiKey) =>
  until(async () => {
    const { body } = await read(generationId, as);
    return ['ready', 'error'].includes(body.status) && body;
  });
const made = async (body: object) => {
  const answer = await generate(body);
  expect(answer).toMatchObject({ status: 202 });
  await ended(answer.body.generationId);
  return { ...answer.body, query: videos.at(-1)! };
};
const balance = async (person: TestUser) =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, person.session)).body.data.me.balance;
const at = (path: string) => imageServer.url + path;

describe('POST /videos/generate', () => {
  test('answers 202 with every documented field; the poll leads to a public video, billed once', async () => {
    const rich = await t.person('Rich', 1);
    const { status, body } = await generate({ prompt: 'A boat at dawn', duration: 3 }, rich.apiKey);
    expect(status).toBe(202);
    expect(body).toEqual({
      generationId: expect.stringMatching(/^vid_/),
      status: 'queued',
      model: 'cinematic',
      referencedAvatars: [],
      poll: `/videos/${body.generationId}`,
      slug: expect.stringMatching(/^v-\d\d-\d\d-[a-z0-9]{4}$/),
      url: `${t.app.config.SITE_URL}/${body.slug}`,
      seconds: 3,
      creditCost: 0.075,
      storePath: `videos/${body.generationId}`,
    });
    const done = await ended(body.generationId, rich.apiKey);
    expect(done).toMatchObject({ status: 'ready', slug: body.slug, seconds: 3, creditCost: 0.075 });
    expect(done).not.toHaveProperty('error');
    expect(done.videoUrl).not.toContain('e=');
    expect((await fetch(done.videoUrl)).headers.get('content-type')).toBe('video/mp4');
    expect(await balance(rich)).toEqual({ available: 0.925, held: 0 });
    const { body: ledger } = await t.graphql<any>(
      '{ ledgerEntries(first: 1) { nodes { kind amount } } }',
      {},
      rich.session,
    );
    expect(ledger.data.ledgerEntries.nodes).toEqual([{ kind: 'svc-video', amount: -0.075 }]);
  });

  test.each<[object, string]>([
    [{}, 'prompt is required.'],
    [{ prompt: ' ' }, 'prompt must not be empty.'],
    [{ prompt: '🙂'.repeat(2001) }, 'prompt must have at most 2000 characters.'],
    [{ prompt: 'x', duration: 0 }, 'duration must be from 1 to 20.'],
    [{ prompt: 'x', duration: 21 }, 'duration must be from 1 to 20.'],
    [{ prompt: 'x', duration: 2.5 }, 'duration must be a whole number.'],
    [{ prompt: 'x', duration: '3' }, 'duration must be a whole number.'],
    [{ prompt: 'x', resolution: '4k' }, 'resolution must be one of 720p, 1080p.'],
    [{ prompt: 'x', fps: 30 }, 'fps must be one of 24, 48.'],
    [{ prompt: 'x', aspectRatio: '5:4' }, 'aspectRatio must be one of 1:1, 16:9, 9:16,'],
    [{ prompt: 'x', seed: 1.5 }, 'seed must be a whole number.'],
    [{ prompt: 'x', draft: 'yes' }, 'draft must be true or false.'],
    [{ prompt: 'x', visibility: 'secret' }, 'visibility must be one of private, public.'],
    [{ prompt: 'x', model: 'sora' }, 'model must be one of cinematic, motion, scene, ensemble.'],
    [{ prompt: 'x', model: 'motion' }, 'model motion needs an image.'],
    [{ prompt: 'x', model: 'motion', image: null }, 'model motion needs an image.'],
    [{ prompt: 'x', model: 'ensemble' }, 'model ensemble needs an image.'],
    [{ prompt: 'x', model: 'scene', image: '/face.png' }, 'image is not taken by model scene'],
    [{ prompt: 'x', model: 'motion', srcVideo: '/video.mp4' }, 'model must be ensemble with srcVideo.'],
    [{ prompt: 'x', srcVideo: '/video.mp4', image: '/face.png' }, 'image must not be given with srcVideo.'],
    [
      { prompt: 'x', srcVideo: '/video.mp4', lastFrameImage: '/face.png' },
      'lastFrameImage must not be given with srcVideo.',
    ],
    [{ prompt: 'x', srcVideo: '/broken.mp4' }, 'srcVideo is not a video that can be read.'],
    [{ prompt: 'x', srcVideo: '/face.png' }, 'srcVideo could not be fetched.'],
    [{ prompt: 'x', image: '/page.html' }, 'image could not be fetched.'],
    [{ prompt: 'x', image: '/fake.png' }, 'image is not a JPEG, PNG or WebP image that can be read.'],
    [{ prompt: 'x', image: 'data:image/png;base64,AA==' }, 'image must be an http or https address.'],
    [{ prompt: 'x', lastFrameImage: '/gone.png' }, 'lastFrameImage could not be fetched.'],
    [{ prompt: 'x', speechText: 'Hello' }, 'avatarId is required with speechText.'],
    [{ prompt: 'x', speechText: '' }, 'speechText must not be empty.'],
    [{ prompt: 'x', speechText: '🙂'.repeat(301), avatarId: 'nova' }, 'speechText must have at most 300 characters.'],
    [{ prompt: 'x', speechText: 'Hello', avatarId: 'zed' }, 'speechText needs an avatar with a voice.'],
    [
      { prompt: 'x', speechText: 'Hello', avatarId: 'nova', audio: '/voice.wav' },
      'audio must not be given with speechText.',
    ],
    [{ prompt: 'x', audio: '/noise.mp3' }, 'audio is not a recording that can be read.'],
    [{ prompt: 'x', audio: '/long.wav' }, 'audio must be at most 60 seconds long.'],
    [{ prompt: 'x', avatarIds: ['a', 'b', 'c', 'd'] }, 'avatarIds must have at most 3 items.'],
    [
      { prompt: 'x', avatarId: 'nova', avatarIds: ['a', 'b', 'c'] },
      'avatarIds and avatarId may name at most 3 avatars in all.',
    ],
  ])('bad input %# is refused by name, nothing is held or left', async (body, error) => {
    const before = await balance(ada);
    const answer = await generate(filled(body));
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
    expect(await balance(ada)).toEqual(before);
  });

  test.each<[string, () => object]>([
    ['an unknown avatar', () => ({ avatarId: 'avt_none' })],
    ['an unknown avatar to feature', () => ({ avatarIds: ['avt_none'] })],
    ['somebody else’s avatar', () => ({ avatarId: foreign.avatarId })],
  ])('%s is a 404', async (_, body) => {
    foreign ??= await make('Foreign', 'noop', await t.person('Bob'));
    expect((await generate({ prompt: 'x', ...body() })).status).toBe(404);
  });
  let foreign: any;

  test('who cannot pay hears both amounts, and nothing of the request is kept', async () => {
    const poor = await t.person('Poor', 0.1);
    const { status, body } = await generate({ prompt: 'x', image: at('/face.png'), duration: 5 }, poor.apiKey);
    expect([status, body]).toEqual([402, expect.objectContaining({ requiredCredits: 0.125, availableCredits: 0.1 })]);
    expect((await t.app.db.rows('select 1 from video_generation where user_id = $1', [poor.userId])).length).toBe(0);
  });

  test('who cannot pay what it costs at least is refused before anything is fetched', async () => {
    const poor = await t.person('Poor', 0);
    const body = { prompt: 'Make it grey', srcVideo: at('/gone.mp4') };
    const refused = await t.rest('POST', '/videos/generate', { as: poor.apiKey, body });
    expect([refused.status, refused.body.availableCredits]).toEqual([402, 0]);
    // With credits the address is asked, and is not there.
    const rich = await t.person('Rich', 1);
    const asked = await t.rest('POST', '/videos/generate', { as: rich.apiKey, body });
    expect([asked.status, asked.body.error]).toEqual([400, expect.stringMatching(/^srcVideo /)]);
  });
});

/** Addresses and names of the table above, which is written before there are any. */
function filled(body: object): object {
  const names: Record<string, any> = { nova, zed };
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      typeof value === 'string' && value.startsWith('/') ? at(value) : (names[value as string]?.avatarId ?? value),
    ]),
  );
}

describe('what reaches the engine', () => {
  test('every field as it was asked for', async () => {
    const { query } = await made({
      prompt: 'x',
      duration: 2,
      resolution: '1080p',
      fps: 48,
      aspectRatio: '9:16',
      seed: 2 ** 40,
      draft: true,
      saveAudio: false,
      promptUpsampling: false,
      lastFrameImage: at('/face.png'),
    });
    expect(query).toMatchObject({
      prompt: 'x',
      duration: 2,
      resolution: '1080p',
      fps: 48,
      aspectRatio: '9:16',
      seed: 2 ** 40,
      draft: true,
      saveAudio: false,
      promptUpsampling: false,
    });
    expect(query.lastFrameImage!.length).toBeGreaterThan(0);
    expect(query.image).toBeUndefined();
  });

  test('defaults', async () => {
    const { query } = await made({ prompt: 'x' });
    expect(query).toMatchObject({
      resolution: '720p',
      fps: 24,
      aspectRatio: '16:9',
      draft: false,
      saveAudio: true,
      promptUpsampling: true,
    });
    expect(query).not.toHaveProperty('seed');
    expect(query).not.toHaveProperty('duration');
  });

  test('image absent opens on the avatar’s still; null does not, by REST and GraphQL', async () => {
    const { avatarId } = nova;
    const still = await made({ prompt: 'x', avatarId });
    expect([still.query.image!.length > 0, still.query.references, still.model]).toEqual([true, [], 'cinematic']);
    expect(still.referencedAvatars).toEqual([{ id: avatarId, name: 'Nova Star' }]);
    const none = await made({ prompt: 'x', avatarId, image: null });
    expect([none.query.image, none.query.references]).toEqual([undefined, []]);
    const mutation = 'mutation($input: GenerateVideoInput!) { generateVideo(input: $input) { generationId } }';
    for (const [image, opens] of [
      [undefined, true],
      [null, false],
    ] as const) {
      const { body } = await t.graphql<any>(mutation, { input: { prompt: 'x', avatarId, image } }, ada.apiKey);
      await ended(body.data.generateVideo.generationId);
      expect(videos.at(-1)!.image !== undefined).toBe(opens);
    }
    const literal = `mutation { generateVideo(input: { prompt: "x", avatarId: "${avatarId}", image: null }) { generationId } }`;
    const { body } = await t.graphql<any>(literal, {}, ada.apiKey);
    await ended(body.data.generateVideo.generationId);
    expect(videos.at(-1)!.image).toBeUndefined();
  });

  test('an opening frame of one’s own stands beside the avatar', async () => {
    const { query, model } = await made({ prompt: 'x', avatarId: nova.avatarId, image: at('/face.png') });
    expect(query.image!.length).toBeGreaterThan(0);
    expect(query.references!.map(({ name }: any) => name)).toEqual(['Nova Star']);
    expect(model).toBe('ensemble');
  });

  test.each<[string, () => object, string[], string]>([
    ['no image', () => ({ prompt: 'A quiet sea' }), [], 'cinematic'],
    ['an image', () => ({ prompt: 'A sea', image: at('/face.png') }), [], 'cinematic'],
    ['one by name', () => ({ prompt: 'zedekiah at sea' }), ['Zedekiah'], 'cinematic'],
    [
      'two by name, in their order',
      () => ({ prompt: 'Zedekiah meets nova  star!' }),
      ['Zedekiah', 'Nova Star'],
      'ensemble',
    ],
    [
      'ids before names',
      () => ({ prompt: 'Zedekiah’s boat', avatarIds: [rose.avatarId] }),
      ['Rose', 'Zedekiah'],
      'ensemble',
    ],
    [
      'three in all',
      () => ({ prompt: 'Nova Star, Rose and Zedekiah', avatarIds: [zed.avatarId, rose.avatarId] }),
      ['Zedekiah', 'Rose', 'Nova Star'],
      'ensemble',
    ],
    ['no part of a word', () => ({ prompt: 'Nova Starling and Zedekiahs' }), [], 'cinematic'],
    ['no short name that is a word', () => ({ prompt: 'A rose in the rain' }), [], 'cinematic'],
    ['a video to edit', () => ({ prompt: 'Make it grey', srcVideo: at('/video.mp4') }), [], 'ensemble'],
    ['a chosen model', () => ({ prompt: 'Zedekiah', model: 'ensemble' }), ['Zedekiah'], 'ensemble'],
    [
      'a chosen scene features instead of opening',
      () => ({ prompt: 'x', avatarId: zed.avatarId, model: 'scene' }),
      ['Zedekiah'],
      'scene',
    ],
  ])('%s', async (_, body, names, model) => {
    const video = await made(body());
    expect(video.referencedAvatars.map(({ name }: any) => name)).toEqual(names);
    expect([video.model, video.query.model]).toEqual([model, model]);
    expect(video.query.references!.map(({ name }: any) => name)).toEqual(names);
  });

  test('speechText is spoken in the avatar’s voice and sets the length; duration is ignored', async () => {
    const { query, seconds } = await made({
      prompt: 'x',
      avatarId: nova.avatarId,
      speechText: 'Hello out there',
      duration: 20,
    });
    expect(query.audio!.pcm.length / query.audio!.rate).toBeCloseTo(0.9, 1);
    expect(seconds).toBeCloseTo(1.5);
  });

  test('audio sets the length; srcVideo is handed over', async () => {
    const sound = await made({ prompt: 'x', audio: at('/voice.wav'), duration: 20 });
    expect([sound.seconds, sound.query.audio!.pcm.length]).toEqual([3, 24_000]);
    const edited = await made({ prompt: 'Make it grey', srcVideo: at('/video.mp4') });
    expect([edited.seconds, Buffer.from(edited.query.srcVideo!).toString()]).toEqual([4, '....ftypisom']);
  });
});

describe('money and states', () => {
  test.each<[object, number]>([
    [{}, 0.05],
    [{ draft: true }, 0.04],
    [{ draft: true, resolution: '1080p' }, 0.04],
    [{ resolution: '1080p' }, 0.06],
    [{ fps: 48 }, 0.06],
  ])('two seconds of %j', async (body, creditCost) => {
    const { body: accepted } = await generate({ prompt: 'x', duration: 2, ...body });
    expect(accepted.creditCost).toBe(creditCost);
    expect((await ended(accepted.generationId)).creditCost).toBe(creditCost);
  });

  test('pricing is for everyone', async () => {
    const { status, body } = await t.rest('GET', '/videos/pricing');
    expect([status, body.rates.map((rate: any) => [rate.tier, rate.creditsPerSecond])]).toEqual([
      200,
      [
        ['draft', 0.02],
        ['standard', 0.025],
        ['high', 0.03],
      ],
    ]);
  });

  test('billed are the seconds it has, never more than was held', async () => {
    video = async function* ({ seed = 0 }) {
      yield { file: new Uint8Array(8), seconds: 2.2, width: 2, height: 2, fps: 24, seed };
    };
    const shorter = await generate({ prompt: 'x', duration: 5 });
    expect(await ended(shorter.body.generationId)).toMatchObject({ seconds: 2.2, creditCost: 0.055 });
    const longer = await generate({ prompt: 'x', duration: 1 });
    expect(await ended(longer.body.generationId)).toMatchObject({ creditCost: 0.025 });
  });

  test('a video that fails is told, charges nothing and leaves nothing', async () => {
    const eve = await t.person('Eve', 1);
    video = async function* () {
      yield { progress: 0.5 };
      throw new Error('video: key=hunter2');
    };
    const { body } = await generate({ prompt: 'x', image: at('/face.png') }, eve.apiKey);
    const failed = await ended(body.generationId, eve.apiKey);
    expect(failed).toMatchObject({
      status: 'error',
      error: 'The video could not be rendered.',
      videoUrl: null,
      creditCost: 0,
    });
    expect(videos).toHaveLength(3);
    expect(await balance(eve)).toEqual({ available: 1, held: 0 });
    await until(async () => !(await t.app.store.exists(`videos/${body.generationId}/image.bin`)));
  });

  test('an edit that cannot be done is told in its words, at once', async () => {
    video = async function* () {
      yield { progress: 0.1 };
      throw new PlatformError('BAD_INPUT', 'prompt asks for what no edit can do.');
    };
    const { body } = await generate({ prompt: 'x' });
    expect((await ended(body.generationId)).error).toBe('prompt asks for what no edit can do.');
    expect(videos).toHaveLength(1);
  });

  test('progress is seen; a cancelled video ends uncharged, stops, and leaves nothing', async () => {
    const eve = await t.person('Eve', 1);
    let stopped = false;
    video = async function* ({ signal }) {
      try {
        for (let share = 0.1; ; share = Math.min(0.9, share + 0.1)) {
          signal?.throwIfAborted();
          yield { progress: share };
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      } finally {
        stopped = true;
      }
    };
    const { body } = await generate({ prompt: 'x', image: at('/face.png') }, eve.apiKey);
    const { generationId } = body;
    const progress = async () =>
      (
        await t.graphql<any>(
          'query($id: ID!) { video(generationId: $id) { status progress } }',
          { id: generationId },
          eve.apiKey,
        )
      ).body.data.video;
    await until(async () => (await progress()).progress > 0);
    expect((await progress()).status).toBe('rendering');
    expect((await balance(eve)).held).toBe(0.125);
    const cancel = 'mutation($id: ID!) { cancelVideo(generationId: $id) { status error creditCost } }';
    const { body: cancelled } = await t.graphql<any>(cancel, { id: generationId }, eve.apiKey);
    expect(cancelled.data.cancelVideo).toEqual({ status: 'error', error: 'Cancelled.', creditCost: 0 });
    await until(async () => stopped);
    expect(await balance(eve)).toEqual({ available: 1, held: 0 });
    await until(async () => !(await t.app.store.exists(`videos/${generationId}/image.bin`)));
    expect(await t.app.store.exists(`videos/${generationId}-1.mp4`)).toBe(false);
    // Cancelling again, or what is ready, changes nothing.
    video = usual.render;
    const ready = await made({ prompt: 'x' });
    const { body: late } = await t.graphql<any>(cancel, { id: ready.generationId }, ada.apiKey);
    expect(late.data.cancelVideo.status).toBe('ready');
  });

  test('a worker that stops gives the video back; another makes it once, from what was kept', async () => {
    const eve = await t.person('Eve', 1);
    const started = Promise.withResolvers<void>();
    video = async function* ({ signal }) {
      yield { progress: 0.5 };
      started.resolve();
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    const { body } = await generate({ prompt: 'x', image: at('/face.png') }, eve.apiKey);
    await started.promise;
    video = usual.render;
    await worker.stop();
    worker = await openWorker(t, engines());
    expect((await ended(body.generationId, eve.apiKey)).status).toBe('ready');
    expect(videos.at(-1)!.image!.length).toBeGreaterThan(0);
    const charged = await t.app.db.rows('select 1 from ledger_transfer where source = $1', [
      `video:${body.generationId}`,
    ]);
    expect(charged).toHaveLength(1);
    expect(await balance(eve)).toEqual({ available: 0.875, held: 0 });
    await until(async () => !(await t.app.store.exists(`videos/${body.generationId}/image.bin`)));
  });

  test('an attempt that was overtaken is neither charged nor kept', async () => {
    const eve = await t.person('Eve', 1);
    let overtaken = false;
    video = async function* (query) {
      if (!overtaken) {
        overtaken = true;
        await t.app.videoRenders.render(await accepted.promise, { isLastAttempt: true });
      }
      yield* usual.render(query);
    };
    const accepted = Promise.withResolvers<string>();
    const { body } = await generate({ prompt: 'x', duration: 2 }, eve.apiKey);
    accepted.resolve(body.generationId);
    expect((await ended(body.generationId, eve.apiKey)).videoUrl).toContain('-2.mp4');
    await until(async () => !(await t.app.store.exists(`videos/${body.generationId}-1.mp4`)));
    expect(await balance(eve)).toEqual({ available: 0.95, held: 0 });
  });

  test('work whose job was lost for good ends in error after 15 minutes, and its hold goes back', async () => {
    await worker.stop();
    const eve = await t.person('Eve', 1);
    const echo = await make('Echo', 'noop', eve);
    const video = await generate({ prompt: 'x', image: at('/face.png') }, eve.apiKey);
    const path = `/avatars/${echo.avatarId}/speak`;
    const speech = await t.rest('POST', path, { as: eve.apiKey, body: { text: 'Never heard' } });
    const ids = [video.body.generationId, speech.body.generationId];
    const age = (table: string, column: string) =>
      t.app.db.rows(`update ${table} set created_at = created_at - 1000000 where ${column} = any($1)`, [ids]);
    await age('video_generation', 'id');
    await age('speech_generation', 'id');
    await age('ledger_hold', "split_part(source, ':', 2)");
    expect(await t.app.orphanReaper.reap()).toMatchObject({ generations: 0, holds: 0 });
    await t.app.db.rows(`delete from pgboss.job where data->>'id' = any($1)`, [ids]);
    // As a worker leaves it that is killed after it stored its file.
    for (const table of ['video_generation', 'speech_generation'])
      await t.app.db.rows(`update ${table} set attempt = 1 where id = any($1)`, [ids]);
    const left = [`videos/${ids[0]}-1.mp4`, `speech/${ids[1]}-1.mp4`];
    for (const key of left) await t.app.store.put(key, new Uint8Array([1]), { contentType: 'video/mp4' });
    expect(await t.app.orphanReaper.reap()).toMatchObject({ generations: 2, holds: 0 });
    for (const poll of [video.body.poll, speech.body.poll]) {
      expect((await t.rest('GET', poll, { as: eve.apiKey })).body.status).toBe('error');
    }
    expect(await balance(eve)).toEqual({ available: 1, held: 0 });
    expect(await t.app.store.exists(`videos/${video.body.generationId}/image.bin`)).toBe(false);
    for (const key of left) expect(await t.app.store.exists(key)).toBe(false);
    worker = await openWorker(t, engines());
  });

  test('those that wait have a position, which moves up and ends when they are begun', async () => {
    await worker.stop();
    const ids: string[] = [];
    for (const prompt of ['one', 'two', 'three']) ids.push((await generate({ prompt, duration: 1 })).body.generationId);
    const positions = async () => {
      const query = '{ videos(first: 3) { nodes { generationId queuePosition } } }';
      const { nodes } = (await t.graphql<any>(query, {}, ada.session)).body.data.videos;
      return ids.map((id) => nodes.find(({ generationId }: any) => generationId === id).queuePosition);
    };
    expect(await positions()).toEqual([1, 2, 3]);
    const cancel = 'mutation($id: ID!) { cancelVideo(generationId: $id) { status queuePosition } }';
    const { body } = await t.graphql<any>(cancel, { id: ids[1] }, ada.session);
    expect(body.data.cancelVideo).toEqual({ status: 'error', queuePosition: null });
    expect(await positions()).toEqual([1, null, 2]);
    worker = await openWorker(t, engines());
    await Promise.all([ids[0]!, ids[2]!].map((id) => ended(id)));
    expect(await positions()).toEqual([null, null, null]);
  });

  test('while a video renders, speech is not kept waiting', async () => {
    const release = Promise.withResolvers<void>();
    video = async function* (query) {
      await release.promise;
      yield* usual.render(query);
    };
    const long = [
      await generate({ prompt: 'one' }),
      await generate({ prompt: 'two' }),
      await generate({ prompt: 'three' }),
    ];
    const { body } = await t.rest('POST', `/avatars/${nova.avatarId}/speak`, {
      as: ada.apiKey,
      body: { text: 'Meanwhile' },
    });
    await until(async () => (await t.rest('GET', body.poll, { as: ada.apiKey })).body.status === 'audio');
    expect((await read(long[0]!.body.generationId)).body.status).not.toBe('ready');
    release.resolve();
    for (const { body: one } of long) await ended(one.generationId);
  });

  test('an Idempotency-Key makes one video', async () => {
    const headers = { 'idempotency-key': 'video-1' };
    const first = await generate({ prompt: 'x', image: null }, ada.apiKey, headers);
    expect((await generate({ prompt: 'x', image: null }, ada.apiKey, headers)).body).toEqual(first.body);
    // Absent and null are different requests.
    expect((await generate({ prompt: 'x' }, ada.apiKey, headers)).status).toBe(422);
  });
});

describe('who sees a video', () => {
  test('its maker polls it; others and other apps do not', async () => {
    const { generationId } = await made({ prompt: 'x' });
    const bob = await t.person('Bob');
    expect((await read(generationId, bob.apiKey)).status).toBe(404);
    expect((await read('vid_none')).status).toBe(404);
    const token = await tokenFor(t, ada, nova.avatarId, await makeClient(t, ada, { scopes: ['generate'] }), 'generate');
    expect((await read(generationId, token)).status).toBe(404);
    const own = await generate({ prompt: 'x' }, token);
    expect((await read(own.body.generationId, token)).status).toBe(200);
    expect((await read(own.body.generationId)).status).toBe(200);
  });

  test('its page is private until its maker shows it, and again when they hide it', async () => {
    const { slug, generationId } = await made({ prompt: 'x' });
    const open = async (as?: string) =>
      (
        await t.graphql<any>(
          'query($slug: String!) { sharedVideo(slug: $slug) { isOwner video { visibility } } }',
          { slug: slug.toUpperCase() },
          as,
        )
      ).body;
    const flip = (visibility: string, as = ada.session) =>
      t.graphql<any>(
        'mutation($id: ID!, $v: Visibility!) { setVideoVisibility(generationId: $id, visibility: $v) { visibility } }',
        { id: generationId, v: visibility },
        as,
      );
    const bob = await t.person('Bob');
    expect((await open()).errors?.[0].extensions.code).toBe('NOT_FOUND');
    expect((await open(bob.apiKey)).errors?.[0].extensions.code).toBe('NOT_FOUND');
    expect((await open(ada.session)).data.sharedVideo).toEqual({ isOwner: true, video: { visibility: 'private' } });
    expect((await flip('public', bob.session)).body.errors?.[0].extensions.code).toBe('NOT_FOUND');
    expect((await flip('public')).body.data.setVideoVisibility).toEqual({ visibility: 'public' });
    expect((await open()).data.sharedVideo).toEqual({ isOwner: false, video: { visibility: 'public' } });
    await flip('private');
    expect((await open()).errors?.[0].extensions.code).toBe('NOT_FOUND');
    expect((await flip('hidden')).body.errors?.[0].message).toBe('v must be one of private, public.');
  });

  test('visibility may be asked for at once', async () => {
    const { slug } = await made({ prompt: 'x', visibility: 'public' });
    const { body } = await t.graphql<any>('query($slug: String!) { sharedVideo(slug: $slug) { isOwner } }', { slug });
    expect(body.data.sharedVideo.isOwner).toBe(false);
  });
});
