/** What an account takes with it: one file with everything that is held of it and nothing of others, for a day. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { openTestApp, statusOf, type TestApp, type TestUser } from '../support/app.ts';
import { makeClient, tokenFor } from '../support/oauth.ts';
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

/** Something of every kind; its secret words show whose a file is. */
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

/** What the two have with one another; what is Bob's alone is of tulips. */
async function meet(adas: string, bobs: string) {
  const note = (avatarId: string, content: string, as: TestUser, more = {}) =>
    post(`/avatars/${avatarId}/brain/pages`, { content, ...more }, as);
  await note(adas, 'Boxed marmalade.', ada, { sandboxId: 'box' });
  await note(adas, 'Bob was here.', bob);
  await note(adas, 'Boxed tulips.', bob, { sandboxId: 'box' });
  await note(bobs, 'Tulips of my own.', bob);
  const quiet = await post('/avatars', { displayName: 'Quiet', publiclyRenderable: true }, bob);
  await note(quiet.avatarId, 'Marmalade, told without a talk.', ada);
  await note(quiet.avatarId, 'Marmalade in a box of mine.', ada, { sandboxId: 'box' });
  // Of Bob's, memories that an external system keeps: one in his box in Ada's avatar, one for all of it.
  await t.app.db.rows(
    `insert into brain_external (avatar_id, system, external_id, id, sandbox_id, namespace, created_at, saved_by)
     values ($1, 'mem0', 'x1', 'mem_1', $2 || ':box', 'public', 1, $2), ($1, 'mem0', 'x2', 'mem_2', '', 'public', 1, $2),
       ($3, 'mem0', 'x3', 'mem_3', $4 || ':box', 'public', 1, $4), ($3, 'mem0', 'x4', 'mem_3', $4 || ':box', 'public', 1, $4)`,
    [adas, bob.userId, quiet.avatarId, ada.userId],
  );
  const gift = async (from: TestUser, to: TestUser, text: string) =>
    (await post('/donations/intents', { to: to.userId, amount: 1, note: text }, from)).intentId as string;
  await gift(bob, ada, 'Tulips, perhaps.');
  const received = await gift(bob, ada, 'For Ada.');
  await ask(`mutation { confirmGift(intentId: "${received}") { status } }`, bob);
  const proposed = await gift(ada, bob, 'For Bob, perhaps.');
  await post(`/tribes/${bob.userId}/join`, {}, ada);
  await post(`/tribes/${ada.userId}/join`, {}, bob);
  const { setTalkSettings } = await ask(
    `mutation { setTalkSettings(input: { avatarId: "${bobs}", audience: everyone }) { settings { url } } }`,
    bob,
  );
  const slug = setTalkSettings.settings.url.split('/a/')[1];
  await ask(`mutation { beginVisit(input: { slug: "${slug}" }) { viewerToken } }`);
  const app = await makeClient(t, bob, { name: 'Tea Time' });
  await tokenFor(t, ada, adas, app, 'profile');
  return { quiet: quiet.avatarId as string, received, proposed, app: app.clientId };
}

