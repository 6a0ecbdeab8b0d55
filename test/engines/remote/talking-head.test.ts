/** Talking heads made elsewhere, by each protocol, against a server that speaks it as its documentation says. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCodec } from '../../../src/engines/embedded/codec/index.ts';
import { createVideoEngine } from '../../../src/engines/embedded/renderer/video/index.ts';
import type { RemoteTalkingHead, TalkingHeadOrder, VideoPiece } from '../../../src/engines/ports/index.ts';
import { chooseTalkingHead } from '../../../src/engines/remote/configured-models.ts';
import { readConfig } from '../../../src/kernel/config.ts';
import { sharedDecoders } from '../../support/decoders.ts';
import { remoteCalls } from '../../support/remote-calls.ts';
import { openTalkingHeadServer, type TalkingHeadServer } from '../../support/talking-head-server.ts';
import { until } from '../../support/until.ts';
import { plain, rendered, tone } from '../renderer/video/support.ts';

const decoders = sharedDecoders();
const videos = createVideoEngine({ decoders });
const codec = createCodec({ decoders });
type Conform = typeof videos.conform;
let server: TalkingHeadServer;
let image: Buffer;
const sound = tone(1, 16_000);
const SILENT = Buffer.from('a video with its mouth shut');

beforeAll(async () => {
  server = await openTalkingHeadServer();
  image = await plain(240, 320, [200, 120, 90]);
  const square = { prompt: 'a hill', model: 'scene', duration: 1, aspectRatio: '1:1', draft: true } as const;
  server.video = (await rendered(videos, square)).file;
});
afterAll(async () => {
  await server.close();
  await Promise.all([videos.close(), codec.close()]);
});
beforeEach(() => {
  Object.assign(server, { requests: [], orders: [], cancelled: 0, pendingLooks: 2, breaks: false });
  Object.assign(server, { refuse: undefined, awayLooks: 0, isInstant: false });
  Object.assign(server, { losesAnswers: false, isEndless: false, newerPages: 0 });
  Object.assign(server, { poorLooks: { how: 'page', times: 0 }, queueError: undefined });
});

const KEY = { TALKING_HEAD_API_KEY: 'secret-key' };
const PROTOCOLS = {
  fal: () => ({ ...KEY, TALKING_HEAD_URL: server.url, TALKING_HEAD_MODEL: '@ai-sdk/fal:fal-ai/avatar' }),
  replicate: () => ({ ...KEY, TALKING_HEAD_URL: server.url, TALKING_HEAD_MODEL: 'replicate:maker/avatar' }),
  'a server of one’s own': () => ({ ...KEY, TALKING_HEAD_URL: `${server.url}/heads` }),
};

/** Fitting takes seconds: of what this server makes only where the outcome is looked at. */
async function* asMade(_: unknown, file: Uint8Array): AsyncGenerator<VideoPiece> {
  yield { file, seconds: 1, width: 2, height: 2, fps: 24, seed: 0 };
}

function open(env: Record<string, string>, { seconds = '', conform = asMade as Conform } = {}): RemoteTalkingHead {
  const head = chooseTalkingHead(readConfig(env), {
    silent: async () => SILENT,
    conform,
    download: async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer()),
    calls: remoteCalls(seconds),
    pollMs: 2,
  });
  if (!head) throw new Error('None is configured.');
  return head;
}

function work(more: Partial<Parameters<RemoteTalkingHead['render']>[0]> = {}) {
  const kept: (TalkingHeadOrder | null)[] = [];
  const query = { image, ...sound, keep: async (order: TalkingHeadOrder | null) => void kept.push(order) };
  return { kept, query: { ...query, whose: async () => 'ours' as const, ...more } };
}

