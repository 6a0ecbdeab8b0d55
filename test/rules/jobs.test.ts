/** Jobs outlive their workers wherever these die, and what a worker's end costs them. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { SpeechEngine } from '../../src/engines/ports/index.ts';
import { jobCounts } from '../../src/jobs/job.queries.ts';
import { operatorJobs } from '../../src/jobs/operator-jobs.ts';
import { openBoss } from '../../src/jobs/queue.ts';
import { openWorkerLease, type WorkerLease } from '../../src/jobs/worker-lease.ts';
import { startWorkers } from '../../src/jobs/workers.ts';
import type { Row, Tx } from '../../src/kernel/database.ts';
import type { JobKind } from '../../src/kernel/job-kinds.ts';
import { MIGRATION_LOCK } from '../../src/kernel/migrations.ts';
import { LOCK_CLASSES, locksOf } from '../../src/kernel/session-locks.ts';
import { TurnRenders } from '../../src/services/turns/turn-render.service.ts';
import type { JobHandler, JobWork } from '../../src/services/work/job.port.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openDatabaseLine } from '../support/database-proxy.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

let t: TestApp;
let ada: TestUser;
let slug: string;
const workers: TestWorker[] = [];
const leases: WorkerLease[] = [];

beforeEach(async () => {
  t = await openTestApp();
  ada = await t.person('Ada', 10);
  const { avatar } = (
    await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova', ttsVoiceId: 'noop' } })
  ).body;
  const body = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  slug = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body.shareSlug;
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  for (const lease of leases.splice(0)) await lease.close();
  await t.close();
});

async function work(speech: Partial<SpeechEngine> = {}, kinds?: JobKind[]): Promise<TestWorker> {
  const noop = createNoopEngines();
  const worker = await openWorker(t, { ...noop, speech: { ...noop.speech, ...speech } }, kinds);
  workers.push(worker);
  return worker;
}

/** Injects a turn whose only job is its render. */
async function say(): Promise<string> {
  const body = { userText: 'Hello there.', mode: 'speak', output: 'audio' };
  return (await t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body })).body.turn.id;
}

async function open(db = t.app.db, url = t.databaseUrl): Promise<WorkerLease> {
  const lease = await openWorkerLease({ db, url, kinds: ['render'], log: t.app.log });
  leases.push(lease);
  return lease;
}

/** Fetches the one render that waits, as a worker does; without a lease as no worker does. */
async function fetchRender(lease?: WorkerLease) {
  const by = lease ? { includeMetadata: true, db: lease.fetching } : {};
  const [job] = await t.app.boss.fetch<{ id: string }>('render', by);
  return { jobId: job!.id, kind: 'render' as const, attempt: 0 };
}

const heard = (id: string) =>
  until(async () => {
    const { turns } = (await t.rest('GET', `/conversations/by-slug/${slug}`, { as: ada.apiKey })).body;
    return turns.find((turn: any) => turn.id === id && turn.status === 'audio');
  });

test('a job that no worker has is requeued; one that a living worker has is left alone', async () => {
  const living = await open();
  const busy = await say();
  const kept = await fetchRender(living);
  const lost = await say();
  await fetchRender();
  await work();
  await heard(lost);
  const [job] = await t.app.db.rows('select state::text, retry_count as attempt from pgboss.job where id = $1', [
    kept.jobId,
  ]);
  expect(job).toEqual({ state: 'active', attempt: 0 });
  await living.close();
  await heard(busy);
});