test('a file holds everything of the account, its media byte for byte, and nothing of another', async () => {
  const of = await live(bob, undefined, 'tulips');
  const { avatarId } = await live(ada, of, 'marmalade');
  const met = await meet(avatarId, of.avatarId);
  // As an engine keeps it with an image that was drawn from another one.
  await t.app.db.rows(`update image_generation set drawing = '{"prompt": "tulips"}' where user_id = $1`, [ada.userId]);
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
    ...{ avatars: 1, 'avatar-folders': 1, conversations: 3, turns: 4, images: 1, speech: 1, videos: 1, uploads: 1 },
  });
  expect(listOf(files, 'turns').map(({ userText }) => userText)).toContain('I like marmalade.');
  expect(listOf(files, 'memories').map(({ content }) => content)).toContain('Remember marmalade.');
  const shared = listOf(files, 'memories').filter(({ content }) => /Bob|Marmalade|Boxed/.test(content));
  expect(shared.map((memory) => [memory.avatarId, memory.sandboxId, memory.content]).sort()).toEqual(
    [
      [avatarId, '', 'Bob was here.'],
      [avatarId, 'box', 'Boxed marmalade.'],
      [met.quiet, '', 'Marmalade, told without a talk.'],
      [met.quiet, `${ada.userId}:box`, 'Marmalade in a box of mine.'],
    ].sort(),
  );
  expect(listOf(files, 'external-memories').map(({ externalId }) => externalId)).toEqual(['x3', 'x4', 'x2']);
  const [sent, received, ...otherGifts] = listOf(files, 'gifts');
  expect(sent).toMatchObject({ id: met.proposed, note: 'For Bob, perhaps.', status: 'pending', amount: 1 });
  expect(received).toMatchObject({ id: met.received, note: 'For Ada.', status: 'confirmed', amount: 1 });
  expect([Object.keys(received).filter((name) => /toAsSent|clientId/.test(name)), otherGifts]).toEqual([[], []]);
  expect(listOf(files, 'tribe-members').map(({ creator, member }) => [creator, member])).toEqual([
    [ada.userId, bob.userId],
    [bob.userId, ada.userId],
  ]);
  expect(listOf(files, 'visits')).toEqual([expect.objectContaining({ avatar: of.avatarId })]);
  expect(listOf(files, 'app-consents')).toEqual([{ clientId: met.app, name: 'Tea Time', avatar: avatarId }]);
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
  expect(texts).not.toMatch(/tulips|passwordHash|tokenHash|viewerToken|\$argon2/i);
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

test('a new one is made once an hour: 429 before', async () => {
  const asked = () => t.graphql<any>('mutation { exportAccount { status } }', {}, ada.session);
  nowMs += HOUR_MS - 1_000;
  const { code, retryAfterSeconds } = (await asked()).body.errors![0].extensions;
  expect([code, retryAfterSeconds]).toEqual(['RATE_LIMITED', 1]);
  expect((await state()).status).toBe('ready');
  nowMs += 1_000;
  expect((await asked()).body.data.exportAccount.status).toBe('waiting');
  await ready();
});

test('one whose job is lost fails after a quarter of an hour, and another one can be made at once', async () => {
  nowMs += HOUR_MS;
  await start();
  await ready();
  // As a worker leaves it that is killed, and whose job ran out.
  await t.app.db.rows(`delete from pgboss.job where name = 'export'`);
  await t.app.db.rows(`update account_export set status = 'waiting', media_key = null, bytes = null`);
  const left = (
    await t.app.db.rows<{ key: string }>(`select 'exports/' || id || '/account-1.zip' as key from account_export`)
  )[0]!.key;
  expect(await t.app.store.exists(left)).toBe(true);
  nowMs += 14 * MINUTE_MS;
  expect(await t.app.orphanReaper.reap()).toMatchObject({ exports: 0 });
  nowMs += 2 * MINUTE_MS;
  expect(await t.app.orphanReaper.reap()).toMatchObject({ exports: 1 });
  expect([(await state()).status, await t.app.store.exists(left)]).toEqual(['failed', false]);
  expect((await start()).status).toBe('waiting');
  expect((await ready()).status).toBe('ready');
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

test('every member of a tribe is in it once, however many there are', async () => {
  await t.app.db.rows(`insert into app_user (id, created_at) select 'usr_m' || n, 1 from generate_series(1, 401) n`);
  await t.app.db.rows(
    `insert into tribe_member (creator_user_id, member_user_id, charged, is_subscriber, joined_at)
     select $1, 'usr_m' || n, 0, false, 1 from generate_series(1, 401) n`,
    [bob.userId],
  );
  await start(bob);
  const files = await unzipped(await fetched((await ready(bob)).url));
  const members = listOf(files, 'tribe-members').filter(({ creator }) => creator === bob.userId);
  expect([members.length, new Set(members.map(({ member }) => member)).size]).toEqual([402, 402]);
});

test('it goes with the account', async () => {
  nowMs += HOUR_MS;
  await start(bob);
  const { url } = await ready(bob);
  await ask('mutation { deleteAccount(password: "correct horse") { deletedId } }', bob);
  await until(async () => (await statusOf(url)) === 404);
  expect(await t.app.db.rows('select 1 from account_export')).toEqual([]);
});
