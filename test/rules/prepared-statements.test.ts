/** Prepared statements: built once, run with the values of each call, on the pool and inside a transaction. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { prepared } from '../../schema/entities/tables.ts';
import { UserEntity } from '../../schema/entities/users.ts';
import { openSchema } from '../../src/app/open-schema.ts';
import { type Database, openDatabase } from '../../src/kernel/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let place: TestDatabase;
let db: Database;

beforeAll(async () => {
  place = await createTestDatabase();
  db = await openDatabase(openSchema(place.url));
});
afterAll(async () => {
  await db.close();
  await place.drop();
});

let built = 0;
const namesOf = prepared((tables, given: { ids: string[]; after: number }) => {
  built += 1;
  return tables
    .selectFrom('app_user')
    .select(['id', 'display_name as name', 'created_at as at'])
    .where('id', '=', sql<string>`any(${given.ids})`)
    .where('created_at', '>', given.after)
    .orderBy('id');
});

test('a statement is built once and answers each call with its own values, integers as numbers', async () => {
  await db.transaction(async (tx) => {
    for (const [id, createdAt] of [
      ['a', 1],
      ['b', 2_000_000_000_000],
      ['c', 3],
    ] as const)
      tx.em.create(UserEntity, { id, displayName: id.toUpperCase(), createdAt });
  });
  expect(await namesOf(db, { ids: ['a', 'b', 'z'], after: 0 })).toEqual([
    { id: 'a', name: 'A', at: 1 },
    { id: 'b', name: 'B', at: 2_000_000_000_000 },
  ]);
  expect(await namesOf(db, { ids: ['a', 'b'], after: 1 })).toEqual([{ id: 'b', name: 'B', at: 2_000_000_000_000 }]);
  expect(built).toBe(1);
});

test('inside a transaction it sees what the unit of work has not flushed yet, and goes with it', async () => {
  const undone = db.transaction(async (tx) => {
    tx.em.create(UserEntity, { id: 'd', displayName: 'D', createdAt: 4 });
    expect(await namesOf(tx, { ids: ['d'], after: 0 })).toEqual([{ id: 'd', name: 'D', at: 4 }]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await namesOf(db, { ids: ['d'], after: 0 })).toEqual([]);
});

test('what the unit of work writes and reads holds its values in its text, and no connection keeps it', async () => {
  const marker = 'Once and never again';
  const kept = await db.transaction(async (tx) => {
    tx.em.create(UserEntity, { id: 'e', displayName: marker, createdAt: 5 });
    await tx.em.flush();
    await tx.em.nativeUpdate(UserEntity, { displayName: marker }, { createdAt: 6 });
    await tx.em.find(UserEntity, { displayName: marker });
    return tx.rows('select statement from pg_prepared_statements where statement like $1', [`%${marker}%`]);
  });
  expect(kept).toEqual([]);
});

test('an integer beyond 2^53 comes as text, so that no digit is lost', async () => {
  expect(await db.rows('select 9007199254740991::int8 as safe, 9007199254740993::int8 as beyond')).toEqual([
    { safe: 9007199254740991, beyond: '9007199254740993' },
  ]);
});
