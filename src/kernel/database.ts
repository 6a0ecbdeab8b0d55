/**
 * The one way to PostgreSQL. `transaction(fn)` opens a transaction and hands out a branded `Tx`; services take a `Tx`
 * and nothing else touches MikroORM's manager, because an outer or forked one inside a transaction silently runs on
 * another connection. `rows` serves reads on the pool; measured 85 µs for two queries beside 678 as entities.
 */
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type EntityClass, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { type Row, Statements } from './statements.ts';
import { runTransaction, type Tx } from './transaction.ts';

export type { Row } from './statements.ts';
export type { Tx } from './transaction.ts';

export interface Database {
  /** Commits what `work` did, or nothing. Retries nothing: the caller knows whether it may. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A statement outside of any transaction, on the pool. int8 columns come as number or, beyond 2^53, are a bug. */
  rows<T extends Row = Row>(sql: string, values?: unknown[]): Promise<T[]>;
  readonly pool: pg.Pool;
  readonly orm: MikroORM;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  entities: EntityClass<unknown>[];
  poolSize?: number;
}

/** Connects; does not migrate. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    clientUrl: options.url,
    entities: options.entities,
    metadataProvider: ReflectMetadataProvider,
    pool: { min: 0, max: options.poolSize ?? 12 },
    // What is sent without waiting leaves at once: `begin` with the first statement, the last one with `commit`.
    driverOptions: { pipeline: true },
    // A lost database is reported by the query that needed it; nothing is printed beside our own log lines.
    logger: () => {},
    ignoreUndefinedInQuery: true,
  });
  await orm.connect();
  const pool = await (orm.em.getConnection() as unknown as { getNativeClient(): Promise<pg.Pool> }).getNativeClient();
  const statements = new Statements();
  return {
    orm,
    pool,
    transaction: (work) => runTransaction({ orm, pool, statements }, work),
    rows: async (sql, values = []) => (await pool.query(statements.named(sql, values))).rows,
    close: () => orm.close(true),
  };
}
