/** Live updates over WebSocket: following, access, revocation, limits. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, subscribe } from 'graphql';
import { QUEUED_UPDATES } from '../../resolvers/live.ts';
import { createLoaders } from '../../resolvers/loaders.ts';
import type { RateLimits } from '../../src/auth/rate-limits.ts';
import { PlatformError } from '../../src/kernel/errors.ts';
import { bumpVersion } from '../../src/services/conversations/conversation-version.repository.ts';
import { attachLive } from '../../src/services/live/transport/live.transport.ts';
import type { LiveLimits } from '../../src/services/live/transport/socket.transport.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';
import {
  BareSocket,
  REFUSED_VARIABLES,
  TURN_UPDATED,
  type Update,
  Watcher,
  type WatchOptions,
} from './live-viewers.ts';

let t: TestApp;
let owner: TestUser;
let nonOwner: TestUser;
let avatarId: string;
const watchers: Watcher[] = [];
const sockets: BareSocket[] = [];

interface Started {
  conversationId: string;
  shareSlug: string;
  viewerToken: string;
}

beforeAll(async () => {
  t = await openTestApp();
  owner = await t.person('Ada', 100);
  nonOwner = await t.person('Bob');
  const { body } = await t.rest('POST', '/avatars', {
    as: owner.apiKey,
    body: { displayName: 'Nova', personalityPrompt: 'Kind.', ttsVoiceId: 'noop' },
  });
  avatarId = body.avatar.avatarId;
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.socket.terminate();
  await Promise.all(watchers.splice(0).map((watcher) => watcher.stop()));
});
afterAll(() => t.close());

async function start(): Promise<Started> {
  const { body } = await t.rest('POST', '/conversations', {
    as: owner.apiKey,
    body: { avatarOwnerUserId: owner.userId, avatarId },
  });
  return body;
}

/** The owner's text; without a worker its reply stays pending. */
async function inject({ conversationId }: Started, userText: string): Promise<string> {
  const { status, body } = await t.rest('POST', `/conversations/${conversationId}/turn`, {
    as: owner.apiKey,
    body: { userText, output: 'text' },
  });
  expect(status).toBe(202);
  return body.turn.id;
}

async function change({ conversationId }: Started, turnId: string, text: string): Promise<void> {
  await t.app.db.transaction(async (tx) => {
    await tx.rows('update conversation_turn set avatar_text = $2 where id = $1', [turnId, text]);
    bumpVersion(tx, t.app, conversationId, { turnIds: [turnId] });
  });
}

function watch(slug: string, options: WatchOptions = {}): Watcher {
  const watcher = new Watcher(t.url, slug, options);
  watchers.push(watcher);
  return watcher;
}

function bare(options?: ConstructorParameters<typeof BareSocket>[1], url = t.url): BareSocket {
  const socket = new BareSocket(url, options);
  sockets.push(socket);
  return socket;
}

/** Resolves once this many viewers follow: only then does an update count as live. */
async function followed(viewers: number): Promise<void> {
  while (t.app.services.live.feeds.stats.viewers !== viewers) await new Promise(setImmediate);
}

async function setPublic({ conversationId }: Started, isPublic: boolean): Promise<void> {
  const { status } = await t.rest('POST', `/conversations/${conversationId}/visibility`, {
    as: owner.apiKey,
    body: { isPublic },
  });
  expect(status).toBe(200);
}

async function accessLink({ conversationId }: Started): Promise<{ key: string; linkId: string }> {
  const { body } = await t.rest('POST', `/conversations/${conversationId}/access-link`, { as: owner.apiKey });
  return { linkId: body.linkId, key: new URL(body.url).searchParams.get('key')! };
}

