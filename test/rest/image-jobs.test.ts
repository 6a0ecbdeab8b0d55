/**
 * Images are made by workers while a web process waits. Either is killed or stopped in the middle: a waiting caller is
 * answered, no account is charged twice, and what no caller waits for any more is refused and its hold released.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { Engines } from '../../src/engines/ports/index.ts';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

/** More than the longest time between two signs of a waiting process. */
const LONG_MS = 46_000;

let t: TestApp;
let ada: TestUser;
let nowMs: number;
let worker: TestWorker | undefined;
let begun: number;
let release: () => void;
const processes: ChildProcess[] = [];
const closing: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  nowMs = Date.now();
  t = await openTestApp({ clock: { now: () => nowMs }, env: { SIGNUP_CREDITS: '0' } });
  ada = await t.person('Ada', 5);
});
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  release?.();
  await worker?.stop();
  worker = undefined;
  for (const close of closing.splice(0)) await close();
  await t.close();
});

/** Engines whose images wait until the test lets them go. */
function slowEngines(): Engines {
  const noop = createNoopEngines();
  begun = 0;
  const latch = new Promise<void>((resolve) => {
    release = resolve;
  });
  const image: Engines['image'] = (model) => ({
    ...noop.image(model),
    doGenerate: async (options) => {
      begun += 1;
      await latch;
      return noop.image(model).doGenerate(options);
    },
  });
  return { ...noop, image };
}

/** A process of its own on the test's database. */
async function start(role: 'web' | 'worker', env: Record<string, string> = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--no-warnings', 'dist/src/main.js'], {
    env: {
      ...process.env,
      ROLE: role,
      DATABASE_URL: t.databaseUrl,
      DATA_DIR: t.app.config.DATA_DIR,
      PORT: String(port),
      BASE_URL: t.app.config.BASE_URL,
      LOG_LEVEL: 'fatal',
      ENGINES: 'noop',
      RATE_LIMITS: 'off',
      ...env,
    },
    stdio: 'ignore',
  });
  processes.push(child);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const isUp = () =>
    fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isUp);
  return { url, child, exited };
}

const ask = (url: string, key?: string) =>
  fetch(`${url}/images/generate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.apiKey}`,
      'content-type': 'application/json',
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: JSON.stringify({ prompt: 'A boat', model: 'default' }),
  });
const balance = async () => {
  const { body } = await t.graphql(
    '{ me { balance { available held } } images { nodes { imageId } } }',
    {},
    ada.session,
  );
  return { ...body.data.me.balance, images: body.data.images.nodes.length };
};
const waiting = async () =>
  (await t.app.db.rows<{ n: number }>(`select count(*)::int as n from image_request where state = 'waiting'`))[0]!.n;
const files = () => readdir(path.join(t.app.config.DATA_DIR, 'media', 'images')).catch(() => []);

test('kill -9 of the web before a worker took it: the hold is released once no caller has waited for a while', async () => {
  const web = await start('web');
  const asked = ask(web.url).catch(() => 'cut');
  await until(async () => (await waiting()) === 1);
  expect(await balance()).toEqual({ available: 4.995, held: 0.005, images: 0 });
  web.child.kill('SIGKILL');
  expect(await asked).toBe('cut');
  expect(await t.app.imageRenders.refuseOrphans()).toBe(0);
  nowMs = Date.now() + LONG_MS;
  expect(await t.app.imageRenders.refuseOrphans()).toBe(1);
  expect(await balance()).toEqual({ available: 5, held: 0, images: 0 });
  expect(await t.app.imageRenders.refuseOrphans()).toBe(0);
  // The worker that comes at last finds nothing to do.
  worker = await openWorker(t, slowEngines());
  await until(async () => {
    const jobs = await t.app.db.rows<{ state: string }>(`select state::text from pgboss.job where name = 'image'`);
    return jobs.length === 1 && jobs[0]!.state === 'completed';
  });
  expect(begun).toBe(0);
});

