/**
 * Background work on pg-boss: a job is enqueued in the transaction whose state it belongs to, and woken by NOTIFY. This
 * file knows queues and their settings; what a job does is the service it calls.
 */
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database, Tx } from '../kernel/database.ts';
import type { JobKind, Jobs } from '../services/platform.ts';

interface QueueSettings {
  /** Tries after the first; a stopping or dying worker uses one up, so there are more than TRIES_ON_ERROR. */
  retryLimit: number;
  expireInSeconds: number;
}

/** Replies are waits on a chat engine; renders are work of a core. Each kind has its own workers. */
export const QUEUES: Record<JobKind, QueueSettings> = {
  reply: { retryLimit: 6, expireInSeconds: 900 },
  render: { retryLimit: 6, expireInSeconds: 900 },
  speak: { retryLimit: 6, expireInSeconds: 900 },
  // Twenty seconds of 1080p at 48 frames take minutes on a busy machine.
  video: { retryLimit: 6, expireInSeconds: 3_600 },
  train: { retryLimit: 6, expireInSeconds: 900 },
  idle: { retryLimit: 2, expireInSeconds: 120 },
  remember: { retryLimit: 6, expireInSeconds: 120 },
};

/** How often work is tried that fails by itself, before its failure is final. */
export const TRIES_ON_ERROR = 3;

/** Ended jobs stay a while for `services/abandoned.ts`, which asks when a job ended; more would only slow it down. */
const KEEP_ENDED_S = 2 * 60 * 60;

/** Retries do not NOTIFY, so idle workers also look this often. */
export const IDLE_POLL_S = 0.5;

/** Connects to the job tables, making them at first start. `work` is false where jobs are only enqueued. */
export async function openBoss(options: { db: Database; url: string; log: Logger; work: boolean }): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: options.url,
    max: options.work ? 6 : 2,
    useListenNotify: options.work,
    supervise: options.work,
    schedule: false,
  });
  boss.on('error', (error) => options.log.warn({ err: error }, 'job queue'));
  await boss.start();
  for (const [name, settings] of Object.entries(QUEUES)) {
    const queue = { ...settings, retryDelay: 0, notify: true, deleteAfterSeconds: KEEP_ENDED_S };
    if (await boss.getQueue(name)) await boss.updateQueue(name, queue);
    else await boss.createQueue(name, queue);
  }
  return boss;
}

/** The port the services enqueue through. */
export function jobsOf(boss: PgBoss): Jobs {
  return {
    async enqueue(tx: Tx, kind: JobKind, data: { id: string }): Promise<void> {
      // Nobody needs the job's id: it is sent with the transaction's other statements.
      const executeSql = async (sql: string, values?: unknown[]) => {
        tx.send(sql, values ?? []);
        return { rows: [] };
      };
      await boss.send(kind, data, { db: { executeSql } });
    },
  };
}
