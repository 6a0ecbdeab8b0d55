/** What an account takes with it: one file with everything that is held of it and nothing of others, for a day. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { openTestApp, statusOf, type TestApp, type TestUser } from '../support/app.ts';
import { tone, wavOf } from '../support/sound-files.ts';
import { until } from '../support/until.ts';
import { unzipped } from '../support/zip.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let nowMs = Date.now();

beforeAll(async () => {
  t = await openTestApp({ work: true, clock: { now: () => nowMs } });
  ada = await t.person('Ada', 100);
  bob = await t.person('Bob', 100);
});
afterAll(() => t?.close());

const post = async (path: string, body: object, as = ada) => (await t.rest('POST', path, { as: as.apiKey, body })).body;
const ask = async (operation: string, as = ada) => (await t.graphql<any>(operation, {}, as.session)).body.data;
const state = async (as = ada) => (await ask('{ accountExport { status url bytes expiresAt } }', as)).accountExport;
const start = async (as = ada) => (await ask('mutation { exportAccount { status createdAt } }', as)).exportAccount;
const ready = (as = ada) =>
  until(async () => {
    const found = await state(as);
    return found?.status !== 'waiting' && found;
  });
const fetched = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());
const listOf = (files: Map<string, Buffer>, name: string): any[] => JSON.parse(String(files.get(`${name}.json`)));

const finished = (path: string, as = ada) =>
  until(async () => {
    const { body } = await t.rest('GET', path, { as: as.apiKey });
    return ['ready', 'audio', 'video', 'error'].includes(body.status) && body;
  });

/** Something of every kind; its secret words tell whose a file is. */
async function live(person: TestUser, other: { avatarId: string; userId: string } | undefined, word: string) {
  const avatar = await post(
    '/avatars',
    { displayName: `Nova ${word}`, personalityPrompt: word, ttsVoiceId: 'noop', publiclyRenderable: true },
    person,
  );
  const { avatarId } = avatar;
  await t.graphql('mutation { createAvatarFolder(name: "Cast") { folderId } }', {}, person.session);
  const talk = async (owner: string, id: string) => {
    const { shareSlug } = await post('/conversations', { avatarOwnerUserId: owner, avatarId: id }, person);
    await post(`/conversations/${shareSlug}/turn`, { userText: `I like ${word}.`, output: 'audio' }, person);
    await t.settled(shareSlug, person.apiKey);
  };
  await talk(person.userId, avatarId);
  if (other) await talk(other.userId, other.avatarId);
  await post(`/avatars/${avatarId}/brain/pages`, { content: `Remember ${word}.` }, person);
  await post('/images/generate', { prompt: `A picture of ${word}` }, person);
  const speech = await post(`/avatars/${avatarId}/speak`, { text: `Spoken ${word}.`, output: 'audio' }, person);
  await finished(speech.poll, person);
  const video = await post('/videos/generate', { prompt: `A film of ${word}`, duration: 1 }, person);
  await finished(video.poll, person);
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(wavOf(tone(8_000, 1), { rate: 8_000, channels: 1, bits: 16 }))]), 'a.wav');
  const headers = { authorization: `Bearer ${person.apiKey}` };
  await (await fetch(`${t.url}/uploads`, { method: 'POST', headers, body: form })).json();
  return { avatarId, userId: person.userId };
}

test('a file holds everything of the account, its media byte for byte, and nothing of another', async () => {
  const of = await live(bob, undefined, 'tulips');
  await live(ada, of, 'marmalade');
  expect(await state()).toBeNull();
  const first = await start();
  expect(first.status).toBe('waiting');
  const { status, url, bytes, expiresAt } = await ready();
  expect([status, expiresAt]).toEqual(['ready', nowMs + DAY_MS]);
  const file = await fetched(url);
  expect(file.length).toBe(bytes);
  const files = await unzipped(file);

  const [me] = listOf(files, 'profile');
  const asked = (await ask('{ me { userId email displayName balance { available } } }')).me;
  expect(me).toMatchObject({ ...asked, balance: asked.balance });
  const counts = Object.fromEntries(
    ['avatars', 'avatar-folders', 'conversations', 'turns', 'images', 'speech', 'videos', 'uploads'].map((name) => [
      name,
      listOf(files, name).length,
    ]),
  );
  expect(counts).toEqual({
    ...{ avatars: 1, 'avatar-folders': 1, conversations: 2, turns: 4, images: 1, speech: 1, videos: 1, uploads: 1 },
  });
  expect(listOf(files, 'turns').map(({ userText }) => userText)).toContain('I like marmalade.');
  expect(listOf(files, 'memories').map(({ content }) => content)).toContain('Remember marmalade.');
  expect(listOf(files, 'images')).toEqual([expect.objectContaining({ creditCost: 0.005 })]);
  const { nodes } = (await ask('{ ledgerEntries(first: 100) { nodes { id amount kind } } }')).ledgerEntries;
  expect(listOf(files, 'ledger')).toEqual(nodes.map((line: object) => expect.objectContaining(line)));
  expect(listOf(files, 'activity').map(({ action }) => action)).toEqual(
    expect.arrayContaining(['account_created', 'account_exported']),
  );

  const media = [...files.keys()].filter((name) => name.startsWith('media/'));
  const named = ['avatar-images', 'turns', 'images', 'speech', 'videos', 'uploads'].flatMap((name) =>
    listOf(files, name).flatMap(({ mediaKey, audioKey, videoKey, stillKey }) => [
      mediaKey,
      audioKey,
      videoKey,
      stillKey,
    ]),
  );
  const keys = named.filter((key) => key != null);
  expect(keys.length).toBeGreaterThanOrEqual(7);
  expect(media).toEqual(expect.arrayContaining(keys.map((key) => `media/${key}`)));
  for (const name of media) {
    const stored = await t.app.store.readBytes(name.slice('media/'.length));
    expect([name, files.get(name)!.equals(stored!)]).toEqual([name, true]);
  }
  const texts = [...files].filter(([name]) => name.endsWith('.json')).join('\n');
  expect(texts).toContain('marmalade');
  expect(texts).not.toMatch(/tulips|passwordHash|tokenHash|viewerToken|\$argon2/);
});

test('one is made at a time, and a new one takes the place of the last', async () => {
  const { url } = await ready();
  const before = nowMs;
  nowMs += HOUR_MS;
  const [one, two] = await Promise.all([start(), start()]);
  expect([one, two]).toEqual(Array(2).fill({ status: 'waiting', createdAt: nowMs }));
  expect(nowMs).toBeGreaterThan(before);
  await until(async () => (await statusOf(url)) === 404);
  const again = await ready();
  expect(await statusOf(again.url)).toBe(200);
  expect(await t.app.db.rows('select 1 from account_export')).toHaveLength(1);
});

test('its link dies in hours, the file in a day', async () => {
  const { url } = await ready();
  nowMs += 2 * HOUR_MS;
  expect(await statusOf(url)).toBe(404);
  const fresh = (await state()).url;
  expect(await statusOf(fresh)).toBe(200);
  nowMs += DAY_MS;
  expect(await state()).toBeNull();
  expect(await t.app.services.accountExports.removeOld()).toBe(1);
  const key = /\/media\/([^?]+)/.exec(fresh)![1]!;
  await until(async () => !(await t.app.store.exists(key)));
});

test('it goes with the account', async () => {
  await start(bob);
  const { url } = await ready(bob);
  await ask('mutation { deleteAccount(password: "correct horse") }', bob);
  await until(async () => (await statusOf(url)) === 404);
  expect(await t.app.db.rows('select 1 from account_export')).toEqual([]);
});
