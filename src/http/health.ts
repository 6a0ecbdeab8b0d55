/**
 * What probes ask. `/health/live`: the process answers. `/health` and `/health/ready`: so does all that it depends on, each
 * asked by its own clock, at most once a second however many ask. Neither is ever limited.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { App } from '../app/app.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { LOCK_CLASSES, someLock } from '../kernel/session-locks.ts';

/** What does not answer within it is missing. */
const LONGEST_MS = 2 * SECOND_MS;
const KEPT_MS = SECOND_MS;

/** Whether a process can serve, and what is missing. */
export interface Readiness {
  ready: boolean;
  /** What does not do: database, workers, storage, disk. */
  missing: string[];
  /** What does not do and is done without: notifications. Left out where there is nothing. */
  degraded?: string[];
}

/** Names of what is missing; rejects where that cannot be found out. */
type Check = (signal: AbortSignal) => Promise<readonly string[]>;

const checksOf = ({ db, store }: Pick<App, 'db' | 'store'>): Record<string, Check> => ({
  database: async () => ((await db.orm.isConnected()) ? [] : ['database']),
  // A database that is away is missing by its own name.
  workers: async () =>
    (await someLock(db, { lockClass: LOCK_CLASSES.worker }).catch(() => [0])).length > 0 ? [] : ['workers'],
  storage: (signal) => store.missing(signal),
});

async function readiness(checks: Record<string, Check>): Promise<Readiness> {
  const named = Object.entries(checks).map(async ([name, check]) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), LONGEST_MS);
    const tooLate = wait(LONGEST_MS, [name], { ref: false });
    try {
      return await Promise.race([check(late.signal), tooLate]);
    } catch {
      return [name];
    } finally {
      clearTimeout(timer);
    }
  });
  const missing = (await Promise.all(named)).flat();
  // Whether there are workers only the database knows.
  const known = missing.includes('database') ? missing.filter((name) => name !== 'workers') : missing;
  return { ready: known.length === 0, missing: known };
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
      const found = await ask();
      const degraded = app.notifier.isAway ? { degraded: ['notifications'] } : {};
      return reply.code(found.ready ? 200 : 503).send({ ...found, ...degraded });
    });
  }
}
