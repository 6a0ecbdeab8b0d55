/** Partitions: made ahead, in the way of none, never missed by a write, and put under what an older release left. */
import { afterEach, expect, jest, test } from '@jest/globals';
import type { PgBoss } from 'pg-boss';
import { openSchema } from '../../src/app/open-schema.ts';
import { openBoss } from '../../src/jobs/queue.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { openDatabase } from '../../src/kernel/database.ts';
import { newId, newToken, sha256 } from '../../src/kernel/ids.ts';
import { createLog } from '../../src/kernel/log.ts';
import { migrate } from '../../src/kernel/migrations.ts';
import { LOCK_CLASSES } from '../../src/kernel/session-locks.ts';
import { changePartitions, jobPartitions, LEDGER_PARTITIONS } from '../../src/services/maintenance/partition.rules.ts';
import { openTestApp, type TestApp, type TestOptions, type TestUser } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeAvatar } from '../support/oauth.ts';
import { until } from '../support/until.ts';

let nowMs = Date.now();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
  nowMs = Date.now();
});

async function start(options: TestOptions = {}): Promise<TestApp> {
  const t = await openTestApp({ clock: { now: () => nowMs }, ...options });
  open.push(t);
  return t;
}

const at = (time: string): number => new Date(`${time}Z`).getTime();
const range = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
  [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 16));

test.each([
  ['the half of a day it is in', undefined, 1, '2027-03-04T05:06', ['2027-03-04T00:00', '2027-03-04T12:00']],
  ['the one behind the last', '2027-03-04T12:00', 1, '2027-03-04T05:06', ['2027-03-04T12:00', '2027-03-05T00:00']],
  ['none that is past', '2027-03-01T12:00', 1, '2027-03-04T13:06', ['2027-03-04T12:00', '2027-03-05T00:00']],
  ['what is left of a longer one', '2027-03-04T12:00', 7, '2027-03-04T13:06', ['2027-03-04T12:00', '2027-03-07T12:00']],
])('changes of accounts: %s', (_, end, keepDays, now, expected) => {
  const endMs = end ? at(end) : undefined;
  const next = changePartitions(keepDays).next({ endMs, rows: 0 }, at(now));
  expect(next.toMs % HOUR_MS).toBe(0);
  expect(range(next)).toEqual(expected);
});

test.each([
  ['a year', '2028-01-01T00:00', 1_000, ['2028-01-01T00:00', '2029-01-01T00:00']],
  ['a month where they are many', '2028-01-01T00:00', 60_000_000, ['2028-01-01T00:00', '2028-02-01T00:00']],
  ['what is left of a year', '2028-03-01T00:00', 1_000, ['2028-03-01T00:00', '2029-01-01T00:00']],
  ['none that is past', '2026-01-01T00:00', 60_000_000, ['2027-11-01T00:00', '2027-12-01T00:00']],
])('entries of the ledger: %s', (_, end, rows, expected) => {
  expect(range(LEDGER_PARTITIONS.next({ endMs: at(end), rows }, at('2027-11-20T10:00')))).toEqual(expected);
});

test.each([
  ['the four hours it is in', undefined, 2, '2027-03-04T05:06', ['2027-03-04T04:00', '2027-03-04T08:00']],
  ['the ones behind the last', '2027-03-04T08:00', 1, '2027-03-04T05:06', ['2027-03-04T08:00', '2027-03-04T12:00']],
  ['none that is past', '2027-03-04T00:00', 1, '2027-03-04T05:06', ['2027-03-04T04:00', '2027-03-04T08:00']],
  ['twice as long as they are kept', undefined, 720, '2027-03-04T05:06', ['2027-03-03T00:00', '2027-05-02T00:00']],
])('jobs of turns: %s', (_, end, keepHours, now, expected) => {
  const endMs = end ? at(end) : undefined;
  expect(range(jobPartitions(keepHours).next({ endMs, rows: 0 }, at(now)))).toEqual(expected);
});

/** Which partitions there are, and how many rows each has. */
const partitionsOf = async ({ app }: TestApp, table: string): Promise<Record<string, number>> => {
  const found: Record<string, number> = {};
  const all = await app.db.rows<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  );
  for (const { name } of all) found[name] = (await app.db.rows<any>(`select count(*)::int as n from ${name}`))[0]!.n;
  return found;
};
const ask = async (t: TestApp, as: string, query: string): Promise<any> => {
  const { body } = await t.graphql<any>(query, {}, as);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
};
const cursorOf = async (t: TestApp, as: string) => Number((await ask(t, as, '{ updateCursor }')).updateCursor);
/** One transfer, a second later than what was before: two entries. */
const give = async (t: TestApp, { userId }: TestUser) => {
  nowMs += SECOND_MS;
  await ask(
    t,
    await t.operator(),
    `mutation { grantCredits(input: { userId: "${userId}", amount: 1 }) { available } }`,
  );
};
const linesOf = async (t: TestApp, as: string, args = 'first: 50') =>
  (await ask(t, as, `{ ledgerEntries(${args}) { nodes { id kind amount } pageInfo { endCursor hasNextPage } } }`))
    .ledgerEntries;
