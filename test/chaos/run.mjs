/**
 * `npm run chaos [-- minutes] [--seed 1]`: two web processes and two workers on one PostgreSQL, a bucket and Redis, under mixed
 * load, while processes are killed, stopped and frozen, what they depend on goes away, and answers are lost. Afterwards:
 * everything that was acknowledged is there and has ended well, nothing is there twice, the ledger adds up, nothing is held.
 * Exit code 1 where that does not hold. The seed gives the faults and their times; what they meet also depends on the machine.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../../dist/src/embedded-postgres/server.js';
import { root } from '../../scripts/tools.mjs';
import { S3Server } from '../support/s3-server.ts';
import { inflict, schedule, seeded } from './faults.mjs';
import { Load } from './load.mjs';

const { values: given, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
const TOTAL_MS = Number(positionals[0] ?? 1) * 60_000;
const SEED = Number(given.seed ?? 1);
const GAP_MS = 150;
/** For what is still to be done when the faults are over: the longest wait of a job is a minute. */
const SETTLE_MS = 240_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what, isTrue, ms) {
  const endMs = Date.now() + ms;
  while (!(await isTrue())) {
    if (Date.now() > endMs) throw new Error(`${what}: did not come within ${ms / 1000} s.`);
    await pause(100);
  }
}

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** One process of the installation, started again after every end. */
class Member {
  isHurt = false;
  unexpected = [];
  #env;
  #isEnding = false;

  constructor(role, which, port, env) {
    this.role = role;
    this.which = which;
    this.url = `http://127.0.0.1:${port}`;
    this.#env = { ...env, ROLE: role, PORT: String(port), HOST: '127.0.0.1' };
  }

