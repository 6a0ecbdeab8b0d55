/** Migrations: each once, none changed after it ran, and no release beside one that it cannot work with. */

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { openSchema } from '../../src/app/open-schema.ts';
import { type Database, openDatabase } from '../../src/kernel/database.ts';
import { type ListedMigration, migrate, SqlMigration } from '../../src/kernel/migrations.ts';
import { VERSION } from '../../src/kernel/version.ts';
import { ConcurrentMigration } from '../../src/migrations/concurrent-migration.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let place: TestDatabase;
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  place = await createTestDatabase();
});
afterEach(async () => {
  // The last first: who holds a lock goes before who waits for it.
  for (const each of open.splice(0).reverse()) await each.close();
  await place.drop();
});

/** The platform's migrations and then these, as a process that starts sees them. */
async function start(...more: ListedMigration[]): Promise<Database> {
  const schema = openSchema(place.url, 4);
  const db = await openDatabase({ ...schema, migrations: [...schema.migrations, ...more] });
  open.push(db);
  return db;
}

/** Connects as a process of that release does. */
async function connectAs(release: string): Promise<pg.Client> {
  const url = new URL(place.url);
  url.searchParams.set('application_name', `avatar-platform/${release}`);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  open.push({ close: () => client.end() });
  return client;
}

const listed = (name: string, sql: string, breaking?: string): ListedMigration => ({
  name,
  class: class extends SqlMigration {
    override readonly sql = sql;
    override readonly breaking = breaking as string;
  },
});
const SHELF = listed('9001_shelf', 'create table shelf (id int primary key); insert into shelf values (1)');

test('a new one is applied once, however many processes start at once', async () => {
  const processes = [await start(SHELF), await start(SHELF), await start(SHELF)];
  const applied = await Promise.all(processes.map(migrate));
  expect(applied.flat()).toEqual(['9001_shelf']);
  expect(await processes[0]!.rows('select id from shelf')).toEqual([{ id: 1 }]);
});

test('all of a start or nothing: one that fails leaves no trace of those before it, and is named', async () => {
  const db = await start(SHELF, listed('9002_wrong', 'create table shelf ()'));
  await expect(migrate(db)).rejects.toThrow(/9002_wrong.*already exists/s);
  expect(await db.rows("select to_regclass('shelf') as shelf")).toEqual([{ shelf: null }]);
  expect(await migrate(await start(SHELF))).toEqual(['9001_shelf']);
});

const INDEXES: ListedMigration = {
  name: '9002_indexes',
  class: class extends ConcurrentMigration {
    override readonly indexes = {
      shelf_even: 'shelf (id) where id % 2 = 0',
      shelf_odd: 'shelf (id) where id % 2 = 1',
    };
    override readonly dropped = ['shelf_old'];
  },
};

test('indexes of large tables are made outside of transactions, by one of many processes; where they were broken off it goes on', async () => {
  const LAST = listed('9003_last', 'insert into shelf values (2)');
  const before = await start(SHELF);
  await migrate(before);
  await before.rows('create index shelf_old on shelf (id)');
  // As a process leaves them that was killed halfway: one finished, and one that is of no use.
  await before.rows('create index shelf_even on shelf (id) where id % 2 = 0');
  await before.rows('create index shelf_odd on shelf (id) where id % 2 = 1');
  await before.rows("update pg_index set indisvalid = false where indexrelid = 'shelf_odd'::regclass");
  const indexes = () =>
    before.rows<{ oid: number; text: string; isValid: boolean }>(
      `select indexrelid::int as oid, pg_get_indexdef(indexrelid) as text, indisvalid as "isValid" from pg_index
       where indrelid = 'shelf'::regclass and not indisprimary order by 2`,
    );
  const [even, odd] = await indexes();
  const processes = [await start(SHELF, INDEXES, LAST), await start(SHELF, INDEXES, LAST)];
  const applied = await Promise.all(processes.map(migrate));
  expect(applied.flat()).toEqual(['9002_indexes', '9003_last']);
  expect(await indexes()).toEqual([even, { oid: expect.any(Number), text: odd!.text, isValid: true }]);
  expect((await indexes())[1]!.oid).not.toBe(odd!.oid);
});

test('a process of the release before that starts while indexes are made neither waits nor keeps them waiting', async () => {
  await migrate(await start(SHELF));
  const db = await start(SHELF, INDEXES, listed('9003_breaking', 'drop table shelf', VERSION));
  const [writer, older] = [await connectAs(VERSION), await connectAs('0.9.3')];
  // What it waits for without end is said, instead of the test waiting too.
  await older.query("set application_name = ''; set lock_timeout = '60s'");
  await writer.query('begin; insert into shelf values (2)');
  const migrated = migrate(db).then(String, String);
  await until(async () => {
    const { rows } = await older.query(
      "select from pg_stat_activity where datname = current_database() and query like 'create index%' and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
  // As that release does it, which then runs: what breaks it is not applied.
  await older.query('select pg_advisory_lock(4020261)');
  await older.query('alter table mikro_orm_migrations add column if not exists checksum text');
  await older.query('select pg_advisory_unlock(4020261)');
  await older.query("set application_name = 'avatar-platform/0.9.3'");
  await writer.query('commit');
  expect(await migrated).toMatch(`9003_breaking waits until every process before release ${VERSION} is stopped: 0.9.3`);
  await older.query("set application_name = ''");
  expect(await migrate(db)).toEqual(['9003_breaking']);
});

test('one that was changed after it ran is refused by name; its comments may be mended', async () => {
  await migrate(await start(SHELF));
  const mended = listed(
    '9001_shelf',
    '-- Why.\ncreate table shelf (id int primary key);\ninsert into shelf values (1)',
  );
  expect(await migrate(await start(mended))).toEqual([]);
  const changed = await start(listed('9001_shelf', 'create table shelf (id bigint primary key)'));
  await expect(migrate(changed)).rejects.toThrow('Migration 9001_shelf was changed after it ran on this database');
});

test('a database of a release before 1.3 is taken over: nothing runs again', async () => {
  const before = await start();
  const names = openSchema(place.url).migrations.map(({ name }) => name);
  await before.rows('drop table mikro_orm_migrations');
  await before.rows(
    'create table schema_migration (name text primary key, applied_at timestamptz not null default now())',
  );
  await before.rows('insert into schema_migration (name) select unnest($1::text[])', [names.map((n) => `${n}.sql`)]);
  expect(await migrate(await start(SHELF))).toEqual(['9001_shelf']);
  const kept = await before.rows<{ name: string }>('select name from mikro_orm_migrations where checksum is not null');
  expect(kept.map(({ name }) => name).sort()).toEqual([...names, '9001_shelf']);
});

const BREAKING = listed('9003_breaking', 'create table shelf ()', VERSION);

test('a breaking one waits until older releases have left', async () => {
  await connectAs(VERSION);
  await connectAs('0.9.3');
  const db = await start(BREAKING);
  await expect(migrate(db)).rejects.toThrow(`release ${VERSION} is stopped: 0.9.3 runs`);
  expect(await db.rows("select to_regclass('shelf') as shelf")).toEqual([{ shelf: null }]);
});

test('an older release does not start on a database that a breaking one changed', async () => {
  const db = await start();
  await migrate(db);
  await db.rows("insert into mikro_orm_migrations (name, checksum, breaking) values ('9003_breaking', 'x', '999.0.0')");
  await expect(migrate(db)).rejects.toThrow(/9003_breaking .* release 999\.0\.0 or later/);
});

test('the release that the code says is the one of its package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
});
