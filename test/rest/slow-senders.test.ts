/**
 * Senders that stop half way, trickle, or hold more than their share, over raw sockets: each is answered and closed
 * within its deadline, and other callers beside them are served.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { until } from '../support/until.ts';

const DEADLINES = { headersMs: 300, requestMs: 900, checkMs: 50, graceMs: 300, bytesPerSecond: 1_000 };
const BOUNDS = { sockets: 20, requests: 8, bodies: 4 };

const apps: TestApp[] = [];
const sockets: Socket[] = [];
async function open(env: Record<string, string>, limits: object): Promise<TestApp> {
  const app = await openTestApp({ env, connectionLimits: limits });
  apps.push(app);
  return app;
}
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const app of apps) await app.close();
});

interface Held {
  socket: Socket;
  said: string;
  isClosed: boolean;
}

/** Opens a socket and sends what is given, no more. */
function send(app: TestApp, text: string): Held {
  const socket = connect(app.server.port, '127.0.0.1', () => socket.write(text));
  const held: Held = { socket, said: '', isClosed: false };
  socket.on('data', (data) => {
    held.said += String(data);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    held.isClosed = true;
  });
  sockets.push(socket);
  return held;
}

const post = (headers: string, body = ''): string =>
  `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const statusOf = ({ said }: Held): string => said.split(' ')[1] ?? '';
const HALF = post('Content-Length: 1000', '{"query":');

describe('what does not arrive in time', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await open({ RATE_LIMITS: 'off' }, DEADLINES);
  });

  test.each([
    ['half a body', HALF],
    ['half a body in chunks', post('Transfer-Encoding: chunked', '5\r\n{"que\r\n')],
    ['a body of which nothing comes', post('Content-Length: 1000')],
    ['half of the headers', 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-'],
    ['not a byte', ''],
    ['half a body that may not be sent', `POST /avatars HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{`],
  ])('%s is closed', async (_name, text) => {
    const held = send(t, text);
    await until(async () => held.isClosed);
    expect(['408', '401']).toContain(statusOf(held));
  });

  test.each([
    ['trickles, by its rate alone', { ...DEADLINES, requestMs: 600_000 }],
    ['comes fast enough, by the deadline of the whole alone', { ...DEADLINES, bytesPerSecond: 0 }],
  ])('a body that %s is closed as well, long before it is whole', async (_name, deadlines) => {
    const one = await open({ RATE_LIMITS: 'off' }, deadlines);
    const held = send(one, post('Content-Length: 100000'));
    // What is written before it is connected goes ahead of the headers.
    await once(held.socket, 'connect');
    const drip = setInterval(() => held.socket.write(' '), 20);
    try {
      await until(async () => held.isClosed);
      expect(statusOf(held)).toBe('408');
      expect(JSON.parse(held.said.split('\r\n\r\n')[1]!)).toEqual({
        error: 'The request did not arrive in time.',
        code: 'TIMEOUT',
      });
    } finally {
      clearInterval(drip);
    }
  });

  test('an upload that could not be whole before its deadline is closed long before that', async () => {
    const { session } = await t.person('Ada');
    const { body } = await t.graphql<any>('mutation { createUpload { uploadUrl } }', {}, session);
    const { pathname, search } = new URL(body.data.createUpload.uploadUrl);
    const held = send(t, `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: 250000000\r\n\r\n`);
    await once(held.socket, 'connect');
    // Only a video may be so large.
    held.socket.write(Buffer.from('\0\0\0\x18ftypisom\0\0\0\0', 'latin1'));
    // Faster than any body must be, and yet an hour and a half of it.
    const drip = setInterval(() => held.socket.write(Buffer.alloc(1_000)), 20);
    try {
      await until(async () => held.isClosed);
      expect(statusOf(held)).toBe('408');
    } finally {
      clearInterval(drip);
    }
  });

  const query = JSON.stringify({ query: '{ __typename }' });
  test.each([
    ['a request', '', post(`Content-Length: ${query.length}`, query)],
    ['a body', post(`Content-Length: ${query.length}`), query],
  ])('%s that came while the process stood still is answered', async (_name, before, after) => {
    const arrived = once(t.server.fastify.server, before ? 'request' : 'connection');
    const held = send(t, before);
    await Promise.all([once(held.socket, 'connect'), arrived]);
    held.socket.write(after);
    // Longer than any deadline, and nothing of this process runs: what was written lies in the system's buffer.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * DEADLINES.requestMs);
    await until(async () => held.said.includes('__typename') || held.isClosed);
    expect(statusOf(held)).toBe('200');
    held.socket.destroy();
  });

  test('many late sockets at once put no listeners on the server', async () => {
    const { server } = t.server.fastify;
    const added: unknown[] = [];
    const note = (name: unknown): void => void (name === 'request' && added.push(name));
    server.on('newListener', note);
    const held = Array.from({ length: 30 }, () => send(t, 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-'));
    await until(async () => held.every(({ isClosed }) => isClosed));
    server.off('newListener', note);
    expect(held.map(statusOf)).toEqual(Array(30).fill('408'));
    expect(added).toEqual([]);
  });

  test('a whole request is answered, and what was closed is counted', async () => {
    const body = JSON.stringify({ query: '{ __typename }' });
    const held = send(t, post(`Content-Length: ${body.length}`, body));
    await until(async () => held.said.includes('__typename'));
    expect(statusOf(held)).toBe('200');
    expect((await t.rest('GET', '/metrics')).body).toMatch(/avatar_connections_refused\{of="timedOut"\} [1-9]/);
  });
});

describe('what one address may hold', () => {
  test('so many unfinished bodies, and the next is refused while others are served', async () => {
    const t = await open({ RATE_LIMITS: 'on' }, BOUNDS);
    const held = Array.from({ length: BOUNDS.bodies }, () => send(t, HALF));
    const next = await until(async () => {
      const one = send(t, HALF);
      await until(async () => one.isClosed || one.socket.bytesWritten > 0);
      held.push(one);
      return held.find(({ said }) => said.includes(' 429 '));
    });
    await until(async () => next.isClosed);
    expect(next.said).toContain('Too many requests at once from this address.');
    expect((await t.rest('GET', '/avatars/public')).status).toBe(200);
    // Closed ones make room.
    for (const { socket } of held) socket.destroy();
    await until(async () => (await t.graphql('{ __typename }')).status === 200);
  });

  test('so many requests that are not answered yet', async () => {
    const t = await open({ RATE_LIMITS: 'on' }, BOUNDS);
    const { apiKey } = await t.person('Ada', 100);
    // No worker is there to make them.
    const body = JSON.stringify({ prompt: 'a boat' });
    const image = `POST /images/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const held: Held[] = [];
    await until(async () => {
      const waiting = await t.app.db.rows(`select 1 from image_request where state = 'waiting'`);
      // A place may still be taken by a request whose answer has just come.
      if (waiting.length < BOUNDS.requests) held.push(send(t, image));
      return waiting.length === BOUNDS.requests;
    });
    const { status, body: refusal } = await t.rest('GET', '/avatars/public');
    expect([status, refusal.error]).toEqual([429, 'Too many requests at once from this address.']);
    for (const { socket } of held) socket.destroy();
    await until(async () => (await t.rest('GET', '/avatars/public')).status === 200);
  });

  test('so many sockets', async () => {
    const t = await open({ RATE_LIMITS: 'on' }, BOUNDS);
    const held = Array.from({ length: BOUNDS.sockets + 5 }, () => send(t, 'GET /health/live HTTP/1.1\r\n'));
    await until(async () => held.filter(({ isClosed }) => isClosed).length === 5);
    for (const { socket } of held) socket.destroy();
    await until(async () =>
      t.rest('GET', '/health/live').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    expect((await t.rest('GET', '/metrics')).body).toMatch(/avatar_connections_refused\{of="refusedSockets"\} [5-9]/);
  });

  test('behind a proxy each caller is counted by itself, and the proxy’s sockets are not', async () => {
    const t = await open({ RATE_LIMITS: 'on', TRUST_PROXY: '1' }, BOUNDS);
    const of = (address: string) => post(`Content-Length: 1000\r\nX-Forwarded-For: ${address}`, '{');
    const greedy = Array.from({ length: BOUNDS.sockets + 5 }, (_, i) => send(t, of(`2001:db8:1:2::${i + 1}`)));
    await until(
      async () => greedy.filter(({ said }) => said.includes(' 429 ')).length === greedy.length - BOUNDS.bodies,
    );
    const modest = send(t, of('203.0.113.7'));
    const query = await t.graphql('{ __typename }');
    expect(query.status).toBe(200);
    expect(modest.said).toBe('');
  });

  test('a hundred honest calls at once pass, with a body and without', async () => {
    const t = await open({ RATE_LIMITS: 'on' }, {});
    const calls = Array.from({ length: 100 }, (_, i) =>
      i % 2 ? t.graphql('{ __typename }') : t.rest('GET', '/avatars/public'),
    );
    expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
  });
});
