/**
 * The workers of this process: one handler a queue, each calling a service. A job that is cut short by a stopping worker
 * is given back at once, one that failed after a while; one whose worker dies is given back by the lifeline.
 */
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../kernel/database.ts';
import { isStopping, retryAfterS, WorkerStopping } from '../services/attempts.ts';
import type { JobKind } from '../services/platform.ts';
import type { Lifeline } from './lifeline.ts';
import { IDLE_POLL_S, QUEUES } from './queue.ts';
import { errorsOf, giveBack, TRIES_ON_ERROR } from './tries.ts';

/** What a handler is told about its job. */
export interface JobRun {
  id: string;
  /** An earlier try of this job failed, died or was given back. */
  isRetry: boolean;
  /** The work failed so often that another failure is final. */
  isLastTry: boolean;
  /** Aborted when the worker stops (its reason is WorkerStopping), or when the work takes longer than its queue allows. */
  signal: AbortSignal;
}

export interface WorkerOptions {
  boss: PgBoss;
  db: Pick<Database, 'rows'>;
  lifeline: Lifeline;
  log: Logger;
  concurrency: Record<JobKind, number>;
  handlers: Record<JobKind, (run: JobRun) => Promise<void>>;
}

export interface Workers {
  /** Stops fetching, aborts what runs and gives it back. */
  stop(): Promise<void>;
}

export async function startWorkers(options: WorkerOptions): Promise<Workers> {
  const { boss, handlers, concurrency } = options;
  const stopping = new AbortController();
  const kinds = Object.keys(handlers) as JobKind[];
  for (const kind of kinds) {
    const settings = {
      includeMetadata: true as const,
      localConcurrency: concurrency[kind],
      pollingIntervalSeconds: IDLE_POLL_S,
      notifyPollingIntervalSeconds: IDLE_POLL_S,
      burstWhenBatchFull: true,
    };
    await boss.work<{ id: string }>(kind, settings, ([job]) =>
      run(options, stopping.signal, kind, job as JobWithMetadata<{ id: string }>),
    );
  }
  return {
    async stop() {
      // Nothing is fetched any more before anything is given back, or a worker would take its own jobs again; and each
      // job is waited for until the queue has written that it was given back.
      const stopped = Promise.allSettled(kinds.map((kind) => boss.offWork(kind)));
      stopping.abort(new WorkerStopping());
      await stopped;
    },
  };
}

async function run(
  { db, lifeline, log, handlers }: WorkerOptions,
  stopping: AbortSignal,
  kind: JobKind,
  job: JobWithMetadata<{ id: string }>,
): Promise<void> {
  const tried = { jobId: job.id, kind, attempt: job.retryCount };
  const errors = errorsOf(job.output);
  const tooLong = new AbortController();
  const timer = setTimeout(() => tooLong.abort(new Error('The work took too long.')), QUEUES[kind].longestS * 1_000);
  const signal = AbortSignal.any([stopping, tooLong.signal]);
  try {
    if (!(await lifeline.take(tried))) return;
    const isLastTry = errors + 1 >= TRIES_ON_ERROR;
    await handlers[kind]({ id: job.data.id, isRetry: job.retryCount > 0, isLastTry, signal });
  } catch (error) {
    const hasFailed = !isStopping(signal);
    log.warn({ err: error, kind, jobId: job.id, attempt: tried.attempt, hasFailed }, 'job will be tried again');
    // pg-boss finds the try ended afterwards and writes nothing.
    await giveBack(db, tried, { errors: errors + (hasFailed ? 1 : 0), hasFailed, waitS: retryAfterS(error) });
  } finally {
    clearTimeout(timer);
    lifeline.drop(tried);
  }
}
