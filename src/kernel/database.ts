/**
 * The one way to PostgreSQL. `transaction(fn)` opens a transaction and hands out a branded `Tx`; services take a `Tx`
 * and nothing else touches MikroORM's manager, because an outer or forked one inside a transaction silently runs on
 * another connection. `rows` serves reads on the pool; measured 85 µs for two queries beside 678 as entities.
 */
import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { type OrmOptions, ormOptions } from './orm.ts';
import { type Row, Statements } from './statements.ts';
import { runTransaction, type Tx } from './transaction.ts';
import { AccountSlots } from './work-account.ts';

export type { Row } from './statements.ts';
export type { Tx } from './transaction.ts';

/** The connection pool: prepared statements, transactions, entity managers. */
export interface Database {
  /** Commits what `work` did, or nothing. Retries nothing: the caller knows whether it may. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A statement outside of any transaction, on the pool. int8 comes as a number, beyond 2^53 as text. */
  rows<T extends Row = Row>(sql: string, values?: unknown[]): Promise<T[]>;
  /** A unit of work for reads, on the pool: what it loads is not written, and what others commit later not seen. */
  em(): SqlEntityManager;
  readonly pool: pg.Pool;
  readonly orm: MikroORM;
  close(): Promise<void>;
}

/**
 * One account's transactions have this part of the connections: they wait for each other anyway, at the rows of its
 * balance, and would hold all connections meanwhile (20 posts at once of one account kept another's waiting for 160 ms of 250).
 */
const ACCOUNT_PART = 4;

/** Connects; does not migrate. */
export async function openDatabase(options: OrmOptions): Promise<Database> {
  const orm = await MikroORM.init(ormOptions(options));
  await orm.connect();
  const pool = await orm.em.getConnection().getNativeClient();
  const statements = new Statements();
  const slots = new AccountSlots(Math.max(2, Math.floor(pool.options.max / ACCOUNT_PART)));
  return {
    em: () => orm.em.fork(),
    orm,
    pool,
    transaction: (work) => slots.run(() => runTransaction({ orm, pool, statements }, work)),
    rows: async (sql, values = []) => (await pool.query(statements.named(sql, values))).rows,
    close: () => orm.close(true),
  };
}

const SWEEP_MS = 1_000;

/**
 * Ends connections whose last statement was sent too long ago, so that whoever waits for it gets an error. The driver's
 * own `query_timeout` is a timer a statement, which cost a poll 35 of its 300 µs; this is a look at all of them a second.
 */
class Deadlines {
  readonly #waitMs: number;
  readonly #dueMs = new Map<pg.PoolClient, number>();
  #sweep: NodeJS.Timeout | undefined;

  /** @param waitMs for a statement that names no `query_timeout` of its own, in milliseconds */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** Notes from now on when each statement of this connection is due. */
  watch(client: pg.PoolClient): void {
    const query: (...given: unknown[]) => unknown = client.query.bind(client);
    const noted = (...given: unknown[]) => {
      const own = (given[0] as { query_timeout?: number } | undefined)?.query_timeout;
      this.#dueMs.set(client, performance.now() + (own ?? this.#waitMs));
      this.#sweep ??= setInterval(() => this.#endOverdue(), SWEEP_MS).unref();
      return query(...given);
    };
    Object.assign(client, { query: noted });
  }

  /** The connection rests in the pool, or has left it. */
  forget(client: pg.PoolClient): void {
    this.#dueMs.delete(client);
  }

  #endOverdue(): void {
    const nowMs = performance.now();
    for (const [client, dueMs] of this.#dueMs) {
      if (dueMs > nowMs) continue;
      this.#dueMs.delete(client);
      // Not `end`, which waits for the answers that do not come.
      client.connection.stream.destroy();
    }
    if (this.#dueMs.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

/** PostgreSQL gives up a lock so long before the caller's time is over, and a server that says nothing is left so long after. */
const EARLIER_MS = 1_000;
const LATER_MS = 2_000;

/**
 * Bounds how long an answer, or a connection, is waited for; whoever waits longer gets an error of an outage. PostgreSQL
 * gives up first: a statement that only this side has given up, and the commit sent behind it, would still be carried
 * out, and whoever was told to come back is charged twice. Called behind the migrations, which take the time that they
 * need; before anything else uses the pool.
 */
export async function boundWaits({ pool }: Pick<Database, 'pool'>, ms: number): Promise<void> {
  const lockMs = Math.max(ms - EARLIER_MS, ms / 2);
  const deadlines = new Deadlines(ms + LATER_MS);
  pool.options.connectionTimeoutMillis = ms;
  pool.on('release', (_error, client) => deadlines.forget(client));
  pool.on('remove', (client) => deadlines.forget(client));
  pool.on('connect', (client) => {
    deadlines.watch(client);
    // A transaction that PostgreSQL ends while it rests (its process was frozen) fails at its next statement.
    client.on('error', () => {});
    // Not as parameters of the start, which poolers refuse. Ahead of the first statement, in the same write.
    client
      .query(
        `set lock_timeout = ${lockMs}; set statement_timeout = ${ms}; set idle_in_transaction_session_timeout = ${2 * ms}`,
      )
      .catch(() => {});
  });
  // A connection keeps what was said when it was made.
  const unbounded = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of unbounded) client.release(true);
}
