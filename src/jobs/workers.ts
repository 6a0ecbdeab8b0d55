/**
 * The workers of this process: one handler a queue, each calling a service. A job that is cut short by a stopping worker
 * is given back at once; one whose worker dies is given back by the lifeline.
 */
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { JobKind } from '../services/platform.ts';
import type { Lifeline } from './lifeline.ts';
import { IDLE_POLL_S, TRIES_ON_ERROR } from './queue.ts';

/** What a handler is told about its job. */
export interface JobRun {
  id: string;
  /** An earlier try of this job failed or died. */
  isRetry: boolean;
  isLastTry: boolean;
  /** Aborted when the worker stops. */
  signal: AbortSignal;
}

export interface WorkerOptions {
  boss: PgBoss;
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
  const { boss, lifeline, log, handlers, concurrency } = options;
  const stopping = new AbortController();

  async function run(kind: JobKind, job: JobWithMetadata<{ id: string }>): Promise<void> {
    await lifeline.take(job.id, kind);
    try {
      await handlers[kind]({
        id: job.data.id,
        isRetry: job.retryCount > 0,
        isLastTry: job.retryCount + 1 >= TRIES_ON_ERROR,
        signal: stopping.signal,
      });
    } catch (error) {
      log.warn({ err: error, kind, jobId: job.id, retryCount: job.retryCount }, 'job will be tried again');
      throw error;
    } finally {
      await lifeline.drop(job.id).catch(() => {});
    }
  }

  const kinds = Object.keys(handlers) as JobKind[];
  for (const kind of kinds) {
    const settings = {
      includeMetadata: true as const,
      localConcurrency: concurrency[kind],
      pollingIntervalSeconds: IDLE_POLL_S,
      notifyPollingIntervalSeconds: IDLE_POLL_S,
      burstWhenBatchFull: true,
    };
    await boss.work<{ id: string }>(kind, settings, ([job]) => run(kind, job as JobWithMetadata<{ id: string }>));
  }
  return {
    async stop() {
      // Nothing is fetched any more before anything is given back, or a worker would take its own jobs again and use
      // up their tries; and each job is waited for until the queue has written that it was given back.
      const stopped = Promise.allSettled(kinds.map((kind) => boss.offWork(kind)));
      stopping.abort(new Error('The worker is stopping.'));
      await stopped;
    },
  };
}
