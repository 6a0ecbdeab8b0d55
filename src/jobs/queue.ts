/**
 * Background work on pg-boss: a job is enqueued in the transaction whose state it belongs to, and woken by a notification. Its
 * queue, how much of it runs at once and which service does it are declared by its domain, in `*.jobs.ts`.
 */
import { randomUUID } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { isMadeMeanwhile } from '../kernel/constraint-errors.ts';
import type { Database, Tx } from '../kernel/database.ts';
import type { JobKind } from '../kernel/job-kinds.ts';
import { sent } from '../kernel/prepared.ts';
import { currentOrigin } from '../kernel/work-account.ts';
import { accountQueues } from '../services/accounts/account.jobs.ts';
import { avatarQueues } from '../services/avatars/avatar.jobs.ts';
import { brainQueues } from '../services/brain/brain.jobs.ts';
import { imageQueues } from '../services/images/image.jobs.ts';
import { addPartition, checkJobs, partitionsMade } from '../services/maintenance/partition.queries.ts';
import { jobPartitions, slotMs } from '../services/maintenance/partition.rules.ts';
import type { Jobs, NewJob } from '../services/platform/platform.port.ts';
import { speechQueues } from '../services/speech/speech.jobs.ts';
import { turnQueues } from '../services/turns/turn.jobs.ts';
import { videoQueues } from '../services/videos/video.jobs.ts';
import { webhookQueues } from '../services/webhooks/webhook.jobs.ts';
import type { QueueSettings } from '../services/work/job.port.ts';
import { insertJob, type JobData } from './job.queries.ts';
import { idInSlot, isOfTurns } from './job-slots.ts';

/** The queue of each kind of job, as its domain declares it; each kind has workers of its own. */
export const QUEUES: Record<JobKind, QueueSettings> = {
  ...turnQueues,
  ...speechQueues,
  ...imageQueues,
  ...videoQueues,
  ...brainQueues,
  ...avatarQueues,
  ...accountQueues,
  ...webhookQueues,
};

/** How long work that was aborted may take to end, before pg-boss gives its job to another. */
const EXPIRES_AFTER_S = 60;

/** How often jobs that have been kept for long enough are removed, by one worker of all. */
const REMOVE_ENDED_S = 5 * 60;

/** Retries send no notification, so idle workers also look this often. */
export const IDLE_POLL_MS = 500;

/** Priority of quick work; pg-boss fetches higher ones first, within what each account may hold. */
const QUICK = 1;

/** Channel on which workers are notified of an enqueued job. pg-boss's own wakes each of its loops apart. */
export const WAKE = 'avatar_job';

/** What a notification says of an enqueued job; of one that is to be done again only its kind. */
export interface EnqueuedJob {
  kind: string;
  account?: string | undefined;
  jobId?: string | undefined;
  /** The id of its work. */
  id?: string | undefined;
}

/** Reads a notification on WAKE; undefined where it says nothing. */
export function readWake(payload: string): EnqueuedJob | undefined {
  const [kind, account, jobId, id] = payload.split(' ');
  return kind ? { kind, account, jobId, id } : undefined;
}

/** What the queue is opened on. */
interface BossOptions {
  db: Database;
  url: string;
  log: Logger;
  work: boolean;
  keepHours: number;
}

/**
 * Connects to the job tables, making them at first start. `work` is false where jobs are only enqueued. `keepHours`: how long ended
 * jobs stay, for `services/maintenance/orphan-reaper.service.ts`, which asks what ended in the last quarter of an hour.
 */
export async function openBoss(options: BossOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: options.url,
    max: 2,
    supervise: options.work,
    maintenanceIntervalSeconds: REMOVE_ENDED_S,
    schedule: false,
  });
  boss.on('error', (error) => options.log.warn({ err: error }, 'job queue failed'));
  await boss.start();
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const [name, { retryLimit, longestS }] of Object.entries(QUEUES)) {
    const expireInSeconds = longestS + EXPIRES_AFTER_S;
    const deleteAfterSeconds = (options.keepHours * HOUR_MS) / SECOND_MS;
    const queue = { retryLimit, expireInSeconds, retryDelay: 0, notify: false, deleteAfterSeconds };
    const found = known.get(name);
    if (!found) await boss.createQueue(name, queue);
    else if (Object.entries(queue).some(([setting, value]) => found[setting as keyof typeof queue] !== value))
      await boss.updateQueue(name, queue);
  }
  await makeIndexes(options.db);
  try {
    if (known.size === 0) await makePartitions(options);
  } catch (error) {
    // Another process that starts is just as far. Each step is a transaction of its own: nothing is half done.
    if (!isMadeMeanwhile(error)) throw error;
  }
  return boss;
}

/**
 * Indexes for our own questions to pg-boss's jobs: which job does a piece of work (services/maintenance/orphan-reaper.service.ts), which
 * run (worker-lease.ts), which failed, and how many of an account wait (services/work/waiting-work.service.ts).
 */
