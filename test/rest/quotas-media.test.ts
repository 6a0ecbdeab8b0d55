/**
 * Quotas of what is stored and of what is drawn free of charge: every file that is kept is counted for an account, a full
 * account gets an error at each endpoint, and a refusal leaves no file, no hold and nothing counted.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { ERRORS, type ErrorCode } from '../../src/kernel/errors.ts';
import { type Answer, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { startMem0 } from '../support/brain-servers.ts';
import { expectSoundLedger } from '../support/credits.ts';
import { type ImageServer, serveImages } from '../support/image-server.ts';
import { until, untilIs } from '../support/until.ts';

const LIMIT = 1_000_000;
const BURST = 12;

let t: TestApp;
let images: ImageServer;
let ada: TestUser;
let avatarId: string;
let imageUrl: string;
/** Portraits asked of the engine, and whether it draws them. */
let drawn = 0;
let isEngineWell = true;

beforeAll(async () => {
  images = await serveImages();
  const noop = createNoopEngines();
  t = await openTestApp({
    work: true,
    env: { QUOTAS: `storageBytes=${LIMIT}, freePortraits=3, memories=4`, FETCH_ALLOW_HOSTS: '127.0.0.1' },
    engines: {
      ...noop,
      portrait: {
        ...noop.portrait,
        doGenerate: async (options) => {
          drawn += 1;
          if (!isEngineWell) throw new Error('No paint is left.');
          return noop.portrait.doGenerate(options);
        },
      },
      close: async () => {},
    },
  });
  ada = await t.person('Ada', 100);
  imageUrl = `${images.url}/face.png`;
  avatarId = await makeAvatar(ada);
});
beforeEach(() => {
  drawn = 0;
  isEngineWell = true;
});
afterAll(async () => {
  await expectSoundLedger(t.app.db);
  await t.close();
  await images.close();
});

const post = (where: string, body: object, as = ada.apiKey) => t.rest('POST', where, { as, body });
async function makeAvatar(who: TestUser): Promise<string> {
  const body = { displayName: 'Nova', imageUrl, ttsVoiceId: 'noop', publiclyRenderable: true };
  const answer = await post('/avatars', body, who.apiKey);
  expect(answer.status).toBe(200);
  return answer.body.avatarId;
}
const mutation = async (name: string, query: string, as = ada.session): Promise<Answer> => {
  const { body } = await t.graphql<any>(query, {}, as);
  const [error] = body.errors ?? [];
  return {
    status: error ? ERRORS[error.extensions.code as ErrorCode].status : 200,
    body: error?.extensions ?? body.data[name],
    headers: new Headers(),
  };
};
const drawPortrait = (as = ada.session) =>
  mutation('drawPortrait', 'mutation { drawPortrait(description: "a pilot") { url } }', as);
const createUpload = (as = ada.session) => mutation('createUpload', 'mutation { createUpload { uploadUrl } }', as);
async function send(uploadUrl: string): Promise<Answer> {
  const { pathname, search } = new URL(uploadUrl);
  const bytes = await (await fetch(imageUrl)).arrayBuffer();
  const answer = await fetch(t.url + pathname + search, { method: 'PUT', body: bytes });
  return { status: answer.status, body: await answer.json(), headers: answer.headers };
}

/** Stored files with their sizes, as they lie in the folder; fragments are a video being made, and go by themselves. */
async function files(): Promise<Record<string, number>> {
  const root = path.join(t.app.config.DATA_DIR, 'media');
  const found = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const names = found
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((name) => !name.includes('.fragments'));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [path.relative(root, name), (await stat(name)).size])),
  );
}
const counted = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await t.app.db.rows<any>('select key, bytes::int as bytes from media_object')).map(({ key, bytes }) => [
      key,
      bytes,
    ]),
  );
async function used(who: TestUser, kind: string): Promise<number> {
  const [row] = await t.app.db.rows<{ used: number }>(
    'select used::int from account_usage where user_id = $1 and kind = $2',
    [who.userId, kind],
  );
  return row?.used ?? 0;
}
const fill = (who: TestUser, kind: string, to: number) =>
  t.app.db.rows(
    `insert into account_usage (user_id, kind, used) values ($1, $2, $3)
     on conflict (user_id, kind) do update set used = excluded.used`,
    [who.userId, kind, to],
  );

