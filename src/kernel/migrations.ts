/**
 * Brings a database up to date: the numbered SQL files of src/migrations, each once, in order. Forward only; nothing
 * here is ever undone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from './database.ts';

/** Number of the advisory lock that keeps two starting processes from migrating at once. */
const MIGRATION_LOCK = 4_020_261;

/** Applies the numbered SQL files that this database has not seen, each once, in order, each in its transaction. */
export async function migrate(db: Pick<Database, 'pool'>, folder: URL): Promise<string[]> {
  const client = await db.pool.connect();
  const applied: string[] = [];
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'create table if not exists schema_migration (name text primary key, applied_at timestamptz not null default now())',
    );
    const seen = new Set((await client.query('select name from schema_migration')).rows.map((row) => row.name));
    const names = readdirSync(folder)
      .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
      .sort();
    for (const name of names.filter((name) => !seen.has(name))) {
      await client.query('begin');
      try {
        await client.query(readFileSync(new URL(name, folder), 'utf8'));
        await client.query('insert into schema_migration (name) values ($1)', [name]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      applied.push(name);
    }
    return applied;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    client.release();
  }
}
