/**
 * Runs a transaction on one connection. SQL goes straight to `pg`; MikroORM's manager uses the same connection when a
 * service asks for it. Statements that do not depend on each other's results are pipelined: they are sent without waiting,
 * together with `begin` and `commit`.
 */

import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { NamedStatements, Row } from './named-statements.ts';

declare const branded: unique symbol;

/** SQL with $1 parameters. */
interface Statement {
  sql: string;
  values: unknown[];
}

/** A notification to every process: something of this channel changed, and what. At most 7 999 bytes; it may be lost. */
export interface Notification {
  channel: string;
  payload: string;
}

/** A single statement, and what to do with its rows after the commit. */
export interface LastStatement extends Statement {
  committed(rows: Row[]): void;
}

/** An open transaction. */
export interface Tx {
  readonly [branded]: true;
  readonly em: SqlEntityManager;
  /** Runs SQL with $1 parameters inside the transaction, after flushing what entities hold. */
  rows<T extends Row = Row>(sql: string, values?: unknown[]): Promise<T[]>;
  /** As `rows`, but the statement is sent at once and so goes ahead of the commit, awaited or not. Entities are not flushed. */
  rowsAtOnce<T extends Row = Row>(sql: string, values?: unknown[]): Promise<T[]>;
  /**
   * Sends SQL without awaiting it, for statements whose rows are not needed: several of them and the commit are one round
   * trip. When it fails, the transaction commits nothing and throws its error. Entities are not flushed.
   */
  send(sql: string, values: unknown[]): void;
  /**
   * Sends one SELECT, INSERT, UPDATE or DELETE without awaiting it. When it affects no row, the transaction commits nothing
   * and throws the error that `otherwise` makes. So a fence costs no round trip of its own.
   */
  require(sql: string, values: unknown[], otherwise: () => Error): void;
  /** Sends this right before the commit, so that hot rows are locked as late as possible. Of each key the last is sent. */
  beforeCommit(key: string, statement: () => LastStatement): void;
  /**
   * Sends what this `select ... as channel, ... as payload` finds after the commit to every process; it is sent right behind
   * it. Equal ones are sent once, and all are one statement, because each statement wakes every listener. It is not
   * awaited, its failure is ignored, and it is also sent when the commit failed: it only says that something may have changed.
   */
  notify(select: string, values: unknown[]): void;
  /** Calls back after the commit; the callback handles its own failures. */
  afterCommit(work: () => void): void;
  /** Calls back when the transaction failed, or when it is unknown whether it was committed. */
  afterFailure(work: () => void): void;
}

/** What a transaction runs on. */
export interface Connected {
  orm: MikroORM;
  pool: pg.Pool;
  statements: NamedStatements;
  /** What begins each. */
  begin: string;
  /** Sends notifications where a broker carries them; undefined where PostgreSQL's NOTIFY does. */
  publish?: ((notifications: Notification[]) => void) | undefined;
}

/** Whether PostgreSQL raised the error, which then may only say that the transaction is aborted already. */
const isOfPostgres = (error: unknown): boolean => (error as { severity?: string } | undefined)?.severity !== undefined;

/** Commits what `work` did, or nothing. */
export async function runTransaction<T>(on: Connected, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await on.pool.connect();
  const connection = new PipelinedConnection(client, on);
  const failed: (() => void)[] = [];
  let dead: Error | undefined;
  try {
    return await complete(on, connection, work, failed);
  } catch (error) {
    for (const step of failed) step();
    dead = (await connection.rollback()) ?? connection.broken;
    throw isOfPostgres(error) ? (connection.cause ?? error) : error;
  } finally {
    client.release(dead);
  }
}

async function complete<T>(
  { orm, publish }: Connected,
  connection: PipelinedConnection,
  work: (tx: Tx) => Promise<T>,
  failed: (() => void)[],
): Promise<T> {
  let em: SqlEntityManager | undefined;
  const last = new Map<string, () => LastStatement>();
  const notices = new Map<string, Statement>();
  const after: (() => void)[] = [];
  const tx = {
    get em(): SqlEntityManager {
      em ??= managerOn(orm, connection);
      return em;
    },
    async rows<R extends Row>(sql: string, values: unknown[] = []): Promise<R[]> {
      if (em) await em.flush();
      return (await connection.query(sql, values)).rows as R[];
    },
    rowsAtOnce: async <R extends Row>(sql: string, values: unknown[] = []): Promise<R[]> =>
      (await connection.query(sql, values)).rows as R[],
    send: (sql: string, values: unknown[]) => void connection.query(sql, values).catch(() => {}),
    require: (sql: string, values: unknown[], otherwise: () => Error) =>
      void connection.query(failingOnNone(sql), values, otherwise).catch(() => {}),
    beforeCommit: (key: string, statement: () => LastStatement) => void last.set(key, statement),
    notify: (sql: string, values: unknown[]) => void notices.set(JSON.stringify([sql, values]), { sql, values }),
    afterCommit: (step: () => void) => void after.push(step),
    afterFailure: (step: () => void) => void failed.push(step),
  } as Tx;
  const value = await work(tx);
  if (em) await em.flush();
  const statements = [...last.values()].map((statement) => statement());
  const results = statements.map(({ sql, values }) => connection.query(sql, values));
  // Where one of them fails, PostgreSQL answers this commit by rolling back.
  const [rows] = await Promise.all([Promise.all(results), connection.commit(allOf([...notices.values()]), publish)]);
  for (const [index, statement] of statements.entries()) statement.committed(rows[index]!.rows);
  for (const step of after) step();
  return value;
}

