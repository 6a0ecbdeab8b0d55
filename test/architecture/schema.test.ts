/** What the entities say and what the migrations made are the same schema, to the last index and check. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tables } from '../../schema/entities/tables.ts';
import { openSchema } from '../../src/app/open-schema.ts';
import { type Database, openDatabase } from '../../src/kernel/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDatabase(openSchema(database.url));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a migrated database lacks nothing that the entities have, and has nothing more', async () => {
  expect(await db.orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
});

/** All columns of a table as statements are typed: one that is missing, or one too many, is a type error. */
type ColumnsOf<Table extends keyof Tables> = Record<keyof Tables[Table], true>;

test.each(
  Object.entries({
    brain_due: { scope_id: true, seq: true, due_at: true } satisfies ColumnsOf<'brain_due'>,
    brain_vector: {
      scope_id: true,
      seq: true,
      ns: true,
      space: true,
      bits: true,
      exact: true,
    } satisfies ColumnsOf<'brain_vector'>,
  }),
)(
  'statements over %s, whose relation has two columns, are typed by the columns that are there',
  async (name, columns) => {
    const there = await db.rows<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [name],
    );
    expect(there.map((column) => column.name).sort()).toEqual(Object.keys(columns).sort());
  },
);

/** Which migrations ran: MikroORM's record, and the one of releases before 1.3. */
const RECORDS = ['mikro_orm_migrations', 'schema_migration'];

test('every table is an entity, and every foreign key a relation of one', async () => {
  const tables = await db.rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition order by 1`,
  );
  const entities = [...db.orm.getMetadata().getAll().values()];
  const ours = tables.map(({ name }) => name).filter((name) => !RECORDS.includes(name));
  expect(ours).toEqual(entities.map(({ tableName }) => tableName).sort());

  const keys = await db.rows<{ of: string; to: string; columns: string[] }>(
    `select distinct coalesce(pg_partition_root(c.conrelid), c.conrelid)::regclass::text as of, c.confrelid::regclass::text as to, array(
       select a.attname::text from unnest(c.conkey) with ordinality as k (attnum, at)
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum order by k.at) as columns
     from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0`,
  );
  const relations = entities.flatMap(({ tableName, relations }) =>
    relations.map(({ fieldNames, targetMeta }) => `${tableName} ${fieldNames} ${targetMeta?.tableName}`),
  );
  expect(keys.length).toBeGreaterThan(40);
  expect(keys.map(({ of, to, columns }) => `${of} ${columns} ${to}`).sort()).toEqual(relations.sort());
});

test.each([
  ['a table', 'create table shelf (id integer)', 'drop table'],
  [
    'a foreign key',
    'alter table session drop constraint session_user_id_fkey, add foreign key (user_id) references avatar',
    'references "app_user"',
  ],
  ['a column', 'alter table avatar add column shoe_size integer', 'drop column "shoe_size"'],
  ['a nullability', 'alter table avatar alter column display_name drop not null', '"display_name" set not null'],
  ['an index', 'drop index avatar_listed', 'create index "avatar_listed"'],
  [
    'what a primary key covers',
    'alter table brain_term drop constraint brain_term_pkey, add primary key (scope_id, term, ns, seq)',
    'add primary key',
  ],
  ['a check', 'alter table ledger_hold drop constraint ledger_hold_amount_check', 'ledger_hold_amount_check'],
  ['a rule of deletion', 'alter table session drop constraint session_user_id_fkey', 'on delete cascade'],
])('%s that differs is seen', async (_, change, difference) => {
  await db.transaction(async (tx) => {
    await tx.rows(change);
    await tx.send('commit', []);
  });
  expect(await db.orm.schema.getUpdateSchemaSQL({ wrap: false })).toContain(difference);
});
