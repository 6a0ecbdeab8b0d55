/**
 * How an attempt of a job ends when the job itself does not: it goes back to its queue. pg-boss counts every failed attempt alike
 * (`retry_count`, up to the queue's `retry_limit`); errors of the work are counted apart, in the job's `output`, so that
 * a worker that stops or dies uses up none of them, and so are outages, which use up neither.
 */
import type { Database } from '../kernel/database.ts';
import type { JobKind } from '../services/platform.ts';
import type { Attempts } from '../services/work-attempt.ts';
import { requeueAttempt } from './job.queries.ts';
import { WAKE } from './queue.ts';

/** How often work is tried that fails by itself, before its failure is final. */
export const ATTEMPTS_ON_ERROR = 3;

/** How long the next attempt waits after the first error, and after each later one. */
const BACKOFF_S = [1, 4];
/** The same where something that the work needs is away. */
const OUTAGE_BACKOFF_S = [1, 2, 5, 10, 20, 30, 60];

/** An attempt that begins so long after it was due after an outage has nothing more to do with that outage. */
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
  /** Attempts that found something away, in the present outage. */
  outages: number;
  /** When the first of these did, epoch ms; 0 without any. */
  awaySinceMs: number;
  /** When the attempt after the last of these was due, epoch ms; 0 without any. */
  awayUntilMs: number;
}

/** How an attempt ends that did not end its job. */
interface End {
  failures: Failures;
  /** Until the next one. */
  waitS: number;
  /** It counts as none of the attempts that the queue allows. */
  isFree: boolean;
}

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The failures that are noted in a job's `output`. */
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
 * What counts for an attempt that begins: outages of the present outage only. Asked when it begins, not when it fails,
 * or an outage would never be long enough for work that takes minutes.
 */
export function failuresAt(nowMs: number, failures: Failures): Failures {
  if (nowMs - failures.awayUntilMs <= OUTAGE_ENDED_MS) return failures;
  return { ...failures, outages: 0, awaySinceMs: 0, awayUntilMs: 0 };
}

/** @param outageMs how long work is tried again while something is away; 0: as often as after any error */
export function attemptsAfter({ errors, outages, awaySinceMs }: Failures, outageMs: number, nowMs: number): Attempts {
  const isLastAttempt = errors + 1 >= ATTEMPTS_ON_ERROR;
  const isLastOutage = outageMs === 0 ? isLastAttempt : outages > 0 && nowMs - awaySinceMs >= outageMs;
  return { isLastAttempt, isLastOutage, isAfterOutage: outages > 0 };
}

/** The end of an attempt that failed. @param askedS for how long what failed asked to be left alone */
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
 * ended already. It is one statement of ours because pg-boss's own `fail` waits equally long whatever the reason was.
 * False when no attempt is left: the job has failed, and an operator may retry it.
 */
export async function requeue(
  db: Pick<Database, 'rows'>,
  { jobId, kind, attempt }: JobAttempt,
  { failures, waitS, isFree }: End,
): Promise<boolean> {
  const more = isFree ? 1 : 0;
  const ended = await requeueAttempt(db, { kind, jobId, attempt, waitS, more, ...failures, channel: WAKE });
  return ended[0]?.state !== 'failed';
}
