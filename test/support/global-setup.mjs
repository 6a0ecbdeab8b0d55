/**
 * Starts the embedded PostgreSQL of the test run and prepares the template database that every suite clones. It works
 * from the build that `npm test` has just made.
 */

import { createHash, randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openApp } from '../../dist/src/app/app.js';
import { startPostgres } from '../../dist/src/embedded-postgres/server.js';
import { readConfig } from '../../dist/src/kernel/config.js';

export const TEMPLATE = 'avatar_template';

export default async function setup(globalConfig) {
  const id = createHash('sha256').update(globalConfig.rootDir).digest('hex').slice(0, 8);
  const directory = path.join(os.tmpdir(), `avatar-test-${id}-${process.pid}`);
  // Durability is not what these tests are about, and syncing would double their time. Nor is what a server does for the
  // long run: a database that lives for seconds is neither vacuumed nor replicated.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '8GB',
    checkpoint_timeout: '1h',
    max_connections: '600',
  };
  const postgres = await startPostgres(directory, settings);
  await postgres.ensureDatabase(TEMPLATE);
  const config = readConfig({ ENGINES: 'noop', LOG_LEVEL: 'error', SECRETS_KEY: randomBytes(32).toString('hex') });
  const app = await openApp({ config, databaseUrl: postgres.urlOf(TEMPLATE), work: false });
  // Every suite is an instance of its own, with keys of its own.
  await app.db.rows('delete from instance_secret');
  await app.close();
  // A template must have no connections when it is cloned.
  const admin = new pg.Client({ connectionString: postgres.urlOf('postgres') });
  await admin.connect();
  await admin.query(`update pg_database set datallowconn = false where datname = '${TEMPLATE}'`);
  await admin.end();
  process.env.TEST_TIMES = `${directory}-times`;
  process.env.TEST_POSTGRES_URL = postgres.urlOf('postgres');
  process.env.TEST_POSTGRES_DIR = directory;
  globalThis.testPostgres = postgres;
}