test('what comes back is fitted: the length of the sound, the sound itself, the proportions of the still', async () => {
  const head = open(PROTOCOLS.fal(), { conform: videos.conform });
  const file = await head.render(work().query);
  expect(await codec.durationSeconds(file)).toBeCloseTo(1, 1);
  const [{ width, height } = { width: 0, height: 0 }] = await codec.decodeFrames(file, [0]);
  expect([width, height]).toEqual([720, 960]);
  const { pcm } = await codec.decodeAudio(file);
  expect(pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeGreaterThan(1_000);
});

test.each([0.6, 1.4])('%d s of sound are heard to their end', async (seconds) => {
  const spoken = tone(seconds, 22_050);
  const head = open(PROTOCOLS.fal(), { conform: videos.conform });
  // Whether a decoder's arrays are views of one message depends on whether the ones before have an even length.
  for (const more of [0, 1]) {
    const file = await head.render(work({ ...spoken, image: Buffer.concat([image, Buffer.alloc(more)]) }).query);
    const { pcm, rate } = await codec.decodeAudio(file);
    const last = pcm.findLastIndex((sample) => Math.abs(sample) > 1_000);
    expect(last / rate).toBeGreaterThan(seconds - 0.02);
  }
});

test('a video shorter than its sound keeps its lips in time, and its last frame stays', async () => {
  const still = await plain(320, 320, [0, 0, 0]);
  const lastFrameImage = await plain(320, 320, [255, 255, 255]);
  const fades = {
    prompt: 'a slow fade',
    model: 'motion',
    image: still,
    lastFrameImage,
    duration: 1,
    draft: true,
  } as const;
  server.video = (await rendered(videos, fades)).file;
  const spoken = tone(1.4, 22_050);
  const file = await open(PROTOCOLS.fal(), { conform: videos.conform }).render(work({ ...spoken, image: still }).query);
  const light = async (video: Uint8Array, times: number[]) =>
    (await codec.decodeFrames(video, times)).map(({ rgba }) => rgba.reduce((sum, one) => sum + one, 0) / rgba.length);
  const [before = 0, middle = 0, last = 0] = await light(server.video, [300, 610, 980]);
  expect(last - middle).toBeGreaterThan(60);
  expect(middle - before).toBeGreaterThan(60);
  const shown = await light(file, [300, 610, 1_100, 1_350]);
  for (const [i, expected] of [before, middle, last, last].entries()) expect(shown[i]).toBeCloseTo(expected, -1);
});

describe.each(Object.entries(PROTOCOLS))('%s', (_, env) => {
  test('takes the still and the sound, and is looked at until it is done', async () => {
    const { kept, query } = work();
    const file = await open({ ...env(), TALKING_HEAD_OPTIONS: '{"resolution": "480p"}' }).render(query);
    expect(Buffer.compare(file, server.video)).toBe(0);
    expect(server.orders).toHaveLength(1);
    const [order = {}] = server.orders;
    const [face, voice] = [order.image ?? order.image_url, order.audio ?? order.audio_url] as Buffer[];
    expect(face).toEqual(image);
    expect(voice?.toString('latin1', 0, 4)).toBe('RIFF');
    expect(order.resolution).toBe('480p');
    expect([...server.keys].every((key) => key?.endsWith(' secret-key'))).toBe(true);
    const asked = { model: expect.any(String), reference: expect.any(String) };
    expect(kept).toEqual([asked, { ...asked, operation: expect.anything() }]);
    expect(server.cancelled).toBe(0);
  });

  test('an order that was kept is gone on with and not given again; another model’s is', async () => {
    const first = work();
    const head = open(env());
    await head.render(first.query);
    const under = first.kept.at(-1);
    if (!under) throw new Error('No order was kept.');
    await head.render(work({ under }).query);
    expect(server.orders).toHaveLength(1);
    await head.render(work({ under: { ...under, model: 'another' } }).query);
    expect(server.orders).toHaveLength(2);
  });

  test('a refusal is an UPSTREAM_FAILED whose reason is in its cause alone; nothing stays kept', async () => {
    server.refuse = 422;
    const { kept, query } = work();
    await expect(open(env()).render(query)).rejects.toMatchObject({
      code: 'UPSTREAM_FAILED',
      message: 'The talking-head model could not make this video.',
      cause: { statusCode: 422, isRetryable: false, responseBody: expect.stringContaining('not with this face') },
    });
    expect(kept.at(-1)).toBe(null);
  });

  test('what breaks while it is made is forgotten, so that another attempt asks anew', async () => {
    server.breaks = true;
    const { kept, query } = work();
    await expect(open(env()).render(query)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
    expect(kept.slice(1)).toEqual([expect.objectContaining({ operation: expect.anything() }), null]);
  });

  test('a server that is away for a few looks loses no video', async () => {
    server.awayLooks = 2;
    const { kept, query } = work();
    await open(env(), { seconds: 'pause=0.001' }).render(query);
    expect([server.orders.length, kept.length, server.cancelled]).toEqual([1, 2, 0]);
  });

  test('work that ended is cancelled there; of another attempt, or of a worker that stops, only left', async () => {
    server.pendingLooks = Number.POSITIVE_INFINITY;
    const head = open(env());
    await expect(head.render(work({ whose: async () => 'anothers' }).query)).rejects.toThrow();
    const stopping = new AbortController();
    const stopped = head.render(work({ signal: stopping.signal }).query);
    await until(async () => server.orders.length === 2 && /GET/.test(server.requests.at(-1) ?? ''));
    stopping.abort(new Error('stopping'));
    await expect(stopped).rejects.toThrow('stopping');
    expect(server.cancelled).toBe(0);
    const gone = work({ whose: async () => 'orphaned' });
    await expect(head.render(gone.query)).rejects.toThrow();
    expect(server.cancelled).toBe(1);
    expect(gone.kept).toHaveLength(2);
    // A worker that ends it later cancels it at the provider, by what was kept.
    await head.cancel(gone.kept.at(-1) as TalkingHeadOrder);
    expect(server.cancelled).toBe(2);
  });

  test('an answer without end is given up where no video is that long', async () => {
    server.isEndless = true;
    await expect(open(env()).render(work().query)).rejects.toMatchObject({
      code: 'UPSTREAM_FAILED',
      // Ordered again it would be as long, and be paid for again.
      cause: { message: expect.stringMatching(/sent more than \d+ bytes/), isRetryable: false },
    });
  });

  test('what is no video is refused by a decoder process and named as the model’s', async () => {
    const { video } = server;
    server.video = Buffer.from('not a video');
    await expect(open(env(), { conform: videos.conform }).render(work().query)).rejects.toMatchObject({
      code: 'UPSTREAM_FAILED',
    });
    server.video = video;
  });
});

test.each(['replicate', 'a server of one’s own'] as const)(
  '%s: an order whose answer was lost is found again, not given again',
  async (protocol) => {
    server.losesAnswers = true;
    const lost = work();
    const head = open(PROTOCOLS[protocol]());
    await expect(head.render(lost.query)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
    const [under, ...more] = lost.kept;
    expect([server.orders.length, under, more]).toEqual([1, { model: head.model, reference: expect.any(String) }, []]);
    // At Replicate, others have asked for three hundred since.
    Object.assign(server, { losesAnswers: false, newerPages: 3 });
    await head.render(work({ under: under as TalkingHeadOrder }).query);
    expect(server.orders).toHaveLength(1);
  },
);

test.each([
  ['fal', 'broken'],
  ['fal', 'page'],
  ['fal', 'failure'],
  ['replicate', 'broken'],
  ['replicate', 'page'],
  ['replicate', 'failure'],
  // A server of one's own says by 500 that a job failed, and its video is any bytes.
  ['a server of one’s own', 'broken'],
] as const)(
  '%s: looks that bring no word of the operation (%s) lose no video and order no second one',
  async (protocol, how) => {
    server.poorLooks = { how, times: 2 };
    const { kept, query } = work();
    await open(PROTOCOLS[protocol]()).render(query);
    expect([server.orders.length, kept.length, server.cancelled]).toEqual([1, 2, 0]);
  },
);

test.each([503, 504])(
  'fal: what its queue gave up (%i with the kind of its error) has failed: it is not away',
  async (status) => {
    server.queueError = status;
    const head = open(PROTOCOLS.fal(), { seconds: 'pause=60' });
    for (let tried = 1; tried <= 4; tried += 1) {
      const { kept, query } = work();
      // Counted as away, the third would have opened the circuit for all users.
      await expect(head.render(query)).rejects.toMatchObject({
        cause: { message: 'The request ended in request_timeout: Request timed out' },
      });
      expect([server.orders.length, kept.at(-1)]).toEqual([tried, null]);
    }
  },
);

test('fal: what a model refuses by its result is asked for once: it would refuse it again', async () => {
  server.queueError = 422;
  const { kept, query } = work();
  await expect(open(PROTOCOLS.fal()).render(query)).rejects.toMatchObject({
    cause: { statusCode: 422, isRetryable: false },
  });
  expect(kept.at(-1)).toBe(null);
});

test.each([{ losesAnswers: true }, { refuse: 504 }])(
  'fal: an order of which it is not known whether it was taken (%j) is not given again: no attempt follows',
  async (knobs) => {
    Object.assign(server, knobs);
    const unknown = {
      message: 'It may have been asked for: asked again, it might be paid for twice.',
      isRetryable: false,
    };
    const lost = work();
    const head = open(PROTOCOLS.fal());
    await expect(head.render(lost.query)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED', cause: unknown });
    Object.assign(server, { losesAnswers: false, refuse: undefined, orders: [] });
    const again = work({ under: lost.kept.at(-1) as TalkingHeadOrder });
    await expect(head.render(again.query)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED', cause: unknown });
    expect([server.orders, again.kept]).toEqual([[], []]);
  },
);

test.each([500, 502, 503])(
  'fal: an order that is answered with %i was not taken: another attempt asks anew',
  async (refuse) => {
    server.refuse = refuse;
    const { kept, query } = work();
    await expect(open(PROTOCOLS.fal()).render(query)).rejects.toMatchObject({ cause: { isRetryable: true } });
    expect(kept.at(-1)).toBe(null);
  },
);

test('an order that never left, because the address is left alone, is not kept', async () => {
  server.refuse = 503;
  const head = open(PROTOCOLS.fal(), { seconds: 'pause=60' });
  const tries = Array.from({ length: 4 }, () => work());
  for (const { query } of tries) await expect(head.render(query)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
  // The last one found the circuit open.
  expect(server.requests).toHaveLength(3);
  expect(tries.map(({ kept }) => kept.at(-1))).toEqual([null, null, null, null]);
});

test('a server that was not reached was asked for nothing: nothing stays kept', async () => {
  const { kept, query } = work();
  const closed = await openTalkingHeadServer();
  await closed.close();
  const nowhere = { TALKING_HEAD_URL: `${closed.url}/heads` };
  await expect(open(nowhere).render(query)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
  expect(kept).toEqual([expect.objectContaining({ reference: expect.any(String) }), null]);
});

test('a self-hosted server may answer with the video at once, and gets the model’s name', async () => {
  server.isInstant = true;
  const { kept, query } = work();
  await open({ ...PROTOCOLS['a server of one’s own'](), TALKING_HEAD_MODEL: 'sadtalker' }).render(query);
  expect([server.requests, kept.length]).toEqual([['POST /heads'], 1]);
  expect(server.orders[0]).toMatchObject({ model: 'sadtalker' });
});

test.each([
  ['fal', { TALKING_HEAD_FIELDS: 'video=clip, audio=voice' }, { clip: SILENT }],
  ['fal', { TALKING_HEAD_FIELDS: 'image=portrait' }, { portrait: expect.any(Buffer), audio_url: expect.any(Buffer) }],
] as const)('%s with %j is given what it calls its inputs', async (protocol, env, given) => {
  await open({ ...PROTOCOLS[protocol](), ...env }).render(work().query);
  expect(server.orders[0]).toMatchObject(given);
  expect(server.orders[0]).not.toHaveProperty('image_url');
});

test('an order whose addresses lead elsewhere is refused: the key goes to no other server', async () => {
  const under = {
    model: 'fal:fal-ai/avatar',
    reference: 'r',
    operation: { status: 'http://127.0.0.1:1/status', response: 'http://127.0.0.1:1/', cancel: 'http://127.0.0.1:1/' },
  };
  await expect(open(PROTOCOLS.fal()).render(work({ under }).query)).rejects.toMatchObject({
    cause: { message: 'The talking-head server named no address of its own.' },
  });
  expect(server.requests).toEqual([]);
});

test.each([
  [{ TALKING_HEAD_MODEL: 'sora' }, 'TALKING_HEAD_MODEL must name a model as fal:model or replicate:model, not "sora".'],
  [{ TALKING_HEAD_MODEL: 'fal:a/b' }, 'TALKING_HEAD_API_KEY must be set when TALKING_HEAD_MODEL names a provider.'],
  [{ TALKING_HEAD_PREVIEW: 'on' }, 'TALKING_HEAD_MODEL or TALKING_HEAD_URL must be set'],
  [{ TALKING_HEAD_FIELDS: 'face=x' }, 'TALKING_HEAD_FIELDS must be name=field items with names of image, video, audio'],
  [{ TALKING_HEAD_OPTIONS: '[]' }, 'TALKING_HEAD_OPTIONS must be a JSON object'],
])('%j stops the start with one sentence', (env, sentence) => {
  expect(() => open(env)).toThrow(sentence);
});
