/**
 * How an attempt of a job ends when the job itself does not: it goes back to its queue. pg-boss counts every failed attempt alike
 * (`retry_count`, up to the queue's `retry_limit`); errors of the work are counted apart, in the job's `output`, so that
 * a worker that stops or dies uses up none of them.
 */
import type { Database } from '../kernel/database.ts';
import type { JobKind } from '../services/platform.ts';
import { requeueAttempt } from './job.queries.ts';
import { WAKE } from './queue.ts';

/** How often work is tried that fails by itself, before its failure is final. */
export const ATTEMPTS_ON_ERROR = 3;

/** How long the next attempt waits after the first error, and after each later one. */
const BACKOFF_S = [1, 4];

/** One attempt of a job: `attempt` is pg-boss's `retry_count`, which every fetch of the job raises. */
export interface JobAttempt {
  jobId: string;
  kind: JobKind;
  attempt: number;
}

/** Errors of the work that earlier attempts ended in. */
export function errorsOf(output: object | null): number {
  const { errors } = (output ?? {}) as { errors?: unknown };
  return typeof errors === 'number' ? errors : 0;
}

/**
 * Requeues an attempt: at once when its worker stops, after a while when the work failed. Does nothing when the attempt has
 * ended already. It is one statement of ours because pg-boss's own `fail` waits equally long whatever the reason was.
 */
export async function requeue(
  db: Pick<Database, 'rows'>,
  { jobId, kind, attempt }: JobAttempt,
  end: { errors: number; hasFailed: boolean; waitS?: number | undefined },
): Promise<void> {
  const backoffS = BACKOFF_S[Math.min(end.errors, BACKOFF_S.length) - 1] ?? 0;
  const waitS = end.hasFailed ? Math.max(backoffS, end.waitS ?? 0) : 0;
  await requeueAttempt(db, { kind, jobId, attempt, waitS, errors: end.errors, channel: WAKE });
}
