/**
 * Two web processes and a worker that notify each other of changes by a broker, of each kind that this machine has: what the
 * broker loses is caught up with by version, and what was revoked meanwhile is refused. Their clock stands still, so nothing
 * that they keep grows old by itself.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { openApp } from '../../src/app/app.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { openBroker, pingBroker } from '../../src/events/broker.ts';
import { startServer } from '../../src/http/server.ts';
import { Watcher } from '../graphql/live-viewers.ts';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { BROKERS, type BrokerKind, openTestBroker, type TestBroker } from '../support/brokers.ts';
import { until } from '../support/until.ts';
import { openWorker } from '../support/workers.ts';

const CHANNELS = ['turn', 'account', 'revoked', 'avatar', 'image', 'draft', 'job'];
/** Within it what was lost is caught up with. */
const LOST_MS = 1_000;

// Skipped where there is none, for which a table needs a row all the same: .ci/run installs both.
(BROKERS.length > 0 ? describe.each(BROKERS) : describe.skip.each<BrokerKind>(['redis']))('by %s', (kind) => {
  const closing: (() => Promise<unknown>)[] = [];
  const lines: string[] = [];
  /** What was sent by PostgreSQL's NOTIFY. */
  const notified: string[] = [];
  let nowMs = Date.now();
  let broker: TestBroker;
  let t: TestApp;
  let elsewhere: string;
  let ada: TestUser;
  let slug: string;

  beforeAll(async () => {
    broker = await openTestBroker(kind);
    const sink = new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(line).msg);
        done();
      },
    });
    const clock = { now: () => nowMs };
    t = await openTestApp({ clock, log: pino({ level: 'info' }, sink), env: { HINTS_URL: broker.url } });
    const config = { ...t.app.config, PORT: await freePort() };
    const app = await openApp({ config, databaseUrl: t.databaseUrl, work: false, clock });
    const server = await startServer(app);
    elsewhere = `http://127.0.0.1:${server.port}`;
    const worker = await openWorker(t, createNoopEngines());
    const listener = new pg.Client(t.databaseUrl);
    await listener.connect();
    listener.on('notification', ({ channel }) => notified.push(channel));
    for (const channel of CHANNELS) await listener.query(`listen avatar_${channel}`);
    closing.push(
      () => listener.end(),
      () => worker.stop(),
      () => server.close().then(() => app.close()),
      () => t.close(),
      () => broker.kill(),
    );
    ada = await t.person('Ada', 10);
    const { avatar } = (
      await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova', ttsVoiceId: 'noop' } })
    ).body;
    const body = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
    slug = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body.shareSlug;
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const say = async (userText: string): Promise<string> => {
    const body = { userText, mode: 'speak', output: 'audio' };
    const { turn } = (await t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body })).body;
    return turn.id;
  };
  const health = async (): Promise<any> => (await fetch(`${elsewhere}/health`)).json();
  const statusFor = async (key: string): Promise<number> => {
    const answer = await fetch(`${elsewhere}/avatars`, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const newKey = async (): Promise<{ id: string; token: string }> =>
    (await t.rest('POST', '/api-keys', { as: ada.session, body: { name: 'one' } })).body;
  const revoke = async (id: string) =>
    expect((await t.rest('DELETE', `/api-keys/${id}`, { as: ada.session })).status).toBe(200);

  test('turns are followed at another process while the broker is killed and comes back: each change once', async () => {
    const watcher = new Watcher(elsewhere, slug, { as: ada.apiKey, after: '0' });
    const spoken = (ids: string[]) =>
      watcher.until(({ updates }) =>
        ids.every((id) => updates.some(({ turn }) => turn.id === id && turn.status === 'audio')),
      );
    const ids = [await say('One.'), await say('Two.')];
    await spoken(ids);
    await broker.kill();
    ids.push(await say('Three.'), await say('Four.'));
    await spoken(ids);
    await until(async () => (await health()).degraded?.includes('notifications'));
    expect((await health()).ready).toBe(true);
    ids.push(await say('Five.'));
    await broker.start();
    ids.push(await say('Six.'));
    await until(async () => (await health()).degraded === undefined);
    ids.push(await say('Seven.'));
    await spoken(ids);
    const cursors = watcher.updates.map(({ cursor }) => cursor);
    expect(new Set(cursors).size).toBe(cursors.length);
    // Each of the three comes back by itself, and all of them set the one gauge of this process.
    const said = () => lines.filter((line) => line.startsWith('notifications '));
    await until(async () => said().indexOf('notifications back') > said().indexOf('notifications lost'));
    // On a busy machine one may be lost more than once; what it says alternates.
    expect(said().filter((line, at) => line !== ['notifications lost', 'notifications back'][at % 2])).toEqual([]);
    const metrics = await until(async () => {
      const text = await (await fetch(`${elsewhere}/metrics`)).text();
      return /avatar_notifications_away\{.*\} 0/.test(text) && text;
    });
    expect(metrics).toMatch(/avatar_notifications_total\{.*of="sent"\} [1-9]/);
    expect(metrics).toMatch(/avatar_notifications_total\{.*of="unsent"\} [1-9]/);
    await watcher.stop();
  });

  test('a revoked key is refused at once, and within a second where the broker says nothing', async () => {
    const [one, two] = [await newKey(), await newKey()];
    expect([await statusFor(one.token), await statusFor(two.token)]).toEqual([200, 200]);
    await revoke(one.id);
    await until(async () => (await statusFor(one.token)) === 401);
    broker.freeze();
    await revoke(two.id);
    nowMs += LOST_MS;
    expect(await statusFor(two.token)).toBe(401);
    broker.thaw();
  });

  test('nothing is sent by PostgreSQL’s NOTIFY', () => expect(notified).toEqual([]));
});

(BROKERS.includes('nats') ? test : test.skip)(
  'a broker that lets this user send alone is refused by its reason',
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-nats-'));
    const settings = path.join(folder, 'nats.conf');
    const user = '{ user: a, password: b, permissions: { publish: ">", subscribe: { deny: "avatar.>" } } }';
    await writeFile(settings, `authorization { users: [${user}] }`);
    const broker = await openTestBroker('nats', ['-c', settings]);
    try {
      await expect(pingBroker(broker.url)).rejects.toThrow(/permission/i);
    } finally {
      await broker.kill();
      await rm(folder, { recursive: true });
    }
  },
);

test.each<[string, string | undefined]>([
  ['redis', undefined],
  // Its client bears no silence while it connects: this one falls silent behind that.
  ['nats', 'INFO {"server_id":"silent","version":"2.10.0","proto":1,"max_payload":1048576}\r\n'],
])('a silent broker (%s) stops neither a start nor an end', async (scheme, greeting) => {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    if (!greeting) return;
    socket.write(greeting);
    socket.once('data', () => socket.write('PONG\r\n'));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const log = pino({ level: 'silent' });
  const broker = await openBroker({ url: `${scheme}://127.0.0.1:${port}`, topic: 'avatar.test', hears: true, log });
  expect(broker.isAway).toBe(true);
  const before = sockets.size;
  await until(async () => sockets.size > before);
  // In the middle of the next attempt.
  await broker.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
