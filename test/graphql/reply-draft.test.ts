/** A reply that takes its time is seen while it is being written, by everyone who follows. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { createOpenAiCompatibleChat } from '../../src/engines/remote/chat.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type ChatServer, openChatServer } from '../support/chat-server.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';
import { type Update, Watcher } from './live-viewers.ts';

interface Growing extends Update {
  isDraft: boolean;
}

const FOLLOW = `subscription Watch($slug: String!, $viewerToken: String, $key: String, $after: String) {
  turnUpdated(slug: $slug, viewerToken: $viewerToken, key: $key, after: $after) {
    cursor injection chunk isDraft turn { id role status userText avatarText }
  }
}`;

let t: TestApp;
let server: ChatServer;
let worker: TestWorker;
let ada: TestUser;
const watchers: Watcher[] = [];

beforeAll(async () => {
  server = await openChatServer(() => ({ now: ['  It was', ' a dark'], later: [' night. ', 'Rain fell.'] }));
  const chat = createOpenAiCompatibleChat({ baseUrl: server.url, model: 'test' });
  const engines = { ...createNoopEngines(), chat, chatIsEmbedded: false, close: async () => {} };
  t = await openTestApp({ engines });
  worker = await openWorker(t, engines);
  ada = await t.person('Ada', 10);
});
afterAll(async () => {
  await Promise.all(watchers.map((watcher) => watcher.stop()));
  await worker.stop();
  await t.close();
  await server.close();
});

test('the words come as they are written, and the whole of them as a change', async () => {
  const made = { displayName: 'Nova', personalityPrompt: 'You tell stories.' };
  const { avatar } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: made })).body;
  const asked = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  const { shareSlug, viewerToken } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: asked })).body;
  const watch = (): Watcher => {
    const watcher = new Watcher(t.url, shareSlug, { viewerToken, query: FOLLOW, after: '0' });
    watchers.push(watcher);
    return watcher;
  };
  const growing = ({ updates }: Watcher) => (updates as Growing[]).filter(({ isDraft }) => isDraft);
  const watcher = watch();
  const { body } = await t.rest('POST', `/conversations/${shareSlug}/turn`, {
    as: ada.apiKey,
    body: { userText: 'Tell me a story.', output: 'text' },
  });

  await watcher.until((one) => growing(one).length > 0);
  const draft = growing(watcher).at(-1);
  expect(draft).toMatchObject({ chunk: 1, isDraft: true, turn: { id: body.turn.id, status: 'pending' } });
  expect('It was a dark').toContain(draft?.turn.avatarText ?? 'nothing');
  // What is being written is in no table: a poll sees the pending shell as ever.
  const polled = await t.rest('GET', `/conversations/by-slug/${shareSlug}`, { as: ada.apiKey });
  expect(polled.body.turns.at(-1)).toMatchObject({ id: body.turn.id, status: 'pending', avatarText: null });

  server.release();
  await watcher.until(({ updates }) => updates.at(-1)?.turn.status === 'ready');
  const last = watcher.updates.at(-1) as Growing;
  expect(last).toMatchObject({ isDraft: false, turn: { avatarText: 'It was a dark night. Rain fell.' } });
  expect(Number(last.cursor)).toBeGreaterThan(Number(draft?.cursor));
  // Cursors never fall, so that a viewer who resumes behind any of them gets what followed it.
  expect(watcher.cursors).toEqual([...watcher.cursors].sort((a, b) => a - b));

  const late = await watch().until(({ updates }) => updates.at(-1)?.turn.status === 'ready');
  expect(growing(late)).toEqual([]);
});
