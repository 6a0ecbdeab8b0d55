/**
 * Starts the embedded PostgreSQL of the test run and prepares the template database that every suite clones. It works
 * from the build that `npm test` has just made.
 */

import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openApp } from '../../dist/src/app/app.js';
import { startPostgres } from '../../dist/src/embedded-postgres/server.js';
import { readConfig } from '../../dist/src/kernel/config.js';

export const TEMPLATE = 'avatar_template';

/** Linux keeps what lies here in memory. */
const IN_MEMORY = '/dev/shm';
/** A run takes some 600 MB of it. */
const ENOUGH_BYTES = 3e9;

/**
 * Where a run keeps its databases and temporary files: in memory where there is enough. A database has 700 files, which a
 * file system on a disk takes 300 ms of computing to copy, and memory 20.
 */
function rootOfFiles() {
  const mount = existsSync('/proc/self/mounts')
    ? readFileSync('/proc/self/mounts', 'utf8')
        .split('\n')
        .find((line) => line.split(' ')[1] === IN_MEMORY)
    : undefined;
  // Tests run programs that they put there.
  if (!mount || mount.includes('noexec') || process.availableMemory() < ENOUGH_BYTES) return os.tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < ENOUGH_BYTES ? os.tmpdir() : IN_MEMORY;
}

/** Removes what runs left that were killed. */
function removeLeft(root) {
  for (const name of readdirSync(root)) {
    const pid = /^avatar-test-\w+-(\d+)$/.exec(name)?.[1];
    if (!pid || existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(path.join(root, name), { recursive: true, force: true });
    } catch (error) {
      // One of its workers may still be about, or what it mounted: that is no reason for this run to fail.
      console.warn(`${path.join(root, name)} was left by a run that was killed: ${error.message}`);
    }
  }
}

export default async function setup(globalConfig) {
  const id = createHash('sha256').update(globalConfig.rootDir).digest('hex').slice(0, 8);
  const root = rootOfFiles();
  if (root === IN_MEMORY) removeLeft(root);
  const folder = path.join(root, `avatar-test-${id}-${process.pid}`);
  const directory = path.join(folder, 'postgres');
  mkdirSync(folder);
  // PostgreSQL runs as `nobody` where the tests run as root, and must be able to enter.
  chmodSync(folder, 0o755);
  // Durability is not what these tests are about, and syncing would double their time. Nor is what a server does for the
  // long run: a database that lives for seconds is neither vacuumed nor replicated.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '1GB',
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
  // A connection derives a key from the password by 4 096 rounds, and an instance opens a dozen of them.
  const { username, password } = new URL(postgres.urlOf('postgres'));
  await admin.query('set scram_iterations = 1');
  await admin.query(
    `alter role ${pg.escapeIdentifier(username)} password ${pg.escapeLiteral(decodeURIComponent(password))}`,
  );
  await admin.end();
  // Of the workers, which are started after this.
  process.env.TMPDIR = folder;
  process.env.TEST_TIMES = path.join(folder, 'times');
  process.env.TEST_POSTGRES_URL = postgres.urlOf('postgres');
  globalThis.testFolder = folder;
  globalThis.testPostgres = postgres;
}
