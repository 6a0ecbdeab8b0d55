/** Background work as operators see it, on the command line and on their page. */
import type { Database } from '../kernel/database.ts';
import type { OperatorJobs } from '../services/operators/operator.service.ts';
import { failedJobs, jobCounts, retryFailed } from './job.queries.ts';
import { QUEUES, WAKE } from './queue.ts';
import { failuresOf } from './retry-policy.ts';

/** Jobs that are listed, or retried at once. */
const LIMIT = 500;
/** Attempts that a job gets by being retried. */
const MORE = 10;

/** The port over the jobs of an instance. */
export function operatorJobs(db: Database): OperatorJobs {
  const failed: OperatorJobs['failed'] = async () =>
    (await failedJobs(db, { limit: LIMIT }))
      // Of another release there may be kinds that nothing here could do again.
      .filter(({ kind }) => kind in QUEUES)
      .map(({ id, kind, work, account, failedAt, retries, output }) => ({
        ...{ jobId: id, kind, workId: work, userId: account, failedAt: new Date(failedAt).getTime() },
        attempts: retries + 1,
        ...failuresOf(output as object | null),
      }));
  return {
    failed,
    async queues() {
      const counts = await jobCounts(db, {});
      const of = (kind: string, states: readonly string[]): number =>
        counts
          .filter((row) => row.kind === kind && states.includes(row.state))
          .reduce((sum, { count }) => sum + Number(count), 0);
      return Object.keys(QUEUES).map((kind) => ({
        kind,
        waiting: of(kind, ['created', 'retry']),
        running: of(kind, ['active']),
        failed: of(kind, ['failed']),
      }));
    },
    async retry(jobId) {
      const ids = jobId === null ? (await failed()).map((job) => job.jobId) : [jobId];
      let retried = 0;
      for (const id of ids) {
        const given = await retryFailed(db, { jobId: id, more: MORE });
        // Where no worker hears of them they are found by looking, and they are retried all the same.
        if (given.length > 0)
          await db.notify(given.map(({ kind }) => ({ channel: WAKE, payload: kind }))).catch(() => {});
        retried += given.length;
      }
      return retried;
    },
  };
}
