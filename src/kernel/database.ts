/**
 * The only access to PostgreSQL. `transaction(fn)` opens a transaction and passes a `Tx`, which services hand on. Nothing
 * else uses MikroORM's manager, because an outer or forked one inside a transaction silently runs on another
 * connection. `rows` is for reads on the pool (measured for two queries: 85 µs, 678 µs as entities).
 */
import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import pg from 'pg';
import { NamedStatements, type Row } from './named-statements.ts';
import { type OrmOptions, ormOptions } from './orm.ts';
import { preparedOver, unnest } from './prepared.ts';
import { type Connected, type Notification, runTransaction, type Tx } from './transaction.ts';
import { APPLICATION, VERSION } from './version.ts';
import { AccountSlots, currentSpan, inSpan } from './work-account.ts';

export type { Row } from './named-statements.ts';
export type { Notification, Tx } from './transaction.ts';

/** The connection pool: prepared statements, transactions, entity managers. */
export interface Database {
  /** Commits everything that `work` did, or nothing. It does not retry: only the caller knows whether that is safe. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A statement outside of any transaction, on the pool. int8 comes as a number, beyond 2^53 as text. */
  rows<T extends Row = Row>(sql: string, values?: unknown[]): Promise<T[]>;
  /** One statement that writes, as a transaction of its own. */
  write<T extends Row = Row>(sql: string, values?: unknown[]): Promise<T[]>;
  /** A unit of work for reads on the pool: changes to its entities are not written, later commits of others are not seen. */
  em(): SqlEntityManager;
  readonly pool: pg.Pool;
  /** Connections that are sessions of PostgreSQL, for locks and settings that last: `pool`, where no pooler is between. */
  readonly sessions: pg.Pool;
  readonly orm: MikroORM;
  /**
   * Limits how long a statement or a free connection is waited for; then the caller gets an outage error. PostgreSQL must give
   * up first: a statement that only this side gives up is still executed, as is the commit sent behind it, and a caller
   * who retries is charged twice. Call it after the migrations, which may take long, and before the pool is used.
   */
  boundWaits(ms: number): Promise<void>;
  /** Notifies every process, as `Tx.notify` does behind a commit. */
  notify(notifications: Notification[]): Promise<void>;
  /** From now on notifications go this way, and not by PostgreSQL's NOTIFY. */
  publishBy(publish: (notifications: Notification[]) => void): void;
  close(): Promise<void>;
}

/**
 * An account may use one in this many connections. Its transactions wait for each other at the rows of its
 * balance anyway, and would hold all connections meanwhile (20 simultaneous posts of one account delayed another's by
 * 160 of 250 ms).
 */
const ACCOUNT_PART = 4;

/** How a process reaches its database. */
export interface DatabaseOptions extends OrmOptions {
  /** PostgreSQL itself, where `url` is a pooler that gives a connection to one transaction at a time. */
  directUrl?: string | undefined;
}

/** Connections for what needs a session of its own: a lock while something is migrated or built. */
const SESSIONS = 2;

/** Connects; does not migrate. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { directUrl } = options;
  const orm = await MikroORM.init(ormOptions(options));
  await orm.connect();
  const pool = await orm.em.getConnection().getNativeClient();
  const isPooled = directUrl !== undefined;
  const sessions = isPooled ? openSessions(directUrl) : pool;
  const connected: Connected = {
    orm,
    pool,
    statements: new NamedStatements(!isPooled || (await keepsNames(pool))),
    begin: 'begin',
  };
  const slots = new AccountSlots(Math.max(2, Math.floor(pool.options.max / ACCOUNT_PART)));
  const inTransaction = <T>(work: () => Promise<T>): Promise<T> => {
    const run = () => slots.run(work);
    return currentSpan() ? inSpan('transaction', run) : run();
  };
  const rows: Database['rows'] = async (sql, values = []) =>
    (await pool.query(connected.statements.named(sql, values))).rows;
  const transaction: Database['transaction'] = (work) => inTransaction(() => runTransaction(connected, work));
  return {
    em: () => orm.em.fork(),
    orm,
    pool,
    sessions,
    transaction,
    rows,
    // Behind a pooler the limits of waiting are sent with the beginning of a transaction.
    write: (sql, values) =>
      isPooled ? transaction((tx) => tx.rowsAtOnce(sql, values)) : inTransaction(() => rows(sql, values)),
    async boundWaits(ms) {
      const limits = limitsOf(ms);
      // Behind a pooler a session's settings would stay for the next client of its connection: each transaction sets its own.
      if (isPooled) connected.begin = [connected.begin, ...limits.map((limit) => `set local ${limit}`)].join('; ');
      await boundWaits(pool, ms, isPooled ? '' : limits.map((limit) => `set ${limit}`).join('; '));
    },
    async notify(notifications) {
      if (connected.publish) return connected.publish(notifications);
      const columns = {
        channels: notifications.map(({ channel }) => channel),
        payloads: notifications.map(({ payload }) => payload),
      };
      const { sql: text, values } = notifyAll.filled(columns);
      await pool.query(connected.statements.named(text, values));
    },
    publishBy(publish) {
      connected.publish = publish;
    },
    async close() {
      if (isPooled) await sessions.end();
      await orm.close(true);
    },
  };
}

function openSessions(url: string): pg.Pool {
  const sessions = new pg.Pool({ connectionString: url, max: SESSIONS, application_name: `${APPLICATION}${VERSION}` });
  // A connection that breaks while idle is replaced by the pool; one in use rejects its query.
  sessions.on('error', () => {});
  return sessions;
}

/**
 * Whether prepared statements work through a pooler that gives a connection to one transaction at a time. PgBouncer from 1.21 on
 * tracks them and prepares them on every connection; behind other poolers they are lost.
 */
