/**
 * The workers of this process: one handler per queue, which calls a service. A job of a stopping worker is requeued at once,
 * a failed one after a delay; a job whose worker died is requeued when its lease is found gone.
 */
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../kernel/database.ts';
import type { JobKind } from '../kernel/job-kinds.ts';
import type { Tracer } from '../kernel/spans.ts';
import { runAsAccount } from '../kernel/work-account.ts';
import { type JobOutcome, observeJob, observeJobWait } from '../kernel/work-metrics.ts';
import {
  type Attempts,
  isDependencyDown,
  isStopping,
  retryAfterS,
  WorkerStoppingError,
} from '../services/work-attempt.ts';
import { JobPoller } from './job-poller.ts';
import { IDLE_POLL_MS, type JobData, type JobQueue, QUEUES } from './queue.ts';
import { attemptsAfter, failuresAt, failuresOf, type JobAttempt, requeue, withFailure } from './retry-policy.ts';
import type { WorkerLease } from './worker-lease.ts';

/** The columns of a job that running it needs; of one that was not fetched, because it never waited, without its times. */
type Job = Pick<JobWithMetadata<JobData>, 'id' | 'data' | 'retryCount' | 'output' | 'groupId'> &
  Partial<Pick<JobWithMetadata<JobData>, 'createdOn' | 'startAfter' | 'startedOn'>>;

/** What a handler knows about its attempt. */
export interface JobRun extends Attempts {
  id: string;
  /** An earlier attempt of this job failed, died or was requeued. */
  isRetry: boolean;
  /** Aborted when the worker stops (its reason is WorkerStoppingError), or when the work takes longer than its queue allows. */
  signal: AbortSignal;
}

/** What a worker needs: ports, handlers of each kind of job, and how many run at once. */
export interface WorkerOptions {
  boss: PgBoss;
  db: Pick<Database, 'rows'>;
  lease: WorkerLease;
  /** What the services of this process enqueue through: what finds a free slot here is not fetched first. */
  jobs: JobQueue;
  log: Logger;
  /** Undefined where nobody collects spans. */
  tracer: Tracer | undefined;
  /** Those that it takes; others are left to other workers. */
  kinds: readonly JobKind[];
  /** How long work is retried during an outage, milliseconds. */
  outageMs: number;
  /** How much of a kind all accounts may have under way here, where it is not `concurrency` and the queue's spare. */
  slots?: Partial<Record<JobKind, number>>;
  /** How much of each kind one account may have under way here. */
  concurrency: Record<JobKind, number>;
  handlers: Record<JobKind, (run: JobRun) => Promise<void>>;
}

/** The pollers of one process. */
export interface Workers {
  /** Stops fetching, aborts running jobs and requeues them. */
  stop(): Promise<void>;
}

export function startWorkers(options: WorkerOptions): Workers {
  const { boss, lease, log, kinds, concurrency, slots = {} } = options;
  const stopping = new AbortController();
  const pollers = new Map(
    kinds.map((kind) => [
      kind,
      new JobPoller<Job>({
        concurrency: concurrency[kind],
        spare: Math.max(0, (slots[kind] ?? 0) - concurrency[kind]) || spareOf(kind, concurrency[kind]),
        pollMs: IDLE_POLL_MS,
        fetch: ({ limit, without }) =>
          boss.fetch<JobData>(kind, {
            batchSize: limit,
            ignoreGroups: without,
            includeMetadata: true,
            db: lease.fetching,
          }),
        accountOf: (job) => job.groupId ?? null,
        run: (job) => runTraced(options, stopping.signal, kind, job),
        onError: (error) => log.warn({ err: error, kind }, 'job fetch failed'),
      }),
    ]),
  );
  const stopListening = lease.onWake((kind, account) => {
    if (kind) pollers.get(kind as JobKind)?.wake(account);
    else for (const poller of pollers.values()) poller.wake();
  });
  options.jobs.reserve = (kind, account, data) => {
    const slot = pollers.get(kind)?.reserve(account);
    const attemptOf = (jobId: string): JobAttempt => ({ jobId, kind, attempt: 0 });
    return (
      slot && {
        claim: (tx, jobId) => lease.claim(tx, attemptOf(jobId)),
        begin: (jobId) => slot.begin({ id: jobId, data, retryCount: 0, output: {}, groupId: account }),
        release: slot.release,
      }
    );
  };
  return {
    async stop() {
      stopListening();
      // Stop fetching before requeueing, or this worker would take its own jobs again.
      const stopped = Promise.all([...pollers.values()].map((poller) => poller.stop()));
      stopping.abort(new WorkerStoppingError());
      await stopped;
    },
  };
}

