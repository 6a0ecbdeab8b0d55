/**
 * Keeps all processes of an instance together below PostgreSQL's limit of connections: each counts the living processes by their
 * locks, and opens no more than its share. Without it seven processes, each with a pool of twelve and four more connections,
 * needed 101 of a hundred under load, and 39 of 1 800 requests failed.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { preparedOver } from './prepared.ts';
import { LOCK_CLASSES, locksOf } from './session-locks.ts';

/** Connections of a process beside its pool: two for jobs, its lock and LISTEN, one to migrate or to build an index. */
const BESIDE_THE_POOL = 4;
/** Left free for the superuser, replicas and operators' sessions. */
const KEPT = 10;
/** With fewer a transaction could wait for a connection that the same process holds. */
const LEAST = 2;
const LOOK_MS = 5_000;

/** Connections that one of so many processes may open. @param most what it was given, DATABASE_POOL */
export function poolShare({ limit, processes, most }: { limit: number; processes: number; most: number }): number {
  const share = Math.floor((limit - KEPT) / Math.max(1, processes)) - BESIDE_THE_POOL;
  return Math.max(LEAST, Math.min(most, share));
}

const settingOf = preparedOver<object>()((tables, _given: object) =>
  tables.selectNoFrom(sql<number>`current_setting('max_connections')::int`.as('limit')),
);

/** Sets the pool's limit by the number of living processes, now and every five seconds. */
export class ConnectionBudget {
  readonly #db: Pick<Database, 'rows' | 'pool'>;
  readonly #most: number;
  readonly #onChange: (found: { processes: number; connections: number }) => void;
  readonly #timer: NodeJS.Timeout;
  #limit: number | undefined;
  /**
   * Ends a connection that is released while the pool has more than its share. The pool itself would hand it to the next waiting
   * caller: under load none would ever be idle for long enough to be closed.
   */
  readonly #onRelease = (): void => {
    const { pool } = this.#db;
    pool.options.maxUses = pool.totalCount > pool.options.max ? 1 : Number.POSITIVE_INFINITY;
  };

  /** @param onChange called with the new share where it is not the one before */
  constructor(
    db: Pick<Database, 'rows' | 'pool'>,
    onChange: (found: { processes: number; connections: number }) => void,
  ) {
    this.#db = db;
    this.#most = db.pool.options.max;
    this.#onChange = onChange;
    db.pool.on('release', this.#onRelease);
    // While the database is away the share stays as it is.
    this.#timer = setInterval(() => void this.adjust().catch(() => {}), LOOK_MS).unref();
  }

  /** Rejects where the database does not answer. */
  async adjust(): Promise<void> {
    this.#limit ??= (await settingOf(this.#db, {}))[0]?.limit ?? Number.POSITIVE_INFINITY;
    const locks = await locksOf(this.#db, { lockClasses: [LOCK_CLASSES.worker, LOCK_CLASSES.web] });
    const processes = new Set(locks.map(({ pid, objid }) => `${pid}:${objid}`)).size;
    const connections = poolShare({ limit: this.#limit, processes, most: this.#most });
    const { options } = this.#db.pool;
    if (options.max === connections) return;
    options.max = connections;
    this.#onChange({ processes, connections });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#db.pool.off('release', this.#onRelease);
  }
}
