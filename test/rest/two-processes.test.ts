/**
 * Two web processes over one database: what one changes, a poll at the other shows at once, though it keeps the rows of
 * conversations that are polled. Its clock stands still, so nothing it keeps grows old by itself.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openApp } from '../../src/app/app.ts';
import { type RunningServer, startServer } from '../../src/http/server.ts';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let ada: TestUser;
let other: { server: RunningServer; close(): Promise<void> };
const nowMs = Date.now();

beforeAll(async () => {
  t = await openTestApp({ clock: { now: () => nowMs } });
  ada = await t.person('Ada', 10);
  const { config } = t.app;
  const app = await openApp({ config: { ...config, PORT: await freePort() }, databaseUrl: t.databaseUrl, work: false });
  const server = await startServer(app);
  other = {
    server,
    close: async () => {
      await server.close();
      await app.close();
    },
  };
});
afterAll(async () => {
  await other.close();
  await t.close();
});

/** A request to the other process. */
const elsewhere = (method: string, path: string, body: object) =>
  fetch(`http://127.0.0.1:${other.server.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${ada.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then((answer) => expect(answer.ok).toBe(true));

/** A public conversation that this process has polled: an unchanged poll of it is answered by what is kept. */
async function polled() {
  const { avatar } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova' } })).body;
  const body = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
  const address = `/conversations/by-slug/${shareSlug}`;
  await t.rest('POST', `/conversations/${shareSlug}/visibility`, { as: ada.apiKey, body: { isPublic: true } });
  const etag = await until(async () => {
    const { headers } = await t.rest('GET', address);
    const tag = headers.get('etag')!;
    const again = await t.rest('GET', address, { headers: { 'if-none-match': tag } });
    return again.status === 304 && tag;
  });
  return {
    avatarId: avatar.avatarId,
    shareSlug,
    poll: () => t.rest('GET', address, { headers: { 'if-none-match': etag } }),
  };
}

test('a new turn is seen', async () => {
  const { shareSlug, poll } = await polled();
  await elsewhere('POST', `/conversations/${shareSlug}/turn`, { userText: 'Hi', mode: 'speak', output: 'text' });
  const seen = await until(async () => {
    const answer = await poll();
    return answer.status === 200 && answer.body;
  });
  expect(seen.turns.map((turn: any) => turn.avatarText)).toEqual(['Hi']);
});

test('an avatar that was renamed is seen', async () => {
  const { avatarId, poll } = await polled();
  await elsewhere('PATCH', `/avatars/${avatarId}`, { displayName: 'Vega' });
  const seen = await until(async () => {
    const answer = await poll();
    return answer.status === 200 && answer.body;
  });
  expect(seen.conversation.avatarDisplayName).toBe('Vega');
});

test('a public view that was taken back is refused', async () => {
  const { shareSlug, poll } = await polled();
  await elsewhere('POST', `/conversations/${shareSlug}/visibility`, { isPublic: false });
  await until(async () => (await poll()).status === 403);
});
