/**
 * The embedded PostgreSQL: initialised, started, adopted and stopped by its own `initdb` and `pg_ctl`. It runs in its
 * own process group, so Ctrl-C reaches us first and it is stopped last; a server that survived a kill -9 of ours is
 * adopted by the next start. Who runs it and where: `runner.ts`; who may connect: `access.ts`.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { openAccess } from './access.ts';
import { directoryOf, findRunner, giveTo, runAs } from './runner.ts';

const run = promisify(execFile);

/** A PostgreSQL server that this process started. */
export interface EmbeddedPostgres {
  /** Connection URL of a database of the server. */
  urlOf(database: string): string;
  /** Makes a database when it is missing; `template` is cloned. */
  ensureDatabase(name: string, template?: string): Promise<void>;
  /** Folder of the server's own files, PostgreSQL's PGDATA. */
  data: string;
  /** True when it was found running. */
  adopted: boolean;
  /** Starts it again, at the same port, when its process is gone; true when it did. */
  revive(): Promise<boolean>;
  /** Stops it, unless another program of ours that runs on this machine still uses it. */
  stop(): Promise<void>;
}

/**
 * How new data keep their write-ahead log: in files of 4 MB, of which a fresh database holds two or three, not of 16. Its bounds, which
 * initdb derives from that, are PostgreSQL's own. Data of an earlier version say themselves what they have.
 */
const LOG = ['--wal-segsize=4', '-c', 'min_wal_size=80MB', '-c', 'max_wal_size=1GB'];

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

/** Starts or adopts the server whose data lie in `wanted`. Rejects with one sentence that never holds the password. */
export async function startPostgres(wanted: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const runner = findRunner();
  const directory = directoryOf(wanted, runner);
  const data = path.join(directory, 'data');
  const options = { ...runAs(runner), cwd: directory };
  const tool = (name: string, ...args: string[]) => run(path.join(runner.bin, name), args, options);
  try {
    if (!existsSync(path.join(data, 'PG_VERSION'))) {
      // Made beside and put in place: one that was broken off is no database, and would never start.
      const fresh = path.join(directory, 'data-new');
      rmSync(fresh, { recursive: true, force: true });
      giveTo(runner, fresh, 'folder');
      // No connection is let in before the rules are there.
      const rules = ['-U', 'postgres', '-A', 'reject', '-E', 'UTF8', '--locale=C', '--no-sync'];
      await tool('initdb', '-D', fresh, ...rules, ...LOG);
      renameSync(fresh, data);
    }
    const access = openAccess(directory, runner, `${USER_PREFIX}${process.pid}`);
    const portFile = path.join(directory, 'port');
    let port = Number(existsSync(portFile) ? readFileSync(portFile, 'utf8') : 0);
    const runs = (): Promise<boolean> =>
      tool('pg_ctl', '-D', data, 'status').then(
        () => true,
        () => false,
      );
    const isRunning = await runs();
    // The pid file of a server that was just killed still names a process for a moment, so only one that answers is adopted.
    const adopted = isRunning && access.isEnforced && (await answers(access.urlOf(port, 'postgres'), ADOPT_MS));
    if (isRunning && !adopted) {
      // A server that trusts all connections is healthy and is stopped in order; one that does not answer is killed.
      const mode = access.isEnforced ? 'immediate' : 'fast';
      await tool('pg_ctl', '-D', data, '-m', mode, '-w', 'stop').catch(() => {});
    }
    if (!access.isEnforced) await access.enforce();
    const start = (): Promise<unknown> => {
      const flags = Object.entries({
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        port: String(port),
        ...settings,
      }).map(([name, value]) => `-c ${name}='${value}'`);
      const log = path.join(directory, 'postgres.log');
      giveTo(runner, log, 'file');
      return tool('pg_ctl', '-D', data, '-l', log, '-w', '-t', '60', '-o', flags.join(' '), 'start');
    };
    if (!adopted) {
      port = await freePort();
      writeFileSync(portFile, String(port));
      await start();
    }
    const urlOf = (database: string) => access.urlOf(port, database);
    return {
      urlOf,
      data,
      adopted,
      ensureDatabase: (name, template) => ensureDatabase(urlOf('postgres'), name, template),
      async revive() {
        // A server that is only too busy to answer is left alone.
        if ((await answers(urlOf('postgres'), ANSWER_MS)) || (await runs())) return false;
        await start();
        return true;
      },
      async stop() {
        if (await isUsedByAnother(urlOf('postgres'))) return;
        await tool('pg_ctl', '-D', data, '-m', 'fast', '-w', 'stop').catch(() => {});
      },
    };
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr || (error as Error).message)
      .trim()
      .split('\n');
    // `initdb` goes on to say what it removes.
    const detail = said.find((line) => line.includes('No space left')) ?? said.at(-1);
    throw new Error(`The embedded PostgreSQL in ${directory} did not start: ${detail}`, { cause: error });
  }
}

/** Before the process id in the name under which a program and its worker connect. */
const USER_PREFIX = 'avatar-platform-';

/** How long one connection may take, and how long after a failure the next is tried. */
const ANSWER_MS = 1_000;
const ASK_AGAIN_MS = 100;
/** How long a running server that is too busy to answer is waited for: to adopt it, and to ask who else uses it. */
const ADOPT_MS = 30_000;
const STOP_MS = 10_000;

/** True when a second program that lives was started on the same data: the server is its database too. */
async function isUsedByAnother(url: string): Promise<boolean> {
  const client = await connected(url, STOP_MS);
  if (!client) return false;
  try {
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

/** True when a server takes this connection. @param patienceMs see `connected` */
async function answers(url: string, patienceMs: number): Promise<boolean> {
  const client = await connected(url, patienceMs);
  await client?.end().catch(() => {});
  return client !== undefined;
}

/**
 * A connection to a server; undefined when none listens there, or it does not know our password. One that is silent, starting or full
 * may only be busy: it is asked again for `patienceMs`.
 */
async function connected(url: string, patienceMs: number): Promise<pg.Client | undefined> {
  const endsAtMs = performance.now() + patienceMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      const { code = '' } = error as { code?: string };
      // 28xxx: PostgreSQL refused the password.
      if (code === 'ECONNREFUSED' || code.startsWith('28') || performance.now() >= endsAtMs) return undefined;
      await pause(ASK_AGAIN_MS);
    }
  }
}

/** PostgreSQL's code for a database that is there already. */
const DUPLICATE_DATABASE = '42P04';

async function ensureDatabase(adminUrl: string, name: string, template?: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  // A server that is stopped meanwhile fails the statement; between statements the error would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    const quoted = pg.escapeIdentifier(name);
    // A copy of PostgreSQL's own template goes past the log, which it would lengthen by 4 MB.
    const how = template ? `template ${pg.escapeIdentifier(template)}` : 'strategy file_copy';
    await client.query(`create database ${quoted} ${how}`);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== DUPLICATE_DATABASE) throw error;
  } finally {
    await client.end();
  }
}
