/**
 * A migrated PostgreSQL that offers pgvector, without a server: PGlite is PostgreSQL and the extension compiled to
 * WebAssembly. One connection, in memory; the extension is there to be created, and is not created.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
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

/** A migrated one; made once for these migrations, because that takes five seconds of computing, and loaded by each. */
let template: Promise<Blob> | undefined;

/** As `npm test` keeps what it compiles: by what it is made of. */
const CACHE = path.resolve('node_modules/.cache/test-pgvector');

async function openTemplate(): Promise<Blob> {
  const migrations = openSchema('postgres://pglite/memory').migrations.map(({ class: Listed }) => {
    const { sql } = new Listed(undefined as never, undefined as never);
    // Several statements at once are a transaction here, and no other connection writes.
    return sql.replaceAll(' concurrently ', ' ');
  });
  const { version } = JSON.parse(
    await readFile(path.resolve('node_modules/@electric-sql/pglite/package.json'), 'utf8'),
  );
  const name = createHash('sha256')
    .update(JSON.stringify([version, migrations]))
    .digest('hex');
  const file = path.join(CACHE, `${name}.tar`);
  try {
    return new Blob([await readFile(file)]);
  } catch {
    const files = await makeTemplate(migrations);
    await rm(CACHE, { recursive: true, force: true });
    await mkdir(CACHE, { recursive: true });
    // Whole or not at all: another run may read it.
    await writeFile(`${file}-${process.pid}`, Buffer.from(await files.arrayBuffer()));
    await rename(`${file}-${process.pid}`, file);
    return files;
  }
}

async function makeTemplate(migrations: string[]): Promise<Blob> {
  const db = await PGlite.create({ extensions: { vector } });
  for (const sql of migrations) await db.exec(sql);
  const files = await db.dumpDataDir('none');
  await db.close();
  return files;
}

export async function startVectorDatabase(): Promise<VectorDatabase> {
  template ??= openTemplate();
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
