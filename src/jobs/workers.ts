/**
 * The workers of this process: one handler per queue, which calls a service. A job of a stopping worker is requeued at once,
 * a failed one after a delay; a job whose worker died is requeued when its lease is found gone.
 */
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database, Tx } from '../kernel/database.ts';
import type { JobKind } from '../kernel/job-kinds.ts';
import { sent } from '../kernel/prepared.ts';
import type { Tracer } from '../kernel/spans.ts';
import { runAsAccount, type WorkOrigin } from '../kernel/work-account.ts';
import { type JobOutcome, observeJob, observeJobWait } from '../kernel/work-metrics.ts';
import {
  isDependencyDown,
  isStopping,
  retryAfterS,
  WorkerStoppingError,
} from '../services/work/attempt-failure.rules.ts';
import type { JobWork, TakenWork } from '../services/work/job.port.ts';
import { completeJob, type JobData, waitingKinds } from './job.queries.ts';
import { JobPoller, type ReservedSlot } from './job-poller.ts';
import { type EnqueuedJob, IDLE_POLL_MS, type JobQueue, type LocalSlot, QUEUES } from './queue.ts';
import { attemptsAfter, failuresAt, failuresOf, type JobAttempt, requeue, withFailure } from './retry-policy.ts';
import type { WorkerLease } from './worker-lease.ts';

/** The columns of a job that are needed to run it. A job that never waited was not fetched, and has no times. */
type Job = Pick<JobWithMetadata<JobData>, 'id' | 'data' | 'retryCount' | 'output' | 'groupId'> &
  Partial<Pick<JobWithMetadata<JobData>, 'createdOn' | 'startAfter' | 'startedOn'>> & {
    /** Its work, where that is claimed already. */
    taken?: TakenWork | undefined;
    /** The request that its work is done for, where that has begun. */
    origin?: WorkOrigin | undefined;
  };

/** What a worker needs: ports, and the work of each kind of job. */
export interface WorkerOptions {
  boss: PgBoss;
  db: Pick<Database, 'rows' | 'notify'>;
  lease: WorkerLease;
  /** The queue that this process's services enqueue to: a job that finds a free slot here starts without being fetched. */
  jobs: JobQueue;
  log: Logger;
  /** Undefined where no spans are collected. */
  tracer: Tracer | undefined;
  /** The kinds of job that this worker takes. */
  kinds: readonly JobKind[];
  /** How long work is retried during an outage, milliseconds. */
  outageMs: number;
  /** What is done for a job of each kind. */
  work: Record<JobKind, JobWork>;
}

/** The pollers of one process. */
export interface Workers {
  /** Stops fetching, aborts running jobs and requeues them. */
  stop(): Promise<void>;
}

type Pollers = ReadonlyMap<JobKind, JobPoller<Job>>;

/** Starts taking jobs of the worker's kinds; also from now on a job that this process enqueues may start here at once. */
export function startWorkers(options: WorkerOptions): Workers {
  const { lease, jobs } = options;
  const stopping = new AbortController();
  const pollers: Pollers = new Map(options.kinds.map((kind) => [kind, pollerOf(options, stopping.signal, kind)]));
  const stopListening = lease.onWake((job) => {
    for (const [kind, poller] of pollers) if (!job || job.kind === kind) wake(options, kind, poller, job);
  });
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= wakeWaiting(options, pollers).finally(() => {
      looking = undefined;
    });
  }, IDLE_POLL_MS);
  jobs.reserve = (kind, account, data) => {
    const slot = pollers.get(kind)?.reserve(account);
    return slot && new EnqueuedJobStart(options, slot, kind, account, data);
  };
  return {
    async stop() {
      stopListening();
      clearInterval(timer);
      // Stop fetching before requeueing, or this worker would take its own jobs again.
      const stopped = Promise.all([...pollers.values()].map((poller) => poller.stop()));
      stopping.abort(new WorkerStoppingError());
      await stopped;
      // Last, so that running work is stopped even while the database does not answer. A stopped poller that is woken fetches
      // nothing.
      await looking;
    },
  };
}

/** Fetches and runs the jobs of one kind. */
function pollerOf(options: WorkerOptions, stopping: AbortSignal, kind: JobKind): JobPoller<Job> {
  const { boss, lease, log, work } = options;
  return new JobPoller<Job>({
    concurrency: work[kind].atOnce,
    spare: spareOf(kind, work[kind]),
    fetch: ({ limit, without }) =>
      boss.fetch<JobData>(kind, { batchSize: limit, ignoreGroups: without, includeMetadata: true, db: lease.fetching }),
    accountOf: (job) => job.groupId ?? null,
    run: (job) => runTraced(options, stopping, kind, job),
    onError: (error) => log.warn({ err: error, kind }, 'job fetch failed'),
  });
}

/** Starts a job in a reserved slot of this worker as it is enqueued: claimed in that transaction, run after its commit. */
class EnqueuedJobStart implements LocalSlot {
  readonly #options: WorkerOptions;
  readonly #slot: ReservedSlot<Job>;
  readonly #kind: JobKind;
  readonly #account: string;
  readonly #data: JobData;
  #taking: Promise<TakenWork> | undefined;
  #origin: WorkOrigin | undefined;

  constructor(options: WorkerOptions, slot: ReservedSlot<Job>, kind: JobKind, account: string, data: JobData) {
    this.#options = options;
    this.#slot = slot;
    this.#kind = kind;
    this.#account = account;
    this.#data = data;
  }

