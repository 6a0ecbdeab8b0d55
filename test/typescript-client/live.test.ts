/** The TypeScript client's live feed: nothing missed and nothing twice over connections that are lost, and how it ends. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { place } from '../../clients/typescript/src/conversation.ts';
import { type TurnUpdate, turnUpdated } from '../../clients/typescript/src/graphql.ts';
import {
  AvatarError,
  type Client,
  type ConversationState,
  createClient,
  followConversation,
  NotFoundError,
  rest,
  subscribe,
  UnauthenticatedError,
  updates,
  type WebSocketClass,
} from '../../clients/typescript/src/index.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until, untilIs } from '../support/until.ts';

let t: TestApp;
let ada: TestUser;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  ada = await t.person('Ada', 50);
});
afterAll(() => t?.close());

/** The sockets of a client, to lose them as on a train. */
function sockets(): { open: WebSocket[]; WebSocket: WebSocketClass } {
  const open: WebSocket[] = [];
  class Kept extends WebSocket {
    constructor(url: string, protocol: string) {
      super(url, protocol);
      open.push(this);
    }
  }
  return { open, WebSocket: Kept as unknown as WebSocketClass };
}

async function conversation(client: Client): Promise<{ conversationId: string; slug: string }> {
  const { avatar } = await rest(client).createAvatar({ displayName: 'Nova' });
  const { avatarId, avatarOwnerUserId } = avatar;
  const { conversationId, shareSlug } = await rest(client).createConversation({ avatarId, avatarOwnerUserId });
  return { conversationId, slug: shareSlug };
}

const say = (client: Client, conversationId: string, userText: string) =>
  rest(client).injectTurn({ conversationId, userText, output: 'text' });

/** All of a conversation, as it comes; `heard` says whether these words of the user's have. */
function follow(client: Client, slug: string): { seen: TurnUpdate[]; heard(words: string): boolean; stop(): void } {
  const seen: TurnUpdate[] = [];
  const stop = subscribe(
    client,
    turnUpdated,
    { slug, after: '0' },
    { next: ({ turnUpdated: update }) => void seen.push(update) },
  );
  return { seen, heard: (words) => seen.some(({ turn }) => turn.userText === words), stop };
}

function expectEachOnce(seen: readonly TurnUpdate[]): void {
  const kept = seen.filter(({ isDraft }) => !isDraft).map(({ cursor }) => cursor);
  expect(new Set(kept).size).toBe(kept.length);
}

test('no update is missed and none comes twice while the connection is lost again and again', async () => {
  const line = sockets();
  const client = createClient({ url: t.url, token: ada.apiKey, WebSocket: line.WebSocket });
  const { conversationId, slug } = await conversation(client);
  const seen: TurnUpdate[] = [];
  const lost: boolean[] = [];
  const stop = subscribe(
    client,
    turnUpdated,
    { slug, after: '0' },
    {
      next: ({ turnUpdated: update }) => void seen.push(update),
      connected: (isConnected) => void lost.push(!isConnected),
    },
  );
  for (let round = 0; round < 4; round += 1) {
    const before = seen.length;
    await say(client, conversationId, `Round ${round}`);
    await until(async () => seen.length > before);
    // While the reply is being written.
    line.open.at(-1)!.terminate();
    await say(client, conversationId, `Meanwhile ${round}`);
  }
  await t.settled(slug, ada.apiKey);
  const rows = await t.app.db.rows<{ id: string; version: string; text: string | null }>(
    `select id, version::text as version, avatar_text as text from conversation_turn where conversation_id = $1 order by conversation_turn.version`,
    [conversationId],
  );
  await until(async () => seen.some(({ cursor }) => cursor === rows.at(-1)!.version));
  stop();
  const kept = seen.filter(({ isDraft }) => !isDraft).map(({ cursor }) => Number(cursor));
  expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
  const last = new Map(seen.filter(({ isDraft }) => !isDraft).map(({ cursor, turn }) => [cursor, turn]));
  expect(
    rows.filter(({ id, version, text }) => last.get(version)?.id !== id || last.get(version)?.avatarText !== text),
  ).toEqual([]);
  expect(line.open.length).toBeGreaterThan(4);
  expect(lost.filter(Boolean).length).toBeGreaterThanOrEqual(4);
  // With nothing left to follow the connection is closed.
  await until(async () => line.open.every(({ readyState }) => readyState === WebSocket.CLOSED));
});

test('a conversation is shown in order, its replies as they grow, and without what was deleted', async () => {
  const client = createClient({ url: t.url, token: ada.apiKey });
  const { conversationId, slug } = await conversation(client);
  let state: ConversationState | undefined;
  const stop = followConversation(client, { slug }, (now) => {
    state = now;
  });
  const { turn } = await say(client, conversationId, 'Good morning!');
  await say(client, conversationId, 'And good night.');
  const { turns } = await t.settled(slug, ada.apiKey);
  const shown = await untilIs(
    async () => state?.turns ?? [],
    (now) => now.length === turns.length && now.every(({ status }) => status === 'ready' || status === null),
  );
  expect(shown.map(({ id }) => id)).toEqual(turns.map(({ id }: { id: string }) => id));
  expect(state).toMatchObject({ isConnected: true, error: undefined });
  await rest(client).deleteTurn({ turnId: turn.id });
  await until(async () => !state?.turns.some(({ id }) => id === turn.id));
  stop();
});