test('a lost job that cannot be requeued keeps no other waiting', async () => {
  await say();
  const bad = await fetchRender();
  const lost = await say();
  await fetchRender();
  await t.app.db.rows(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$`,
  );
  await t.app.db.rows(`create trigger refused before update on pgboss.job for each row when (old.id = '${bad.jobId}')
    execute function refuse()`);
  await work();
  await heard(lost);
  const [job] = await t.app.db.rows('select state::text from pgboss.job where id = $1', [bad.jobId]);
  expect(job).toEqual({ state: 'active' });
});

test('a worker whose lock is gone with a connection that never ended takes it anew, and keeps what it has begun since', async () => {
  const line = await openDatabaseLine(t.databaseUrl);
  try {
    const lease = await open(t.app.db, line.url);
    const holders = async () => (await locksOf(t.app.db, { lockClasses: [LOCK_CLASSES.worker] })).map(({ pid }) => pid);
    const [before] = await holders();
    // As where a firewall forgets the connection, or its packets get lost: PostgreSQL gives it up, and the worker does not hear of it.
    line.freezeOpen();
    await t.app.db.rows('select pg_terminate_backend($1::int)', [before]);
    await until(async () => (await holders()).some((pid) => pid !== before));
    await say();
    const kept = await fetchRender(lease);
    // The sweep that requeues the one which no worker has looks at this one as well.
    const lost = await say();
    await fetchRender();
    await work();
    await heard(lost);
    const [job] = await t.app.db.rows('select state::text from pgboss.job where id = $1', [kept.jobId]);
    expect(job).toEqual({ state: 'active' });
  } finally {
    line.close();
  }
});

test('a process that has migrated makes its queues and reads its keys while another one migrates', async () => {
  const { db, log, config, secrets } = t.app;
  const migrating = await db.pool.connect();
  try {
    await migrating.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await secrets.open();
    const keepHours = config.KEEP_JOB_HOURS;
    const boss = await openBoss({ db, url: t.databaseUrl, log, work: false, keepHours });
    expect((await boss.getQueues()).map(({ name }) => name)).toContain('render');
    await boss.stop({ graceful: false, close: true });
  } finally {
    migrating.release(true);
  }
});

test('a worker takes the kinds of jobs that it is for, whatever else waits', async () => {
  const { avatars } = (await t.rest('GET', '/avatars', { as: ada.apiKey })).body;
  const order = async (path: string, body: object): Promise<() => Promise<string>> => {
    const { poll } = (await t.rest('POST', path, { as: ada.apiKey, body })).body;
    return async () => (await t.rest('GET', poll, { as: ada.apiKey })).body.status;
  };
  const video = await order('/videos/generate', { prompt: 'A boat at dawn', duration: 1 });
  const turn = await say();
  const speaker = await work({}, ['speak']);
  for (const text of ['One.', 'Two.', 'Three.']) {
    const spoken = await order(`/avatars/${avatars[0].avatarId}/speak`, { text, output: 'audio' });
    await until(async () => (await spoken()) === 'audio');
  }
  expect(await video()).toBe('queued');
  await speaker.stop();
  workers.splice(0);
  // What waits for another kind of worker does not end with this one.
  await work({}, ['render', 'video']);
  await heard(turn);
  await until(async () => (await video()) === 'ready');
});

test('a job whose worker died between ending it and reporting that to the queue is requeued', async () => {
  const dying = await open();
  const id = await say();
  const jobAttempt = await fetchRender(dying);
  dying.drop(jobAttempt);
  await dying.close();
  await work();
  await heard(id);
});

test('a spoken turn that has ended is not spoken again, nor can it fail any more, when its job comes back', async () => {
  const first = await work();
  const id = await say();
  await heard(id);
  await first.stop();
  workers.splice(0);
  let attempts = 0;
  await work({
    // biome-ignore lint/correctness/useYield: it fails before it could.
    async *stream() {
      attempts += 1;
      throw new Error('no sound today');
    },
  });
  // As a worker leaves it that dies before it has reported to the queue.
  await t.app.db.rows(`insert into pgboss.job (name, data) values ('render', jsonb_build_object('id', $1::text))`, [
    id,
  ]);
  await until(async () => {
    const open = `select 1 from pgboss.job where data->>'id' = $1 and state < 'completed'`;
    return (await t.app.db.rows(open, [id])).length === 0;
  });
  expect(attempts).toBe(0);
  const [turn] = await t.app.db.rows<any>('select status, attempt from conversation_turn where id = $1', [id]);
  expect(turn).toEqual({ status: 'audio', attempt: 1 });
});

test('a job whose fetch got no answer to its worker is requeued while that worker lives', async () => {
  const { db } = t.app;
  const stopListening = await open({
    ...db,
    async rows<T extends Row>(sql: string, values?: unknown[]): Promise<T[]> {
      const rows = await db.rows<T>(sql, values);
      if (sql.includes('fetched')) throw new Error('the connection was lost');
      return rows;
    },
  });
  const id = await say();
  await expect(fetchRender(stopListening)).rejects.toThrow('the connection was lost');
  await work();
  await heard(id);
});

test('of workers that are notified of one job one starts it and takes its work; it is requeued where the answer to its commit was lost', async () => {
  const { db, turnRenders } = t.app;
  const id = await say();
  const [job] = await db.rows<{ id: string }>(`select id from pgboss.job where data->>'id' = $1`, [id]);
  const jobAttempt = { jobId: job!.id, kind: 'render' as const, attempt: 0 };
  const take = (tx: Tx) => turnRenders.claim(tx, { id, startedJob: jobAttempt.jobId });
  const unanswered = await open({
    ...db,
    async transaction<T>(commit: (tx: Tx) => Promise<T>): Promise<T> {
      const failed: (() => void)[] = [];
      const afterFailure = { value: (step: () => void) => failed.push(step) };
      await db.transaction((tx) => commit(Object.create(tx, { afterFailure })));
      for (const step of failed) step();
      throw new Error('the connection was lost');
    },
  });
  await expect(unanswered.start(jobAttempt, take)).rejects.toThrow('the connection was lost');
  const late = await Promise.all([await open(), await open()].map((lease) => lease.start(jobAttempt, take)));
  expect(late).toEqual([undefined, undefined]);
  const attempts = () => db.rows<{ attempt: number }>('select attempt from conversation_turn where id = $1', [id]);
  expect(await attempts()).toEqual([{ attempt: 1 }]);
  await work();
  await heard(id);
  expect(await attempts()).toEqual([{ attempt: 2 }]);
});

test.each([
  ['a worker that was notified of it', 'speak'],
  ['the worker that enqueued it', 'chat'],
])('work that was taken and lost on its way to %s is done all the same, and the worker ends', async (_, mode) => {
  const worker = await work();
  const { claim } = TurnRenders.prototype;
  const taking = jest.spyOn(TurnRenders.prototype, 'claim').mockImplementationOnce(async function lost(
    this: TurnRenders,
    ...given
  ) {
    await claim.apply(this, given);
    throw new Error('lost on its way');
  });
  try {
    const body = { userText: 'Hello there.', mode, output: 'audio' };
    await t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body });
    const { turns } = await t.settled(slug, ada.apiKey);
    expect(turns.at(-1)).toMatchObject({ status: 'audio' });
    // A notified worker commits nothing without it. None was lost where the worker was just looking for jobs: then it was fetched.
    const attempt = mode === 'speak' ? 1 : 1 + taking.mock.calls.length;
    const taken = await t.app.db.rows(
      `select attempt from conversation_turn where role = 'avatar' and output = 'audio'`,
    );
    expect(taken).toEqual([{ attempt }]);
  } finally {
    taking.mockRestore();
  }
  await worker.stop();
  workers.splice(0);
});

test('a worker that fetched a job while it was about to start it keeps it', async () => {
  await say();
  const { db } = t.app;
  const latch = Promise.withResolvers<void>();
  // As where the statement of the start waits for a connection of the pool.
  const lease = await open({
    ...db,
    async transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
      await latch.promise;
      return db.transaction(run);
    },
  });
  const [{ id: jobId }] = await db.rows<any>(`select id from pgboss.job where name = 'render' and state = 'created'`);
  const started = lease.start({ jobId, kind: 'render', attempt: 0 }, async () => {});
  const kept = await fetchRender(lease);
  expect(kept.jobId).toBe(jobId);
  latch.resolve();
  expect(await started).toBeUndefined();
  // Another one that is noted as this worker's and is not: as soon as it is requeued, so were those that its worker does not know.
  await say();
  const lost = await fetchRender();
  await db.rows(
    `insert into worker_job (job_id, attempt, worker, queue)
      select $1, 0, worker, queue from worker_job where job_id = $2`,
    [lost.jobId, jobId],
  );
  const stateOf = async (id: string) =>
    (await db.rows<any>('select state::text from pgboss.job where id = $1', [id]))[0]!.state;
  await until(async () => (await stateOf(lost.jobId)) !== 'active');
  expect(await stateOf(jobId)).toBe('active');
});

test('notes of attempts that ended are forgotten; an idle worker finds a job whose notification was lost', async () => {
  const { db } = t.app;
  await work();
  const id = await say();
  await heard(id);
  await until(async () => (await db.rows('select 1 from worker_job')).length === 0);
  const data = `insert into pgboss.job (name, data) values ('render', jsonb_build_object('id', $1::text)) returning id`;
  const [job] = await db.rows<{ id: string }>(data, [id]);
  await until(async () => {
    const [{ state }] = (await db.rows<any>('select state::text from pgboss.job where id = $1', [job!.id])) as [any];
    return state === 'completed';
  });
});

/** Workers of nothing but renders, one an account and a spare one, on the test's own queue. */
async function renderBy(render: JobHandler, db = t.app.db) {
  const work = { render: { atOnce: 1, run: render } } as Record<JobKind, JobWork>;
  const { boss, jobs, log } = t.app;
  const shared = { boss, jobs, log, tracer: undefined, outageMs: 0, kinds: ['render'] as const };
  return startWorkers({ ...shared, db, lease: await open(), work });
}

test('running work hears of a stop at once, also while the database does not answer', async () => {
  await say();
  const answered = Promise.withResolvers<void>();
  const { db } = t.app;
  let isAsked = false;
  let isRunning = false;
  let hasHeard = false;
  const unanswered = {
    ...db,
    async rows<T extends Row>(sql: string, values?: unknown[]): Promise<T[]> {
      if (isRunning && sql.includes('as "waiting"')) {
        isAsked = true;
        await answered.promise;
      }
      return db.rows<T>(sql, values);
    },
  };
  const workers = await renderBy(({ signal }) => {
    isRunning = true;
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        hasHeard = true;
        reject(signal.reason);
      }),
    );
  }, unanswered);
  await until(async () => isAsked);
  const stopped = workers.stop();
  try {
    await until(async () => hasHeard);
  } finally {
    answered.resolve();
    await stopped;
  }
});

test('a worker whose last fetch failed takes jobs again, also where no notification is left to come', async () => {
  await say();
  const { boss, jobs } = t.app;
  let hasFailed = false;
  const fetching = jest.spyOn(boss, 'fetch');
  const workers = await renderBy(async () => {
    // What found this job asks once more, for other accounts; its end looks for jobs that its account's full share left.
    await until(async () => fetching.mock.calls.length > 1);
    await Promise.all(fetching.mock.results.map(({ value }) => value));
    fetching.mockImplementationOnce(async () => {
      hasFailed = true;
      throw new Error('the connection was lost');
    });
  });
  try {
    await until(async () => hasFailed);
    const slot = await until(async () => jobs.reserve?.('render', ada.userId, { id: 'trn_none' }));
    slot.release();
  } finally {
    fetching.mockRestore();
    await workers.stop();
  }
});

test('a stopping worker uses up none of the attempts that errors have', async () => {
  const id = await say();
  for (let stops = 0; stops < 3; stops += 1) {
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const worker = await work({
      async *stream({ signal }) {
        begin();
        await new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
      },
    });
    await begun;
    await worker.stop();
    workers.splice(0);
  }
  let attempts = 0;
  await work({
    // biome-ignore lint/correctness/useYield: it fails before it could.
    async *stream() {
      attempts += 1;
      throw new Error('no sound today');
    },
  });
  await until(async () => {
    const [turn] = await t.app.db.rows<any>('select status from conversation_turn where id = $1', [id]);
    return turn.status === 'error';
  });
  expect(attempts).toBe(3);
});

test('what a killed attempt at a spoken turn stored is removed; what shows stays', async () => {
  const id = await say();
  const [{ conversationId }] = (await t.app.db.rows<any>(
    `update conversation_turn set attempt = 1 where id = $1 returning conversation_id as "conversationId"`,
    [id],
  )) as [any];
  const fileOf = (attempt: number) => `conversations/${conversationId}/turns/${id}-${attempt}.m4a`;
  await t.app.store.put(fileOf(1), new Uint8Array([1]), { contentType: 'audio/mp4' });
  await work();
  await heard(id);
  expect(await t.app.store.exists(fileOf(1))).toBe(false);
  expect(await t.app.store.exists(fileOf(2))).toBe(true);
});

test('an ended job is removed two hours after its end, within minutes; one that failed for good stays', async () => {
  const { db, boss } = t.app;
  const ids = [await say(), await say(), await say()];
  const end = (id: string, state: string, hoursAgo: number) =>
    db.rows(
      `update pgboss.job set state = $2::pgboss.job_state, completed_on = now() - make_interval(hours => $3)
       where data->>'id' = $1`,
      [id, state, hoursAgo],
    );
  await end(ids[0]!, 'completed', 3);
  await end(ids[1]!, 'completed', 1);
  await end(ids[2]!, 'failed', 3);
  await db.rows(`update pgboss.job set deletion_seconds = 1209600 where state = 'failed'`);
  // Six minutes ago a worker has looked.
  await db.rows(`update pgboss.queue set maintain_on = now() - interval '6 minutes'`);
  await boss.supervise();
  const left = await db.rows<{ id: string }>(`select data->>'id' as id from pgboss.job where name = 'render'`);
  expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
});

test('whose job a piece of work is, which jobs run, and how many there are, are found by index among many that ended', async () => {
  const { db } = t.app;
  // Some have ids as those of releases before, others one of each partition; a partition without any is read whole.
  await db.rows(`insert into pgboss.job (id, name, data, state, started_on, completed_on)
    select overlay(gen_random_uuid()::text placing case when g % 2 = 0 then 'ffffffff-0' || g / 2 % 9 else '0' end from 1)::uuid,
      'render', jsonb_build_object('id', 'trn_' || g), 'completed', now(), now() from generate_series(1, 40000) g`);
  await db.rows('analyze pgboss.job');
  const plan = async (where: string) =>
    (await db.rows<any>(`explain select 1 from pgboss.job j where ${where}`))
      .map((row) => row['QUERY PLAN'])
      .join('\n');
  expect(await plan(`j.data->>'id' = 'trn_7'`)).not.toContain('Seq Scan');
  expect(await plan(`j.state = 'active'`)).not.toContain('Seq Scan');
  const counted = await db.rows<any>(`explain ${jobCounts.filled({}).sql}`);
  expect(counted.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Seq Scan');
});

test('operators who retry at once retry each job once, also where no worker can be notified', async () => {
  const ids = [await say(), await say(), await say()];
  await t.app.db.rows(`update pgboss.job set state = 'failed', completed_on = now() where name = 'render'`);
  const notify = jest.spyOn(t.app.db, 'notify').mockRejectedValue(new Error('The broker is away.'));
  const jobs = operatorJobs(t.app.db);
  const [one, other] = await Promise.all([jobs.retry(null), jobs.retry(null)]);
  expect(one + other).toBe(3);
  expect(notify.mock.calls).toEqual(Array(3).fill([[{ channel: 'avatar_job', payload: 'render' }]]));
  notify.mockRestore();
  await work();
  for (const id of ids) await heard(id);
});
