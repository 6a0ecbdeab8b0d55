/**
 * A worker that is killed, or frozen, in the middle of its work: real processes, real engines. The frozen one is the one
 * that took over from the killed one.
 */
import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
  working = await workers.start();
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

/** For this lock first attempts wait before they end: what is killed or frozen while it is held has not ended, however fast it was. */
const END = 4711;

async function holdEnds(): Promise<void> {
  await t.app.db.rows(`create function wait_for_end() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${END}); return new; end $$`);
  for (const [table, end] of [
    ['video_generation', 'ready'],
    ['speech_generation', 'video'],
    ['turn', 'video'],
  ])
    await t.app.db.rows(`create trigger wait_for_end before update of status on ${table} for each row
      when (new.status = '${end}' and new.attempt = 1) execute function wait_for_end()`);
}

/** What a dead process sent would be carried out once the lock is free. */
const endWaiting = () =>
  t.app.db.rows(`select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and objid = ${END} and not granted`);

describe('a worker that is killed in the middle of a video, a speech and a turn', () => {
  const text = 'This is said frame by frame.';
  const read = async (path: string) => (await t.rest('GET', path, { as: ada.apiKey })).body;
  const ended = (poll: string, ...states: string[]) =>
    until(async () => {
      const body = await read(poll);
      return [...states, 'error'].includes(body.status) && body;
    });
  let video: any;
  let speech: any;
  let heard: any;
  let shareSlug: string;
  let turnId: string;
  const readTurn = async () =>
    (await read(`/conversations/by-slug/${shareSlug}`)).turns.find((turn: any) => turn.id === turnId);

  beforeAll(async () => {
    await holdEnds();
    const holder = await t.app.db.pool.connect();
    try {
      await holder.query(`select pg_advisory_lock(${END})`);
      const post = async (path: string, body: object) => (await t.rest('POST', path, { as: ada.apiKey, body })).body;
      video = await post('/videos/generate', { prompt: 'A boat on the sea at dawn', duration: 1, draft: true });
      speech = await post(`/avatars/${avatarId}/speak`, { text, output: 'video' });
      ({ shareSlug } = await post('/conversations', { avatarOwnerUserId: ada.userId, avatarId }));
      const said = { userText: text, mode: 'speak', output: 'video' };
      turnId = (await post(`/conversations/${shareSlug}/turn`, said)).turn.id;
      const ids = { video_generation: video.generationId, speech_generation: speech.generationId, turn: turnId };
      const progress = 'select progress from video_generation';
      await until(async () => (await t.app.db.rows<any>(progress))[0]!.progress > 0);
      heard = await ended(speech.poll, 'audio');
      await until(async () => (await readTurn()).status === 'audio');
      for (const [table, id] of Object.entries(ids)) expect((await row(table, id)).attempt).toBe(1);
      expect((await row('video_generation', ids.video_generation)).status).toBe('rendering');
      working.kill('SIGKILL');
      // As if it had died after storing its file.
      for (const file of [`videos/${video.generationId}-1.mp4`, `speech/${speech.generationId}-1.mp4`])
        await t.app.store.put(file, new Uint8Array([1]), { contentType: 'video/mp4' });
      // The last test reads what this one says.
      working = await workers.start('info');
      // Unread output would fill its pipe.
      working.stdout?.resume();
      // The jobs would expire after a quarter of an hour.
      for (const [table, id] of Object.entries(ids))
        await until(async () => {
          await endWaiting();
          return (await row(table, id)).attempt > 1;
        });
    } finally {
      holder.release(true);
    }
  });

  test('the video is picked up, made once, charged once; the dead attempt leaves no file', async () => {
    const id = video.generationId;
    const done = await ended(video.poll, 'ready');
    expect(done).toMatchObject({ status: 'ready', seconds: 1, creditCost: 0.02 });
    expect(await statusOf(done.videoUrl)).toBe(200);
    expect(await charges(`video:${id}`)).toHaveLength(1);
    const { attempt } = await row('video_generation', id);
    expect(await files('videos', id)).toEqual([`${id}-${attempt}.jpg`, `${id}-${attempt}.mp4`]);
  });

  test('the one-shot speech likewise; the sound that was shown stays', async () => {
    const id = speech.generationId;
    const done = await ended(speech.poll, 'video');
    expect(done.status).toBe('video');
    expect(done.shareSlug).toBe(heard.shareSlug);
    expect(await statusOf(done.videoUrl)).toBe(200);
    expect(await charges(`speech:${id}`)).toHaveLength(1);
    const { attempt } = await row('speech_generation', id);
    expect(await files('speech', id)).toEqual([`${id}-1.m4a`, `${id}-${attempt}.mp4`]);
  });

  test('the turn is picked up, and charged once', async () => {
    const done = await until(async () => {
      const turn = await readTurn();
      return ['video', 'error'].includes(turn.status) && turn;
    });
    expect(await statusOf(done.videoUrl)).toBe(200);
    expect(await charges(`turn:${turnId}`)).toHaveLength(1);
    expect(await held()).toBe(0);
  });
});

test('a frozen worker holds up nothing, and when it thaws it shows, stores and charges nothing more', async () => {
  const frozen = working;
  // Before its last transaction: one that is open while it is frozen would hold the row.
  await t.app.db.rows(`create trigger wait_for_end before insert on media_object for each row
    when (new.key like 'speech/%-1.mp4') execute function wait_for_end()`);
  const holder = await t.app.db.pool.connect();
  let id: string;
  try {
    await holder.query(`select pg_advisory_lock(${END})`);
    const body = { text: 'It is frozen in the middle of this.', output: 'video' };
    id = (await t.rest('POST', `/avatars/${avatarId}/speak`, { as: ada.apiKey, body })).body.generationId;
    await until(async () => (await row('speech_generation', id)).status === 'audio');
    // It holds its lease all the time: the connection stays open.
    frozen.kill('SIGSTOP');
  } finally {
    holder.release(true);
  }
  await workers.start();
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