describe('following', () => {
  test('replays behind the cursor, then pushes what comes, each change once and in order', async () => {
    const conversation = await start();
    const first = await inject(conversation, 'one');
    const all = watch(conversation.shareSlug, { as: owner.session, after: '0' });
    await all.until(({ updates }) => updates.length === 2);
    expect(all.updates.map(({ turn, injection, chunk }) => [turn.role, injection, chunk])).toEqual([
      ['user', 1, 0],
      ['avatar', 1, 1],
    ]);
    await inject(conversation, 'two');
    await change(conversation, first, 'changed');
    await all.until(({ updates }) => updates.length === 5);
    expect(all.updates[4]!.turn).toMatchObject({ id: first, avatarText: 'changed' });
    expect(all.cursors).toEqual([1, 2, 3, 4, 5]);
    const resumed = watch(conversation.shareSlug, { as: owner.session, after: all.updates[2]!.cursor });
    await resumed.until(({ updates }) => updates.length === 2);
    expect(resumed.cursors).toEqual([4, 5]);
  });

  test('without a cursor it follows from now', async () => {
    const conversation = await start();
    await inject(conversation, 'before');
    const watcher = watch(conversation.shareSlug, { as: owner.session });
    await followed(1);
    const other = watch(conversation.shareSlug, { as: owner.session, after: '0' });
    await other.until(({ updates }) => updates.length === 2);
    await inject(conversation, 'after');
    await watcher.until(({ updates }) => updates.length === 2);
    expect(watcher.updates[0]!.turn.userText).toBe('after');
  });

  test('viewers with other fields, aliases, fragments and variables each get what they asked for', async () => {
    const conversation = await start();
    const queries = [
      TURN_UPDATED,
      `subscription($slug: String!, $long: Boolean = false) { mine: turnUpdated(slug: $slug) { cursor turn { id ...T @include(if: $long) } } }
       fragment T on Turn { userText }`,
      `subscription Other { turnUpdated(slug: "${conversation.shareSlug.toUpperCase()}", after: "0") { turn { role } } }`,
    ];
    const socket = await bare().ready({ Authorization: `Bearer ${owner.apiKey}` });
    for (const [i, query] of queries.entries()) {
      const variables = { slug: conversation.shareSlug, ...(i === 1 ? { long: true } : {}) };
      socket.send({ id: `s"${i}`, type: 'subscribe', payload: { query, variables } });
    }
    await followed(3);
    await inject(conversation, 'hello ☕');
    await socket.until(({ messages }) => messages.filter(({ type }) => type === 'next').length === 6);
    const firstOf = (id: string): any => socket.messages.find((message) => message.id === id);
    expect(firstOf('s"0').payload.data.turnUpdated).toMatchObject({ cursor: '1', turn: { userText: 'hello ☕' } });
    expect(firstOf('s"1').payload.data).toEqual({
      mine: { cursor: '1', turn: { id: expect.any(String), userText: 'hello ☕' } },
    });
    expect(firstOf('s"2').payload.data).toEqual({ turnUpdated: { turn: { role: 'user' } } });
    socket.send({ id: 's"0', type: 'complete' });
    await followed(2);
    socket.socket.terminate();
    await followed(0);
  });

  test('a t- slug follows that one turn and is itself the grant', async () => {
    const conversation = await start();
    const turnId = await inject(conversation, 'look');
    await t.app.db.rows(`update conversation_turn set share_slug = 't-26-11-zz01' where id = $1`, [turnId]);
    const watcher = watch('T-26-11-ZZ01', { after: '0' });
    await watcher.until(({ updates }) => updates.length === 1);
    await inject(conversation, 'another');
    await change(conversation, turnId, 'said');
    await watcher.until(({ updates }) => updates.length === 2);
    expect(watcher.updates.map(({ turn }) => turn.id)).toEqual([turnId, turnId]);
  });

  test.each([
    ['an unknown slug', { slug: 'c-26-11-none' }, 'NOT_FOUND'],
    ['an unknown turn', { slug: 't-26-11-none' }, 'NOT_FOUND'],
    ['no slug at all', { slug: 'nothing' }, 'NOT_FOUND'],
    ['a cursor that is none', { after: 'abc' }, 'BAD_INPUT'],
    ['a cursor of another conversation', { after: '999' }, 'BAD_INPUT'],
    ['a variable of the wrong type', { slug: 7 }, 'BAD_INPUT'],
  ])('%s is an error of the operation', async (_name, variables, code) => {
    const { shareSlug } = await start();
    const socket = await bare().ready({ authorization: `Bearer ${owner.apiKey}` });
    const answer = await socket.ask(TURN_UPDATED, { slug: shareSlug, ...variables });
    expect(answer.payload.errors[0].extensions.code).toBe(code);
    expect(socket.closed).toBeUndefined();
  });

  test('the iterator of a client in this process: return() ends it, too many waiting updates end it too', async () => {
    const conversation = await start();
    const context = {
      services: t.app.services,
      loaders: createLoaders(t.app.services, undefined),
      log: t.app.log,
      requestId: 'req',
      address: '',
    };
    const open = async (): Promise<AsyncGenerator<any>> =>
      (await subscribe({
        schema: t.server.executor.schema,
        document: parse(TURN_UPDATED),
        variableValues: { slug: conversation.shareSlug, viewerToken: conversation.viewerToken, after: '0' },
        contextValue: context,
      })) as AsyncGenerator<any>;
    const iterator = await open();
    await inject(conversation, 'hi');
    expect((await iterator.next()).value.data.turnUpdated.turn.userText).toBe('hi');
    await iterator.next();
    const parked = iterator.next();
    await iterator.return(undefined);
    expect((await parked).done).toBe(true);
    await followed(0);

    const flooded = await open();
    await flooded.next();
    await flooded.next();
    await followed(1);
    const ids = Array.from({ length: QUEUED_UPDATES + 1 }, (_, i) => `trn_flood${i}`);
    await t.app.db.rows(
      `insert into conversation_turn (id, conversation_id, injection_id, number, chunk, role, status, voiced_by_avatar_id, created_at, version)
       select id, $2, (select injection_id from conversation_turn where conversation_id = $2 limit 1), 1, 10 + ord, 'avatar', 'ready', $3, 0, 100 + ord
       from unnest($1::text[]) with ordinality as n (id, ord)`,
      [ids, conversation.conversationId, avatarId],
    );
    const last = 101 + QUEUED_UPDATES;
    await t.app.db.rows('update conversation set version = $2 where id = $1', [conversation.conversationId, last]);
    t.app.notifier.emitLocal('turn', `${conversation.conversationId} ${last}`);
    await followed(0);
    const seen: any[] = [];
    await expect(
      (async () => {
        for await (const result of flooded) seen.push(result);
      })(),
    ).rejects.toThrow('Too slow');
    expect(seen).toHaveLength(QUEUED_UPDATES);
    // What was there before comes at the reader's pace, however much it is.
    const replayed = await open();
    for (let version = 0; version < last; ) version = Number((await replayed.next()).value.data.turnUpdated.cursor);
    await replayed.return(undefined);
  });
});

