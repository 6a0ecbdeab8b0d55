/**
 * What probes ask. `/health/live`: the process answers. `/health` and `/health/ready`: so does all that it depends on, each
 * asked by its own clock, at most once a second however many ask. Neither is ever limited.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { App } from '../app/app.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { JOB_KINDS, type JobKind } from '../kernel/job-kinds.ts';
import { LOCK_CLASSES, locksOf } from '../kernel/session-locks.ts';

/** What does not answer within it is missing. */
const LONGEST_MS = 2 * SECOND_MS;
const KEPT_MS = SECOND_MS;

/** Whether a process can serve, and what is missing. */
export interface Readiness {
  ready: boolean;
  /** What does not do: database, workers, storage, disk. */
  missing: string[];
  /** What does not do and is done without: notifications, workers of one kind of job. Left out where there is nothing. */
  degraded?: string[];
}

/** What one check has found. */
interface Found {
  missing: readonly string[];
  degraded?: readonly string[];
}

/** Rejects where it cannot be found out. */
type Check = (signal: AbortSignal) => Promise<Found>;

const checksOf = ({ db, store }: Pick<App, 'db' | 'store'>): Record<string, Check> => ({
  database: async () => ({ missing: (await db.orm.isConnected()) ? [] : ['database'] }),
  // A database that is away is missing by its own name.
  workers: () => workersOf(db).catch(() => ({ missing: [] })),
  storage: async (signal) => ({ missing: await store.missing(signal) }),
});

/** Without these an avatar does not answer; other work waits, and all else is served. */
const ESSENTIAL: readonly JobKind[] = ['reply', 'render'];

/** Kinds of job that no living worker takes. */
async function workersOf(db: App['db']): Promise<Found> {
  const locks = await locksOf(db, { lockClasses: [LOCK_CLASSES.worker, LOCK_CLASSES.workerKind] });
  const ofClass = (wanted: number) => locks.filter(({ classid }) => Number(classid) === wanted);
  const workers = ofClass(LOCK_CLASSES.worker).map(({ pid }) => pid);
  if (workers.length === 0) return { missing: ['workers'] };
  const kinds = ofClass(LOCK_CLASSES.workerKind);
  // One of a release that does not say what it takes: it may take what no other worker takes.
  if (workers.some((worker) => kinds.every(({ pid }) => pid !== worker))) return { missing: [] };
  const taken = new Set(kinds.map(({ objid }) => JOB_KINDS[Number(objid)]));
  const untaken = JOB_KINDS.filter((kind) => !taken.has(kind));
  const named = (ofThem: (kind: JobKind) => boolean) => untaken.filter(ofThem).map((kind) => `workers:${kind}`);
  return {
    missing: named((kind) => ESSENTIAL.includes(kind)),
    degraded: named((kind) => !ESSENTIAL.includes(kind)),
  };
}

async function readiness(checks: Record<string, Check>): Promise<Readiness> {
  const named = Object.entries(checks).map(async ([name, check]) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), LONGEST_MS);
    const tooLate = wait(LONGEST_MS, { missing: [name] }, { ref: false });
    try {
      return await Promise.race<Found>([check(late.signal), tooLate]);
    } catch {
      return { missing: [name] };
    } finally {
      clearTimeout(timer);
    }
  });
  const found = await Promise.all(named);
  const missing = found.flatMap((one) => one.missing);
  // Whether there are workers only the database knows.
  const known = missing.includes('database') ? missing.filter((name) => !name.startsWith('workers')) : missing;
  return { ready: known.length === 0, missing: known, degraded: found.flatMap(({ degraded = [] }) => degraded) };
}

/** Whether a path is a health check, which is not logged. */
export const isProbe = (url: string): boolean => /^\/health(?:[/?]|$)/.test(url);

/** Mounts `/health/live` and `/health/ready`. */
export function mountHealth(fastify: FastifyInstance, app: Pick<App, 'db' | 'store' | 'notifier'>): void {
  const checks = checksOf(app);
  let asked: { atMs: number; found: Promise<Readiness> } | undefined;
  const ask = (): Promise<Readiness> => {
    if (!asked || performance.now() - asked.atMs > KEPT_MS)
      asked = { atMs: performance.now(), found: readiness(checks) };
    return asked.found;
  };
  fastify.get('/health/live', async () => ({ live: true }));
  for (const url of ['/health', '/health/ready']) {
    fastify.get(url, async (_request, reply) => {
      const { degraded: worse = [], ...found } = await ask();
      const degraded = [...(app.notifier.isAway ? ['notifications'] : []), ...worse];
      return reply.code(found.ready ? 200 : 503).send({ ...found, ...(degraded.length > 0 ? { degraded } : {}) });
    });
  }
}
