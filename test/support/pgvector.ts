/**
 * A migrated PostgreSQL that offers pgvector, without a server: PGlite is PostgreSQL and the extension compiled to
 * WebAssembly. One connection, in memory; the extension is there to be created, and is not created.
 */
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type pg from 'pg';
import { openSchema } from '../../src/app/open-schema.ts';
import type { Row } from '../../src/kernel/database.ts';
import type { Sql } from '../../src/services/brain/memory/memory-system.port.ts';

export interface VectorDatabase {
  sql: Sql;
  /** Statements without values, several at once. */
  run(text: string): Promise<void>;
  /** As much of a pool as what opens a graph asks for. */
  pool: pg.Pool;
  transaction<T>(fn: (sql: Sql) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** As node-postgres gives bytes. */
const asBuffer = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value) : value);

const query = async (on: Pick<PGlite, 'query'>, text: string, values?: unknown[]) => {
  const { rows } = await on.query<Record<string, unknown>>(text, values);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asBuffer(value)])));
};

const sqlOf = (on: Pick<PGlite, 'query'>): Sql => ({
  rows: async <T extends Row>(text: string, values?: unknown[]) => (await query(on, text, values)) as T[],
});

/** A migrated one; made once, because that takes five seconds of computing, and loaded by each. */
let template: Promise<Blob> | undefined;

async function makeTemplate(): Promise<Blob> {
  const db = await PGlite.create({ extensions: { vector } });
  const { migrations } = openSchema('postgres://pglite/memory');
  for (const { class: Listed } of migrations) {
    const { sql: written } = new Listed(undefined as never, undefined as never);
    // Several statements at once are a transaction here, and nobody else writes.
    await db.exec(written.replaceAll(' concurrently ', ' '));
  }
  const files = await db.dumpDataDir('none');
  await db.close();
  return files;
}

export async function startVectorDatabase(): Promise<VectorDatabase> {
  template ??= makeTemplate();
  const db = await PGlite.create({ extensions: { vector }, loadDataDir: await template });
  const sql = sqlOf(db);
  const client = {
    query: async (asked: string | pg.QueryConfig) => {
      const { text, values } = typeof asked === 'string' ? { text: asked } : asked;
      return { rows: await query(db, text, values) };
    },
  };
  return {
    sql,
    run: async (text) => void (await db.exec(text)),
    pool: { ...client, connect: async () => ({ ...client, release: () => {} }) } as unknown as pg.Pool,
    transaction: (fn) => db.transaction((tx) => fn(sqlOf(tx as unknown as PGlite))),
    stop: () => db.close(),
  };
}