describe('who may watch', () => {
  const ACCESS: [string, boolean, (grants: Grants) => WatchOptions, boolean][] = [
    ['the owner', false, ({ owner }) => ({ as: owner.session }), true],
    ['the owner with an API key', false, ({ owner }) => ({ as: owner.apiKey }), true],
    ['a caller without a credential', false, () => ({}), false],
    ['another user', false, ({ nonOwner }) => ({ as: nonOwner.session }), false],
    ['the bearer of the viewer token', false, ({ viewerToken }) => ({ viewerToken }), true],
    ['the bearer of another viewer token', false, () => ({ viewerToken: 'wrong' }), false],
    ['the bearer of an access link', false, ({ key }) => ({ key }), true],
    ['the bearer of another key', false, () => ({ key: 'wrong' }), false],
    ['a caller without a credential, when it is public', true, () => ({}), true],
    ['another user, when it is public', true, ({ nonOwner }) => ({ as: nonOwner.apiKey }), true],
  ];
  interface Grants {
    owner: TestUser;
    nonOwner: TestUser;
    viewerToken: string;
    key: string;
  }

  test.each(ACCESS)('%s (public: %s)', async (_who, isPublic, bring, isLetIn) => {
    const conversation = await start();
    if (isPublic) await setPublic(conversation, true);
    const { key } = await accessLink(conversation);
    await inject(conversation, 'secret');
    const grants = { owner, nonOwner, viewerToken: conversation.viewerToken, key };
    const watcher = watch(conversation.shareSlug, { ...bring(grants), after: '0' });
    await watcher.until(({ updates, errors }) => updates.length === 2 || errors.length > 0);
    if (isLetIn) expect(watcher.errors).toEqual([]);
    else expect(watcher.errors[0].extensions.code).toBe('FORBIDDEN');
    expect(watcher.updates).toHaveLength(isLetIn ? 2 : 0);
  });

  test('a credential that is none closes with 4401, and cookies are not looked at', async () => {
    const socket = bare();
    await socket.until(({ socket: { readyState } }) => readyState === 1);
    socket.send({ type: 'connection_init', payload: { authorization: 'Bearer svc_nonsense' } });
    await socket.until(({ closed }) => closed !== undefined);
    expect(socket.closed!.code).toBe(4401);
    const cookied = await bare({ headers: { cookie: `session=${owner.session}` } }).ready();
    expect((await cookied.ask('{ me { userId } }')).payload.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});

describe('revocation closes with 4401', () => {
  test('of an access link: those it let in, no other viewer', async () => {
    const conversation = await start();
    const [mine, other] = [await accessLink(conversation), await accessLink(conversation)];
    const revoked = watch(conversation.shareSlug, { key: mine.key });
    const staying = watch(conversation.shareSlug, { key: other.key });
    await followed(2);
    await t.rest('DELETE', `/conversations/${conversation.conversationId}/access-link/${mine.linkId}`, {
      as: owner.apiKey,
    });
    await revoked.until(({ closed }) => closed !== undefined);
    expect(revoked.closed!.code).toBe(4401);
    await inject(conversation, 'still there?');
    await staying.until(({ updates }) => updates.length === 2);
    expect(revoked.updates).toEqual([]);
    expect(staying.closed).toBeUndefined();
  });

  test('going private: tokenless viewers go, those with a token, a key or the ownership stay', async () => {
    const conversation = await start();
    await setPublic(conversation, true);
    const { key } = await accessLink(conversation);
    const tokenless = watch(conversation.shareSlug);
    const foreign = watch(conversation.shareSlug, { as: nonOwner.session });
    const staying = [
      watch(conversation.shareSlug, { viewerToken: conversation.viewerToken }),
      watch(conversation.shareSlug, { key }),
      watch(conversation.shareSlug, { as: owner.session }),
    ];
    await followed(5);
    await setPublic(conversation, false);
    for (const gone of [tokenless, foreign]) {
      await gone.until(({ closed }) => closed !== undefined);
      expect(gone.closed!.code).toBe(4401);
    }
    await inject(conversation, 'in private');
    for (const watcher of staying) await watcher.until(({ updates }) => updates.length === 2);
    expect(tokenless.updates).toEqual([]);
  });

  test('of a session and of a key, though the socket is idle, and though the notification was lost', async () => {
    const person = await t.person('Cy');
    const session = await bare().ready({ authorization: `Bearer ${person.session}` });
    const key = await bare().ready({ authorization: `Bearer ${person.apiKey}` });
    const other = await bare().ready({ authorization: `Bearer ${owner.session}` });
    await t.graphql('mutation { signOut }', {}, person.session);
    await session.until(({ closed }) => closed !== undefined);
    expect(session.closed!.code).toBe(4401);
    expect(key.closed).toBeUndefined();
    await t.app.db.rows('update api_key set revoked_at = 1 where user_id = $1', [person.userId]);
    await t.app.services.live.revocation.sweep();
    await key.until(({ closed }) => closed !== undefined);
    expect(key.closed!.code).toBe(4401);
    expect(other.closed).toBeUndefined();
  });
});

describe('limits', () => {
  const deep = `{ conversations ${'{ a '.repeat(20)}${'}'.repeat(20)} }`;
  const wide = `{ ${Array.from({ length: 60 }, (_, i) => `a${i}: me { userId }`).join(' ')} }`;
  const long = `{ ${'__typename '.repeat(3_000)} }`;
  const introspection = '{ __schema { queryType { name } } }';
  test.each([
    ['depth', deep, 'GRAPHQL_VALIDATION_FAILED'],
    ['aliases', wide, 'GRAPHQL_VALIDATION_FAILED'],
    ['aliases of __typename', wide.replaceAll('me { userId }', '__typename'), 'GRAPHQL_VALIDATION_FAILED'],
    ['tokens', long, 'GRAPHQL_PARSE_FAILED'],
    ['a field that does not exist', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['introspection', introspection, undefined],
    ['a query', '{ me { displayName } }', undefined],
    [
      'a mutation',
      'mutation { createConversation(avatarOwnerUserId: "x", avatarId: "y") { conversationId } }',
      'NOT_FOUND',
    ],
  ])('%s: as over HTTP', async (_name, query, code) => {
    const http = await t.graphql(query, {}, owner.session);
    const socket = await bare().ready({ authorization: `Bearer ${owner.session}` });
    const { type, payload } = await socket.ask(query);
    const errors = type === 'error' ? payload : payload.errors;
    const said = (list: any[] = []): unknown => list.map(({ message, extensions }) => [message, extensions.code]);
    expect(errors?.[0]?.extensions.code).toBe(code);
    expect(said(errors)).toEqual(said(http.body.errors));
    if (!errors) expect(payload.data).toEqual(http.body.data);
  });

  test.each(REFUSED_VARIABLES)('%s with %j is bad input, and the socket goes on', async (query, variables, field) => {
    const socket = await bare().ready({ authorization: `Bearer ${owner.session}` });
    const { payload } = await socket.ask(query, variables);
    expect(payload.errors[0].extensions).toMatchObject({ code: 'BAD_INPUT', field });
    expect((await socket.ask('{ __typename }', {}, 'next')).payload.data).toEqual({ __typename: 'Query' });
  });

  test('a message of more than 64 KiB closes the socket', async () => {
    const socket = await bare().ready();
    socket.send({
      id: 'q',
      type: 'subscribe',
      payload: { query: '{ me { userId } }', variables: { x: 'x'.repeat(70_000) } },
    });
    await socket.until(({ closed }) => closed !== undefined);
    expect(socket.closed!.code).toBe(1009);
  });

  test('an operation that the document does not have is the caller’s mistake, and the socket goes on', async () => {
    const socket = await bare().ready();
    const ask = async (id: string, payload: object) => {
      socket.send({ id, type: 'subscribe', payload });
      await socket.until(({ messages }) => messages.some((message) => message.id === id));
      return socket.messages.find((message) => message.id === id).payload[0];
    };
    const query = 'query A { __typename } query B { __typename }';
    expect(await ask('named', { query, operationName: 'C' })).toEqual({
      message: 'Unknown operation named "C".',
      extensions: { code: 'OPERATION_RESOLUTION_FAILURE', requestId: expect.stringMatching(/^req_/) },
    });
    expect((await ask('unnamed', { query })).extensions.code).toBe('OPERATION_RESOLUTION_FAILURE');
    expect((await socket.ask('{ __typename }', {}, 'next')).payload.data).toEqual({ __typename: 'Query' });
  });

  test.each([
    [{ id: 'q', type: 'next', payload: { data: null } }],
    [{ id: 'q', type: 'error', payload: [{ message: 'No.' }] }],
    [{ type: 'connection_ack' }],
    [{ type: 'hello' }],
    ['{'],
  ])('%j, which no client may send, breaks the protocol: 4400', async (message) => {
    const socket = await bare().ready();
    socket.send(message);
    await socket.until(({ closed }) => closed !== undefined);
    expect(socket.closed!.code).toBe(4400);
  });

  test('another path, another protocol, an operation before connection_init are refused', async () => {
    const elsewhere = bare({ path: '/elsewhere' });
    await elsewhere.until(({ refused }) => refused !== undefined);
    expect(elsewhere.refused).toBe(404);
    const foreign = bare({ protocol: 'graphql-ws' });
    await foreign.until(({ closed }) => closed !== undefined);
    const early = bare();
    await early.until(({ socket }) => socket.readyState === 1);
    early.send({ id: 'q', type: 'subscribe', payload: { query: '{ me { userId } }' } });
    await early.until(({ closed }) => closed !== undefined);
    expect(early.closed!.code).toBe(4401);
  });

  test('each refused operation has a request of its own, which its errors name', async () => {
    const socket = await bare().ready();
    const asked = ['{ nonsense }', '{ me { userId } }', '{ video(generationId: "vid_none") { id } }', TURN_UPDATED];
    const ids: unknown[] = [];
    for (const [i, query] of asked.entries()) {
      const { payload } = await socket.ask(query, { slug: 'c-26-11-none' }, `n${i}`);
      ids.push((payload.errors ?? payload)[0].extensions.requestId);
    }
    expect(ids).toEqual(asked.map(() => expect.stringMatching(/^req_/)));
    expect(new Set(ids).size).toBe(asked.length);
  });

  test('an error in an update names a request, the same to all who share the update', async () => {
    const make = async (path: string, body: object) => (await t.rest('POST', path, { as: owner.apiKey, body })).body;
    const avatar = await make('/avatars', { displayName: 'Mona', publiclyRenderable: true });
    const of = { avatarOwnerUserId: owner.userId, avatarId: avatar.avatarId };
    const conversation: Started = await make('/conversations', of);
    const query = `subscription($slug: String!, $viewerToken: String) { turnUpdated(slug: $slug, viewerToken: $viewerToken) {
      cursor turn { role voicedBy { images(after: "no cursor") { nodes { url } } } } } }`;
    const { shareSlug, viewerToken } = conversation;
    const viewers = [0, 1].map(() => watch(shareSlug, { viewerToken, query }));
    await followed(2);
    await inject(conversation, 'hi');
    for (const viewer of viewers) await viewer.until(({ errors }) => errors.length > 0);
    const ids = viewers.map(({ errors: [error] }) => {
      expect(error.extensions).toMatchObject({ code: 'BAD_INPUT', field: 'after' });
      return error.extensions.requestId;
    });
    expect(ids).toEqual([expect.stringMatching(/^req_\w{10,}/), ids[0]]);
  });

  test('a socket may run 50 operations at once, and the 51st is an error of its own', async () => {
    const conversation = await start();
    const socket = await bare().ready({ authorization: `Bearer ${owner.apiKey}` });
    const payload = { query: TURN_UPDATED, variables: { slug: conversation.shareSlug } };
    for (let i = 0; i < 50; i += 1) socket.send({ id: `s${i}`, type: 'subscribe', payload });
    await followed(50);
    const answer = await socket.ask(TURN_UPDATED, payload.variables, 's50');
    expect(answer).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'RATE_LIMITED' } }] });
    await inject(conversation, 'hi');
    await socket.until(({ messages }) => messages.filter(({ type }) => type === 'next').length === 100);
  });
});

