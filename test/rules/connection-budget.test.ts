/** All processes together stay below the connections that PostgreSQL takes. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { ConnectionBudget, poolShare } from '../../src/kernel/connection-budget.ts';
import { LOCK_CLASSES } from '../../src/kernel/session-locks.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
});
afterAll(() => t.close());

test.each([
  { limit: 100, processes: 2, most: 12, share: 12 },
  { limit: 100, processes: 7, most: 12, share: 8 },
  { limit: 200, processes: 12, most: 12, share: 11 },
  { limit: 100, processes: 40, most: 12, share: 2 },
  { limit: 100, processes: 0, most: 12, share: 12 },
])('of $limit connections one of $processes processes opens $share', ({ share, ...given }) => {
  expect(poolShare(given)).toBe(share);
});

test('a process opens fewer connections while many others live, and as many as before when they have gone', async () => {
  // The pool of the app has a budget of its own.
  const pool = new pg.Pool({ connectionString: t.databaseUrl, max: 12 });
  const found: { processes: number; connections: number }[] = [];
  const budget = new ConnectionBudget({ rows: t.app.db.rows, pool }, (each) => found.push(each));
  // One connection may hold the locks of many.
  const others = new pg.Client({ connectionString: t.databaseUrl });
  await others.connect();
  try {
    await budget.adjust();
    expect(found).toEqual([]);
    // At once: the budget looks by itself every five seconds.
    await others.query('select pg_advisory_lock_shared($1, id) from generate_series(1, 1000) id', [LOCK_CLASSES.web]);
    await budget.adjust();
    expect(pool.options.max).toBe(2);
    await others.query('select pg_advisory_unlock_all()');
    await budget.adjust();
    expect(pool.options.max).toBe(12);
    expect(found.map(({ connections }) => connections)).toEqual([2, 12]);
    expect(found[0]!.processes).toBeGreaterThan(1_000);
  } finally {
    budget.close();
    await others.end();
    await pool.end();
  }
});

test('what a process has open beyond its share ends also while it is never idle', async () => {
  const pool = new pg.Pool({ connectionString: t.databaseUrl, max: 12 });
  const budget = new ConnectionBudget({ rows: t.app.db.rows, pool }, () => {});
  const others = new pg.Client({ connectionString: t.databaseUrl });
  await others.connect();
  let isBusy = true;
  const busy = Array.from({ length: 24 }, async () => {
    while (isBusy) await pool.query('select pg_sleep(0.005)');
  });
  try {
    while (pool.totalCount < 12) await wait(5);
    await others.query('select pg_advisory_lock_shared($1, id) from generate_series(1, 1000) id', [LOCK_CLASSES.web]);
    await budget.adjust();
    const endsAtMs = performance.now() + 5_000;
    while (pool.totalCount > 2 && performance.now() < endsAtMs) await wait(5);
    expect(pool.totalCount).toBe(2);
  } finally {
    isBusy = false;
    await Promise.all(busy);
    budget.close();
    await others.end();
    await pool.end();
  }
});
