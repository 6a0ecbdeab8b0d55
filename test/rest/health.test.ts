/** What probes are answered: that the process lives, and whether all that it depends on does, by a clock of their own. */
import net from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { openApp } from '../../src/app/app.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { startServer } from '../../src/http/server.ts';
import { JOB_KINDS, type JobKind } from '../../src/kernel/job-kinds.ts';
import { freePort, openTestApp, type TestApp } from '../support/app.ts';
import { openDatabaseLine } from '../support/database-proxy.ts';
import { until } from '../support/until.ts';
import { openWorker } from '../support/workers.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(env: Record<string, string> = {}): Promise<TestApp> {
  const t = await openTestApp({ env });
  closing.push(() => t.close());
  return t;
}
const ask = async (url: string, path = '/health') => {
  const answer = await fetch(url + path);
  return [answer.status, await answer.json()];
};
const ready = [200, { ready: true, missing: [] }];
const missing = (...names: string[]) => [503, { ready: false, missing: names }];
/** Readiness is kept for a moment. */
const becomes = (url: string, wanted: unknown[]) =>
  until(async () => JSON.stringify(await ask(url)) === JSON.stringify(wanted));

test('without a worker, or while the database says nothing, a process lives and is not ready', async () => {
  const t = await open();
  const line = await openDatabaseLine(t.databaseUrl);
  closing.push(() => line.close());
  const config = { ...t.app.config, PORT: await freePort() };
  const app = await openApp({ config, databaseUrl: line.url, work: false });
  const server = await startServer(app);
  closing.push(async () => {
    line.mend();
    await server.close();
    await app.close();
  });
  const url = `http://127.0.0.1:${server.port}`;
  expect(await ask(url)).toEqual(missing('workers'));
  const worker = await openWorker(t, createNoopEngines());
  closing.push(() => worker.stop());
  await becomes(url, ready);
  expect(await ask(url, '/health/ready')).toEqual(ready);
  line.freeze();
  await becomes(url, missing('database'));
  expect(await ask(url, '/health/live')).toEqual([200, { live: true }]);
  line.mend();
  await becomes(url, ready);
});

test('kinds of job that no worker takes are named: those that a reply needs as missing, others as degraded', async () => {
  const t = await open();
  const without = async (...kinds: JobKind[]) => {
    const worker = await openWorker(
      t,
      createNoopEngines(),
      JOB_KINDS.filter((kind) => !kinds.includes(kind)),
    );
    closing.push(() => worker.stop());
  };
  await without('reply', 'video');
  expect(await ask(t.url)).toEqual([503, { ready: false, missing: ['workers:reply'], degraded: ['workers:video'] }]);
  await without('render', 'video');
  await becomes(t.url, [200, { ready: true, missing: [], degraded: ['workers:video'] }]);
  await without('reply');
  await becomes(t.url, ready);
});

test('a store of media that says nothing is named', async () => {
  const sockets: net.Socket[] = [];
  const silent = net.createServer((socket) => void sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as net.AddressInfo;
  const t = await open({ MEDIA_URL: `s3://id:secret@bucket?endpoint=http://127.0.0.1:${port}` });
  expect(await ask(t.url)).toEqual(missing('workers', 'storage'));
});

test('probes are never limited', async () => {
  const t = await open({ RATE_LIMITS: 'on' });
  await t.app.limits.count('request', '127.0.0.1', 3_000);
  expect((await t.rest('GET', '/avatars/public')).status).toBe(429);
  expect(await ask(t.url, '/health/live')).toEqual([200, { live: true }]);
  expect(await ask(t.url)).toEqual(missing('workers'));
});
