/** Remote services that fall silent, refuse and come back: what callers are answered, what is charged, what operators see. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import sharp from 'sharp';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { tone, wavOf } from '../support/sound-files.ts';
import { until } from '../support/until.ts';

type Mood = 'well' | 'silent' | 'away';

/** Every protocol of a remote service, in one mood for each path. */
const moods = new Map<string, Mood>();
const asked = new Map<string, number>();
let server: Server;
let host: string;
let t: TestApp;
const events: { msg: string; service?: string; address?: string }[] = [];

const mood = (path: string): Mood => moods.get(path) ?? 'well';

beforeAll(async () => {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#44aa88' } })
    .png()
    .toBuffer();
  const wav = Buffer.from(wavOf(tone(22_050, 1), { rate: 22_050, channels: 1, bits: 16 }));
  const answers: Record<string, (body: string) => [type: string, body: string | Buffer]> = {
    '/v1/chat/completions': () => [
      'text/event-stream',
      'data: {"choices":[{"index":0,"delta":{"content":"Well, hello."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    ],
    '/v1/audio/speech': () => ['audio/wav', wav],
    '/v1/images/generations': () => [
      'application/json',
      JSON.stringify({ data: [{ b64_json: png.toString('base64') }] }),
    ],
    '/v1/embeddings': (body) => {
      const input = (JSON.parse(body) as { input: string[] }).input;
      const data = input.map((_, index) => ({ index, embedding: [1, 0, 0] }));
      return ['application/json', JSON.stringify({ data })];
    },
    '/image.png': () => ['image/png', png],
  };
  server = createServer(async (request, response) => {
    const path = request.url ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    let body = '';
    for await (const chunk of request) body += chunk;
    if (mood(path) === 'silent') return;
    if (mood(path) === 'away') return void response.writeHead(503).end('down for a while');
    const [type, answer] = answers[path]!(body);
    response.writeHead(200, { 'content-type': type }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}/v1`;
  const lines = new Writable({
    write(line, _, done) {
      events.push(JSON.parse(String(line)));
      done();
    },
  });
  t = await openTestApp({
    work: true,
    engines: 'real',
    log: pino({ level: 'info' }, lines),
    env: {
      CHAT_BASE_URL: url,
      CHAT_MODEL: 'm',
      SPEECH_BASE_URL: url,
      SPEECH_MODEL: 'm',
      SPEECH_VOICES: 'v',
      IMAGE_BASE_URL: url,
      IMAGE_MODEL: 'm',
      EMBEDDING_BASE_URL: url,
      EMBEDDING_MODEL: 'm',
      FETCH_ALLOW_HOSTS: host,
      OUTAGE_SECONDS: '0',
      // Silence is noticed soon, an answer has all the time that a busy machine needs.
      REMOTE_SECONDS: 'chat=1, speech=1, image=1, embedding=1, fetch=1, pause=0.5',
    },
  });
  for (const [name, play] of Object.entries(PLAYS)) {
    const one = openStage().then(play);
    // Its test says why, when it is its turn.
    one.catch(() => {});
    played.set(name, one);
  }
});
afterAll(async () => {
  await t.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A user with an avatar that speaks. Each service has its own: what one costs is its own. */
interface Stage {
  ada: TestUser;
  avatarId: string;
  balance(): Promise<{ available: number; held: number }>;
}

async function openStage(): Promise<Stage> {
  const ada = await t.person('Ada', 100);
  const made = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova', ttsVoiceId: 'v' } });
  const balance = async () =>
    (await t.graphql('{ me { balance { available held } } }', {}, ada.session)).body.data.me.balance;
  return { ada, avatarId: made.body.avatar.avatarId, balance };
}

async function isOpen(service: string): Promise<boolean> {
  const { body } = await t.rest<string>('GET', '/metrics');
  return body.includes(`avatar_circuits_open{of="self",service="${service}"} 1`);
}

/** How often. */
const logged = (msg: string, service: string): number =>
  events.filter((event) => event.msg === msg && event.service === service).length;

/** One piece of work asked through the API: how it ended, and in which words. */
type Ask = (stage: Stage) => Promise<{ isWell: boolean; sentence?: string }>;

const say: Ask = async ({ ada, avatarId }) => {
  const opened = await t.rest('POST', '/conversations', {
    as: ada.apiKey,
    body: { avatarOwnerUserId: ada.userId, avatarId },
  });
  const { shareSlug } = opened.body;
  const said = await t.rest('POST', `/conversations/${shareSlug}/turn`, {
    as: ada.apiKey,
    body: { userText: 'Hello', output: 'text' },
  });
  expect(said.status).toBe(202);
  const { turns } = await t.settled(shareSlug, ada.apiKey);
  const reply = turns.at(-1);
  return { isWell: reply.status === 'ready', sentence: reply.errorMessage };
};

/** The same words again are answered by what was spoken before. */
let spoken = 0;

const speak: Ask = async ({ ada, avatarId }) => {
  spoken += 1;
  const begun = await t.rest('POST', `/avatars/${avatarId}/speak`, {
    as: ada.apiKey,
    body: { text: `Hello number ${spoken}.`, output: 'audio' },
  });
  expect(begun.status).toBe(202);
  return until(async () => {
    const { body } = await t.rest('GET', `/avatars/speak/${begun.body.generationId}`, { as: ada.apiKey });
    if (body.status !== 'audio' && body.status !== 'error') return undefined;
    return { isWell: body.status === 'audio', sentence: body.errorMessage };
  });
};

const draw: Ask = async ({ ada }) => {
  const { status, body } = await t.rest('POST', '/images/generate', {
    as: ada.apiKey,
    body: { prompt: 'a blue boat' },
  });
  if (status !== 200) expect([status, body.code]).toEqual([502, 'UPSTREAM_FAILED']);
  return { isWell: status === 200, sentence: body.error };
};

/** A service in a mood: it is left alone, users read a sentence and pay nothing, and it is asked again by itself. */
async function inMood(stage: Stage, how: Mood, service: string, path: string, ask: Ask): Promise<void> {
  const before = await stage.balance();
  const [opened, closed] = ['circuit opened', 'circuit closed'].map((msg) => logged(msg, service)) as [number, number];
  moods.set(path, how);
  let last: Awaited<ReturnType<Ask>> = { isWell: true };
  await until(async () => {
    const all = await Promise.all([ask(stage), ask(stage), ask(stage)]);
    expect(all.some(({ isWell }) => isWell)).toBe(false);
    last = all[0]!;
    return isOpen(service);
  });
  expect(last.sentence).toBeTruthy();
  expect(last.sentence).not.toMatch(/http|127\.0\.0\.1|circuit|breaker|ECONN|abort/i);
  expect(await stage.balance()).toEqual(before);
  expect(logged('circuit opened', service)).toBeGreaterThan(opened);
  // While it is left alone a burst reaches it with no more than the trials.
  const askedBefore = asked.get(path)!;
  if (service === 'image') {
    const burst = await Promise.all([draw(stage), draw(stage), draw(stage)]);
    expect(burst.every(({ isWell }) => !isWell)).toBe(true);
    expect(asked.get(path)! - askedBefore).toBeLessThan(3);
  }
  moods.delete(path);
  await until(async () => (await ask(stage)).isWell);
  await until(async () => !(await isOpen(service)));
  expect(logged('circuit closed', service)).toBeGreaterThan(closed);
  expect((await stage.balance()).held).toBe(0);
}

const inMoods = (service: string, path: string, ask: Ask) => async (stage: Stage) => {
  for (const how of ['silent', 'away'] as const) await inMood(stage, how, service, path, ask);
};

/** What is played for each service, all at once: most of the time is spent on waiting for what is silent. */
const PLAYS: Record<string, (stage: Stage) => Promise<void>> = {
  'chat, silent and away: left alone, reported in a sentence, uncharged, and asked again by itself': inMoods(
    'chat',
    '/v1/chat/completions',
    say,
  ),
  'speech, silent and away: as chat': inMoods('speech', '/v1/audio/speech', speak),
  'images, silent and away: as chat': inMoods('image', '/v1/images/generations', draw),
  'embeddings: memories are found by words meanwhile, and embedded once the service is back': async ({
    ada,
    avatarId,
  }) => {
    moods.set('/v1/embeddings', 'silent');
    const saved = await t.graphql(
      `mutation($avatarId: ID!, $input: SaveMemoryInput!) { saveMemory(avatarId: $avatarId, input: $input) { id } }`,
      { avatarId, input: { content: 'The harbour has a red lighthouse.' } },
      ada.session,
    );
    expect(saved.body.errors).toBeUndefined();
    await until(() => isOpen('embedding'));
    const recalled = await t.graphql(
      `query($avatarId: ID!, $input: RecallInput!) { recallMemories(avatarId: $avatarId, input: $input) { memories { content } } }`,
      { avatarId, input: { query: 'Where is the lighthouse?' } },
      ada.session,
    );
    expect(JSON.stringify(recalled.body)).toContain('red lighthouse');
    moods.delete('/v1/embeddings');
    await until(async () => !(await isOpen('embedding')));
  },
  'addresses that users name: a silent one is not fetched again and again for the same account': async ({ ada }) => {
    const path = '/image.png';
    const add = () =>
      t.rest('POST', '/avatars', {
        as: ada.apiKey,
        body: { displayName: 'Vera', imageUrl: `http://${host}${path}` },
      });
    moods.set(path, 'silent');
    await until(async () => {
      const { status, body } = await add();
      expect([status, body.error]).toEqual([400, 'imageUrl could not be fetched.']);
      return isOpen('fetch');
    });
    expect(asked.get(path)).toBe(3);
    moods.delete(path);
    await until(async () => (await add()).status < 300);
  },
};

const played = new Map<string, Promise<void>>();

test.each(Object.keys(PLAYS))('%s', (name) => played.get(name));