const INDEXES = {
  job_work: "((data->>'id'))",
  job_running: "(started_on) where state = 'active'",
  job_failed: "(completed_on) where state = 'failed'",
  job_waiting: "(name, group_id) where state < 'active'",
};

/** Number of the advisory lock that keeps two starting processes from making the same index. */
const INDEX_LOCK = 4_020_262;

async function makeIndexes(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.rows('select pg_advisory_xact_lock($1)', [INDEX_LOCK]);
    for (const [name, on] of Object.entries(INDEXES)) {
      // Asked first: "if not exists" would lock the table all the same.
      const [known] = await tx.rows<{ is: boolean }>('select to_regclass($1) is not null as is', [`pgboss.${name}`]);
      if (!known!.is) await tx.rows(`create index ${name} on pgboss.job ${on}`);
    }
  });
}

/** Makes the first partition of a new installation. Workers make all others, and all of an older installation (`partition.service.ts`). */
async function makePartitions({ db, keepHours }: BossOptions): Promise<void> {
  const { table, next } = jobPartitions(keepHours);
  const range = next({ endMs: undefined, rows: 0 }, Date.now());
  // The steps that lead to it, and the partition itself; workers do what is left where another process is just as far.
  for (let goesOn = true; goesOn; ) {
    const [added] = await addPartition(db, { table, ...range });
    if (added?.outcome === 'unchecked') await checkJobs(db, {});
    else goesOn = added?.outcome === 'made' && (await partitionsMade(db, { table }))[0]?.endMs == null;
  }
}

/** A worker slot of this process, reserved for a job that starts in it once the transaction that enqueues the job is committed. */
export interface LocalSlot {
  /** Makes the job active as this worker's own, and takes its work where that is there by now. */
  claim(tx: Tx, jobId: string): void;
  /** The transaction is committed: the job runs. */
  begin(jobId: string): void;
  /** The transaction failed: there is no such job. */
  release(): void;
}

/** The port the services enqueue through. */
export interface JobQueue extends Jobs {
  /**
   * Set by the workers of this process: a job that finds a free slot here is active from the start. Without notifying and
   * fetching it an audio turn is shown 4 to 6 ms earlier, of 16 to 20.
   */
  reserve?: (kind: JobKind, account: string, data: JobData) => LocalSlot | undefined;
}

/** How often a process asks whether the table of jobs has been partitioned. */
const LOOK_MS = MINUTE_MS;

/**
 * Whether the table of jobs is partitioned, so that ids of turns' jobs must name a time slot. As long as it is not, this is asked again
 * at intervals: workers may partition the table of an earlier release at any time. An outdated answer costs time, and nothing else.
 */
class JobPartitions {
  readonly #db: Database;
  #exist = false;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(db: Database) {
    this.#db = db;
  }

  get exist(): boolean {
    if (!this.#exist && performance.now() - this.#lookedMs > LOOK_MS) {
      this.#lookedMs = performance.now();
      const { table } = jobPartitions(1);
      partitionsMade(this.#db, { table }).then(
        ([made]) => {
          this.#exist = made?.endMs != null;
        },
        () => {},
      );
    }
    return this.#exist;
  }
}

/** The port by which services enqueue jobs. `keepHours`: how long ended jobs stay. */
export function jobsOf({ db, clock, keepHours }: { db: Database; clock: Clock; keepHours: number }): JobQueue {
  const partitions = new JobPartitions(db);
  const queue: JobQueue = {
    async enqueue(tx: Tx, kind: JobKind, job: NewJob): Promise<void> {
      const isInSlot = isOfTurns(kind) && partitions.exist;
      const widthMs = slotMs(keepHours);
      const jobId = isInSlot ? idInSlot(clock.now(), widthMs) : randomUUID();
      const data: JobData = { id: job.id, ...(job.origin === undefined ? currentOrigin() : job.origin) };
      const slot = queue.reserve?.(kind, job.account, data);
      if (slot) {
        tx.afterCommit(() => slot.begin(jobId));
        tx.afterFailure(() => slot.release());
      }
      const { retryLimit, longestS } = QUEUES[kind];
      // The answer is not needed: it is sent with the transaction's other statements.
      void insertJob(sent(tx), {
        ...{ id: jobId, kind, data, account: job.account, priority: job.isQuick ? QUICK : 0 },
        ...{ retryLimit, expireS: longestS + EXPIRES_AFTER_S },
        // Of what is dropped with its partition little is to be removed one by one.
        deletionS: (keepHours * HOUR_MS + (isInSlot ? 2 * widthMs : 0)) / SECOND_MS,
      });
      if (slot) slot.claim(tx, jobId);
      else
        tx.notify('select $1::text as channel, $2::text as payload', [
          WAKE,
          `${kind} ${job.account} ${jobId} ${job.id}`,
        ]);
    },
  };
  return queue;
}
