/** SIGTERM of a web process with requests in flight: what it took is answered, then it leaves; what it did stands. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';

const AT_ONCE = 40;
/** Connections of the web process to the database. */
const POOL = 4;
/** Of which one account has no more: the others of its turns wait for these. */
const OF_ONE = 2;

let t: TestApp;
let ada: TestUser;
let slug: string;
let web: ChildProcess | undefined;
let url: string;
let locking: pg.Client | undefined;

beforeAll(async () => {
  t = await openTestApp();
  ada = await t.person('Ada', 50);
  const avatar = { displayName: 'Nova', ttsVoiceId: 'noop' };
  const { avatarId } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: avatar })).body;
  const conversation = { avatarOwnerUserId: ada.userId, avatarId };
  slug = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: conversation })).body.shareSlug;
});
afterEach(async () => {
  web?.kill('SIGKILL');
  await locking?.end();
});
afterAll(() => t.close());

async function startWeb(): Promise<{ exited: Promise<number | null> }> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--no-warnings', 'dist/src/main.js'], {
    env: {
      ...process.env,
      ROLE: 'web',
      DATABASE_URL: t.databaseUrl,
      DATA_DIR: t.app.config.DATA_DIR,
      PORT: String(port),
      LOG_LEVEL: 'fatal',
      ENGINES: 'noop',
      RATE_LIMITS: 'off',
      DATABASE_POOL: String(POOL),
    },
    stdio: 'ignore',
  });
  web = child;
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until(() => health());
  return { exited };
}

/** No server listens at the port any more. */
const isRefused = (port = Number(new URL(url).port)): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

const health = (): Promise<boolean> =>
  fetch(`${url}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );

test('of forty turns at once every one is answered, and nothing is accepted any more', async () => {
  const { exited } = await startWeb();
  // Accepting a turn waits for this lock, so all are in flight when the signal comes.
  locking = new pg.Client({ connectionString: t.databaseUrl });
  locking.on('error', () => {});
  await locking.connect();
  await locking.query('begin; lock table injection in share mode');
  const answers = Array.from({ length: AT_ONCE }, (_, index) =>
    fetch(`${url}/conversations/${slug}/turn`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userText: `Hello ${index}`, output: 'audio' }),
    }).then(
      ({ status }) => status,
      (error: Error) => error.message,
    ),
  );
  await until(async () => {
    // Not asked by the connection that holds the lock: a transaction sees one moment of this view.
    const [waiting] = await t.app.db.rows<any>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.n >= OF_ONE;
  });
  // Came behind the forty, and needs no database: when it is answered all of them are there.
  for (let index = 0; index < 2; index += 1) await (await fetch(`${url}/openapi.json`)).arrayBuffer();
  web!.kill('SIGTERM');
  await until(() => isRefused());
  await locking.query('commit');
  expect(new Set(await Promise.all(answers))).toEqual(new Set([202]));
  expect(await exited).toBe(0);
  const [made] = await t.app.db.rows<any>('select count(*)::int as n from injection');
  expect(made.n).toBe(AT_ONCE);
});

test('a request on its way, on a connection that rests, is answered, and the connection closed behind it', async () => {
  // As long as it takes: it ends with the last connection.
  const stopping = await openTestApp({ connectionLimits: { lingerMs: 600_000 } });
  const { port } = stopping.server;
  const ask = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n';
  const [fresh, used] = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')];
  await Promise.all([once(fresh, 'connect'), once(used, 'connect')]);
  used.write(ask.replace('GET', 'HEAD'));
  expect(String((await once(used, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  const stopped = stopping.server.close();
  await until(() => isRefused(port));
  const answers = Promise.all([fresh, used].map((socket) => text(socket)));
  for (const socket of [fresh, used]) socket.write(ask);
  for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n/i);
  await stopped;
  await stopping.close();
});