const auditOf = async (t: TestApp) =>
  (await t.app.db.rows<any>('select invariant from ledger_audit() where not holds')).map((row) => row.invariant);

test('they are there before their time, and rows of each time lie in theirs', async () => {
  // The year behind that of the table of before, as the migration computes it.
  const year = new Date(Date.now() + 40 * DAY_MS).getUTCFullYear() + 1;
  nowMs = at(`${year - 1}-11-20T09:00`);
  const t = await start();
  const ada = await t.person('Ada', 10);
  const run = () => t.app.partitions.run();
  // The partition of jobs of when the template was made is past.
  expect(await run()).toEqual({ made: 4, dropped: 1 });
  await give(t, ada);
  await cursorOf(t, ada.session);
  await give(t, ada);
  await cursorOf(t, ada.session);
  const changes = await partitionsOf(t, 'account_change');
  expect(Object.entries(changes)).toEqual([
    [`account_change_to_${year - 1}112012`, expect.any(Number)],
    [`account_change_to_${year - 1}112100`, 0],
    ['account_change_waiting', 0],
  ]);
  expect(changes[`account_change_to_${year - 1}112012`]).toBeGreaterThan(0);

  // Nothing is due twice.
  expect(await run()).toEqual({ made: 0, dropped: 0 });
  nowMs = at(`${year - 1}-12-31T23:59`);
  await give(t, ada);
  const warned = jest.spyOn(t.app.log, 'warn');
  expect([await run(), warned.mock.calls]).toEqual([{ made: 4, dropped: 3 }, []]);
  await cursorOf(t, ada.apiKey);
  expect((await partitionsOf(t, 'account_change'))[`account_change_to_${year}010100`]).toBeGreaterThan(0);
  nowMs = at(`${year}-01-01T00:01`);
  await give(t, ada);
  const ledger = await partitionsOf(t, 'ledger_entry');
  // A transfer is two entries.
  expect(ledger).toMatchObject({ [`ledger_entry_to_${year + 1}010100`]: 2, ledger_entry_other: 0 });

  // What lies in several is one list, and one ledger.
  const all = (await linesOf(t, ada.apiKey)).nodes;
  expect(all.map(({ kind }: any) => kind)).toEqual(Array(6).fill('grant'));
  expect(all.map(({ id }: any) => id)).toEqual(
    all
      .map(({ id }: any) => id)
      .sort()
      .reverse(),
  );
  const first = await linesOf(t, ada.apiKey, 'first: 2');
  const rest = await linesOf(t, ada.apiKey, `first: 9, after: "${first.pageInfo.endCursor}"`);
  expect([...first.nodes, ...rest.nodes]).toEqual(all);
  expect(await auditOf(t)).toEqual([]);
});

test('where none was made for years every write is taken; what it left is removed row by row', async () => {
  nowMs = at('2041-05-06T07:08');
  const t = await start();
  const ada = await t.person('Ada', 10);
  await cursorOf(t, ada.session);
  const body = { avatarOwnerUserId: ada.userId, avatarId: await makeAvatar(t, ada) };
  const begin = async () => (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).status;
  expect(await begin()).toBe(200);
  const seen = await cursorOf(t, ada.session);
  expect(await begin()).toBe(200);
  expect(await partitionsOf(t, 'account_change')).toEqual({ account_change_waiting: expect.any(Number) });
  expect((await partitionsOf(t, 'ledger_entry')).ledger_entry_other).toBeGreaterThan(0);
  const metric = async () => {
    const text = await (await fetch(`${t.url}/metrics`)).text();
    return Object.fromEntries(
      [...text.matchAll(/avatar_partitions_left_seconds\{.*?table="(\w+)".*?\} (\d+)/g)].map(([, name, n]) => [
        name,
        Number(n),
      ]),
    );
  };
  expect(await metric()).toEqual({ account_change: 0, ledger_entry: 0 });

  // The present one is taken by what is there: the next one is made.
  const warned = jest.spyOn(t.app.log, 'warn');
  await t.app.partitions.run();
  expect(warned.mock.calls).toEqual([]);
  expect(Object.keys(await partitionsOf(t, 'account_change'))).toEqual([
    'account_change_to_2041050700',
    'account_change_waiting',
  ]);
  expect(Object.keys(await partitionsOf(t, 'ledger_entry'))).toEqual(
    expect.arrayContaining(['ledger_entry_to_2041070100', 'ledger_entry_to_2041080100']),
  );
  expect(await metric()).toMatchObject({ account_change: expect.any(Number), ledger_entry: expect.any(Number) });
  expect((await metric()).account_change).toBeGreaterThan(12 * 3_600);
  expect(await cursorOf(t, ada.session)).toBeGreaterThan(seen);
  expect((await linesOf(t, ada.apiKey)).nodes).toHaveLength(2);
  expect(await auditOf(t)).toEqual([]);

  nowMs += 2 * DAY_MS;
  await t.app.db.rows('update account_feed set watched_at = $1', [nowMs]);
  // Rows say when they were written by the clock of the database.
  await t.app.db.rows('update account_change set changed_at = $1', [at('2041-05-06T07:08')]);
  expect((await t.app.retentionCleanup.run()).accountChanges).toBeGreaterThan(0);
  expect((await partitionsOf(t, 'account_change')).account_change_waiting).toBe(0);
});

