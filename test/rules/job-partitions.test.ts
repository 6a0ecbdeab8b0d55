/** Jobs of turns lie in partitions of their time: from the first start on, put under a table that is in use, and dropped when past. */
import { afterEach, expect, test } from '@jest/globals';
import { PgBoss } from 'pg-boss';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { QUEUES } from '../../src/jobs/queue.ts';
import { requeue } from '../../src/jobs/retry-policy.ts';
import { openWorkerLease } from '../../src/jobs/worker-lease.ts';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { openTestApp, type TestApp, type TestOptions, type TestUser } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { openWorker } from '../support/workers.ts';

let nowMs = Date.now();
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  nowMs = Date.now();
});

async function start(options: TestOptions = {}): Promise<TestApp> {
  const t = await openTestApp({ clock: { now: () => nowMs }, ...options });
  open.push(() => t.close());
  return t;
}
async function work(t: TestApp): Promise<void> {
  const worker = await openWorker(t, createNoopEngines());
  open.push(() => worker.stop());
}

/** A conversation of someone who can pay. */
async function begin(t: TestApp): Promise<{ ada: TestUser; slug: string }> {
  const ada = await t.person('Ada', 10);
  const { avatar } = (
    await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova', ttsVoiceId: 'noop' } })
  ).body;
  const body = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  return { ada, slug: (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body.shareSlug };
}
/** A turn whose only job is its render; its id. */
async function say(t: TestApp, { ada, slug }: { ada: TestUser; slug: string }): Promise<string> {
  const body = { userText: 'Hello there.', mode: 'speak', output: 'audio' };
  const { status, body: answer } = await t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body });
  expect(status).toBe(202);
  return answer.turn.id;
}
/** Where the job of each of these lies, and its state, by the id of its work. */
async function jobsOf(t: TestApp, ids: string[]): Promise<{ id: string; lies: string; state: string }[]> {
  const found = await t.app.db.rows<any>(
    `select data->>'id' as id, tableoid::regclass::text as lies, state::text from pgboss.job where data->>'id' = any($1)`,
    [ids],
  );
  return ids.map((id) => {
    const [job, ...more] = found.filter((one) => one.id === id);
    expect([id, job, more]).toEqual([id, expect.anything(), []]);
    return job;
  });
}
const partitionsOf = async (t: TestApp): Promise<string[]> =>
  (
    await t.app.db.rows<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'pgboss.job_common'::regclass order by 1`,
    )
  ).map(({ name }) => name);
const OF_A_TIME = /^pgboss\.job_to_\d{10}$/;
/** Says something until what is said lies in a partition of its time: a process looks only now and then whether there are some. */
const sayInTime = (t: TestApp, who: { ada: TestUser; slug: string }) =>
  until(async () => {
    const id = await say(t, who);
    return OF_A_TIME.test((await jobsOf(t, [id]))[0]!.lies) && id;
  });
const setEnd = (t: TestApp, id: string, state: string) =>
  t.app.db.rows(
    `update pgboss.job set state = $2::pgboss.job_state, completed_on = now() - interval '1 hour' where data->>'id' = $1`,
    [id, state],
  );

test('a new installation has them from the first start on, for jobs of turns alone', async () => {
  const t = await start({ database: await createTestDatabase('template0') });
  expect(await partitionsOf(t)).toEqual(['pgboss.job_before', 'pgboss.job_other', expect.stringMatching(OF_A_TIME)]);
  const who = await begin(t);
  const inTime = await sayInTime(t, who);
  const { poll } = (
    await t.rest('POST', '/videos/generate', { as: who.ada.apiKey, body: { prompt: 'A boat at dawn', duration: 1 } })
  ).body;
  const lies = await t.app.db.rows<any>(
    `select distinct name, tableoid::regclass::text as lies from pgboss.job where name = 'video'`,
  );
  expect(lies).toEqual([{ name: 'video', lies: 'pgboss.job_before' }]);
  await work(t);
  await until(async () => (await t.rest('GET', poll, { as: who.ada.apiKey })).body.status === 'ready');
  await t.settled(who.slug, who.ada.apiKey);
  await until(async () => (await jobsOf(t, [inTime]))[0]!.state === 'completed');
});

test('a table of jobs that is in use is put under partitions: none is lost, refused or done twice', async () => {
  const database = await createTestDatabase('template0');
  // As a release before left it: pg-boss made its tables, with queues.
  const boss = new PgBoss({ connectionString: database.url, supervise: false, schedule: false });
  await boss.start();
  for (const kind of Object.keys(QUEUES)) await boss.createQueue(kind, { retryLimit: 10 });
  await boss.stop({ graceful: false });
  const env = { SECRETS_KEY: 'what both processes seal their keys with' };
  const t = await start({ database, env });
  const [table] = await t.app.db.rows(`select 'pgboss.job_common'::regclass::oid::int as oid`);
  const who = await begin(t);
  await t.app.db.rows(`insert into pgboss.job (name, data, state, started_on, completed_on)
    select 'render', jsonb_build_object('id', 'trn_' || g), 'completed', now(), now() from generate_series(1, 2000) g`);
  const lease = await openWorkerLease({ db: t.app.db, url: t.databaseUrl, kinds: ['render'], log: t.app.log });
  open.push(() => lease.close());
  const fetched = async () => {
    const id = await say(t, who);
    const [job] = await t.app.boss.fetch<{ id: string }>('render', { includeMetadata: true, db: lease.fetching });
    expect(job!.data.id).toBe(id);
    return { id, jobAttempt: { jobId: job!.id, kind: 'render' as const, attempt: 0 } };
  };
  const running = await fetched();
  const tried = await fetched();
  const failures = { errors: 1, outages: 0, awaySinceMs: 0, awayUntilMs: 0 };
  await requeue(t.app.db, tried.jobAttempt, { failures, waitS: 1, isFree: false });
  const ids = [running.id, tried.id, await say(t, who)];

  const stopping = new AbortController();
  const saying = Array.from({ length: 3 }, async () => {
    while (!stopping.signal.aborted) ids.push(await say(t, who));
  });
  const sayMore = async (more: number) => {
    const before = ids.length;
    await until(async () => ids.length >= before + more);
  };
  let round: Promise<{ made: number }> | undefined;
  try {
    await t.app.db.transaction(async (tx) => {
      // What was written and is not committed keeps the change waiting; others do not wait behind it for long.
      await tx.rows(`update pgboss.job set priority = 0 where data->>'id' = 'trn_1'`);
      round = t.app.partitions.run();
      await sayMore(10);
    });
    expect((await round)?.made).toBeGreaterThanOrEqual(4);
    await sayMore(10);
  } finally {
    stopping.abort();
    await Promise.all([round, ...saying]);
  }

  expect(await partitionsOf(t)).toEqual(
    expect.arrayContaining(['pgboss.job_before', 'pgboss.job_other', expect.stringMatching(OF_A_TIME)]),
  );
  // Nothing was copied.
  expect(await t.app.db.rows(`select 'pgboss.job_before'::regclass::oid::int as oid`)).toEqual([table]);
  expect((await jobsOf(t, ids.slice(0, 3))).map(({ state }) => state)).toEqual(['active', 'retry', 'created']);
  expect((await t.app.partitions.run()).made).toBe(0);

  // A process that starts now names a partition; a worker of either finds all of them.
  const now = await start({ database: { ...database, drop: async () => {} }, env });
  ids.push(await sayInTime(now, who));
  await lease.close();
  await work(t);
  const { turns } = await t.settled(who.slug, who.ada.apiKey);
  const spoken = turns.filter((turn: any) => ids.includes(turn.id));
  expect([...new Set(spoken.map((turn: any) => turn.status))]).toEqual(['audio']);
  expect(spoken).toHaveLength(ids.length);
  await until(async () => (await jobsOf(t, ids)).every(({ state }) => state === 'completed'));
  expect(await t.app.db.rows('select invariant from ledger_audit() where not holds')).toEqual([]);
});

test('what is past is dropped once nothing in it waits or runs; what failed for good stays listed, and can be retried', async () => {
  const t = await start();
  await t.app.partitions.run();
  const who = await begin(t);
  const done = await sayInTime(t, who);
  const failed = await sayInTime(t, who);
  const waits = await sayInTime(t, who);
  const [first] = await jobsOf(t, [done]);
  const past = first!.lies;
  await setEnd(t, done, 'completed');
  await setEnd(t, failed, 'failed');
  const has = async (id: string) => (await t.app.db.rows(`select from pgboss.job where data->>'id' = $1`, [id])).length;

  nowMs += 3 * HOUR_MS;
  await t.app.partitions.run();
  // Not before two hours after its time.
  expect(await partitionsOf(t)).toContain(past);
  nowMs += 4 * HOUR_MS;
  await t.app.partitions.run();
  expect(await partitionsOf(t)).toContain(past);
  expect((await jobsOf(t, [waits]))[0]).toMatchObject({ lies: past, state: 'created' });
  await t.app.db.rows(
    `update pgboss.job set state = 'completed', completed_on = now() - interval '1 minute' where data->>'id' = $1`,
    [waits],
  );
  await t.app.partitions.run();
  expect(await partitionsOf(t)).toContain(past);
  await setEnd(t, waits, 'completed');
  expect((await t.app.partitions.run()).dropped).toBe(1);
  expect(await partitionsOf(t)).not.toContain(past);
  expect([await has(done), await has(waits), await has(failed)]).toEqual([0, 0, 1]);

  const operator = await t.operator();
  const ask = async (query: string) => (await t.graphql<any>(query, {}, operator)).body.data;
  const listed = async () => (await ask('{ failedJobs { nodes { jobId workId } } }')).failedJobs.nodes;
  expect(await listed()).toEqual([{ jobId: expect.any(String), workId: failed }]);
  const [{ jobId }] = await listed();
  expect(await ask(`mutation { retryFailedJobs(input: { jobId: "${jobId}" }) }`)).toEqual({ retryFailedJobs: 1 });
  await work(t);
  const heard = async () =>
    (await t.rest('GET', `/conversations/by-slug/${who.slug}`, { as: who.ada.apiKey })).body.turns.find(
      ({ id }: any) => id === failed,
    ).status === 'audio';
  await until(heard);
  // A new one goes to the partition of its own time.
  const later = await sayInTime(t, who);
  expect((await jobsOf(t, [later]))[0]!.lies).not.toBe(past);
});
