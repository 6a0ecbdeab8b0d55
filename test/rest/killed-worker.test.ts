/**
 * A worker that is killed, or frozen, in the middle of its work: real processes, real engines. Each test goes on with the
 * worker that took over in the one before.
 */
import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, statusOf, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';
import { type WorkerProcesses, workerProcesses } from '../support/workers.ts';

let t: TestApp;
let workers: WorkerProcesses;
let ada: TestUser;
let avatarId: string;
/** The one that works now. */
let working: ChildProcess;

beforeAll(async () => {
  t = await openTestApp({ engines: 'real' });
  workers = workerProcesses(t);
  working = workers.start();
  ada = await t.person('Ada', 5);
  const body = { displayName: 'Nova', ttsVoiceId: 'amelia' };
  ({ avatarId } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body);
});
afterAll(async () => {
  workers.kill();
  await t.close();
});

const row = async (table: string, id: string) =>
  (await t.app.db.rows<any>(`select status, attempt from ${table} where id = $1`, [id]))[0]!;
const charges = (source: string) => t.app.db.rows('select 1 from ledger_transfer where source = $1', [source]);
const held = async () =>
  (await t.graphql<any>('{ me { balance { held } } }', {}, ada.session)).body.data.me.balance.held;
/** Stored files whose name begins with the id. */
const files = async (folder: string, id: string) =>
  (await readdir(path.join(t.app.config.DATA_DIR, 'media', folder))).filter((name) => name.startsWith(id)).sort();

/** Kills the worker that has the work, and leaves what it would have left had it died after storing its file. */
async function killInTheMiddle(table: string, id: string, file?: string, log?: 'info') {
  working.kill('SIGKILL');
  if (file) await t.app.store.put(file, new Uint8Array([1]), { contentType: 'video/mp4' });
  working = workers.start(log);
  // What nobody reads would fill its pipe.
  working.stdout?.resume();
  // Its job would expire after a quarter of an hour.
  await until(async () => (await row(table, id)).attempt > 1);
}

test('a video is picked up, made once, charged once; the dead attempt leaves no file', async () => {
  const body = { prompt: 'A boat on the sea at dawn', duration: 3, draft: true };
  const { body: accepted } = await t.rest('POST', '/videos/generate', { as: ada.apiKey, body });
  const id: string = accepted.generationId;
  const progress = async () =>
    (await t.app.db.rows<any>('select progress from video_generation where id = $1', [id]))[0]!.progress;
  await until(async () => (await progress()) > 0);
  expect(await row('video_generation', id)).toEqual({ status: 'rendering', attempt: 1 });
  await killInTheMiddle('video_generation', id, `videos/${id}-1.mp4`);
  const done = await until(async () => {
    const { body: read } = await t.rest('GET', accepted.poll, { as: ada.apiKey });
    return ['ready', 'error'].includes(read.status) && read;
  });
  expect(done).toMatchObject({ status: 'ready', seconds: 3, creditCost: 0.06 });
  expect(await statusOf(done.videoUrl)).toBe(200);
  expect(await charges(`video:${id}`)).toHaveLength(1);
  expect(await held()).toBe(0);
  const { attempt } = await row('video_generation', id);
  expect(await files('videos', id)).toEqual([`${id}-${attempt}.jpg`, `${id}-${attempt}.mp4`]);
});

test('a one-shot speech as video likewise; the sound that was shown stays', async () => {
  const text = 'This is a long sentence that takes a good while to be drawn, frame by frame, until it is over.';
  const { body: accepted } = await t.rest('POST', `/avatars/${avatarId}/speak`, {
    as: ada.apiKey,
    body: { text, output: 'video' },
  });
  const id: string = accepted.generationId;
  const read = async () => (await t.rest('GET', accepted.poll, { as: ada.apiKey })).body;
  const heard = await until(async () => {
    const body = await read();
    return body.status === 'audio' && body;
  });
  await killInTheMiddle('speech_generation', id, `speech/${id}-1.mp4`);
  const done = await until(async () => {
    const body = await read();
    return ['video', 'error'].includes(body.status) && body;
  });
  expect(done.status).toBe('video');
  expect(done.shareSlug).toBe(heard.shareSlug);
  expect(await statusOf(done.videoUrl)).toBe(200);
  expect(await charges(`speech:${id}`)).toHaveLength(1);
  expect(await held()).toBe(0);
  const { attempt } = await row('speech_generation', id);
  expect(await files('speech', id)).toEqual([`${id}-1.m4a`, `${id}-${attempt}.mp4`]);
});

test('a turn whose video is being made is picked up, and charged once', async () => {
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
  const read = async (id: string) => {
    const { turns } = (await t.rest('GET', `/conversations/by-slug/${shareSlug}`, { as: ada.apiKey })).body;
    return turns.find((turn: any) => turn.id === id);
  };
  const userText =
    'This is a long sentence that takes a good while to be drawn, frame by frame, until it is done and over.';
  const { body: injected } = await t.rest('POST', `/conversations/${shareSlug}/turn`, {
    as: ada.apiKey,
    body: { userText, mode: 'speak', output: 'video' },
  });
  const { id } = injected.turn;
  // The first fragment is out: the render is under way and far from its end.
  await until(async () => (await read(id)).status === 'audio');
  // The next test reads what this one says.
  await killInTheMiddle('turn', id, undefined, 'info');
  const done = await until(async () => {
    const turn = await read(id);
    return turn.status === 'video' && turn;
  });
  expect(await statusOf(done.videoUrl)).toBe(200);
  expect(await charges(`turn:${id}`)).toHaveLength(1);
  expect(await held()).toBe(0);
});

test('a frozen worker holds up nothing, and when it thaws it shows, stores and charges nothing more', async () => {
  const frozen = working;
  const { body: accepted } = await t.rest('POST', `/avatars/${avatarId}/speak`, {
    as: ada.apiKey,
    body: { text: 'A sentence that is long enough to be frozen in the middle of it.', output: 'video' },
  });
  const id: string = accepted.generationId;
  // It holds its lock all the time: the connection stays open.
  await until(async () => (await row('speech_generation', id)).status === 'audio');
  frozen.kill('SIGSTOP');
  workers.start();
  await until(async () => ['video', 'error'].includes((await row('speech_generation', id)).status));
  const ended = await row('speech_generation', id);
  expect(ended).toEqual({ status: 'video', attempt: 2 });
  let log = '';
  frozen.stdout?.on('data', (data) => (log += data));
  frozen.kill('SIGCONT');
  await until(async () => log.includes('attempt overtaken'));
  await until(async () => (await files('speech', id)).length === 2);
  expect(await row('speech_generation', id)).toEqual(ended);
  expect(await files('speech', id)).toEqual([`${id}-1.m4a`, `${id}-2.mp4`]);
  expect(await charges(`speech:${id}`)).toHaveLength(1);
  expect(await held()).toBe(0);
});
