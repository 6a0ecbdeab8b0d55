/** The embedded PostgreSQL lets in who knows its password, converts the data of versions that trusted every local user, and begins small. */
import { execFile } from 'node:child_process';
import { chownSync, lstatSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { findRunner } from '../../src/embedded-postgres/runner.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded-postgres/server.ts';
import { type DatabaseLine, openDatabaseLine } from '../support/database-proxy.ts';
import { freePort } from '../support/machine.ts';
import { until } from '../support/until.ts';

const FAST = { fsync: 'off', max_connections: '20' };
const isRoot = process.getuid?.() === 0;
const run = promisify(execFile);

let directory: string;
let postgres: EmbeddedPostgres | undefined;

async function rows(connectionString: string, sql = 'select 1 as one'): Promise<any[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The same address with another password, or none. */
function withPassword(password: string): string {
  const url = new URL(postgres!.urlOf('postgres'));
  url.password = password;
  return url.href;
}

async function expectClosed(): Promise<void> {
  await expect(rows(withPassword(''))).rejects.toThrow(/password/i);
  await expect(rows(withPassword('postgres'))).rejects.toMatchObject({ code: '28P01' });
  expect(await rows(postgres!.urlOf('postgres'))).toEqual([{ one: 1 }]);
}

const modeOf = async (...name: string[]) => (await stat(path.join(directory, ...name))).mode & 0o777;

/** A data folder as earlier versions made it, with a row in it; the server is left running. */
async function makeOlder(): Promise<(name: string, ...args: string[]) => Promise<unknown>> {
  const runner = findRunner();
  const user = runner.uid === undefined ? {} : { uid: runner.uid, gid: runner.gid! };
  if (runner.uid !== undefined) chownSync(directory, runner.uid, runner.gid!);
  const tool = (name: string, ...args: string[]) => run(path.join(runner.bin, name), args, { ...user, cwd: directory });
  const data = path.join(directory, 'data');
  const port = await freePort();
  await tool('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
  const flags = `-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c port=${port} -c fsync=off`;
  await tool('pg_ctl', '-D', data, '-l', path.join(directory, 'postgres.log'), '-w', '-o', flags, 'start');
  await writeFile(path.join(directory, 'port'), String(port));
  const trusted = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await rows(trusted, 'create table kept (word text)');
  await rows(trusted, "insert into kept values ('still here')");
  return (name, ...args) => tool(name, '-D', data, ...args);
}

/** Waits until the server was asked twice by what is done, or that has ended. */
async function askedAgain(line: DatabaseLine, done: Promise<unknown>): Promise<void> {
  const asked = line.connections;
  let hasEnded = false;
  const onEnd = (): void => {
    hasEnded = true;
  };
  done.then(onEnd, onEnd);
  await until(async () => hasEnded || line.connections >= asked + 2);
}

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'avatar-access-'));
  // PostgreSQL runs as `nobody` where the tests run as root, and must be able to enter.
  await chmod(directory, 0o755);
});
afterEach(async () => {
  await postgres?.stop();
  postgres = undefined;
  await rm(directory, { recursive: true, force: true });
});