describe('a transport of its own', () => {
  /** A transport with its own limits and a clock that the test turns. */
  async function transport(limits: Partial<LiveLimits>, rates: Pick<RateLimits, 'count' | 'lookUp'> = t.app.limits) {
    const ticks: (() => void)[] = [];
    const server = createServer();
    const live = attachLive({
      server,
      path: '/graphql',
      executor: t.server.executor,
      live: t.app.services.live,
      rates,
      log: t.app.log,
      formatError: (formatted) => formatted,
      limits,
      every: (_ms, tick) => {
        ticks.push(tick);
        return () => {};
      },
      contextFor: async ({ authorization, requestId, address }) => {
        const principal = await t.app.credentials.principalOf(authorization);
        return { ...(principal ? { principal } : {}), log: t.app.log, requestId, address };
      },
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return {
      live,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      tick: () => {
        for (const tick of ticks) tick();
      },
      async close() {
        await live.close();
        server.close();
      },
    };
  }

  test('an idle connection is closed', async () => {
    const { live, url, close } = await transport({ initTimeoutMs: 20 });
    try {
      const idle = bare({}, url);
      await idle.until(({ closed }) => closed !== undefined);
      expect(idle.closed!.code).toBe(4408);
      await until(async () => live.stats.sockets === 0);
    } finally {
      await close();
    }
  });

  test('an address has so many sockets and no more, until one of them goes', async () => {
    const { live, url, close } = await transport({ socketsPerAddress: 1 });
    try {
      const first = await bare({}, url).ready();
      const second = bare({}, url);
      await second.until(({ refused }) => refused !== undefined);
      expect(second.refused).toBe(429);
      first.socket.close();
      await until(async () => live.stats.sockets === 0);
      await bare({}, url).ready();
      expect(live.stats).toMatchObject({ sockets: 1, refused: 1 });
    } finally {
      await close();
    }
  });

  test('unknown slugs use up the budget of misses, and operations that of requests', async () => {
    const counted: string[] = [];
    const rates: Pick<RateLimits, 'count' | 'lookUp'> = {
      count: async (name) => void counted.push(name) as undefined,
      lookUp: async () => {
        if (counted.filter((each) => each === 'miss').length >= 2) throw new PlatformError('RATE_LIMITED');
        return async (outcomes) => {
          if (outcomes[0] === 'failed') counted.push('miss');
        };
      },
    };
    const { url, close } = await transport({}, rates);
    try {
      const socket = await bare({}, url).ready();
      const { shareSlug } = await start();
      const code = async (id: string, slug: string): Promise<unknown> =>
        (await socket.ask(TURN_UPDATED, { slug }, id)).payload.errors[0].message;
      expect(await code('1', 'c-26-11-none')).toBe('Conversation not found.');
      expect(await code('2', shareSlug)).toBe('This conversation is private.');
      expect(await code('3', 't-26-11-none')).toBe('Turn not found.');
      expect(await code('4', shareSlug)).toMatch(/Too many requests/);
      expect(counted.filter((name) => name === 'request')).toHaveLength(4);
    } finally {
      await close();
    }
  });

  test('a dead peer is found by its missing pong', async () => {
    const { live, url, tick, close } = await transport({ pingMs: 1_000 });
    try {
      const living = await bare({}, url).ready();
      const dead = await bare({}, url).ready();
      const pinged = new Promise((resolve) => living.socket.once('ping', resolve));
      const ponged = new Promise((resolve) => dead.socket.once('ping', resolve));
      dead.socket.pong = () => {};
      tick();
      await Promise.all([pinged, ponged]);
      await await living.ask('{ __typename }');
      tick();
      await dead.until(({ closed }) => closed !== undefined);
      expect(dead.closed!.code).toBe(1006);
      expect(living.closed).toBeUndefined();
      expect(live.stats.dead).toBe(1);
    } finally {
      await close();
    }
  });

  test('a stalled viewer is closed with 1013, others do not notice, and it resumes behind its cursor', async () => {
    const { live, url, close } = await transport({ bufferedBytes: 64 * 1024 });
    try {
      const conversation = await start();
      const turnId = await inject(conversation, 'start');
      const watcher = watch(conversation.shareSlug, { as: owner.session });
      const stalled = await bare({}, url).ready({ authorization: `Bearer ${owner.session}` });
      stalled.send({
        id: 's',
        type: 'subscribe',
        payload: { query: TURN_UPDATED, variables: { slug: conversation.shareSlug } },
      });
      await followed(2);
      stalled.socket.pause();
      const text = 'x'.repeat(200_000);
      let changes = 0;
      while (live.stats.slow === 0) {
        changes += 1;
        await change(conversation, turnId, `${changes} ${text}`);
        await watcher.until(({ updates }) => updates.some(({ turn }) => turn.avatarText?.startsWith(`${changes} `)));
        expect(changes).toBeLessThan(200);
      }
      expect(t.app.services.live.feeds.stats.viewers).toBe(1);
      await change(conversation, turnId, 'last');
      await watcher.until(({ updates }) => updates.at(-1)!.turn.avatarText === 'last');
      expect(watcher.cursors).toEqual(watcher.cursors.map((_, i) => watcher.cursors[0]! + i));
      stalled.socket.resume();
      await stalled.until(({ closed }) => closed !== undefined);
      const got: Update[] = stalled.messages
        .filter(({ type }) => type === 'next')
        .map(({ payload }) => payload.data.turnUpdated);
      const resumed = watch(conversation.shareSlug, { as: owner.session, after: got.at(-1)?.cursor ?? '2' });
      await resumed.until(({ updates }) => updates.length === 1);
      expect(resumed.updates[0]!.turn.avatarText).toBe('last');
    } finally {
      await close();
    }
  });
});
