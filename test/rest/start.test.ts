/**
 * Starting and stopping the program itself, as `npm start` does after building: first run, second start, Ctrl-C, a
 * kill -9 survived, and one clear sentence when it cannot start.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { checkDataDir } from '../../src/app/start-checks.ts';
import { ConfigError, readConfig } from '../../src/kernel/config.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/machine.ts';
import { type Run, ready, runModule, runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

/** A file system of its own, where this user may mount one. */
const readOnly = mkdtempSync(path.join(os.tmpdir(), 'avatar-read-only-'));
const isReadOnly = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', readOnly]).status === 0;
afterAll(() => {
  if (isReadOnly) execFileSync('umount', [readOnly]);
  rmdirSync(readOnly);
});

let dataDir: string;
let port: number;
/** The first run, which the tests after it go on with. */
let first: Run;
const runs: Run[] = [];
const folders: string[] = [];

function start(env: Record<string, string> = {}): Run {
  const run = runModule('src/main', settings(env));
  runs.push(run);
  return run;
}

const settings = (env: Record<string, string>) => ({ PORT: String(port), DATA_DIR: dataDir, ENGINES: 'noop', ...env });

async function end({ child, exit }: Run): Promise<void> {
  if (child.exitCode === null) child.kill('SIGTERM');
  await exit;
}

const pidFile = (folder = dataDir) => path.join(folder, 'postgres/data/postmaster.pid');
const postgresPid = async () => Number((await readFile(pidFile(), 'utf8')).split('\n')[0]);
/** PostgreSQL removes its pid file as the last thing it does. */
const runsPostgres = (folder = dataDir) => existsSync(pidFile(folder));

/** A data folder of a test's own, removed with the others. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-start-'));
  // PostgreSQL runs as `nobody` where the tests run as root, and must be able to enter.
  await chmod(folder, 0o755);
  folders.push(folder);
  return folder;
}

const linesOf = (run: Run): any[] =>
  run
    .output()
    .split('\n')
    .flatMap((line) => (/^\{.*\}$/.test(line) ? [JSON.parse(line)] : []));

/** What the program printed for a newcomer, used as one would. */
function caller(run: Run) {
  const out = run.output();
  const key = /svc_\w+/.exec(out)![0];
  const url = /curl -s -X POST (\S+)/.exec(out)![1]!;
  const ask = async (address: string, body?: object) => {
    const answer = await fetch(address, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => undefined);
    return answer?.ok ? ((await answer.json()) as any) : undefined;
  };
  const { origin, pathname } = new URL(url);
  return {
    key,
    say: (userText: string) => ask(url, { userText, output: 'video' }),
    turns: async () =>
      (await ask(`${origin}/conversations/by-slug/${pathname.split('/')[2]}`))?.turns as any[] | undefined,
    avatars: async () => (await ask(`${origin}/avatars`))?.avatars as any[] | undefined,
    me: async () =>
      (await ask(`${origin}/graphql`, { query: '{ me { balance { available held } } }' }))?.data.me.balance,
  };
}