describe('the embedded PostgreSQL', () => {
  test('refuses a superuser without its password; the password is in a file for us alone', async () => {
    postgres = await startPostgres(directory, FAST);
    await expectClosed();
    expect(await modeOf('password')).toBe(0o600);
    const { uid } = await stat(path.join(directory, 'password'));
    expect(uid).toBe(process.getuid?.());
    expect(await readFile(path.join(directory, 'password'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    const [{ stored }] = await rows(
      postgres.urlOf('postgres'),
      "select rolpassword as stored from pg_authid where rolname = 'postgres'",
    );
    expect(stored).toMatch(/^SCRAM-SHA-256\$/);
  });

  test('keeps its password over a restart, and is adopted with it', async () => {
    postgres = await startPostgres(directory, FAST);
    const before = await readFile(path.join(directory, 'password'), 'utf8');
    const second = await startPostgres(directory, FAST);
    expect(second.adopted).toBe(true);
    await postgres.stop();
    postgres = await startPostgres(directory, FAST);
    expect(postgres.adopted).toBe(false);
    expect(await readFile(path.join(directory, 'password'), 'utf8')).toBe(before);
    await expectClosed();
  });

  test.each(['was stopped', 'still runs'])(
    'converts a data folder that trusted every local user and %s',
    async (how) => {
      const tool = await makeOlder();
      if (how === 'was stopped') await tool('pg_ctl', '-m', 'fast', '-w', 'stop');
      postgres = await startPostgres(directory, FAST);
      await expectClosed();
      expect(await rows(postgres.urlOf('postgres'), 'select word from kept')).toEqual([{ word: 'still here' }]);
      expect(await readFile(path.join(directory, 'data/pg_hba.conf'), 'utf8')).not.toMatch(/trust/);
      // The write-ahead log stays in files of the size that it had.
      expect(await rows(postgres.urlOf('postgres'), 'show wal_segment_size')).toEqual([{ wal_segment_size: '16MB' }]);
    },
  );

  test('is adopted though it is too busy to answer for a while, and left to another program that uses it', async () => {
    postgres = await startPostgres(directory, FAST);
    const url = new URL(postgres.urlOf('postgres'));
    const startedAt = () => rows(url.href, 'select pg_postmaster_start_time()::text as at');
    const before = await startedAt();
    const line = await openDatabaseLine(url.href);
    url.searchParams.set('application_name', `avatar-platform-${process.ppid}`);
    const other = new pg.Client({ connectionString: url.href });
    other.on('error', () => {});
    try {
      await other.connect();
      await writeFile(path.join(directory, 'port'), new URL(line.url).port);
      line.freeze();
      const starting = startPostgres(directory, FAST);
      await askedAgain(line, starting);
      line.mend();
      const second = await starting;
      expect(second.adopted).toBe(true);
      expect(await startedAt()).toEqual(before);
      line.freeze();
      const stopping = second.stop();
      await askedAgain(line, stopping);
      line.mend();
      await stopping;
      expect(await startedAt()).toEqual(before);
    } finally {
      await other.end().catch(() => {});
      line.close();
    }
  });

  test('a fresh database is of 43 MB at most, and its log grows as far as PostgreSQL lets it by itself', async () => {
    postgres = await startPostgres(directory, FAST);
    await postgres.ensureDatabase('avatars');
    const bounds = "select name, current_setting(name) as set from unnest('{min_wal_size,max_wal_size}'::text[]) name";
    expect(await rows(postgres.urlOf('avatars'), bounds)).toEqual([
      { name: 'min_wal_size', set: '80MB' },
      { name: 'max_wal_size', set: '1GB' },
    ]);
    await postgres.stop();
    const files = readdirSync(directory, { recursive: true, withFileTypes: true });
    const bytes = files.reduce(
      (sum, entry) => sum + lstatSync(path.join(entry.parentPath, entry.name)).blocks * 512,
      0,
    );
    expect(bytes / 1e6).toBeLessThan(43);
  });

  test('a password whose file was lost is replaced, the data kept', async () => {
    postgres = await startPostgres(directory, FAST);
    await rows(postgres.urlOf('postgres'), 'create table kept ()');
    const old = postgres.urlOf('postgres');
    await postgres.stop();
    await rm(path.join(directory, 'password'));
    postgres = await startPostgres(directory, FAST);
    await expectClosed();
    const { port } = new URL(postgres.urlOf('postgres'));
    await expect(rows(Object.assign(new URL(old), { port }).href)).rejects.toMatchObject({ code: '28P01' });
    expect(await rows(postgres.urlOf('postgres'), 'select * from kept')).toEqual([]);
  });

  test('the folder of the password is ours, only the data and the log are the server’s', async () => {
    postgres = await startPostgres(directory, FAST);
    expect(await modeOf()).toBe(isRoot ? 0o711 : 0o700);
    expect((await stat(directory)).uid).toBe(process.getuid?.());
    expect(await modeOf('data')).toBe(0o700);
    expect(await modeOf('postgres.log')).toBe(0o600);
  });
});
