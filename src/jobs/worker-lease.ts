/**
 * Requeues a dead worker's jobs in about a second. Each worker holds a session advisory lock, and the statement that fetches a
 * job records in `worker_job` which worker has it; a sweeper requeues every active job whose worker's lock is gone. The lock proves
 * a connection, not progress, so a worker also sends a heartbeat every few seconds, and a frozen one counts as dead. The record stays
 * until its attempt has ended, so that a killed worker's job never waits for its expiry. The lock's connection also listens for new jobs.
 */
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Broker } from '../events/broker.ts';
import type { Database, Row, Tx } from '../kernel/database.ts';
import { JOB_KINDS, type JobKind } from '../kernel/job-kinds.ts';
import { sent } from '../kernel/prepared.ts';
import { SessionClient } from '../kernel/session-client.ts';
import { holdKinds, holdLock, LOCK_CLASSES } from '../kernel/session-locks.ts';
import {
  deleteEndedAttempts,
  NOW_MS,
  recordHeartbeat,
  requeueLost,
  type StartedJob,
  startJob,
  startQueued,
  unconfirmedAttempts,
} from './job.queries.ts';
import { type EnqueuedJob, readWake, WAKE } from './queue.ts';
import type { JobAttempt } from './retry-policy.ts';

const SWEEP_MS = 500;
const RELOCK_MS = 200;
const BEAT_MS = 5_000;
/** A worker without a heartbeat for so long is frozen: its jobs go to others, and its own results of them are refused. */
const SILENT_MS = 30_000;
/** How long the queue may take to record that a job ended; what takes longer was lost in an outage of the database. */
const END_WRITTEN_AFTER_MS = 2_000;

/** The advisory lock that says this worker is alive. */
export interface WorkerLease {
  /** Fetches jobs: the statement that fetches them also records them as this worker's. */
  readonly fetching: { executeSql(sql: string, values?: unknown[]): Promise<{ rows: Fetched[] }> };
  /** Claims a job that the transaction enqueues: it is active from the start, and no other worker fetches it. */
  claim(tx: Pick<Tx, 'send' | 'afterFailure'>, jobAttempt: JobAttempt): void;
  /**
   * Starts a job that was just enqueued, and claims its work in the same transaction. Undefined where another worker has it.
   * `take` sends its statements without waiting; they check the setting that `startQueued` makes.
   * @param begin called when both have answered, before the commit: it may start work that leaves no trace, and add to the transaction
   */
  start<T>(
    jobAttempt: JobAttempt,
    take: (tx: Tx) => Promise<T>,
    begin?: (tx: Tx, job: StartedJob, taken: T) => Promise<void>,
  ): Promise<{ job: StartedJob; taken: T } | undefined>;
  /** This worker is done with the attempt; its record goes once the queue has recorded the job's end. */
  drop(jobAttempt: JobAttempt): void;
  /** Calls back with each job that was enqueued, and without one when notifications may have been missed. */
  onWake(listener: WakeListener): () => void;
  close(): Promise<void>;
}

type WakeListener = (job?: EnqueuedJob) => void;

/** What a worker knows of the attempts that the database records as its own. */
interface ClaimedAttempts {
  /** It runs them, or did a moment ago. */
  mine: Set<string>;
  /** It is starting them; another worker, or a fetch of this one, may have been faster. */
  starting: Set<string>;
  /** The last sweep found them recorded, but this worker did not know them: still on their way from the database, or lost. */
  missing: Set<string>;
}

interface Fetched extends Row {
  id: string;
  retryCount: number;
}

/** pg-boss's fetching statement, extended so that it records what it fetched as the attempts of one worker. */
const claiming = (sql: string, worker: number): string => `with fetched as (${sql}),
  noted as (insert into worker_job (job_id, attempt, queue, worker, beat_at)
    select id, "retryCount", name, ${worker}, ${NOW_MS} from fetched
    on conflict (job_id, attempt) do update set worker = excluded.worker, beat_at = excluded.beat_at)
  select * from fetched`;

const keyOf = ({ jobId, attempt }: Pick<JobAttempt, 'jobId' | 'attempt'>): string => `${jobId}:${attempt}`;

/** What a lease is held by. */
export interface LeaseOptions {
  db: Database;
  /** Address of PostgreSQL for sessions: the lock belongs to one. */
  url: string;
  /** Kinds of job that the worker takes: readiness asks whether some worker takes each. */
  kinds: readonly JobKind[];
  log: Logger;
  /** Carries the notifications of new jobs instead of PostgreSQL. */
  broker?: Broker | undefined;
}

