/** A transaction commits all or nothing, whatever becomes of the statements that it does not wait for. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { openSchema } from '../../src/app/open-schema.ts';
import { type Database, openDatabase } from '../../src/kernel/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let place: TestDatabase;
let db: Database;

beforeEach(async () => {
  place = await createTestDatabase();
  db = await openDatabase(openSchema(place.url, 1));
  await db.rows('create table kept (id int primary key, note jsonb)');
});
afterEach(async () => {
  await db.close();
  await place.drop();
});

const KEEP = 'insert into kept (id, note) values ($1, $2)';
const kept = async () => (await db.rows<{ id: number }>('select id from kept order by id')).map(({ id }) => id);

test('statements sent without waiting are committed with the others', async () => {
  await db.transaction(async (tx) => {
    tx.send(KEEP, [1, null]);
    tx.send(KEEP, [2, null]);
    expect(await tx.rows('select 1 from kept')).toHaveLength(2);
    tx.send(KEEP, [3, null]);
  });
  expect(await kept()).toEqual([1, 2, 3]);
});

test('a statement that must meet a row and meets none undoes them all by its own error, and the connection goes on', async () => {
  const fenced = (id: number) =>
    db.transaction(async (tx) => {
      tx.send(KEEP, [id, null]);
      tx.require('select id from kept where id = $1 for update', [1], () => new Error('taken over'));
      tx.send(KEEP, [id + 1, null]);
    });
  await expect(fenced(2)).rejects.toThrow('taken over');
  expect(await kept()).toEqual([]);
  await db.rows(KEEP, [1, null]);
  await fenced(4);
  expect(await kept()).toEqual([1, 4, 5]);
});

test.each([
  ['one that PostgreSQL refuses', [1, null], /duplicate key/],
  ['one whose values cannot be written down', [2, { amount: 1n }], /BigInt/],
])('%s undoes them all, and the connection goes on', async (_, values, sentence) => {
  const work = db.transaction(async (tx) => {
    tx.send(KEEP, [1, null]);
    tx.send(KEEP, values);
  });
  await expect(work).rejects.toThrow(sentence);
  expect(await kept()).toEqual([]);
  await db.transaction(async (tx) => tx.send(KEEP, [4, null]));
  expect(await kept()).toEqual([4]);
});

test('a connection that is lost in the middle is an error of its transaction alone', async () => {
  const work = db.transaction(async (tx) => {
    tx.send(KEEP, [1, null]);
    tx.send('select pg_terminate_backend(pg_backend_pid())', []);
    tx.send(KEEP, [2, null]);
    await tx.rows('select 1');
  });
  await expect(work).rejects.toThrow(/terminat/);
  expect(await kept()).toEqual([]);
});

test('one that rests for too long lets go of what it has locked, and fails by itself', async () => {
  await db.rows(KEEP, [1, null]);
  await db.boundWaits(1_500);
  const other = new pg.Client(place.url);
  await other.connect();
  try {
    const work = db.transaction(async (tx) => {
      await tx.rows('select id from kept where id = 1 for update');
      tx.send(KEEP, [2, null]);
      await other.query('delete from kept where id = 1');
      tx.send(KEEP, [3, null]);
    });
    await expect(work).rejects.toThrow();
    expect(await kept()).toEqual([]);
  } finally {
    await other.end();
  }
});

test('one that rests between statements outlives their deadline; a statement without an answer does not', async () => {
  const statementMs = 30_000;
  await db.boundWaits(statementMs);
  // Only what the deadlines are read from.
  jest.useFakeTimers({
    now: Date.now(),
    doNotFake: ['Date', 'nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'clearTimeout', 'clearImmediate'],
  });
  try {
    await db.transaction(async (tx) => {
      await tx.rows(KEEP, [1, null]);
      jest.advanceTimersByTime(1.5 * statementMs);
      await tx.rows(KEEP, [2, null]);
    });
    const asleep = db.transaction(async (tx) => {
      await tx.rows(KEEP, [3, null]);
      const silent = tx.rows('select pg_sleep(20)');
      jest.advanceTimersByTime(1.5 * statementMs);
      await silent;
    });
    await expect(asleep).rejects.toThrow(/terminated/);
  } finally {
    jest.useRealTimers();
  }
  expect(await kept()).toEqual([1, 2]);
});

test('a notification leaves when the transaction is committed, once however often it was asked for', async () => {
  const heard: string[] = [];
  const listener = new pg.Client(place.url);
  await listener.connect();
  listener.on('notification', ({ payload }) => heard.push(payload!));
  await listener.query('listen kept');
  const notification = `select 'kept' as channel, $1 || ' of ' || count(*) as payload from kept`;
  await db.transaction(async (tx) => {
    tx.notify(notification, ['a']);
    tx.notify(notification, ['a']);
    tx.notify(`select $1::text as channel, $2::text as payload`, ['kept', 'b']);
    tx.send(KEEP, [1, null]);
  });
  await expect(
    db.transaction(async (tx) => {
      tx.notify(notification, ['lost']);
      tx.send(KEEP, [2, null]);
      throw new Error('no more');
    }),
  ).rejects.toThrow('no more');
  await db.transaction(async (tx) => {
    tx.notify(notification, ['nothing was done']);
  });
  await db.transaction(async (tx) => {
    tx.send(KEEP, [3, null]);
    tx.notify(notification, ['c']);
  });
  await until(async () => heard.includes('c of 2'));
  expect(heard).toEqual(['a of 1', 'b', 'c of 2']);
  await listener.end();
});