test('turns stand where they are shown, whatever order they come in', () => {
  const update = (id: string, injection: number, chunk: number, isDeleted = false): TurnUpdate =>
    ({ turn: { id }, injection, chunk, isDeleted }) as TurnUpdate;
  const shown: TurnUpdate[] = [];
  for (const one of [update('d', 2, 0), update('b', 1, 1), update('a', 1, 0), update('c', 1, 2), update('b', 1, 1)])
    place(shown, one);
  expect(shown.map(({ turn }) => turn.id).join('')).toBe('abcd');
  place(shown, update('c', 1, 2, true));
  expect(shown.map(({ turn }) => turn.id).join('')).toBe('abd');
});

test('as an iterable it ends with its loop, with its signal, and with what the server refuses', async () => {
  const client = createClient({ url: t.url, token: ada.apiKey });
  const { conversationId, slug } = await conversation(client);
  await say(client, conversationId, 'Hello');
  const got: string[] = [];
  for await (const { turnUpdated: update } of updates(client, turnUpdated, { slug, after: '0' })) {
    got.push(update.turn.id);
    if (got.length === 2) break;
  }
  expect(got.length).toBe(2);
  const leaving = new AbortController();
  const follow = async (access: object, signal?: AbortSignal, as = client): Promise<void> => {
    for await (const _ of updates(as, turnUpdated, { slug, ...access }, signal)) leaving.abort(new Error('enough'));
  };
  await expect(follow({ after: '0' }, leaving.signal)).rejects.toThrow('enough');
  await expect(follow({ slug: 'c-26-01-none' })).rejects.toThrow(NotFoundError);
  const nobody = createClient({ url: t.url, token: 'svc_wrong' });
  await expect(follow({}, undefined, nobody)).rejects.toThrow(UnauthenticatedError);
});

test('a credential that was renewed meanwhile is used when the old one is refused', async () => {
  const tokens = ['svc_old', ada.apiKey];
  const owner = createClient({ url: t.url, token: ada.apiKey });
  const { conversationId, slug } = await conversation(owner);
  await say(owner, conversationId, 'Hello');
  const client = createClient({ url: t.url, token: async () => (tokens.length > 1 ? tokens.shift() : tokens[0]) });
  for await (const { turnUpdated: update } of updates(client, turnUpdated, { slug, after: '0' })) {
    expect(update.turn.id).toMatch(/^trn_/);
    break;
  }
});

test('a line that is dead without being closed is dialled anew', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'graphql-transport-ws' });
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    const isDead = connections === 1;
    socket.on('message', (data) => {
      const { type, id } = JSON.parse(String(data));
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
      if (type === 'ping' && !isDead) socket.send('{"type":"pong"}');
      if (type === 'subscribe' && !isDead) socket.send(JSON.stringify({ id, type: 'complete' }));
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const client = createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pingMs: 200 });
  const ended = await new Promise<AvatarError | undefined>((resolve) => {
    subscribe(client, turnUpdated, { slug: 'c-26-01-aaaa' }, { next: () => {}, ended: resolve });
  });
  expect(ended).toBeUndefined();
  expect(connections).toBeGreaterThan(1);
  for (const socket of server.clients) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
});

test('where no WebSocket can be opened it goes over streams of events, and misses nothing either', async () => {
  let dialled = 0;
  class Refused {
    constructor() {
      dialled += 1;
      throw new Error('Not allowed here.');
    }
  }
  const streams: AbortController[] = [];
  const client = createClient({
    url: t.url,
    token: ada.apiKey,
    WebSocket: Refused as unknown as WebSocketClass,
    fetch: (input, init) => {
      if (new Headers(init?.headers).get('accept') !== 'text/event-stream') return fetch(input, init);
      const line = new AbortController();
      streams.push(line);
      return fetch(input, { ...init, signal: AbortSignal.any([line.signal, init?.signal as AbortSignal]) });
    },
  });
  const { conversationId, slug } = await conversation(client);
  const { heard, seen, stop } = follow(client, slug);
  await say(client, conversationId, 'Before');
  await until(async () => heard('Before'));
  streams.at(-1)!.abort();
  await say(client, conversationId, 'Meanwhile');
  await until(async () => heard('Meanwhile'));
  expectEachOnce(seen);
  expect([dialled, streams.length]).toEqual([3, 2]);
  stop();
  const refused = await new Promise<AvatarError | undefined>((resolve) => {
    subscribe(client, turnUpdated, { slug: 'c-26-01-aaaa', after: '0' }, { next: () => {}, ended: resolve });
  });
  expect(refused).toBeInstanceOf(NotFoundError);
});

test('a WebSocket is tried again later, and what went over streams goes on over it', async () => {
  const line = sockets();
  let isAllowed = false;
  const Allowed = line.WebSocket;
  class Refused {
    constructor(url: string, protocol: string) {
      if (!isAllowed) throw new Error('Not yet.');
      // biome-ignore lint/correctness/noConstructorReturn: it stands for the other.
      return new Allowed(url, protocol);
    }
  }
  const streams: AbortSignal[] = [];
  const client = createClient({
    url: t.url,
    token: ada.apiKey,
    webSocketRetryMs: 100,
    WebSocket: Refused as unknown as WebSocketClass,
    fetch: (input, init) => {
      const isStream = new Headers(init?.headers).get('accept') === 'text/event-stream';
      if (isStream) streams.push(init?.signal as AbortSignal);
      return fetch(input, init);
    },
  });
  const { conversationId, slug } = await conversation(client);
  const { heard, seen, stop } = follow(client, slug);
  await say(client, conversationId, 'Over a stream');
  await until(async () => heard('Over a stream'));
  expect(line.open).toEqual([]);
  isAllowed = true;
  await until(async () => line.open.length > 0 && streams.every(({ aborted }) => aborted));
  await say(client, conversationId, 'Over a WebSocket');
  await until(async () => heard('Over a WebSocket'));
  expect(streams.filter(({ aborted }) => !aborted)).toEqual([]);
  expectEachOnce(seen);
  stop();
});