/** Takes the lock; resolves when it is held. */
export async function openWorkerLease({ db, url, kinds, log, broker }: LeaseOptions): Promise<WorkerLease> {
  const worker = randomInt(1, 2_147_483_647);
  const wakeListeners = new Set<WakeListener>();
  const wake: WakeListener = (job) => {
    for (const listener of wakeListeners) listener(job);
  };
  const lock = new WorkerLock({ url, worker, kinds, listens: !broker, wake });
  const heartbeats = new Heartbeats(
    () => lock.client,
    worker,
    () => void lock.take(),
  );
  const claimed: ClaimedAttempts = { mine: new Set(), starting: new Set(), missing: new Set() };
  await lock.take();
  const stopHearing = [
    broker?.on((channel, payload) => channel === WAKE && wake(readWake(payload))),
    broker?.onReconnect(() => wake()),
  ];
  const failed = (error: unknown): void => void log.debug({ err: error }, 'lease sweep failed');
  let sweeping: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    // Not after the sweep, which may wait for a connection of the pool.
    void heartbeats.round().catch(failed);
    sweeping ??= sweep(db, log, { worker, silentMs: heartbeats.isSteady() ? SILENT_MS : null }, claimed)
      .then((hasGiven) => hasGiven && wake())
      .catch(failed)
      .finally(() => {
        sweeping = undefined;
      });
  }, SWEEP_MS);
  return {
    fetching: {
      async executeSql(sql, values) {
        await lock.held();
        const rows = await db.rows<Fetched>(claiming(sql, worker), values);
        for (const { id, retryCount } of rows) claimed.mine.add(keyOf({ jobId: id, attempt: retryCount }));
        return { rows };
      },
    },
    claim(tx, jobAttempt) {
      // Before the commit, or a sweep would find an attempt that this worker does not know.
      claimed.mine.add(keyOf(jobAttempt));
      // If it was committed after all, the sweep finds it.
      tx.afterFailure(() => claimed.mine.delete(keyOf(jobAttempt)));
      void startJob(sent(tx), { ...jobAttempt, worker });
    },
    async start(jobAttempt, take, begin) {
      await lock.held();
      claimed.starting.add(keyOf(jobAttempt));
      try {
        const started = await db.transaction(async (tx) => {
          const [[job], taken] = await Promise.all([startQueued(tx, { ...jobAttempt, worker }), take(tx)]);
          if (job) await begin?.(tx, job, taken);
          return job && { job, taken };
        });
        if (started) claimed.mine.add(keyOf(jobAttempt));
        return started;
      } finally {
        // If it is unknown whether it was committed, the sweep finds it.
        claimed.starting.delete(keyOf(jobAttempt));
      }
    },
    drop(jobAttempt) {
      setTimeout(() => claimed.mine.delete(keyOf(jobAttempt)), END_WRITTEN_AFTER_MS).unref();
    },
    onWake(listener) {
      wakeListeners.add(listener);
      return () => void wakeListeners.delete(listener);
    },
    async close() {
      lock.stop();
      for (const stop of stopHearing) stop?.();
      clearInterval(timer);
      await sweeping;
      await lock.release();
    },
  };
}

interface LockOptions extends Pick<LeaseOptions, 'url' | 'kinds'> {
  worker: number;
  /** Whether PostgreSQL notifies of new jobs. */
  listens: boolean;
  wake: WakeListener;
}