  async start() {
    this.#isEnding = false;
    const child = spawn(process.execPath, ['--no-warnings', path.join(root, 'dist/src/main.js')], {
      env: this.#env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (data) => (said += data));
    this.child = child;
    child.once('exit', (code, signal) => {
      if (this.#isEnding || child !== this.child) return;
      // The database's sessions may be ended while it starts.
      if (!this.isHurt) this.unexpected.push(`${this.role} ${this.which} ended by itself: ${signal ?? code} ${said}`);
      void pause(500).then(() => !this.#isEnding && this.start());
    });
    const isUp = () =>
      fetch(`${this.url}/health/live`).then(
        (answer) => answer.ok,
        () => false,
      );
    await until(`${this.role} ${this.which}`, isUp, 60_000);
  }

  async end(signal) {
    this.#isEnding = true;
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}

/** Null where there is no redis-server on this machine. */
async function openRedis(port) {
  let child;
  const start = async () => {
    child = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  };
  const end = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill('SIGKILL');
    });
  try {
    await start();
  } catch {
    return null;
  }
  return { isHurt: false, hurt: end, mend: start, close: end };
}

async function main() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-chaos-'));
  await chmod(folder, 0o755);
  const postgres = await startPostgres(path.join(folder, 'postgres'), { max_connections: '200', fsync: 'off' });
  await postgres.ensureDatabase('avatars');
  const databaseUrl = postgres.urlOf('avatars');
  const s3 = new S3Server();
  const bucketUrl = await s3.start();
  const redisPort = await freePort();
  const redis = await openRedis(redisPort);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NODE_ENV: 'production',
    // One instance: tokens of one process are good at the other.
    BASE_URL: 'http://avatars.test',
    NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    SECRETS_KEY: 'a key of the chaos suite, and of nothing else',
    MEDIA_URL: `s3://id:secret@bucket?endpoint=${bucketUrl}`,
    MEDIA_SECONDS: '3',
    ENGINES: 'noop',
    LOG_LEVEL: 'fatal',
    SIGNUP_CREDITS: '1000',
    ...(redis ? { REDIS_URL: `redis://127.0.0.1:${redisPort}` } : {}),
  };
  const members = [];
  for (const role of ['web', 'worker'])
    for (const which of [0, 1]) members.push(new Member(role, which, await freePort(), env));
  const problems = [];
  const client = new pg.Client({ connectionString: databaseUrl });
  // Its session is ended like all others; it is opened anew for the verdict.
  client.on('error', () => {});
  try {
    // The first makes the tables.
    for (const member of members) await member.start();
    const load = new Load(
      members.slice(0, 2).map(({ url }) => url),
      seeded(SEED + 1),
    );
    await load.open();
    const bucket = {
      isHurt: false,
      hurt(kind) {
        s3.state = kind.endsWith('refuses') ? 'refusing' : 'silent';
      },
      mend() {
        s3.state = 'well';
      },
    };
    const place = { members, databaseUrl, bucket, redis, load };
    const faults = schedule(SEED, TOTAL_MS);
    const startedMs = Date.now();
    const running = load.run(GAP_MS);
    const done = {};
    const inflicted = faults.map(async (fault) => {
      await pause(fault.atMs - (Date.now() - startedMs));
      if (await inflict(fault, place)) done[fault.kind] = (done[fault.kind] ?? 0) + 1;
    });
    await pause(TOTAL_MS);
    await Promise.all(inflicted);
    load.end();
    await running;
    console.log(`seed ${SEED}, ${TOTAL_MS / 60_000} min, faults: ${JSON.stringify(done)}`);
    await client.connect();
    problems.push(...(await judge(load, client, databaseUrl, env)), ...members.flatMap(({ unexpected }) => unexpected));
    console.log(
      `${load.requests} requests, ${load.dropped} dropped, answers by status ${JSON.stringify(Object.fromEntries(load.statuses))}`,
    );
  } catch (error) {
    problems.push(error.stack);
  } finally {
    await client.end().catch(() => {});
    for (const member of members) if (member.child) await member.end('SIGKILL');
    await redis?.close();
    await s3.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
  for (const problem of problems) console.log(`BROKEN  ${problem}`);
  console.log(problems.length === 0 ? 'holds' : 'BROKEN');
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** Sentences of what does not hold. */
async function judge(load, client, databaseUrl, env) {
  const problems = load.refused.map((one) => `refused: ${JSON.stringify(one)}`);
  const endedMs = Date.now();
  const rows = async (sql) => (await client.query(sql)).rows;
  const open = () =>
    rows(`select 'hold ' || source as what from ledger_hold where state = 'open'
      union all select name || ' ' || state from pgboss.job where state < 'completed' and name <> 'idle'`);
  await until('the end of all work', async () => (await open()).length === 0, SETTLE_MS).catch(() => {});
  problems.push(...(await open()).map(({ what }) => `still open: ${what}`));
  console.log(`all work ended ${((Date.now() - endedMs) / 1000).toFixed(1)} s after the last fault`);

  const turns = new Map((await rows('select id, status, error_message from turn')).map((row) => [row.id, row]));
  const generations = new Map(
    (await rows('select id, status, error_message from speech_generation')).map((row) => [row.id, row]),
  );
  for (const [acknowledged, there] of [
    [load.turns, turns],
    [load.speeches, generations],
  ]) {
    for (const [id, { words }] of acknowledged) {
      const row = there.get(id);
      if (!row) problems.push(`acknowledged and not there: ${id} ${words}`);
      else if (!['ready', 'audio', 'video'].includes(row.status))
        problems.push(`not well: ${id} ${JSON.stringify(row)}`);
    }
  }
  const twice = await rows(`select words, count(*) as n from (
      select request->>'userText' as words from injection union all select text from speech_generation) as said
    group by words having count(*) > 1`);
  problems.push(...twice.map(({ words, n }) => `${n} times: ${words}`));
  const charged =
    await rows(`select source, count(*) as n from ledger_transfer where source like 'turn:%' or source like 'speech:%'
    group by source having count(*) > 1`);
  problems.push(...charged.map(({ source, n }) => `charged ${n} times: ${source}`));
  // Through the public door as well: what a person reads has every one of their turns.
  for (const person of load.users) {
    for (const slug of person.slugs) {
      const { turns: read = [] } = await load.read(`/conversations/by-slug/${slug}`, person.key);
      const ids = new Set(read.map(({ id }) => id));
      const mine = [...load.turns].filter(([, turn]) => turn.slug === slug).slice(-20);
      problems.push(...mine.filter(([id]) => !ids.has(id)).map(([id]) => `not in the conversation: ${id}`));
    }
  }
  try {
    execFileSync(process.execPath, ['--no-warnings', path.join(root, 'dist/src/commands/audit.js')], {
      env: { ...env, DATABASE_URL: databaseUrl },
      stdio: 'pipe',
    });
  } catch (error) {
    problems.push(`audit: ${error.stdout} ${error.stderr}`);
  }
  const attempts = await rows(
    'select coalesce(max(attempt), 0)::int as most, count(*) filter (where attempt > 1)::int as more from turn',
  );
  console.log(
    `${load.turns.size} turns and ${load.speeches.size} speeches acknowledged; ${attempts[0].more} turns took more than one attempt, ` +
      `one at most ${attempts[0].most}`,
  );
  return problems;
}

await main();