beforeAll(async () => {
  dataDir = await newFolder();
  port = await freePort();
});
afterEach(async () => {
  for (const run of runs.splice(0)) if (run !== first) await end(run);
});
afterAll(async () => {
  if (first) await end(first);
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe('npm start', () => {
  test('the first run makes a demo whose printed curl line works', async () => {
    const run = start();
    await ready(run);
    const out = run.output();
    expect(out).toMatch(/first turn: video/);
    for (const said of ['/graphql', '/docs', '/live/c-', 'demo@localhost']) expect(out).toContain(said);
    const key = /svc_\w+/.exec(out)![0];
    const url = /curl -s -X POST (\S+)/.exec(out)![1]!;
    const body = /-d '(.*)'/.exec(out)![1]!;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(202);
    expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toMatchObject({ ready: true });
    // The worker's figures stand beside the web's, and its log lines name the request that asked.
    const requestId = answer.headers.get('x-request-id');
    await until(async () => linesOf(run).some((line) => line.msg === 'turn rendered' && line.requestId === requestId));
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toMatch(/^avatar_job_seconds_count\{process="worker",queue="render",outcome="done"\} [1-9]/m);
    expect(metrics).toMatch(/^process_resident_memory_bytes\{process="web"\} \d/m);
    expect(metrics).toMatch(/^process_resident_memory_bytes\{process="worker"\} \d/m);
    // The key is printed for a person and never logged.
    for (const line of out.split('\n').filter((text) => text.startsWith('{'))) expect(line).not.toContain(key);
    first = run;
  });

  test('a second start by mistake leaves the first one and its database alone', async () => {
    const pid = await postgresPid();
    const samePort = start({ LOG_LEVEL: 'silent' });
    expect(await samePort.exit).toBe(1);
    expect(samePort.output()).toMatch(/^PORT \d+ is in use/);
    expect(await postgresPid()).toBe(pid);
    const beside = start({ PORT: String(await freePort()) });
    await ready(beside);
    beside.child.kill('SIGINT');
    expect(await beside.exit).toBe(0);
    expect(await postgresPid()).toBe(pid);
    expect(first.output()).not.toContain('PostgreSQL had ended');
    expect(first.child.exitCode).toBe(null);
  });

  test('a kill -9 is survived: PostgreSQL is adopted, the demo is the same; one that is killed is started again, and turns go on; Ctrl-C stops it too', async () => {
    const pid = await postgresPid();
    const [key] = /svc_\w+/.exec(first.output())!;
    first.child.kill('SIGKILL');
    await first.exit;
    expect(runsPostgres()).toBe(true);
    const again = start();
    await ready(again);
    expect(again.output()).toContain(key);
    expect(await postgresPid()).toBe(pid);

    const demo = caller(again);
    process.kill(pid, 'SIGKILL');
    const injected = await until(() => demo.say('Are you still there?'));
    const seen = await until(async () =>
      (await demo.turns())?.find(({ id, status }) => id === injected.turn.id && status === 'video'),
    );
    expect(seen.avatarText).toMatch(/\w/);
    expect(await postgresPid()).not.toBe(pid);
    expect((await demo.me()).held).toBe(0);
    expect(again.child.exitCode).toBe(null);
    again.child.kill('SIGINT');
    expect(await again.exit).toBe(0);
    expect(runsPostgres()).toBe(false);
  });

  describe('a first run', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await newFolder();
    });

    test.each<[string, (run: Run) => boolean]>([
      ['PostgreSQL starts', () => runsPostgres(folder)],
      ['the demo is made', (run) => run.output().includes('First run')],
    ])('that is ended by Ctrl-C while %s leaves no PostgreSQL', async (_, isThere) => {
      const run = start({ DATA_DIR: folder });
      await until(async () => isThere(run));
      run.child.kill('SIGINT');
      // With what it printed: an exit code alone says nothing about a start that failed.
      expect({ code: await run.exit, output: run.output() }).toEqual({
        code: 0,
        output: expect.not.stringMatching(/error/i),
      });
      expect(runsPostgres(folder)).toBe(false);
    });

    test('that was ended, and then killed at its end, is gone on with: one demo, one avatar, one first turn; npm passes SIGTERM on', async () => {
      const killed = start({ DATA_DIR: folder });
      // Where the run before came as far as its first turn, this one has none to report.
      await until(async () => /first turn:|Ctrl-C stops everything/.test(killed.output()));
      killed.child.kill('SIGKILL');
      await killed.exit;
      // As one that was killed just before it wrote this would have left it.
      await rm(path.join(folder, 'demo.json'));
      const run = runProgram(
        'npm',
        ['start'],
        settings({ DATA_DIR: folder, npm_config_cache: path.join(folder, 'npm') }),
      );
      runs.push(run);
      await ready(run);
      const demo = caller(run);
      const turns = await until(async () => {
        const now = await demo.turns();
        return now?.every(({ role, status }) => role === 'user' || status === 'video') && now;
      });
      expect(turns.map(({ role }) => role)).toEqual(['user', 'avatar']);
      expect((await demo.avatars())!.map(({ displayName }) => displayName)).toEqual(['Nova']);
      const { available, held } = await demo.me();
      expect(available).toBeGreaterThan(99);
      expect(held).toBe(0);
      // As service managers stop it: npm alone gets the signal.
      run.child.kill('SIGTERM');
      expect(await run.exit).toBe(0);
      expect(runsPostgres(folder)).toBe(false);
    });
  });

  test('a port in use is one sentence and exit 1, and leaves no PostgreSQL behind', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, '0.0.0.0', resolve));
    const run = start({ LOG_LEVEL: 'silent' });
    expect(await run.exit).toBe(1);
    expect(run.output().trim()).toBe(`PORT ${port} is in use by another program: stop it or set PORT to another one.`);
    await new Promise((resolve) => other.close(resolve));
    expect(runsPostgres()).toBe(false);
  });

  test('a binary that does not load is one sentence and exit 1', async () => {
    const run = start({ LOG_LEVEL: 'silent', NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere.node' });
    expect(await run.exit).toBe(1);
    expect(run.output().trim()).toBe(
      'The package @napi-rs/canvas has no binary that loads on this machine: npm install it.',
    );
    expect(runsPostgres()).toBe(false);
  });

  test('a module that does not load once PostgreSQL runs is one sentence and exit 1, and leaves no PostgreSQL', async () => {
    const damaged = `
      const { readFile } = await import('node:fs/promises');
      const isReady = () => readFile(${JSON.stringify(pidFile())}, 'utf8').then((text) => /ready/.test(text), () => false);
      while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('This module is damaged.');
    `;
    const hook = `
      import { registerHooks } from 'node:module';
      const damaged = { format: 'module', source: ${JSON.stringify(damaged)}, shortCircuit: true };
      const load = (url, context, next) => (/\\/shared\\/server-\\w+\\.js$/.test(url) ? damaged : next(url, context));
      registerHooks({ load });
    `;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
    const run = start({ LOG_LEVEL: 'silent', NODE_OPTIONS });
    expect(await run.exit).toBe(1);
    expect(run.output().trim()).toBe('This module is damaged.');
    expect(runsPostgres()).toBe(false);
  });

  // What else may be wrong with a variable is in architecture/config.test.ts: it is read before anything is started.
  test.each<[Record<string, string>, string]>([
    [{ PORT: 'eighty' }, 'PORT must be a whole number from 1 to 65535, not "eighty".'],
    [{ DATA_DIR: '/dev/null/x' }, "DATA_DIR cannot be used: ENOTDIR: not a directory, mkdir '/dev/null/x'."],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1/x', ROLE: 'worker' },
      'DATABASE_URL cannot be opened: connect ECONNREFUSED 127.0.0.1:1.',
    ],
    [{ HOST: '203.0.113.9' }, 'HOST 203.0.113.9 is not an address of this machine.'],
    [{ CHAT_BASE_URL: 'http://localhost:1', ENGINES: 'real' }, 'CHAT_MODEL must be set when CHAT_BASE_URL is.'],
  ])('%j is one sentence and exit 1', async (env, sentence) => {
    const run = start({ LOG_LEVEL: 'silent', ...env });
    expect(await run.exit).toBe(1);
    expect(run.output().trim()).toBe(sentence);
    expect(runsPostgres()).toBe(false);
  });

  test('a database that does not exist is reported, not created', async () => {
    const database = await createTestDatabase();
    const url = new URL(database.url);
    const missing = `${url.pathname.slice(1)}_mistyped`;
    url.pathname = missing;
    try {
      // A worker reports it like one that is refused, above.
      const run = start({ LOG_LEVEL: 'silent', ROLE: 'web', DATABASE_URL: url.href });
      expect(await run.exit).toBe(1);
      expect(run.output().trim()).toBe(`DATABASE_URL cannot be opened: database "${missing}" does not exist.`);
    } finally {
      await database.drop();
    }
  });

  test('processes stop with a sentence once a later release has made their database its own, and not before', async () => {
    const database = await createTestDatabase();
    const admin = new pg.Client({ connectionString: database.url });
    try {
      await admin.connect();
      const [DATA_DIR, workerPort] = [await newFolder(), String(await freePort())];
      const env = { DATA_DIR, DATABASE_URL: database.url };
      const both = [start({ ...env, ROLE: 'web' }), start({ ...env, ROLE: 'worker', PORT: workerPort })];
      const insert = 'insert into mikro_orm_migrations (name, checksum, breaking) values ($1, $2, $3)';
      // One that older releases can work with.
      await admin.query(insert, ['9003_newer', 'x', null]);
      for (const run of both) await until(async () => /"msg":"(?:worker )?ready"/.test(run.output()));
      await admin.query(insert, ['9004_breaking', 'x', '999.0.0']);
      for (const run of both) {
        expect(await run.exit).toBe(1);
        expect(run.output()).toMatch(/^Migration 9004_breaking made this database one for release 999\.0\.0 or later/m);
      }
    } finally {
      await admin.end();
      await database.drop();
    }
  });

  test('a bucket that is not there is one sentence and exit 1', async () => {
    const store = createServer((_, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
    const { port: storePort } = store.address() as AddressInfo;
    const MEDIA_URL = `s3://id:secret@nowhere/media?endpoint=http://127.0.0.1:${storePort}`;
    try {
      const run = start({ LOG_LEVEL: 'silent', MEDIA_URL });
      expect(await run.exit).toBe(1);
      expect(run.output().trim()).toBe('MEDIA_URL names the bucket nowhere, which does not exist: make it.');
      expect(runsPostgres()).toBe(false);
    } finally {
      store.closeAllConnections();
      await new Promise((resolve) => store.close(resolve));
    }
  });

  test('a full disk is one sentence, and a folder that no file is kept in need not be there', async () => {
    const DATA_DIR = await newFolder();
    const full = async () => 0;
    await expect(checkDataDir(readConfig({ DATA_DIR }), full)).rejects.toThrow(
      new ConfigError(`DATA_DIR cannot be used: the disk of ${DATA_DIR} is full.`),
    );
    const nearlyFull = async () => 40 * 1024 * 1024;
    await expect(checkDataDir(readConfig({ DATA_DIR }), nearlyFull)).rejects.toThrow(
      new ConfigError(
        `DATA_DIR cannot be used: the disk of ${DATA_DIR} is nearly full, and a first start takes 100 MB.`,
      ),
    );
    await mkdir(path.join(DATA_DIR, 'postgres'));
    await expect(checkDataDir(readConfig({ DATA_DIR }), nearlyFull)).resolves.toBeUndefined();
    await expect(checkDataDir(readConfig({ DATA_DIR }))).resolves.toBeUndefined();
    const elsewhere = { DATABASE_URL: 'postgres://127.0.0.1:1/x', MEDIA_URL: 's3://bucket', DATA_DIR: '/dev/null/x' };
    await expect(checkDataDir(readConfig(elsewhere))).resolves.toBeUndefined();
  });

  (isReadOnly ? test : test.skip)('a disk that may only be read is called so', async () => {
    const DATA_DIR = path.join(readOnly, 'avatars/data');
    await expect(checkDataDir(readConfig({ DATA_DIR }))).rejects.toThrow(
      new ConfigError(
        `DATA_DIR cannot be used: EROFS: read-only file system, mkdir '${path.join(readOnly, 'avatars')}'.`,
      ),
    );
  });
});