function spareOf(kind: JobKind, concurrency: number): number {
  return { 'as many': concurrency, one: 1, none: 0 }[QUEUES[kind].spare];
}

/** Runs one attempt in the name of the request that asked for it: as part of its trace, and with its id in each log line. */
async function runTraced(options: WorkerOptions, stopping: AbortSignal, kind: JobKind, job: Job): Promise<void> {
  const { requestId, traceparent } = job.data;
  const attributes = { 'job.id': job.id, 'job.work': job.data.id, 'job.attempt': job.retryCount };
  const span = options.tracer?.begin(`job ${kind}`, { kind: 'consumer', parent: traceparent, attributes });
  observeJobWait(kind, waitedMs(job));
  const startedAtMs = performance.now();
  const origin = { requestId, traceparent, span, queue: kind };
  const outcome = await runAsAccount(job.groupId ?? '', () => run(options, stopping, kind, job), origin);
  if (outcome) observeJob(kind, outcome, performance.now() - startedAtMs);
  span?.set({ 'job.outcome': outcome ?? 'unknown' });
  span?.end(outcome === 'done' || outcome === 'stopped' ? undefined : new Error('The attempt failed.'));
}

/** How long a job has waited since it could begin, milliseconds, by the database's clock; its times come as texts. */
function waitedMs({ createdOn, startAfter, startedOn }: Job): number {
  if (!createdOn || !startAfter || !startedOn) return 0;
  const couldMs = Math.max(new Date(createdOn).getTime(), new Date(startAfter).getTime());
  return new Date(startedOn).getTime() - couldMs;
}

/**
 * Runs one attempt of a job and reports how it ended; undefined where that could not be written. Never rejects: if the
 * report fails, the lease requeues the job.
 */
async function run(
  options: WorkerOptions,
  stopping: AbortSignal,
  kind: JobKind,
  job: Job,
): Promise<JobOutcome | undefined> {
  const { boss, db, lease, log } = options;
  const jobAttempt = { jobId: job.id, kind, attempt: job.retryCount };
  try {
    const end = await work(options, stopping, jobAttempt, job);
    if (end === 'done') {
      await boss.complete(kind, { id: job.id, retryCount: job.retryCount }, null, { db: sqlOf(db) });
      return 'done';
    }
    if (await requeue(db, jobAttempt, end)) return stopping.aborted ? 'stopped' : 'retry';
    log.error({ kind, jobId: job.id }, 'job failed for good');
    return 'failed';
  } catch (error) {
    log.warn({ err: error, kind, jobId: job.id }, 'job end not recorded');
    return undefined;
  } finally {
    lease.drop(jobAttempt);
  }
}

/** How the attempt ended. */
async function work(
  { log, handlers, outageMs }: WorkerOptions,
  stopping: AbortSignal,
  jobAttempt: JobAttempt,
  job: Job,
): Promise<'done' | Parameters<typeof requeue>[2]> {
  const { kind } = jobAttempt;
  const failures = failuresAt(Date.now(), failuresOf(job.output));
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new Error('The work took too long.')), QUEUES[kind].longestS * 1_000);
  const { signal } = ending;
  // Not AbortSignal.any: the process-wide signal would keep 180 bytes for every job for ever (Node 24).
  const stop = (): void => ending.abort(stopping.reason);
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  try {
    signal.throwIfAborted();
    const attempts = attemptsAfter(failures, outageMs, Date.now());
    const run = { id: job.data.id, isRetry: job.retryCount > 0, signal, ...attempts };
    await handlers[kind](run);
    return 'done';
  } catch (error) {
    const hasFailed = !isStopping(signal);
    log.warn({ err: error, kind, jobId: job.id, attempt: jobAttempt.attempt, hasFailed }, 'job attempt failed');
    if (!hasFailed) return { failures, waitS: 0, isFree: false };
    return withFailure(failures, isDependencyDown(error), { outageMs, nowMs: Date.now(), askedS: retryAfterS(error) });
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}

/** Our pool in pg-boss's terms: its statements are then prepared like ours. */
function sqlOf(db: WorkerOptions['db']) {
  return { executeSql: async (text: string, values?: unknown[]) => ({ rows: await db.rows(text, values) }) };
}
