/**
 * Gives a dead worker's jobs back in about a second. Each worker holds a session advisory lock, and notes which jobs it
 * has; a sweeper fails the jobs whose worker's lock is gone, which pg-boss then retries. Without it a killed worker's
 * job would wait for its expiry of minutes.
 */
import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../kernel/database.ts';

/** First half of the advisory lock's key; the second is the worker's number. */
const LOCK_CLASS = 4_020;
const SWEEP_MS = 500;
const RELOCK_MS = 200;
/** After PostgreSQL restarts every lock is gone for a moment: the living must lock again before the dead are counted. */
const AFTER_START_S = 5;

export interface Lifeline {
  /** Notes that this worker has the job, and resolves once it holds its lock. */
  take(jobId: string, queue: string): Promise<void>;
  drop(jobId: string): Promise<void>;
  close(): Promise<void>;
}

export async function openLifeline(options: {
  db: Database;
  url: string;
  boss: PgBoss;
  log: Logger;
}): Promise<Lifeline> {
  const { db, url, boss, log } = options;
  const worker = randomInt(1, 2_147_483_647);
  let closed = false;
  let client: pg.Client | undefined;
  let locking: Promise<void> | undefined;
  /** Jobs that this worker has. */
  const mine = new Set<string>();

  /** Takes the lock on a connection of its own, again and again until it has it; one attempt at a time. */
  function lock(): Promise<void> {
    locking ??= (async () => {
      while (!closed) {
        const next = new pg.Client({ connectionString: url, keepAlive: true });
        next.on('error', () => {});
        try {
          await next.connect();
          await next.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, worker]);
          next.once('end', () => {
            if (client === next) client = undefined;
            if (!closed) void lock();
          });
          client = next;
          return;
        } catch {
          await next.end().catch(() => {});
          await new Promise((resolve) => setTimeout(resolve, RELOCK_MS));
        }
      }
    })().finally(() => {
      locking = undefined;
    });
    return locking;
  }

  // Jobs of this worker that it has no longer are given back too: the database was away when their end was told.
  async function sweep(): Promise<void> {
    const dead = await db.rows<{ jobId: string; queue: string }>(
      `delete from worker_job w
       where pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => $2)
         and (w.worker = $3 and w.job_id <> all($4) or not exists (
           select 1 from pg_locks l where l.locktype = 'advisory' and l.classid = $1 and l.objid = w.worker
           and l.database = (select oid from pg_database where datname = current_database())))
       returning job_id as "jobId", queue`,
      [LOCK_CLASS, AFTER_START_S, worker, [...mine]],
    );
    for (const { jobId, queue } of dead) {
      log.warn({ jobId, queue }, 'nobody works on this job any more: it is given back');
      await boss.fail(queue, jobId, { reason: 'worker died' });
    }
  }

  await lock();
  let sweeping: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweep().catch((error: unknown) => log.debug({ err: error }, 'sweep'));
  }, SWEEP_MS);
  return {
    async take(jobId, queue) {
      mine.add(jobId);
      for (;;) {
        while (!client && !closed) await lock();
        try {
          await db.rows(
            `insert into worker_job (job_id, queue, worker) values ($1, $2, $3)
             on conflict (job_id) do update set worker = excluded.worker`,
            [jobId, queue, worker],
          );
          return;
        } catch (error) {
          // A job that was fetched and not noted would be missed by every sweep.
          if (closed) throw error;
          await new Promise((resolve) => setTimeout(resolve, RELOCK_MS));
        }
      }
    },
    async drop(jobId) {
      try {
        await db.rows('delete from worker_job where job_id = $1 and worker = $2', [jobId, worker]);
      } finally {
        mine.delete(jobId);
      }
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await sweeping;
      await client?.end().catch(() => {});
    },
  };
}