  claim(tx: Tx, jobId: string): void {
    const kind = this.#kind;
    this.#options.lease.claim(tx, { jobId, kind, attempt: 0 });
    const { claim } = this.#options.work[kind];
    if (!claim?.whenEnqueued) return;
    // Sent at once and not awaited: behind a flush it would go out after the commit, where its failure could undo nothing.
    this.#taking = claim.take({ rows: tx.rowsAtOnce }, { id: this.#data.id, startedJob: null });
    this.#taking.then(
      (taken) => {
        this.#origin = originOf(this.#options, kind, { id: jobId, data: this.#data, retryCount: 0 });
        runAsAccount(this.#account, () => taken.prepare?.(), this.#origin);
      },
      // The transaction fails with the same error and reports it.
      () => {},
    );
  }

  begin(jobId: string): void {
    const job = { id: jobId, data: this.#data, retryCount: 0, output: {}, groupId: this.#account };
    void Promise.resolve(this.#taking).then(
      (taken) => this.#slot.begin({ ...job, taken, origin: this.#origin }),
      // The job is committed but its work was not received: the attempt fails, and another follows.
      (error: unknown) => this.#slot.begin({ ...job, taken: { run: () => Promise.reject(error) } }),
    );
  }

  release(): void {
    this.#taking?.then(
      (taken) => taken.drop?.(),
      () => {},
    );
    this.#slot.release();
  }
}

/**
 * Wakes the pollers whose queues have waiting jobs, found by one statement: most queues are nearly always empty, and fetching from
 * each of them twice a second would be most of what an idle worker does. Also wakes pollers whose last fetch failed, because what
 * they know of their queue may be wrong.
 */
async function wakeWaiting({ db, kinds, log }: WorkerOptions, pollers: Pollers): Promise<void> {
  try {
    const waiting = new Set((await waitingKinds(db, { kinds })).map(({ kind }) => kind));
    for (const [kind, poller] of pollers) if (waiting.has(kind) || poller.hasFailed) poller.wake();
  } catch (error) {
    log.warn({ err: error }, 'job fetch failed');
  }
}

/** Starts the enqueued job if a slot is free; without one, looks for whatever waits. */
function wake(options: WorkerOptions, kind: JobKind, poller: JobPoller<Job>, job?: EnqueuedJob): void {
  const { lease, work } = options;
  const { account, jobId, id } = job ?? {};
  if (!account || !jobId || !id) {
    poller.wake(account);
    return;
  }
  poller.start(account, async () => {
    const take = async (tx: Tx) => work[kind].claim?.take(tx, { id, startedJob: jobId });
    let origin: WorkOrigin | undefined;
    let begun: TakenWork | undefined;
    const begin = async (tx: Tx, { data }: Pick<Job, 'data'>, taken: TakenWork | undefined) => {
      begun = taken;
      origin = originOf(options, kind, { id: jobId, data, retryCount: 0 });
      await runAsAccount(
        account,
        async () => {
          taken?.prepare?.();
          await taken?.join?.(tx);
        },
        origin,
      );
    };
    const started = await lease.start({ jobId, kind, attempt: 0 }, take, begin).catch((error: unknown) => {
      begun?.drop?.();
      throw error;
    });
    if (!started) return undefined;
    return { ...started.job, id: jobId, retryCount: 0, output: {}, taken: started.taken, origin };
  });
}

/** Slots that are left for other accounts. */
function spareOf(kind: JobKind, { atOnce, slots = 0 }: JobWork): number {
  return Math.max(0, slots - atOnce) || { 'as many': atOnce, one: 1, none: 0 }[QUEUES[kind].spare];
}

/** Runs one attempt as part of the trace of the request that asked for it, with that request's id in each log line. */
async function runTraced(options: WorkerOptions, stopping: AbortSignal, kind: JobKind, job: Job): Promise<void> {
  const origin = job.origin ?? originOf(options, kind, job);
  const { span } = origin;
  observeJobWait(kind, waitedMs(job));
  const startedAtMs = performance.now();
  const outcome = await runAsAccount(job.groupId ?? '', () => run(options, stopping, kind, job), origin);
  if (outcome) observeJob(kind, outcome, performance.now() - startedAtMs);
  span?.set({ 'job.outcome': outcome ?? 'unknown' });
  span?.end(outcome === 'done' || outcome === 'stopped' ? undefined : new Error('The attempt failed.'));
}

/** The request that an attempt is done for; begins the attempt's span. */
function originOf(
  { tracer }: WorkerOptions,
  kind: JobKind,
  { id, data, retryCount }: Pick<Job, 'id' | 'data' | 'retryCount'>,
): WorkOrigin {
  const { requestId, traceparent } = data;
  const attributes = { 'job.id': id, 'job.work': data.id, 'job.attempt': retryCount };
  const span = tracer?.begin(`job ${kind}`, { kind: 'consumer', parent: traceparent, attributes });
  return { requestId, traceparent, span, queue: kind };
}

/** How long a job has waited since it could begin, milliseconds, by the database's clock. pg-boss gives its times as texts. */
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
  const { db, lease, log } = options;
  const jobAttempt = { jobId: job.id, kind, attempt: job.retryCount };
  let isComplete = false;
  const complete = (tx: Tx): void => {
    void completeJob(sent(tx), jobAttempt);
    tx.afterCommit(() => {
      isComplete = true;
    });
  };
  try {
    const end = await attempt(options, stopping, jobAttempt, job, complete);
    if (end === 'done') {
      if (!isComplete) await completeJob(db, jobAttempt);
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
async function attempt(
  { log, work, outageMs }: WorkerOptions,
  stopping: AbortSignal,
  jobAttempt: JobAttempt,
  job: Job,
  complete: (tx: Tx) => void,
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
    if (signal.aborted) job.taken?.drop?.();
    signal.throwIfAborted();
    const attempts = attemptsAfter(failures, outageMs, Date.now());
    const run = { id: job.data.id, isRetry: job.retryCount > 0, signal, complete, ...attempts };
    await (job.taken?.run ?? work[kind].run)(run);
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
