/** Connections of one's own to PostgreSQL, which are dropped where the other side is silent, plain and over TLS. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openNotifier } from '../../src/events/notifier.ts';
import { openWorkerLease } from '../../src/jobs/worker-lease.ts';
import { SessionClient } from '../../src/kernel/session-client.ts';
import { LOCK_CLASSES, locksOf } from '../../src/kernel/session-locks.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { type DatabaseLine, openDatabaseLine } from '../support/database-proxy.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let line: DatabaseLine;

const WAIT_MS = 60_000;

beforeAll(async () => {
  t = await openTestApp();
});
afterAll(() => t.close());
afterEach(() => line.close());

describe.each([
  ['plain', false],
  ['over TLS', true],
])('%s', (_, isTls) => {
  beforeEach(async () => {
    line = await openDatabaseLine(t.databaseUrl, { isTls });
  });

  test('a session answers, and one that is silent ends at once where it is dropped', async () => {
    const session = new SessionClient({ url: line.url, waitMs: WAIT_MS });
    const ended = new Promise((resolve) => session.once('end', () => resolve('ended')));
    await session.connect();
    expect((await session.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    line.freezeOpen();
    const asked = session.query('select 2 as two');
    session.drop();
    await expect(asked).rejects.toThrow('Connection terminated');
    expect(await ended).toBe('ended');
  });

  test('one that is dropped before anything has answered does not connect', async () => {
    line.freeze();
    const session = new SessionClient({ url: line.url, waitMs: WAIT_MS });
    const connected = session.connect();
    session.drop();
    await expect(connected).rejects.toThrow();
  });
});

test('over TLS a silent connection is replaced: a process hears what is notified, and a worker has its lock', async () => {
  line = await openDatabaseLine(t.databaseUrl, { isTls: true });
  const { db, log } = t.app;
  const holders = async () => (await locksOf(db, { lockClasses: [LOCK_CLASSES.worker] })).map(({ pid }) => pid);
  const notifier = await openNotifier(db, line.url, {});
  const lease = await openWorkerLease({ db, url: line.url, kinds: ['render'], log });
  try {
    const [before] = await holders();
    const heard: string[] = [];
    notifier.on('call', (payload) => heard.push(payload));
    const back = new Promise<void>((resolve) => notifier.onReconnect(resolve));
    line.freezeOpen();
    await back;
    await db.notify([{ channel: 'avatar_call', payload: 'again' }]);
    await until(async () => heard.includes('again'));
    await until(async () => (await holders()).some((pid) => pid !== before));
  } finally {
    await lease.close();
    await notifier.close();
  }
});
