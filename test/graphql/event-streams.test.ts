/** Subscriptions over Server-Sent Events, by the stock client of graphql-sse: following, resuming, access, the end. */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient } from 'graphql-sse';
import { pino } from 'pino';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';
import { until } from '../support/until.ts';
import { REFUSED_VARIABLES, TURN_UPDATED } from './live-viewers.ts';

let t: TestApp;
let ada: TestUser;
let slug: string;
let conversationId: string;
const clients: Client[] = [];
const complaints: string[] = [];
const sink = new Writable({
  write: (line, _encoding, done) => {
    complaints.push(String(line));
    done();
  },
});

beforeAll(async () => {
  t = await openTestApp({ log: pino({ level: 'warn' }, sink) });
  ada = await t.person('Ada', 10);
  const body = { avatarOwnerUserId: ada.userId, avatarId: await makeAvatar(t, ada) };
  const made = await t.rest('POST', '/conversations', { as: ada.apiKey, body });
  ({ shareSlug: slug, conversationId } = made.body);
});
afterAll(async () => {
  for (const client of clients) client.dispose();
  await t.close();
});

const say = (userText: string): Promise<unknown> =>
  t.rest('POST', `/conversations/${conversationId}/turn`, { as: ada.apiKey, body: { userText, output: 'text' } });

/** What a subscriber has got, and how often its connection was made. */
interface Seen {
  results: any[];
  error: unknown;
  isComplete: boolean;
  connections: number;
  /** Of its last connection. */
  status: number;
  drop(): void;
}

/** Subscribes with the stock client, which goes on behind its last cursor when it has lost its connection. */
function follow(query: string, variables: Record<string, unknown> = {}, as: string | undefined = ada.session): Seen {
  let line = new AbortController();
  const seen: Seen = {
    results: [],
    error: undefined,
    isComplete: false,
    connections: 0,
    status: 0,
    drop: () => line.abort(new TypeError('The connection is dead.')),
  };
  const client = createClient({
    url: `${t.url}/graphql`,
    ...(as ? { headers: { authorization: `Bearer ${as}` } } : {}),
    retryAttempts: 3,
    retry: () => new Promise((resolve) => setTimeout(resolve, 20)),
    // As a network would: its reader fails, and nothing has been said.
    fetchFn: async (url: string, init: RequestInit) => {
      line = new AbortController();
      const signal = AbortSignal.any([line.signal, init.signal as AbortSignal]);
      const answer = await fetch(url, { ...init, signal });
      seen.connections += 1;
      seen.status = answer.status;
      return answer;
    },
  });
  clients.push(client);
  client.subscribe<any>(
    { query, variables },
    {
      next: (result) => {
        seen.results.push(result);
        const cursor = result.data && Object.values(result.data as Record<string, any>)[0]?.cursor;
        if (cursor) variables.after = cursor;
      },
      error: (error) => {
        seen.error = error;
      },
      complete: () => {
        seen.isComplete = true;
      },
    },
  );
  return seen;
}

test('follows a conversation and an account, and loses and doubles nothing with its connection', async () => {
  const turns = follow(TURN_UPDATED, { slug, after: '0' });
  const { body } = await t.graphql<any>('{ updateCursor }', {}, ada.session);
  const account = follow(
    `subscription($after: String) { conversationUpdated(after: $after) { cursor conversation { lastTurn { userText } } } }`,
    { after: body.data.updateCursor },
  );
  for (let said = 1; said <= 8; said += 1) {
    await say(`${said}`);
    await until(async () => turns.results.length >= 2 * said);
    await until(async () => account.results.length > 0);
    if (said % 3 === 0) turns.drop();
    if (said % 4 === 0) account.drop();
  }
  await until(async () => turns.results.length >= 16 && turns.connections > 2);
  const updates = turns.results.map(({ data }) => data.turnUpdated);
  expect(updates.map(({ cursor }) => cursor)).toEqual(Array.from({ length: 16 }, (_, index) => `${index + 1}`));
  await say('last');
  await until(async () => turns.results.length === 18 && account.connections > 1);
  await until(async () => account.results.at(-1)?.data.conversationUpdated.cursor > body.data.updateCursor);
  const cursors = account.results.map(({ data }) => Number(data.conversationUpdated.cursor));
  expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b));
  // Operators see both, once what was dropped has been noticed.
  const open = ['streams"} 2', 'accountFeeds"} 1', 'accountViewers"} 1'];
  await until(async () => {
    const metrics = await (await fetch(`${t.url}/metrics`)).text();
    return open.every((count) => metrics.includes(`avatar_live{of="${count}`));
  });
});