test('each file that is kept is counted, as long as it is, for who pays or brought it', async () => {
  const bob = await t.person('Bob', 10);
  const bobs = await makeAvatar(bob);
  expect((await send((await createUpload(bob.session)).body.uploadUrl)).status).toBe(200);
  expect((await drawPortrait(bob.session)).status).toBe(200);
  expect((await post('/avatar-folders', { name: 'Cast', icon: imageUrl }, bob.apiKey)).status).toBe(200);
  const add = `mutation { addAvatarImage(avatarId: "${bobs}", imageUrl: "${imageUrl}") { url } }`;
  expect((await mutation('addAvatarImage', add, bob.session)).status).toBe(200);
  const image = await post('/images/generate', { prompt: 'a boat' }, bob.apiKey);
  const video = await post('/videos/generate', { prompt: 'a boat', duration: 2 }, bob.apiKey);
  const speech = await post(`/avatars/${bobs}/speak`, { text: 'Hello there.', output: 'video' }, bob.apiKey);
  expect([image.status, video.status, speech.status]).toEqual([200, 202, 202]);
  const room = (await post('/conversations', { avatarOwnerUserId: bob.userId, avatarId: bobs }, bob.apiKey)).body;
  for (const output of ['audio', 'video']) {
    const turn = { userText: 'Hello', mode: 'speak', output };
    expect((await post(`/conversations/${room.conversationId}/turn`, turn, bob.apiKey)).status).toBe(202);
  }
  await t.settled(room.shareSlug, bob.apiKey);
  for (const where of [`/videos/${video.body.generationId}`, `/avatars/speak/${speech.body.generationId}`]) {
    await until(async () => (await t.rest('GET', where, { as: bob.apiKey })).body.videoUrl ?? undefined);
  }
  const idle = `{ idleVideo(slug: "${room.shareSlug}") }`;
  await until(async () => (await t.graphql<any>(idle, {}, bob.session)).body.data.idleVideo ?? undefined);
  // The idle video is counted a moment after it is shown.
  const [stored, known] = await untilIs(
    async () => [await files(), await counted()] as const,
    (both) => isDeepStrictEqual(...both),
  );
  expect(known).toEqual(stored);
  const kinds = new Set(Object.keys(stored).map((key) => key.split('/')[0]));
  expect([...kinds].sort()).toEqual([
    'avatars',
    'conversations',
    'folders',
    'idle',
    'images',
    'speech',
    'uploads',
    'videos',
  ]);
  const all = Object.values(stored).reduce((sum, bytes) => sum + bytes, 0);
  expect((await used(ada, 'storageBytes')) + (await used(bob, 'storageBytes'))).toBe(all);
});

