/**
 * When a failed attempt is followed by another one: it is requeued after a delay. pg-boss counts all failed attempts alike
 * (`retry_count`, up to the queue's `retry_limit`). Errors of the work and outages are counted separately, in the job's
 * `output`, so that a stopping or dying worker uses up no attempts, and neither do outages.
 */
import type { Database } from '../kernel/database.ts';
import type { JobKind } from '../kernel/job-kinds.ts';
import type { Attempts } from '../services/work/attempt-failure.rules.ts';
import { requeueAttempt } from './job.queries.ts';
import { WAKE } from './queue.ts';

/** How many errors of its own end the work. */
const ATTEMPTS_ON_ERROR = 3;

/** Seconds until the next attempt, after the first error and after each later one. */
const BACKOFF_S = [1, 4];
/** The same during an outage of something that the work needs. */
const OUTAGE_BACKOFF_S = [1, 2, 5, 10, 20, 30, 60];

/** An attempt that begins this long after it was due no longer belongs to the outage before. */
const OUTAGE_ENDED_MS = 3 * 60_000;

/** One attempt of a job: `attempt` is pg-boss's `retry_count`, which every fetch of the job raises. */
export interface JobAttempt {
  jobId: string;
  kind: JobKind;
  attempt: number;
}

/** What earlier attempts of a job ended in. */
export interface Failures {
  /** Errors of the work itself. */
  errors: number;
  /** Attempts that failed by an outage, in the present outage. */
  outages: number;
  /** When the first of these failed, epoch ms; 0 without any. */
  awaySinceMs: number;
  /** When the attempt after the last of these was due, epoch ms; 0 without any. */
  awayUntilMs: number;
}

/** How a failed attempt is requeued. */
interface End {
  failures: Failures;
  /** Seconds until the next attempt. */
  waitS: number;
  /** Whether it does not count against the queue's `retry_limit`. */
  isFree: boolean;
}

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Reads the failures from a job's `output`. */
export function failuresOf(output: object | null): Failures {
  const { errors, outages, awaySinceMs, awayUntilMs } = (output ?? {}) as Partial<Record<keyof Failures, unknown>>;
  return {
    errors: numberIn(errors),
    outages: numberIn(outages),
    awaySinceMs: numberIn(awaySinceMs),
    awayUntilMs: numberIn(awayUntilMs),
  };
}

/**
 * The failures that count when an attempt begins at `nowMs`: an outage that is over is left out. Ask when the attempt begins,
 * not when it fails: work that takes minutes would otherwise make every outage look over.
 */
export function failuresAt(nowMs: number, failures: Failures): Failures {
  if (nowMs - failures.awayUntilMs <= OUTAGE_ENDED_MS) return failures;
  return { ...failures, outages: 0, awaySinceMs: 0, awayUntilMs: 0 };
}

/** Which failures would be final. @param outageMs how long work is retried in an outage; 0: as after any error */
export function attemptsAfter({ errors, outages, awaySinceMs }: Failures, outageMs: number, nowMs: number): Attempts {
  const isLastAttempt = errors + 1 >= ATTEMPTS_ON_ERROR;
  const isLastOutage = outageMs === 0 ? isLastAttempt : outages > 0 && nowMs - awaySinceMs >= outageMs;
  return { isLastAttempt, isLastOutage, isAfterOutage: outages > 0 };
}

/** How an attempt that failed is requeued. @param askedS seconds that the failed service asked to wait */
export function withFailure(
  failures: Failures,
  wasAway: boolean,
  { outageMs, nowMs, askedS = 0 }: { outageMs: number; nowMs: number; askedS?: number | undefined },
): End {
  const backoff = (list: number[], nth: number): number => Math.max(askedS, list[Math.min(nth, list.length) - 1] ?? 0);
  if (!wasAway || outageMs === 0) {
    const errors = failures.errors + 1;
    return { failures: { ...failures, errors }, waitS: backoff(BACKOFF_S, errors), isFree: false };
  }
  const outages = failures.outages + 1;
  const awaySinceMs = failures.awaySinceMs || nowMs;
  const waitS = backoff(OUTAGE_BACKOFF_S, outages);
  const awayUntilMs = nowMs + waitS * 1_000;
  return {
    failures: { ...failures, outages, awaySinceMs, awayUntilMs },
    waitS,
    isFree: nowMs - awaySinceMs < outageMs,
  };
}

/**
 * Requeues an attempt: at once when its worker stops, after a while when the work failed. Does nothing when the attempt has
 * ended already. It does not use pg-boss's `fail`, which waits equally long whatever the reason was. Returns false when no
 * attempt is left: the job has failed, and an operator may retry it.
 */
export async function requeue(
  db: Pick<Database, 'rows' | 'notify'>,
  { jobId, kind, attempt }: JobAttempt,
  { failures, waitS, isFree }: End,
): Promise<boolean> {
  const more = isFree ? 1 : 0;
  const ended = await requeueAttempt(db, { kind, jobId, attempt, waitS, more, ...failures });
  if (waitS === 0 && ended.length > 0) await db.notify([{ channel: WAKE, payload: kind }]).catch(() => {});
  return ended[0]?.state !== 'failed';
}