/** The SQLSTATE that `failingOnNone` causes when there is no row. */
const DIVISION_BY_ZERO = '22012';

/** How a statement fails that is made to, by what it found. */
export const isDivisionByZero = (error: unknown): boolean => (error as pg.DatabaseError).code === DIVISION_BY_ZERO;

/** The statement, made to fail when it affects no row: it divides by the number of rows. */
const failingOnNone = (sql: string): string => `with met as (${sql}) select 1 / count(*)::int from met`;

/** Several SELECTs of notifications as one, with their parameters renumbered; undefined for none. */
function allOf(selects: Statement[]): Statement | undefined {
  if (selects.length === 0) return undefined;
  const values: unknown[] = [];
  const parts = selects.map((select) => {
    const before = values.length;
    values.push(...select.values);
    return select.sql.replace(/\$(\d+)/g, (_, position) => `$${before + Number(position)}`);
  });
  return { sql: parts.join(' union all '), values };
}

/**
 * The connection of one transaction. Each statement is sent at once, without waiting for the results of those before;
 * `begin` goes ahead of the first. Results come in order.
 */
class PipelinedConnection {
  /** The first failure; later statements only fail because the transaction is aborted. */
  cause: Error | undefined;
  readonly #client: pg.PoolClient;
  readonly #statements: NamedStatements;
  readonly #begin: string;
  #begun = false;
  /** A required row was missing: PostgreSQL reported it, and the connection can be used again. */
  #isRefused = false;

  constructor(client: pg.PoolClient, { statements, begin }: Connected) {
    this.#client = client;
    this.#statements = statements;
    this.#begin = begin;
  }

  /** @param otherwise makes the error when the statement was built by `failingOnNone` and there was no row */
  query(sql: string, values: unknown[], otherwise?: () => Error): Promise<pg.QueryResult<Row>> {
    return this.#sendBegun(this.#statements.named(sql, values), otherwise);
  }

  once(sql: string): Promise<pg.QueryResult<Row>> {
    return this.#sendBegun(sql);
  }

  /** An error on this side of the connection: `pg` may believe that a statement is prepared which PostgreSQL never got. */
  get broken(): Error | undefined {
    return isOfPostgres(this.cause) || this.#isRefused ? undefined : this.cause;
  }

  /** @param notifications selects what is notified behind the commit, @param publish sends it where a broker does and not PostgreSQL */
  async commit(notifications: Statement | undefined, publish: Connected['publish']): Promise<void> {
    if (!this.#begun) return;
    // A statement whose values could not be serialised was never sent, and PostgreSQL would commit the others.
    if (this.broken) throw this.broken;
    const committed = this.#send('commit');
    if (notifications) {
      const sql = publish
        ? notifications.sql
        : `select pg_notify(channel, payload) from (${notifications.sql}) as notification`;
      const notified = this.#send(this.#statements.named(sql, notifications.values));
      notified.then(
        ({ rows }) => publish?.(rows as Row[] as (Row & Notification)[]),
        () => {},
      );
    }
    const { command } = await committed;
    if (command !== 'COMMIT') throw this.cause ?? new Error('The transaction was rolled back.');
  }

  /** Undefined when the connection can be used again. */
  async rollback(): Promise<Error | undefined> {
    try {
      if (this.#begun) await this.#client.query('rollback');
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  #sendBegun(query: string | pg.QueryConfig, otherwise?: () => Error): Promise<pg.QueryResult<Row>> {
    if (!this.#begun) {
      this.#begun = true;
      void this.#send(this.#begin).catch(() => {});
    }
    return this.#send(query, otherwise);
  }

  #send(query: string | pg.QueryConfig, otherwise?: () => Error): Promise<pg.QueryResult<Row>> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<Row>>();
    // With a callback, because it is called at once when the statement cannot be sent.
    this.#client.query<Row>(query as pg.QueryConfig, (error, result) => {
      if (!error) return resolve(result);
      const isRefused = otherwise !== undefined && isDivisionByZero(error);
      if (isRefused && this.cause === undefined) this.#isRefused = true;
      this.cause ??= isRefused ? otherwise() : error;
      reject(error);
    });
    return promise.catch((error: Error) => {
      // The stack trace of the caller, not of the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }
}

/** Runs single statements, on one connection. */
interface StatementRunner {
  query(sql: string, values: unknown[]): Promise<Pick<pg.QueryResult<Row>, 'rows' | 'rowCount'>>;
  /** A text that holds its values, and is hardly ever sent again: under a name it would stay on the connection for good. */
  once(sql: string): Promise<Pick<pg.QueryResult<Row>, 'rows' | 'rowCount'>>;
}

/** MikroORM's manager, whose every statement runs on this connection. */
export function managerOn(orm: Pick<MikroORM, 'em'>, connection: StatementRunner): SqlEntityManager {
  const em = orm.em.fork() as SqlEntityManager;
  em.setTransactionContext(kyselyOn(connection));
  return em;
}

function kyselyOn(pipeline: StatementRunner): Kysely<unknown> {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      // MikroORM writes values into the text; what the query builder builds has parameters.
      const { rows, rowCount } = await (parameters.length > 0
        ? pipeline.query(sql, [...parameters])
        : pipeline.once(sql));
      // The query builder's types say what the statement selects.
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery(): never {
      throw new Error('Nothing is streamed inside a transaction.');
    },
  };
  const nothing = async () => {};
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: async () => connection,
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        releaseConnection: nothing,
        destroy: nothing,
      }),
    },
  });
}