test('a process that starts on a new database beside another, which makes the first partition of jobs at that moment, starts', async () => {
  const database = await createTestDatabase('template0');
  const { url } = database;
  const [db, other] = [await openDatabase(openSchema(url, 4)), await openDatabase(openSchema(url, 4))];
  const begin = () => openBoss({ db, url, log: createLog('silent'), work: false, keepHours: 2 });
  const end = (boss: PgBoss) => boss.stop({ graceful: false, close: true });
  try {
    await migrate(db);
    await end(await begin());
    // As it is before the first partition.
    const [first] = await db.rows<{ name: string }>(`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'pgboss.job_common'::regclass and inhrelid::regclass::text like 'pgboss.job\\_to\\_%'`);
    await db.rows(`drop table ${first!.name}`);
    await db.rows('delete from pgboss.queue');
    // Committed as soon as the one that starts waits for it, which it does for 200 ms: so the database itself looks.
    const made = other.rows(`do $$ begin
      create table ${first!.name} ();
      for round in 1..2000 loop
        exit when exists (select from pg_locks waiting join pg_locks here using (pid) join pg_database d on d.oid = here.database
          where waiting.locktype = 'transactionid' and not waiting.granted and datname = current_database());
        perform pg_sleep(0.005);
      end loop;
    end $$`);
    const isMaking = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await until(async () => (await db.rows(isMaking)).length > 0);
    await end(await begin());
    await made;
  } finally {
    for (const one of [db, other]) await one.close();
    await database.drop();
  }
});