/** The lock, and the connection that holds it and listens. */
class WorkerLock {
  readonly #options: LockOptions;
  #client: SessionClient | undefined;
  #taking: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: LockOptions) {
    this.#options = options;
  }

  /** Undefined while this worker has no lock. */
  get client(): SessionClient | undefined {
    return this.#client;
  }

  /**
   * Takes the lock on a new connection, trying again until it has it; one attempt at a time. The connection that held it before is
   * dropped only then: if that one is merely slow, dropping it first would hand this worker's jobs to others.
   */
  take(): Promise<void> {
    this.#taking ??= this.#takeAtLast().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /** Resolves once the lock is held: without it other workers take this one for dead. */
  async held(): Promise<void> {
    while (!this.#client && !this.#isStopped) await this.take();
  }

  /** Takes it no more. */
  stop(): void {
    this.#isStopped = true;
  }

  async release(): Promise<void> {
    await this.#client?.end().catch(() => {});
  }

  async #takeAtLast(): Promise<void> {
    while (!this.#isStopped) {
      const next = new SessionClient({ url: this.#options.url, waitMs: BEAT_MS });
      try {
        await this.#takeOn(next);
        return;
      } catch {
        next.drop();
        await new Promise((resolve) => setTimeout(resolve, RELOCK_MS));
      }
    }
  }

  async #takeOn(next: SessionClient): Promise<void> {
    const { worker, kinds, listens, wake } = this.#options;
    await next.connect();
    await holdLock(next, LOCK_CLASSES.worker, worker);
    await holdKinds(
      next,
      kinds.map((kind) => JOB_KINDS.indexOf(kind)),
    );
    next.on('notification', ({ payload }) => wake(readWake(payload ?? '')));
    if (listens) await next.query(`listen ${WAKE}`);
    if (this.#isStopped) throw new Error('Closed while it connected.');
    next.once('end', () => {
      if (this.#client !== next) return;
      this.#client = undefined;
      if (!this.#isStopped) void this.take();
    });
    const before = this.#client;
    this.#client = next;
    before?.drop();
    wake();
  }
}

/** This worker's heartbeats, sent on the lease's own connection, so that a full pool delays none. */
class Heartbeats {
  readonly #client: () => pg.Client | undefined;
  readonly #worker: number;
  readonly #onSilence: () => void;
  #lastMs = performance.now();
  /** Since when heartbeats were sent without a gap. */
  #steadySinceMs = this.#lastMs;
  #isUnderWay = false;

  /**
   * @param client undefined while the worker has no lease
   * @param onSilence called when the connection gave no answer: it may be dead for minutes before TCP reports that, while PostgreSQL
   * has released the lock and other workers are given this one's jobs
   */
  constructor(client: () => pg.Client | undefined, worker: number, onSilence: () => void) {
    this.#client = client;
    this.#worker = worker;
    this.#onSilence = onSilence;
  }

  /** Sends a heartbeat when one is due and none is under way. */
  async round(): Promise<void> {
    const client = this.#client();
    if (!client || this.#isUnderWay || performance.now() - this.#lastMs < BEAT_MS) return;
    this.#isUnderWay = true;
    const { sql: text, values } = recordHeartbeat.filled({ worker: this.#worker });
    const query: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: BEAT_MS };
    try {
      await client.query(query);
    } catch (error) {
      // An error with a code is an answer of PostgreSQL.
      if ((error as pg.DatabaseError).code === undefined) this.#onSilence();
      throw error;
    } finally {
      this.#isUnderWay = false;
    }
    const nowMs = performance.now();
    if (nowMs - this.#lastMs > 3 * BEAT_MS) this.#steadySinceMs = nowMs;
    this.#lastMs = nowMs;
  }

  /**
   * Whether this worker may take others for frozen: not when it was frozen itself, nor when the database was, because then every
   * worker's last heartbeat is old.
   */
  isSteady(): boolean {
    const nowMs = performance.now();
    return nowMs - this.#lastMs < 2 * BEAT_MS && nowMs - this.#steadySinceMs > SILENT_MS;
  }
}

/**
 * Requeues the active attempts that no worker runs: those recorded for no worker; for a worker whose lock is gone or that sends no
 * heartbeats; and for this worker, where two sweeps in a row found that it does not know them. Then deletes the records of
 * attempts that have ended. Several workers may do so at once.
 */
async function sweep(
  db: Database,
  log: Logger,
  who: { worker: number; silentMs: number | null },
  { mine, starting, missing }: ClaimedAttempts,
): Promise<boolean> {
  const doubtful = await unconfirmedAttempts(db, who);
  const isUnknown = (key: string): boolean => !mine.has(key) && !starting.has(key);
  const unknown = new Set(
    doubtful
      .filter(({ isMine }) => isMine)
      .map(keyOf)
      .filter(isUnknown),
  );
  const lost = doubtful.filter(
    (jobAttempt) => !jobAttempt.isMine || (unknown.has(keyOf(jobAttempt)) && missing.has(keyOf(jobAttempt))),
  );
  missing.clear();
  for (const key of unknown) missing.add(key);
  for (const { kind, jobId, attempt } of lost) {
    try {
      const given = await requeueLost(db, { kind, jobId, attempt });
      if (given[0]) log.warn({ kind, jobId, attempt, ...given[0] }, 'job requeued');
    } catch (error) {
      // The others are requeued all the same.
      log.warn({ err: error, kind, jobId, attempt }, 'job not requeued');
    }
  }
  await deleteEndedAttempts(db, { worker: who.worker });
  return lost.length > 0;
}
