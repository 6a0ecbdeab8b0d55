/** POST /videos/generate that is accepted: what is answered, what reaches the engine, and what it costs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ada,
  at,
  balance,
  closeVideos,
  ended,
  engine,
  generate,
  made,
  nova,
  openVideos,
  rose,
  t,
  usualEngine,
  zed,
} from '../../support/videos.ts';

beforeAll(openVideos);
afterAll(closeVideos);
beforeEach(usualEngine);

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

test('an Idempotency-Key makes one video', async () => {
  const headers = { 'idempotency-key': 'video-1' };
  const first = await generate({ prompt: 'x', image: null }, ada.apiKey, headers);
  expect((await generate({ prompt: 'x', image: null }, ada.apiKey, headers)).body).toEqual(first.body);
  // Absent and null are different requests.
  expect((await generate({ prompt: 'x' }, ada.apiKey, headers)).status).toBe(422);
});

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
      expect(engine.queries.at(-1)!.image !== undefined).toBe(opens);
    }
    const literal = `mutation { generateVideo(input: { prompt: "x", avatarId: "${avatarId}", image: null }) { generationId } }`;
    const { body } = await t.graphql<any>(literal, {}, ada.apiKey);
    await ended(body.data.generateVideo.generationId);
    expect(engine.queries.at(-1)!.image).toBeUndefined();
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

describe('prices', () => {
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
    engine.render = async function* ({ seed = 0 }) {
      yield { file: new Uint8Array(8), seconds: 2.2, width: 2, height: 2, fps: 24, seed };
    };
    const shorter = await generate({ prompt: 'x', duration: 5 });
    expect(await ended(shorter.body.generationId)).toMatchObject({ seconds: 2.2, creditCost: 0.055 });
    const longer = await generate({ prompt: 'x', duration: 1 });
    expect(await ended(longer.body.generationId)).toMatchObject({ creditCost: 0.025 });
  });
});