test('who works on a table is not kept waiting, and what could not be made is said', async () => {
  const t = await start();
  const ada = await t.person('Ada', 10);
  await cursorOf(t, ada.session);
  const warned = jest.spyOn(t.app.log, 'warn');
  const body = { avatarOwnerUserId: ada.userId, avatarId: await makeAvatar(t, ada) };
  const { conversationId } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
  const stopping = new AbortController();
  await t.app.db.transaction(async (tx) => {
    // A transaction that has changed something and does not end.
    await tx.rows(`update conversation set title = 'under way' where id = $1`, [conversationId]);
    const running = t.app.partitions.run(stopping.signal);
    const isWaiting = async () =>
      (
        await t.app.db.rows(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%add_partition%'`)
      ).length > 0;
    await until(isWaiting);
    // Others come behind it, and go on.
    for (let other = 0; other < 5; other += 1) {
      expect((await t.rest('POST', '/conversations', { as: ada.apiKey, body })).status).toBe(200);
    }
    stopping.abort();
    expect(await running).toMatchObject({ dropped: 0 });
    expect(Object.keys(await partitionsOf(t, 'account_change'))).toEqual(['account_change_waiting']);
  });
  const endSoon = [{ table: 'account_change', leftMs: 0 }, 'partitions end soon'] as const;
  expect(warned).toHaveBeenCalledWith(...endSoon);
  warned.mockClear();
  await t.app.db.transaction(async (tx) => {
    // Another worker is at this table, and says itself what it could not make.
    const take = `select pg_advisory_xact_lock(${LOCK_CLASSES.retention}, hashtext('account_change'))`;
    await tx.rows(take, []);
    await t.app.partitions.run();
  });
  expect(Object.keys(await partitionsOf(t, 'account_change'))).toEqual(['account_change_waiting']);
  expect(warned).not.toHaveBeenCalledWith(...endSoon);
  expect((await t.app.partitions.run()).made).toBeGreaterThan(0);
});

test('what a release before left is put under partitions as it is: nothing is copied, nothing lost', async () => {
  const database = await createTestDatabase('template0');
  const schema = openSchema(database.url, 4);
  const before = await openDatabase({
    ...schema,
    migrations: schema.migrations.filter(({ name }) => name < '0070'),
  });
  const userId = newId('usr');
  const token = newToken('svc_');
  try {
    await migrate(before);
    const rows = (text: string, values: unknown[] = []) => before.rows(text, values);
    await rows('insert into app_user (id, email, created_at) values ($1, $2, 1)', [userId, 'ada@example.com']);
    await rows('insert into api_key (id, user_id, name, token_hash, created_at) values ($1, $2, $3, $4, 1)', [
      newId('key'),
      userId,
      'Old',
      sha256(token),
    ]);
    await rows(`insert into ledger_account (id, kind) values ('i:0', 'issuance')`);
    await rows(`insert into ledger_account (id, kind, user_id) values ($1, 'global', $2)`, [`g:${userId}`, userId]);
    for (let year = 2020; year < 2026; year += 1) {
      const id = newId('tfr', at(`${year}-06-01T00:00`));
      const moved = `select ledger_move($1, $2, 'grant', 'grant', null, 'i:0', $3, 1000000, 1)`;
      await rows(moved, [id, `grant:${year}`, `g:${userId}`]);
    }
    const fresh = Date.now();
    await rows(
      'insert into account_feed (user_id, version, kept_from, is_open, watched_at) values ($1, $2, 1, true, $3)',
      [userId, fresh + 5, fresh],
    );
    await rows(
      `insert into account_change (user_id, kind, subject_id, version, changed_at)
       select $1, 'balance', 'old' || g, case when g < 5 then $2::bigint + g end, $2 from generate_series(1, 8) g`,
      [userId, fresh],
    );
    const oids = `select array[to_regclass('ledger_entry'), to_regclass('account_change')]::oid[]::text as oids`;
    const [tables] = await rows(oids);

    const t = await start({ database });
    const [attached] = await t.app.db.rows<{ oids: string }>(
      `select array[(select inhrelid from pg_inherits where inhparent = 'ledger_entry'::regclass
         and inhrelid::regclass::text ~ '_to_'), 'account_change_waiting'::regclass]::oid[]::text as oids`,
    );
    expect(attached).toEqual(tables);
    expect((await linesOf(t, token)).nodes).toHaveLength(6);
    expect(await auditOf(t)).toEqual([]);
    await t.app.partitions.run();
    // Four had a number, four get one now.
    const missed = await t.app.db.rows<{ subject: string }>(
      'select subject_id as subject from account_change where user_id = $1 order by id',
      [userId],
    );
    expect(missed.map(({ subject }) => subject)).toEqual(Array.from({ length: 8 }, (_, index) => `old${index + 1}`));
    expect(await cursorOf(t, token)).toBeGreaterThanOrEqual(fresh + 9);
    const behind = await t.app.db.rows<{ subject: string }>(
      'select subject_id as subject from account_change where version > $1 order by version',
      [fresh + 2],
    );
    expect(behind.map(({ subject }) => subject)).toEqual(['old3', 'old4', 'old5', 'old6', 'old7', 'old8']);
    // The old one takes what comes, and its ids go on.
    await t.app.db.rows(`select ledger_move($1, 'grant:now', 'grant', 'grant', null, 'i:0', $2, 1, 1)`, [
      newId('tfr', nowMs),
      `g:${userId}`,
    ]);
    expect(await auditOf(t)).toEqual([]);
    await t.app.db.rows(`select record_change($1, 'balance', 'new')`, [userId]);
    const [last] = await t.app.db.rows<{ id: number; subject: string }>(
      'select id, subject_id as subject from account_change order by id desc limit 1',
    );
    expect(last).toEqual({ id: expect.any(Number), subject: 'new' });
  } finally {
    await before.close();
  }
});

test('an account that goes takes its changes with it, those that wait and those that have a number', async () => {
  const t = await start();
  const ada = await t.person('Ada');
  await t.app.partitions.run();
  await cursorOf(t, ada.session);
  const body = { avatarOwnerUserId: ada.userId, avatarId: await makeAvatar(t, ada) };
  await t.rest('POST', '/conversations', { as: ada.apiKey, body });
  await cursorOf(t, ada.session);
  await t.rest('POST', '/conversations', { as: ada.apiKey, body });
  const left = async () => (await t.app.db.rows<any>('select count(*)::int as n from account_change'))[0]!.n;
  expect(await left()).toBe(2);
  await t.app.db.rows('delete from account_feed where user_id = $1', [ada.userId]);
  expect(await left()).toBe(0);
});
