/** The database of a command: DATABASE_URL, or the embedded one of DATA_DIR, stopped again where it was not running. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { startPostgres } from '../embedded-postgres/server.ts';
import { type Config, ConfigError } from '../kernel/config.ts';

/** Throws ConfigError where there is no database yet. */
export async function withDatabase(config: Config, work: (url: string) => Promise<void>): Promise<void> {
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url) return work(url);
  const directory = path.join(config.DATA_DIR, 'postgres');
  if (!existsSync(directory)) {
    throw new ConfigError(`There is no database in ${directory}: start the platform once, or set DATABASE_URL.`);
  }
  const postgres = await startPostgres(directory);
  try {
    await work(postgres.urlOf('avatars'));
  } finally {
    if (!postgres.adopted) await postgres.stop();
  }
}
