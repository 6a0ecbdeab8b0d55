/**
 * A talking head made elsewhere in the place of the embedded one, chosen by configuration alone: what viewers see
 * meanwhile, what is asked for and paid for when a worker goes, and what becomes of failures and of deleted turns.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createVideoEngine } from '../../src/engines/embedded/renderer/video/index.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { rendered } from '../engines/renderer/video/support.ts';
import { openTestApp, statusOf, type TestApp, type TestUser } from '../support/app.ts';
import { sharedDecoders } from '../support/decoders.ts';
import { openTalkingHeadServer, type TalkingHeadServer } from '../support/talking-head-server.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

let t: TestApp;
let server: TalkingHeadServer;
let worker: TestWorker;
let ada: TestUser;
let avatarId: string;
let slug: string;
/** How far the web process's clock is ahead: what is tried again a minute later need not be waited for. */
let aheadMs = 0;

beforeAll(async () => {
  server = await openTalkingHeadServer();
  const decoders = sharedDecoders();
  const videos = createVideoEngine({ decoders });
  const made = { prompt: 'a hill', model: 'scene', duration: 1, aspectRatio: '1:1', draft: true } as const;
  server.video = (await rendered(videos, made)).file;
  await videos.close();
  const env = { TALKING_HEAD_URL: `${server.url}/heads`, TALKING_HEAD_PREVIEW: 'on', REMOTE_SECONDS: 'pause=0.05' };
  t = await openTestApp({ engines: 'real', env, clock: { now: () => Date.now() + aheadMs } });
  worker = await openWorker(t, t.app.engines);
  ada = await t.person('Ada', 5);
  const body = { displayName: 'Nova', ttsVoiceId: 'amelia' };
  ({ avatarId } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body);
  const opened = await t.rest('POST', '/conversations', {
    as: ada.apiKey,
    body: { avatarOwnerUserId: ada.userId, avatarId },
  });
  slug = opened.body.shareSlug;
});
afterAll(async () => {
  await worker.stop();
  await t.close();
  await server.close();
});
beforeEach(() => {
  Object.assign(server, { requests: [], orders: [], cancelled: 0, pendingLooks: 0, awayLooks: 0, breaks: false });
});

/** Has the avatar say something; the turn once `fits`. */
async function say(text: string) {
  const body = { userText: 'Speak.', avatarText: text, output: 'video' };
  const accepted = await t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body });
  expect(accepted.status).toBe(202);
  const query = 'query($slug: String!) { conversationBySlug(slug: $slug) { turns { id status streamUrl videoUrl } } }';
  return async (fits: (turn: any) => boolean) =>
    until(async () => {
      const { data } = (await t.graphql<any>(query, { slug }, ada.session)).body;
      const turn = data.conversationBySlug.turns.at(-1);
      return fits(turn) && turn;
    });
}
const hasEnded = ({ status }: any) => ['video', 'error'].includes(status);
const charges = async () =>
  (await t.app.db.rows<any>('select count(*)::int as n from ledger_transfer where source like $1', ['turn:%']))[0].n;
const looks = () => server.requests.filter((request) => request === 'GET /heads/1').length;

test('the embedded one is seen at once; the other’s video takes its place, also when its worker is another one', async () => {
  server.pendingLooks = Number.POSITIVE_INFINITY;
  const before = await charges();
  const turn = await say('Good morning to you.');
  const preview = await turn(({ status, streamUrl }) => status === 'audio' && streamUrl);
  const stream = await fetch(preview.streamUrl);
  expect([stream.status, (await stream.arrayBuffer()).byteLength]).toEqual([200, expect.any(Number)]);
  await until(async () => looks() > 0);
  await worker.stop();
  server.pendingLooks = 0;
  worker = await openWorker(t, t.app.engines);
  const done = await turn(hasEnded);
  expect(done.status).toBe('video');
  const bytes = new Uint8Array(await (await fetch(done.videoUrl)).arrayBuffer());
  const [frame] = await t.app.engines.codec.decodeFrames(bytes, [0]);
  // Of the still's proportions at the size of a fitted video: the embedded one's is 256.
  expect([frame?.width, frame?.height]).toEqual([720, 720]);
  expect([server.orders.length, server.cancelled, (await charges()) - before]).toEqual([1, 0, 1]);
});

