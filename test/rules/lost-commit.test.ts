/** The database goes away between a commit and its answer: its sender cannot know, and must not undo it. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type BrokenConnection, openBrokenConnection } from '../support/broken-connection.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

let t: TestApp;
let ada: TestUser;
let avatarId: string;
let line: BrokenConnection;
let worker: TestWorker | undefined;

beforeEach(async () => {
  t = await openTestApp();
  ada = await t.person('Ada', 10);
  const body = { displayName: 'Nova', ttsVoiceId: 'noop' };
  avatarId = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body.avatarId;
  line = await openBrokenConnection(t.databaseUrl, 'ledger_settle');
});
afterEach(async () => {
  await worker?.stop();
  line.close();
  await t.close();
});

const charges = (source: string) => t.app.db.rows('select 1 from ledger_transfer where source = $1', [source]);
const ended = (id: string) =>
  until(async () => {
    const jobs = await t.app.db.rows<any>(`select state::text from pgboss.job where data->>'id' = $1`, [id]);
    return line.lost === 1 && jobs.every(({ state }) => state === 'completed');
  });

test('a spoken turn that was settled keeps its sound, and is charged once', async () => {
  const conversation = { avatarOwnerUserId: ada.userId, avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: conversation })).body;
  const body = { userText: 'Hello there.', mode: 'speak', output: 'audio' };
  const { id } = (await t.rest('POST', `/conversations/${shareSlug}/turn`, { as: ada.apiKey, body })).body.turn;
  worker = await openWorker({ ...t, databaseUrl: line.url }, createNoopEngines());
  await ended(id);
  const { turns } = (await t.rest('GET', `/conversations/by-slug/${shareSlug}`, { as: ada.apiKey })).body;
  expect(turns[0]).toMatchObject({ id, status: 'audio' });
  expect((await fetch(turns[0].audioUrl)).status).toBe(200);
  expect(await charges(`turn:${id}`)).toHaveLength(1);
});

test('so does a video', async () => {
  const { generationId: id, poll } = (
    await t.rest('POST', '/videos/generate', { as: ada.apiKey, body: { prompt: 'The sea', duration: 1 } })
  ).body;
  worker = await openWorker({ ...t, databaseUrl: line.url }, createNoopEngines());
  await ended(id);
  const video = (await t.rest('GET', poll, { as: ada.apiKey })).body;
  expect(video.status).toBe('ready');
  expect((await fetch(video.videoUrl)).status).toBe(200);
  expect(await charges(`video:${id}`)).toHaveLength(1);
});