describe('a full account', () => {
  let eve: TestUser;
  let evesAvatar: string;
  let room: any;
  let uploadUrl: string;
  beforeAll(async () => {
    eve = await t.person('Eve', 10);
    evesAvatar = await makeAvatar(eve);
    const to = { avatarOwnerUserId: eve.userId, avatarId: evesAvatar };
    room = (await post('/conversations', to, eve.apiKey)).body;
    uploadUrl = (await createUpload(eve.session)).body.uploadUrl;
    expect(uploadUrl).toContain('/uploads/');
    await fill(eve, 'storageBytes', LIMIT);
  });

  test.each<[string, () => Promise<Answer>]>([
    ['an address for an upload', () => createUpload(eve.session)],
    ['an upload', () => send(uploadUrl)],
    ['a portrait', () => drawPortrait(eve.session)],
    ['the icon of a folder', () => post('/avatar-folders', { name: 'Cast', icon: imageUrl }, eve.apiKey)],
    ['an avatar', () => post('/avatars', { displayName: 'Vega', imageUrl }, eve.apiKey)],
    [
      'another image of an avatar',
      () =>
        mutation(
          'addAvatarImage',
          `mutation { addAvatarImage(avatarId: "${evesAvatar}", imageUrl: "${imageUrl}") { url } }`,
          eve.session,
        ),
    ],
    ['an image', () => post('/images/generate', { prompt: 'a boat' }, eve.apiKey)],
    ['a video', () => post('/videos/generate', { prompt: 'a boat', duration: 2 }, eve.apiKey)],
    ['speech', () => post(`/avatars/${evesAvatar}/speak`, { text: 'Hello.', output: 'audio' }, eve.apiKey)],
    [
      'a spoken turn',
      () => post(`/conversations/${room.conversationId}/turn`, { userText: 'Hi', mode: 'speak' }, eve.apiKey),
    ],
  ])('gets a sentence instead of %s, and nothing is kept, held or drawn', async (_, ask) => {
    const before = [await files(), await counted()];
    const { status, body } = await ask();
    expect([status, body.code, body.quota, body.limit]).toEqual([400, 'QUOTA_EXCEEDED', 'storageBytes', LIMIT]);
    expect([await files(), await counted(), drawn]).toEqual([...before, 0]);
    expect(await t.app.db.rows(`select 1 from ledger_hold where state = 'open'`)).toEqual([]);
    expect((await t.rest('GET', '/avatar-folders', { as: eve.apiKey })).body.folders).toEqual([]);
    expect(await used(eve, 'freePortraits')).toBe(0);
  });

  test('still writes, for text is not stored media', async () => {
    const turn = { userText: 'Hi', mode: 'speak', output: 'text' };
    expect((await post(`/conversations/${room.conversationId}/turn`, turn, eve.apiKey)).status).toBe(202);
  });
});

describe('portraits drawn free of charge', () => {
  const made = (answers: Answer[]) => {
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body.code, body.quota, body.limit]).toEqual([400, 'QUOTA_EXCEEDED', 'freePortraits', 3]);
    }
    return answers.filter(({ status }) => status === 200).length;
  };
  const burst = (ask: () => Promise<Answer>) => Promise.all(Array.from({ length: BURST }, ask));

  test('a burst gets as many as there are, to look at or for avatars, and no more are drawn', async () => {
    const fay = await t.person('Fay');
    const ways = [() => drawPortrait(fay.session), () => post('/avatars', { displayName: 'Nova' }, fay.apiKey)];
    let i = 0;
    const answers = await burst(() => {
      i += 1;
      return ways[i % 2]!();
    });
    expect([made(answers), drawn]).toEqual([3, 3]);
  });

  test('one that could not be drawn is not counted', async () => {
    const gus = await t.person('Gus');
    isEngineWell = false;
    for (let i = 0; i < 4; i += 1) {
      expect((await drawPortrait(gus.session)).body.code).not.toBe('QUOTA_EXCEEDED');
      const avatar = await post('/avatars', { displayName: 'Nova' }, gus.apiKey);
      expect([avatar.status >= 500, avatar.body.code]).toEqual([true, expect.not.stringMatching('QUOTA_EXCEEDED')]);
    }
    expect([drawn, await used(gus, 'freePortraits')]).toEqual([8, 0]);
    isEngineWell = true;
    expect(made(await burst(() => drawPortrait(gus.session)))).toBe(3);
  });
});

test('memories that an external system keeps: a burst gets as many as there are, and what failed is not counted', async () => {
  const mem0 = await startMem0();
  try {
    const select = `mutation { selectBrainSystem(avatarId: "${avatarId}", system: "mem0", baseUrl: "${mem0.url}",
      apiKey: "right-key") { brainSystem } }`;
    expect((await mutation('selectBrainSystem', select)).body.brainSystem).toBe('mem0');
    const hal = await t.person('Hal');
    const save = () => post(`/avatars/${avatarId}/brain/pages`, { content: 'a red kite' }, hal.apiKey);
    mem0.fault = 'down';
    expect((await save()).status).toBe(502);
    mem0.fault = '';
    // The address was left alone for a while; it answers now.
    await until(async () => (await save()).status === 200);
    const answers = await Promise.all(Array.from({ length: BURST }, save));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { body } of answers.filter(({ status }) => status !== 200)) {
      expect([body.code, body.quota, body.limit]).toEqual(['QUOTA_EXCEEDED', 'memories', 4]);
    }
    expect([mem0.stored.length, await used(hal, 'memories')]).toEqual([4, 4]);
  } finally {
    await mem0.stop();
  }
});
