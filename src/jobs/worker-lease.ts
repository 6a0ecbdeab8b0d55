/**
 * Gives a dead worker's jobs back in about a second, wherever it died. Each worker holds a session advisory lock, and
 * the statement that fetches a job notes whose it is; a sweeper requeues every active job whose worker's lock is gone.
 * The lock proves a connection, not progress: a worker also says every few seconds that it goes on, and one that has been
 * frozen is taken for dead too. A note stays until its attempt has ended, so no moment is left in which a killed worker's job waits for its expiry. Its
 * connection also listens for new jobs.
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
/** Who has said nothing for so long is frozen: its jobs go to others, and what it still makes of them is refused. */
const SILENT_MS = 30_000;
/** How long the queue may take to write that a job ended; after that the database was away when the end was sent. */
const END_WRITTEN_AFTER_MS = 2_000;

/** The advisory lock that says this worker is alive. */
export interface WorkerLease {
  /** The connection to fetch jobs by: what is fetched is noted as this worker's by the same statement. */
  readonly fetching: { executeSql(sql: string, values?: unknown[]): Promise<{ rows: Fetched[] }> };
  /** Makes a job that the transaction enqueues this worker's, active from the start: no other worker fetches it. */
  claim(tx: Pick<Tx, 'send' | 'afterFailure'>, jobAttempt: JobAttempt): void;
  /**
   * Starts a job that was just enqueued, if no other worker has it, and takes its work in the same transaction. Undefined where
   * one has it. `take` sends its statements at once, without waiting; they look at the setting of `startQueued`.
   * @param begin called when both have answered, before the commit: it may begin what leaves no trace, and add to the transaction
   */
  start<T>(
    jobAttempt: JobAttempt,
    take: (tx: Tx) => Promise<T>,
    begin?: (tx: Tx, job: StartedJob, taken: T) => Promise<void>,
  ): Promise<{ job: StartedJob; taken: T } | undefined>;
  /** Says that this worker is done with the attempt; the note goes when the queue has written its end. */
  drop(jobAttempt: JobAttempt): void;
  /** Calls back with what was enqueued; without when some may have been missed. */
  onWake(listener: WakeListener): () => void;
  close(): Promise<void>;
}

type WakeListener = (job?: EnqueuedJob) => void;

/** What a worker knows of the attempts that are noted as its own. */
interface ClaimedAttempts {
  /** It has them, or had them a moment ago. */
  mine: Set<string>;
  /** It is starting them, unless they have gone to another worker, or by a fetch to this one, meanwhile. */
  starting: Set<string>;
  /** The last sweep found them, and they were not here: on their way from the database, or lost. */
  missing: Set<string>;
}

interface Fetched extends Row {
  id: string;
  retryCount: number;
}

/** The fetch $sql of pg-boss, which also notes what it fetched as the attempts of one worker. */
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
  /** Which notifies of new jobs instead of PostgreSQL. */
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
    // By itself: a sweep may wait for a connection of the pool.
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
      // Before what starts it is committed, or a sweep would find an attempt that this worker does not know.
      claimed.mine.add(keyOf(jobAttempt));
      // It may have been committed all the same; then the sweep finds it.
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
        // Where it is unknown whether it was committed the sweep finds it.
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
   * Takes the lock on a connection of its own, again and again until it has it; one attempt at a time. What it was held by before is
   * dropped only then: were that only slow, all that this worker runs would be given to others.
   */
  take(): Promise<void> {
    this.#taking ??= this.#takeAtLast().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /** Resolves once it is held: without it other workers take this one for dead. */
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

/** This worker's own signs of life, on the connection of its lease: a pool that is full keeps none of them back. */
class Heartbeats {
  readonly #client: () => pg.Client | undefined;
  readonly #worker: number;
  readonly #onSilence: () => void;
  #lastMs = performance.now();
  /** Since when heartbeats came without a gap. */
  #steadySinceMs = this.#lastMs;
  #isUnderWay = false;

  /**
   * @param client undefined while the worker has no lease
   * @param onSilence called where the connection gave no answer: it may be dead for minutes before TCP says so, while PostgreSQL has
   * let go of the lock and other workers are given what this one takes
   */
  constructor(client: () => pg.Client | undefined, worker: number, onSilence: () => void) {
    this.#client = client;
    this.#worker = worker;
    this.#onSilence = onSilence;
  }

  /** Says that this worker goes on, when it is time to and it is not just saying so. */
  async round(): Promise<void> {
    const client = this.#client();
    if (!client || this.#isUnderWay || performance.now() - this.#lastMs < BEAT_MS) return;
    this.#isUnderWay = true;
    const { sql: text, values } = recordHeartbeat.filled({ worker: this.#worker });
    const query: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: BEAT_MS };
    try {
      await client.query(query);
    } catch (error) {
      // What PostgreSQL refuses it has answered.
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
   * Whether others may be taken for silent: not by one that was frozen itself, nor behind a database that was, where
   * every worker's last sign is old.
   */
  isSteady(): boolean {
    const nowMs = performance.now();
    return nowMs - this.#lastMs < 2 * BEAT_MS && nowMs - this.#steadySinceMs > SILENT_MS;
  }
}

/**
 * Requeues the active attempts that no worker runs: noted by none; noted by this worker, which has not had them twice
 * running; by one whose lock is gone, or who is silent. Then forgets the notes of attempts that have ended. Several workers may do so at
 * once.
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
      // One whose row is locked, or refused, keeps no other from being requeued.
      log.warn({ err: error, kind, jobId, attempt }, 'job not requeued');
    }
  }
  await deleteEndedAttempts(db, { worker: who.worker });
  return lost.length > 0;
}