test('a provider that breaks leaves the turn with the preview', async () => {
  server.breaks = true;
  const turn = await say('Good evening to you.');
  const done = await turn(hasEnded);
  expect(done.status).toBe('video');
  const [frame] = await t.app.engines.codec.decodeFrames(
    new Uint8Array(await (await fetch(done.videoUrl)).arrayBuffer()),
    [0],
  );
  expect(frame?.width).toBe(256);
  expect(server.orders).toHaveLength(1);
});

test('a turn that is deleted while it is made elsewhere is cancelled there, uncharged', async () => {
  server.pendingLooks = Number.POSITIVE_INFINITY;
  const before = await charges();
  const turn = await say('Never mind.');
  const { id } = await turn(({ status }) => status === 'audio');
  await until(async () => looks() > 0);
  const { body } = await t.graphql<any>(
    'mutation($id: ID!) { deleteTurn(turnId: $id) { deletedId } }',
    { id },
    ada.session,
  );
  expect(body.errors).toBeUndefined();
  await until(async () => server.cancelled > 0);
  expect((await charges()) - before).toBe(0);
});

test('what is deleted while no worker runs, and what a worker gives up, is cancelled by the next one', async () => {
  const noted = () => t.app.db.rows('select id from talking_head_cancellation');
  // Those of the turns before: a render that has still to notice that its turn is gone, and cancels, ends with its worker.
  await worker.stop();
  worker = await openWorker(t, t.app.engines);
  await t.app.talkingHeadCancellations.round();
  await until(async () => (await noted()).length === 0);
  Object.assign(server, { requests: [], orders: [], pendingLooks: Number.POSITIVE_INFINITY, cancelled: 0 });
  const turn = await say('Never mind this either.');
  const { id } = await turn(({ status }) => status === 'audio');
  await until(async () => looks() > 0);
  await worker.stop();
  await t.graphql<any>('mutation($id: ID!) { deleteTurn(turnId: $id) { deletedId } }', { id }, ada.session);
  expect(server.cancelled).toBe(0);
  expect(await noted()).toHaveLength(1);
  worker = await openWorker(t, t.app.engines);
  expect(await t.app.talkingHeadCancellations.round()).toBeLessThanOrEqual(1);
  await until(async () => (await noted()).length === 0);
  expect(server.cancelled).toBeGreaterThan(0);
});

test('where the last attempt ends in the preview, what is still being made is cancelled', async () => {
  server.pendingLooks = Number.POSITIVE_INFINITY;
  const turn = await say('Good night to you.');
  await turn(({ status }) => status === 'audio');
  await until(async () => looks() > 0);
  server.awayLooks = Number.POSITIVE_INFINITY;
  expect((await turn(hasEnded)).status).toBe('video');
  server.awayLooks = 0;
  await until(async () => {
    aheadMs += MINUTE_MS;
    await t.app.talkingHeadCancellations.round();
    return server.cancelled > 0;
  });
});

test('a one-shot speech comes from there too, and a failure is retried and then reported, uncharged', async () => {
  const speak = async (text: string) => {
    const body = { text, output: 'video' };
    const { body: accepted } = await t.rest('POST', `/avatars/${avatarId}/speak`, { as: ada.apiKey, body });
    return until(async () => {
      const { body: read } = await t.rest('GET', accepted.poll, { as: ada.apiKey });
      return hasEnded(read) && read;
    });
  };
  const done = await speak('One two three.');
  expect([done.status, await statusOf(done.videoUrl), server.orders.length]).toEqual(['video', 200, 1]);
  server.breaks = true;
  const failed = await speak('Four five six.');
  expect(failed.status).toBe('error');
  expect(failed.errorMessage ?? failed.error).toBe('The talking-head model could not make this video.');
  expect(server.orders).toHaveLength(4);
  const { data } = (await t.graphql<any>('{ me { balance { held } } }', {}, ada.session)).body;
  expect(data.me.balance.held).toBe(0);
});
