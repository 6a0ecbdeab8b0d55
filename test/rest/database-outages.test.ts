/**
 * The database goes away under a web process: callers learn when to come back, in every form of answer, and nothing is
 * taken for standing that may have been revoked meanwhile.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { openApp } from '../../src/app/app.ts';
import { startServer } from '../../src/http/server.ts';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type DatabaseLine, openDatabaseLine } from '../support/database-proxy.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let ada: TestUser;
let line: DatabaseLine;
/** A process that reaches the database by the line. */
let url: string;
let close: () => Promise<void>;
const nowMs = Date.now();

beforeEach(async () => {
  t = await openTestApp();
  ada = await t.person('Ada', 10);
  line = await openDatabaseLine(t.databaseUrl);
  const config = { ...t.app.config, PORT: await freePort(), DATABASE_SECONDS: 2 };
  // Its clock stands still: what it keeps never grows old by itself.
  const app = await openApp({ config, databaseUrl: line.url, work: false, clock: { now: () => nowMs } });
  const server = await startServer(app);
  url = `http://127.0.0.1:${server.port}`;
  close = async () => {
    await server.close();
    await app.close();
  };
});
afterEach(async () => {
  line.mend();
  await close();
  line.close();
  await t.close();
});

async function ask(method: string, path: string, as?: string, sent?: object) {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) },
    ...(sent ? { body: JSON.stringify(sent) } : {}),
  });
  const text = await answer.text();
  const body = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: answer.status, retryS: Number(answer.headers.get('retry-after')), body };
}

test('a database that is away is a 503 that says when to come back, and never a 500', async () => {
  expect((await ask('GET', '/avatars', ada.apiKey)).status).toBe(200);
  const me = { query: '{ me { displayName } }' };
  const known = { email: ada.email, password: 'correct horse' };
  const signIn =
    'mutation($email: String!, $password: String!) { signIn(email: $email, password: $password) { idToken } }';
  line.cut();
  const rest = [
    await ask('GET', '/avatars', ada.apiKey),
    // A caller who is not known yet cannot be looked up.
    await ask('GET', '/avatars', ada.session),
    await ask('POST', '/avatars', ada.apiKey, { displayName: 'Nova' }),
    await ask('POST', '/avatar-folders', ada.apiKey, { name: 'Cast' }),
    await ask('GET', '/avatars/public'),
    await ask('GET', '/conversations/by-slug/c-26-11-aaaa'),
  ];
  for (const { status, retryS, body } of rest) {
    expect([status, body.code, body.retryAfterSeconds, retryS]).toEqual([503, 'UNAVAILABLE', 5, 5]);
    expect(body.error).toBe('A part of the service does not answer: try again later.');
  }
  const graphql = [
    await ask('POST', '/graphql', ada.apiKey, me),
    await ask('POST', '/graphql', ada.session, me),
    await ask('POST', '/graphql', undefined, { query: signIn, variables: known }),
    await ask('POST', '/graphql', undefined, { query: '{ publicAvatars { nodes { displayName } } }' }),
  ];
  for (const { status, retryS, body } of graphql) {
    expect([status, body.errors[0].extensions, retryS]).toEqual([
      503,
      { code: 'UNAVAILABLE', retryAfterSeconds: 5, requestId: expect.any(String) },
      5,
    ]);
  }
  line.mend();
  await until(async () => (await ask('GET', '/avatars', ada.apiKey)).status === 200);
  expect((await ask('POST', '/graphql', ada.apiKey, me)).body.data.me.displayName).toBe('Ada');
});

test('a database that is frozen is a 503 in a while, and is asked again once it thaws', async () => {
  expect((await ask('GET', '/avatars', ada.apiKey)).status).toBe(200);
  line.freeze();
  for (const { status, retryS, body } of await Promise.all([
    ask('GET', '/avatars', ada.apiKey),
    ask('POST', '/avatar-folders', ada.apiKey, { name: 'Cast' }),
    ask('POST', '/graphql', ada.apiKey, { query: '{ publicAvatars { nodes { displayName } } }' }),
  ])) {
    expect([status, retryS]).toEqual([503, 5]);
    expect(JSON.stringify(body)).toContain('"UNAVAILABLE"');
  }
  line.mend();
  await until(async () => (await ask('GET', '/avatars', ada.apiKey)).status === 200);
});

test('a turn whose conversation is locked for too long is a 503, and is not begun once the lock goes', async () => {
  const avatar = { displayName: 'Nova', ttsVoiceId: 'noop' };
  const { avatarId } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: avatar })).body;
  const talk = { avatarOwnerUserId: ada.userId, avatarId };
  const { conversationId } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: talk })).body;
  const line = { userText: 'Say this.', mode: 'speak', output: 'audio' };
  const say = () => ask('POST', `/conversations/${conversationId}/turn`, ada.apiKey, line);
  // What a worker that is frozen within a transaction holds.
  const frozen = new pg.Client({ connectionString: t.databaseUrl });
  await frozen.connect();
  try {
    await frozen.query('begin');
    await frozen.query('select 1 from conversation where id = $1 for no key update', [conversationId]);
    const { status, retryS } = await say();
    expect([status, retryS]).toEqual([503, 5]);
    const waiting = await t.app.db.rows(
      "select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting).toEqual([]);
  } finally {
    await frozen.end();
  }
  expect((await say()).status).toBe(202);
  const begun = await t.app.db.rows(
    'select count(*)::int as turns, count(hold_id)::int as holds from conversation_turn',
  );
  expect(begun).toEqual([{ turns: 1, holds: 1 }]);
});

test('an operation that is answered in part stays a 200', async () => {
  line.cut();
  const query = '{ __typename sharedVideo(slug: "v-26-11-aaaa") { isOwner } }';
  const { status, body } = await ask('POST', '/graphql', undefined, { query });
  expect([status, body.data, body.errors[0].extensions.code]).toEqual([
    200,
    { __typename: 'Query', sharedVideo: null },
    'UNAVAILABLE',
  ]);
});

test('a key that was revoked while notifications were not delivered is found revoked at once when the connection is back', async () => {
  expect((await ask('GET', '/avatars', ada.apiKey)).status).toBe(200);
  line.cut();
  const [{ id }] = (await t.rest('GET', '/api-keys', { as: ada.session })).body.apiKeys;
  expect((await t.rest('DELETE', `/api-keys/${id}`, { as: ada.session })).status).toBe(200);
  line.mend();
  await until(async () => (await ask('GET', '/avatars', ada.apiKey)).status === 401);
});