test('queries and mutations are answered once, with the same errors as on other transports', async () => {
  const answered = async (query: string, variables = {}): Promise<any> => {
    const seen = follow(query, variables);
    await until(async () => seen.isComplete);
    expect(seen.results).toHaveLength(1);
    return seen.results[0];
  };
  expect(await answered('{ me { userId } }')).toEqual({ data: { me: { userId: ada.userId } } });
  const renamed = await answered(
    'mutation($id: ID!) { renameConversation(conversationId: $id, title: "Tea") { title } }',
    { id: conversationId },
  );
  expect(renamed.data).toEqual({ renameConversation: { title: 'Tea' } });
  const codeOf = async (query: string, variables = {}) => (await answered(query, variables)).errors[0].extensions.code;
  expect(await codeOf('{ me { tea } }')).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(await codeOf('{ me')).toBe('GRAPHQL_PARSE_FAILED');
  expect(await codeOf(TURN_UPDATED, { slug: 'c-26-11-none' })).toBe('NOT_FOUND');
  expect(await codeOf(TURN_UPDATED, { slug, after: 'tea' })).toBe('BAD_INPUT');
  for (const [query, variables, field] of REFUSED_VARIABLES)
    expect((await answered(query, variables)).errors[0].extensions).toMatchObject({ code: 'BAD_INPUT', field });

  const json = (answer: Response): Promise<any> => answer.json();
  const refused = await fetch(`${t.url}/graphql?query=${encodeURIComponent('{ me { userId } }')}`, {
    headers: { accept: 'text/event-stream' },
  });
  expect(await refused.text()).toContain(`"requestId":"${refused.headers.get('x-request-id')}"`);
  const get = (query: string) =>
    fetch(`${t.url}/graphql?query=${encodeURIComponent(query)}`, { headers: { accept: 'text/event-stream' } });
  const public_ = await get('{ videoPricing { tier } }');
  expect(public_.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(await public_.text()).toMatch(/event: next\ndata: \{"data":\{"videoPricing".*event: complete/s);
  const changing = await get('mutation { signOut }');
  expect([changing.status, (await json(changing)).error]).toEqual([400, expect.stringContaining('POST')]);
  // Clients that take JSON as well get it.
  const both = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ videoPricing { tier } }' }),
  });
  expect((await json(both)).data.videoPricing).not.toEqual([]);
});

test('a wrong credential is refused, and a revoked one ends its streams', async () => {
  const wrong = follow('{ me { userId } }', {}, 'svc_wrong');
  await until(async () => wrong.error !== undefined);
  expect((wrong.error as { response?: Response }).response?.status).toBe(401);

  const { body } = await t.rest('POST', '/api-keys', { as: ada.session, body: { name: 'Short-lived' } });
  const open = t.app.services.live.feeds.stats.viewers;
  const own = follow(TURN_UPDATED, { slug, after: '0' }, body.token);
  await until(async () => own.results.length > 0 && t.app.services.live.feeds.stats.viewers === open + 1);
  await t.graphql('mutation($id: ID!) { deleteApiKey(id: $id) { deletedId } }', { id: body.id }, ada.session);
  await until(async () => own.isComplete);
  expect(own.results.at(-1).errors[0].extensions.code).toBe('UNAUTHENTICATED');
  await until(async () => t.app.services.live.feeds.stats.viewers === open);
});

test('a client that goes away is forgotten, and a server that stops completes every stream', async () => {
  const { feeds } = t.app.services.live;
  for (const client of clients.splice(0)) client.dispose();
  await until(async () => feeds.stats.viewers === 0);
  const left = follow(TURN_UPDATED, { slug });
  await until(async () => feeds.stats.viewers === 1);
  // The port is open until the sockets are closed: here, until this client has come back.
  const { live } = t.server;
  const closeSockets = live.close;
  live.close = async () => {
    await until(async () => left.connections > 1);
    await closeSockets();
  };
  await t.server.close();
  expect(left.status).toBe(503);
  await until(async () => left.error !== undefined);
  expect(left.isComplete).toBe(false);
  expect(feeds.stats.viewers).toBe(0);
  // Nothing was answered a second time when its stream was cut off.
  expect(complaints.join('')).not.toContain('already sent');
});
