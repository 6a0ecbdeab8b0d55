/** What the entities say and what the migrations made are the same schema, to the last index and check. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSchema } from '../../src/app/app.ts';
import { type Database, openDatabase } from '../../src/kernel/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let place: TestDatabase;
let db: Database;

beforeAll(async () => {
  place = await createTestDatabase();
  db = await openDatabase(await openSchema(place.url));
});
afterAll(async () => {
  await db.close();
  await place.drop();
});

test('a migrated database lacks nothing that the entities have, and has nothing more', async () => {
  expect(await db.orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
});

test.each([
  ['a column', 'alter table avatar add column shoe_size integer', 'drop column "shoe_size"'],
  ['a nullability', 'alter table avatar alter column display_name drop not null', '"display_name" set not null'],
  ['an index', 'drop index avatar_public', 'create index "avatar_public"'],
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
