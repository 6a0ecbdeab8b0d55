/**
 * Jobs of pg-boss: starting, ending and requeueing them, and which worker has which. By statements, not the ORM, which has no
 * entities of that library's tables. Some run for every job that is started or ends, the others twice a second in every worker
 * (what is due, taken, costs 7.0 times as much as entities: docs/decisions/0002).
 */
import { type Generated, type NotNull, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../schema/entities/tables.ts';
import { type JobKind, STARTED_JOB_SETTING } from '../kernel/job-kinds.ts';
import { type Prepared, preparedOver, unnest } from '../kernel/prepared.ts';
import { LOCK_CLASSES } from '../kernel/session-locks.ts';
import type { JobOrigin } from '../kernel/work-account.ts';
import { rangeOf } from './job-slots.ts';

type State = 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';

/** The data of a job: the id of its work, and the request that asked for it. */
export interface JobData extends JobOrigin {
  id: string;
}

/** What is read and written here of pg-boss's jobs. */
interface BossJob {
  id: string;
  name: JobKind;
  state: Generated<State>;
  /** The job waits for another job. None of ours does, and the index of waiting jobs leaves such jobs out. */
  blocked: Generated<boolean>;
  output: Generated<unknown>;
  retry_count: Generated<number>;
  retry_limit: number;
  started_on: Generated<Date | null>;
  priority: number;
  created_on: Generated<Date>;
  start_after: Generated<Date>;
  completed_on: Generated<Date | null>;
  heartbeat_on: Generated<Date | null>;
  expire_seconds: number;
  deletion_seconds: number;
  policy: string;
  group_id: string | null;
  data: JobData;
}

const prepared = preparedOver<Tables & { 'pgboss.job': BossJob }>();

/** Seconds after a start of PostgreSQL in which no worker is taken for dead: the living must lock again first. */
const AFTER_START_S = 5;

/** Ids from one to before another, in the text of a statement. */
interface Ids {
  from: RawBuilder<string>;
  to: RawBuilder<string>;
}

/**
 * A statement for one job, with one text for each slot: the slot's ids are literals in it, so that its cached plan reads and
 * locks one partition.
 */
function ofSlot<Values extends { jobId: string }, Result>(
  make: (ids: Ids) => Prepared<Values, Result>,
): (...args: Parameters<Prepared<Values, Result>>) => Promise<Result[]> {
  const made = new Map<object, Prepared<Values, Result>>();
  return (on, values) => {
    const range = rangeOf(values.jobId);
    const statement = made.get(range) ?? make({ from: sql.lit(range.from), to: sql.lit(range.to) });
    made.set(range, statement);
    return statement(on, values);
  };
}

/** A literal, not a parameter: only so can a cached plan use the partial index on active jobs. */
const ACTIVE = sql.lit<State>('active');
const FAILED = sql.lit<State>('failed');

interface Attempt {
  kind: JobKind;
  jobId: string;
  attempt: number;
}

/** The database's clock, epoch ms: workers are on machines whose clocks differ. */
export const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** The columns of `worker_job`, which records which worker has which job. */
const NOTE = ['job_id', 'attempt', 'queue', 'worker', 'beat_at'] as const;
/** Their values, after the job's id. */
const noteOf = (given: Attempt & { worker: number }) =>
  [
    sql<number>`${given.attempt}::int`.as('attempt'),
    sql<string>`${given.kind}::text`.as('queue'),
    sql<number>`${given.worker}::bigint`.as('worker'),
    sql<number>`${sql.raw(NOW_MS)}`.as('beat_at'),
  ] as const;

/**
 * Which of the kinds have a waiting job that may begin now. One index probe for each, however many jobs wait; a job that another
 * worker is just taking counts.
 */
export const waitingKinds = prepared((tables, given: { kinds: readonly JobKind[] }) =>
  tables
    .selectFrom(unnest<{ kind: JobKind }, 'k'>('k', { kind: ['text', given.kinds] }))
    .crossJoinLateral((lateral) =>
      lateral
        .selectFrom('pgboss.job as j')
        .select('j.id')
        .whereRef('j.name', '=', 'k.kind')
        .where('j.state', '<', ACTIVE)
        .where('j.blocked', '=', sql.lit(false))
        .where('j.start_after', '<=', sql<Date>`now()`)
        // The order of pg-boss's index of waiting jobs: without it a long queue is read as a whole.
        .orderBy('j.priority', 'desc')
        .orderBy('j.created_on')
        .limit(sql.lit(1))
        .as('waiting'),
    )
    .select('k.kind'),
);

/** A job as it is enqueued. */
interface NewBossJob extends Pick<BossJob, 'id' | 'data' | 'priority'> {
  kind: JobKind;
  account: string;
  retryLimit: number;
  expireS: number;
  deletionS: number;
}

/** Enqueues a job, which may begin at once. */
export const insertJob = prepared((tables, given: NewBossJob) =>
  tables.insertInto('pgboss.job').values({
    ...{ id: given.id, name: given.kind, data: given.data, priority: given.priority, group_id: given.account },
    ...{ retry_limit: given.retryLimit, expire_seconds: given.expireS, deletion_seconds: given.deletionS },
    policy: sql.lit('standard'),
  }),
);

/** Makes a job that was just enqueued active, and records its worker as a fetch does. */
export const startJob = ofSlot(({ from, to }) =>
  prepared((tables, given: Attempt & { worker: number }) =>
    tables
      .with('started', (inner) =>
        inner
          .updateTable('pgboss.job')
          .set({ state: ACTIVE, started_on: sql`now()` })
          .where('name', '=', given.kind)
          .where('id', '=', given.jobId)
          .where('id', '>=', from)
          .where('id', '<', to)
          .returning('id'),
      )
      .insertInto('worker_job')
      .columns(NOTE)
      .expression((eb) => eb.selectFrom('started').select(['started.id', ...noteOf(given)])),
  ),
);

/**
 * Makes a queued job active as a worker's own, if no other worker has it: `startedJob` of the same transaction is then this one.
 * No row where one has it.
 */
export const startQueued = ofSlot(({ from, to }) =>
  prepared((tables, given: Attempt & { worker: number }) =>
    tables
      .with('queued', (inner) =>
        inner
          .selectFrom('pgboss.job')
          .select('id')
          .where('name', '=', given.kind)
          .where('id', '=', given.jobId)
          .where('id', '>=', from)
          .where('id', '<', to)
          .where('state', '=', sql.lit<State>('created'))
          .where('start_after', '<=', sql<Date>`now()`)
          .forUpdate()
          .skipLocked(),
      )
      .with('started', (inner) =>
        inner
          .updateTable('pgboss.job as j')
          .from('queued')
          .set({ state: ACTIVE, started_on: sql`now()` })
          .where('j.name', '=', given.kind)
          .whereRef('j.id', '=', 'queued.id')
          .where('j.id', '>=', from)
          .where('j.id', '<', to)
          .returning(['j.id', 'j.data', 'j.group_id', 'j.created_on', 'j.start_after', 'j.started_on']),
      )
      .with('noted', (inner) =>
        inner
          .insertInto('worker_job')
          .columns(NOTE)
          .expression((eb) => eb.selectFrom('started').select(['started.id', ...noteOf(given)])),
      )
      .selectFrom('started')
      .select(['data', 'group_id as groupId', 'created_on as createdOn', 'start_after as startAfter'])
      .select([
        'started_on as startedOn',
        sql`set_config(${sql.lit(STARTED_JOB_SETTING)}, id::text, true)`.as('startedJob'),
      ])
      .$narrowType<{ startedOn: NotNull }>(),
  ),
);

/** A job that `startQueued` has started. */
export type StartedJob = Awaited<ReturnType<typeof startQueued>>[number];

/** Ends an attempt in success; nothing where it has ended. */
export const completeJob = ofSlot(({ from, to }) =>
  prepared((tables, given: Attempt) =>
    tables
      .updateTable('pgboss.job')
      .set({ state: sql<State>`'completed'::pgboss.job_state`, completed_on: sql`now()`, output: null })
      .where('name', '=', given.kind)
      .where('id', '=', given.jobId)
      .where('id', '>=', from)
      .where('id', '<', to)
      .where('retry_count', '=', given.attempt)
      .where('state', '=', ACTIVE),
  ),
);

/** True when the worker of `worker_job w` no longer holds its lock. */
const LOCK_IS_GONE = sql<boolean>`not exists (select 1 from pg_locks l where l.locktype = 'advisory'
  and l.classid = ${sql.lit(LOCK_CLASSES.worker)} and l.objid = w.worker
  and l.database = (select oid from pg_database where datname = current_database()))`;

/** Records a heartbeat for all jobs of a worker. */
export const recordHeartbeat = prepared((tables, given: { worker: number }) =>
  tables
    .updateTable('worker_job')
    .set({ beat_at: sql<number>`${sql.raw(NOW_MS)}` })
    .where('worker', '=', given.worker),
);

/**
 * Active attempts of no recorded worker, of this worker, of one whose lock is gone, or of one without a heartbeat for `silentMs`
 * (null: heartbeats do not count).
 */
export const unconfirmedAttempts = prepared((tables, given: { worker: number; silentMs: number | null }) =>
  tables
    .selectFrom('pgboss.job as j')
    .leftJoin('worker_job as w', (join) => join.onRef('w.job_id', '=', 'j.id').onRef('w.attempt', '=', 'j.retry_count'))
    .select(['j.name as kind', 'j.id as jobId', 'j.retry_count as attempt'])
    .select(sql<boolean | null>`w.worker = ${given.worker}`.as('isMine'))
    .where('j.state', '=', ACTIVE)
    .where(
      sql<boolean>`pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => ${sql.lit(AFTER_START_S)})`,
    )
    .where(({ or, eb }) =>
      or([
        eb('w.worker', 'is', null),
        eb('w.worker', '=', given.worker),
        LOCK_IS_GONE,
        sql<boolean>`w.beat_at < ${sql.raw(NOW_MS)} - ${given.silentMs}::bigint`,
      ]),
    ),
);

/** How long a job that failed for good is listed, and may be retried. */
const KEEP_FAILED_S = 14 * 24 * 60 * 60;

/** The changes of a job whose attempt did not end it: it waits for another attempt, or has failed where none is left. */
const requeuedBut = (more: RawBuilder<unknown>) => {
  const isLeft = sql`retry_count < retry_limit + ${more}`;
  return {
    state: sql<State>`(case when ${isLeft} then 'retry' else 'failed' end)::pgboss.job_state`,
    retry_limit: sql<number>`retry_limit + ${more}`,
    completed_on: sql<Date | null>`case when ${isLeft} then null else now() end`,
    // A failed job stays for operators to look at.
    deletion_seconds: sql<number>`case when ${isLeft} then deletion_seconds else ${sql.lit(KEEP_FAILED_S)} end`,
    heartbeat_on: null,
  };
};

/** Requeues an attempt whose worker is gone; no row where it has ended. */
export const requeueLost = prepared((tables, given: Attempt) =>
  tables
    .updateTable('pgboss.job')
    .set({ ...requeuedBut(sql.lit(0)), start_after: sql`now()` })
    .where('name', '=', given.kind)
    .where('id', '=', given.jobId)
    .where('retry_count', '=', given.attempt)
    .where('state', '=', ACTIVE)
    .returning(sql<State>`state::text`.as('state')),
);

interface Requeued extends Attempt {
  waitS: number;
  /** Attempts that the job gets beside those of its queue. */
  more: number;
  errors: number;
  outages: number;
  awaySinceMs: number;
  awayUntilMs: number;
}

/** Requeues an attempt in `waitS` seconds; no row where it has ended. */
export const requeueAttempt = prepared((tables, given: Requeued) =>
  tables
    .updateTable('pgboss.job')
    .set({
      ...requeuedBut(sql`${given.more}::int`),
      start_after: sql`now() + make_interval(secs => ${given.waitS})`,
      output: sql`jsonb_build_object('errors', ${given.errors}::int, 'outages', ${given.outages}::int,
        'awaySinceMs', ${given.awaySinceMs}::bigint, 'awayUntilMs', ${given.awayUntilMs}::bigint)`,
    })
    .where('name', '=', given.kind)
    .where('id', '=', given.jobId)
    .where('retry_count', '=', given.attempt)
    .where('state', '=', ACTIVE)
    .returning(sql<State>`state::text`.as('state')),
);

/**
 * How many jobs of each kind wait, run and have failed for good, and for how many seconds the oldest has waited since it could
 * begin. Each part reads the partial index of its state: there may be a million that have ended.
 */
export const jobCounts = prepared((tables, _given: object) => {
  const parts = [
    sql<boolean>`j.state < ${ACTIVE} and not j.blocked`,
    sql<boolean>`j.state = ${ACTIVE}`,
    sql<boolean>`j.state = ${FAILED}`,
  ].map((part) =>
    tables
      .selectFrom('pgboss.job as j')
      .where(part)
      .select(({ fn }) => ['j.name as kind', sql<State>`j.state::text`.as('state'), fn.countAll<string>().as('count')])
      .select(
        sql<number>`max(extract(epoch from clock_timestamp() - greatest(j.created_on, j.start_after)))::float8`.as(
          'oldestS',
        ),
      )
      .groupBy(['j.name', 'j.state']),
  );
  return parts.reduce((all, part) => all.unionAll(part));
});

/** Jobs that failed for good, the newest first. */
export const failedJobs = prepared((tables, given: { limit: number }) =>
  tables
    .selectFrom('pgboss.job')
    .select(['id', 'name as kind', 'group_id as account', 'retry_count as retries', 'output'])
    .select([sql<string>`data->>'id'`.as('work'), sql<string>`date_trunc('second', completed_on)::text`.as('failedAt')])
    .where('state', '=', FAILED)
    .orderBy('completed_on', 'desc')
    .limit(given.limit),
);

/**
 * Gives a job that failed for good `more` attempts; no row where there is none, or where another job does its work by now.
 * Its work is fenced like any other attempt's: what has ended meanwhile is neither done nor charged again.
 */
export const retryFailed = prepared((tables, given: { jobId: string; more: number }) =>
  tables
    .updateTable('pgboss.job as j')
    .set({
      state: sql<State>`'retry'::pgboss.job_state`,
      retry_limit: sql<number>`j.retry_count + ${given.more}::int`,
      start_after: sql`now()`,
      completed_on: null,
      output: null,
    })
    .where(sql<boolean>`j.id::text = ${given.jobId}`)
    .where('j.state', '=', FAILED)
    .where(
      sql<boolean>`not exists (select 1 from pgboss.job o where o.data->>'id' = j.data->>'id' and o.name = j.name
        and o.state < 'completed')`,
    )
    .returning('j.name as kind'),
);

/** Forgets the notes of attempts that have ended: this worker's, and those of workers that are gone. */
export const deleteEndedAttempts = prepared((tables, given: { worker: number }) =>
  tables
    .deleteFrom('worker_job as w')
    .where(({ or, eb }) => or([eb('w.worker', '=', given.worker), LOCK_IS_GONE]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pgboss.job as j')
            .select('j.id')
            .whereRef('j.name', '=', sql`w.queue`)
            .whereRef('j.id', '=', 'w.job_id')
            .whereRef('j.retry_count', '=', 'w.attempt')
            .where('j.state', '=', ACTIVE),
        ),
      ),
    ),
);