test('kill -9 of the web while it is drawn and no caller comes back: refused, what is drawn is dropped, and the key is free', async () => {
  worker = await openWorker(t, slowEngines());
  const web = await start('web');
  const asked = ask(web.url, 'boat').catch(() => 'cut');
  await until(async () => begun === 1);
  web.child.kill('SIGKILL');
  expect(await asked).toBe('cut');
  nowMs = Date.now() + LONG_MS;
  expect(await t.app.imageRenders.refuseOrphans()).toBe(1);
  release();
  await worker.stop();
  worker = undefined;
  expect(await balance()).toEqual({ available: 5, held: 0, images: 0 });
  expect(await files()).toEqual([]);
  worker = await openWorker(t, slowEngines());
  release();
  expect((await ask(t.url, 'boat')).status).toBe(200);
  expect(await balance()).toEqual({ available: 4.995, held: 0, images: 1 });
});

test('kill -9 of the web while it is drawn: with the same Idempotency-Key the image is answered, charged once', async () => {
  worker = await openWorker(t, slowEngines());
  const web = await start('web');
  const asked = ask(web.url, 'boat').catch(() => 'cut');
  await until(async () => begun === 1);
  web.child.kill('SIGKILL');
  expect(await asked).toBe('cut');
  expect((await ask(t.url, 'boat')).status).toBe(409);
  release();
  await until(async () => (await waiting()) === 0);
  const again = await ask(t.url, 'boat');
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  const { imageUrl, creditCost } = (await again.json()) as { imageUrl: string; creditCost: number };
  expect(creditCost).toBe(0.005);
  expect((await fetch(imageUrl)).status).toBe(200);
  expect(await balance()).toEqual({ available: 4.995, held: 0, images: 1 });
  expect(begun).toBe(1);
});

test('SIGTERM of the web answers what it took, then it leaves', async () => {
  worker = await openWorker(t, slowEngines());
  const web = await start('web');
  const asked = ask(web.url);
  await until(async () => begun === 1);
  web.child.kill('SIGTERM');
  const isRefused = () =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect(Number(new URL(web.url).port), '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(false);
      });
      socket.once('error', () => resolve(true));
    });
  await until(isRefused);
  release();
  expect((await asked).status).toBe(200);
  expect(await web.exited).toBe(0);
  expect(await balance()).toEqual({ available: 4.995, held: 0, images: 1 });
});

test('kill -9 of the worker in the middle: another one makes the image, and the waiting caller is answered', async () => {
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#3377aa' } })
    .png()
    .toBuffer();
  const open: ServerResponse[] = [];
  let isHeld = true;
  const server = createServer((_, response) => {
    open.push(response);
    if (!isHeld) response.writeHead(200, { 'content-type': 'image/png' }).end(image);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const first = await start('worker', { FETCH_ALLOW_HOSTS: host });
  const asked = t.rest('POST', '/images/edit', {
    as: ada.apiKey,
    body: { prompt: 'Make it grey', imageUrl: `http://${host}/boat.png`, model: 'default' },
  });
  await until(async () => open.length === 1);
  first.child.kill('SIGKILL');
  isHeld = false;
  await start('worker', { FETCH_ALLOW_HOSTS: host });
  const { status, body } = await asked;
  expect([status, body.creditCost]).toEqual([200, 0.01]);
  expect(open).toHaveLength(2);
  expect((await fetch(body.imageUrl)).status).toBe(200);
  expect(await balance()).toEqual({ available: 4.99, held: 0, images: 1 });
  expect(await files()).toEqual([expect.stringMatching(/-2\.jpg$/)]);
});

test('a worker that stops gives the image back', async () => {
  worker = await openWorker(t, slowEngines());
  const asked = ask(t.url);
  await until(async () => begun === 1);
  const stopping = worker.stop();
  worker = undefined;
  release();
  await stopping;
  worker = await openWorker(t, createNoopEngines());
  expect((await asked).status).toBe(200);
  expect(await balance()).toEqual({ available: 4.995, held: 0, images: 1 });
});