async function keepsNames(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { sql: text, values } = preparedNames.filled({});
    const { rows } = await client.query<{ name: string }>({ name: 'probe', text, values });
    return rows.some(({ name }) => name.startsWith('PGBOUNCER_'));
  } catch (error) {
    // The pooler gave this process a connection on which another process has prepared the probe: names are shared, so they cannot
    // be used.
    if ((error as pg.DatabaseError).code === DUPLICATE_STATEMENT) return false;
    throw error;
  } finally {
    client.release(true);
  }
}

const notifyAll = preparedOver<object>()((tables, given: { channels: string[]; payloads: string[] }) =>
  tables
    .selectFrom(unnest('notification', { channel: ['text', given.channels], payload: ['text', given.payloads] }))
    .select(sql`pg_notify(notification.channel, notification.payload)`.as('notified')),
);

/** PostgreSQL's code for a prepared statement whose name is taken. */
const DUPLICATE_STATEMENT = '42P05';
const preparedNames = preparedOver<{ pg_prepared_statements: { name: string } }>()((tables, _given: object) =>
  tables.selectFrom('pg_prepared_statements').select('name'),
);

const SWEEP_MS = 1_000;

/** A statement that is overdue as soon as it is sent. */
const ENDING: pg.QueryConfig & { query_timeout: number } = { text: 'select', query_timeout: 1 };

/**
 * Ends connections whose last statement is overdue, so that its caller gets an error. The driver's own `query_timeout` sets
 * a timer for each statement, which cost a poll 35 of its 300 µs; this checks all connections once a second. A
 * transaction that rests between two statements is not overdue: PostgreSQL itself ends it
 * (`idle_in_transaction_session_timeout`).
 */
class Deadlines {
  readonly #waitMs: number;
  readonly #dueMs = new Map<pg.PoolClient, number>();
  #sweep: NodeJS.Timeout | undefined;

  /** @param waitMs for a statement that names no `query_timeout` of its own, in milliseconds */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** Records from now on when each statement of this connection is due. */
  watch(client: pg.PoolClient): void {
    const query: (...given: unknown[]) => unknown = client.query.bind(client);
    const noted = (...given: unknown[]) => {
      const own = (given[0] as { query_timeout?: number } | undefined)?.query_timeout;
      this.#dueMs.set(client, performance.now() + (own ?? this.#waitMs));
      this.#sweep ??= setInterval(() => this.#endOverdue(), SWEEP_MS).unref();
      return query(...given);
    };
    Object.assign(client, { query: noted });
    // All statements are answered.
    client.on('drain', () => this.#dueMs.delete(client));
  }

  /** The connection is idle in the pool, or has left it. */
  forget(client: pg.PoolClient): void {
    this.#dueMs.delete(client);
  }

  #endOverdue(): void {
    const nowMs = performance.now();
    for (const [client, dueMs] of this.#dueMs) {
      if (dueMs > nowMs) continue;
      this.#dueMs.delete(client);
      // Not `end`, which waits for the missing answers: a pipelining connection closes when a statement exceeds its timeout.
      client.query(ENDING).catch(() => {});
    }
    if (this.#dueMs.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

/**
 * PostgreSQL ends a statement so long before the caller's deadline; a server that does not answer is given up so long after it.
 */
const EARLIER_MS = 1_000;
const LATER_MS = 2_000;

/** PostgreSQL's own limits, for statements that are given up after `ms`. */
const limitsOf = (ms: number): string[] => [
  `lock_timeout = ${Math.max(ms - EARLIER_MS, ms / 2)}`,
  `statement_timeout = ${ms}`,
  `idle_in_transaction_session_timeout = ${2 * ms}`,
];

/** As `Database.boundWaits`, of any pool. @param settings SQL that each connection runs first; empty for none */
export async function boundWaits(pool: pg.Pool, ms: number, settings: string): Promise<void> {
  const deadlines = new Deadlines(ms + LATER_MS);
  pool.options.connectionTimeoutMillis = ms;
  pool.on('release', (_error, client) => deadlines.forget(client));
  pool.on('remove', (client) => deadlines.forget(client));
  pool.on('connect', (client) => {
    deadlines.watch(client);
    // Not as startup parameters, which connection poolers refuse. Sent ahead of the first statement.
    if (settings) client.query(settings).catch(() => {});
  });
  // Connections that are open already keep their old settings.
  const unbounded = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of unbounded) client.release(true);
}
