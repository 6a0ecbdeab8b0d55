/**
 * `npm run chaos [-- minutes] [--seed 1] [--media folder]`: two web processes and two workers on one PostgreSQL, a bucket, Redis and
 * NATS, under mixed load and live viewers, while processes are killed, stopped and frozen, their clocks go wrong, what they
 * depend on goes away, the database crashes, its disk is full, and answers are lost. Afterwards: everything that was
 * acknowledged is there and has ended well, nothing is there twice, viewers have seen all of it once, the ledger adds up,
 * nothing is held. Exit code 1 where that does not hold. The seed gives the faults and their times; what they meet also
 * depends on the machine. With `--media folder` media lie on the disk that fills, and not in a bucket.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../../dist/src/embedded-postgres/server.js';
import { root } from '../../scripts/tools.mjs';
import { freePort, hasEnded } from '../support/machine.ts';
import { S3Server } from '../support/s3-server.ts';
import { diskOf, inflict, schedule, seeded } from './faults.mjs';
import { Load } from './load.mjs';
import { clear, endOf, known, limit, Member, pause, START_MS, until } from './members.mjs';
import { ENDED, Viewer } from './viewers.mjs';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, media: { type: 'string' } },
});
const TOTAL_MS = Number(positionals[0] ?? 1) * 60_000;
const SEED = Number(given.seed ?? 1);
const GAP_MS = 150;
/** For what is still to be done when the faults are over: the longest wait of a job is a minute. A verdict on nothing but an end that never comes. */
const SETTLE_MS = 600_000;
/** For all of it besides the faults, as slow as a machine may be: by then it hangs. */
const LIMIT_MS = 40 * 60_000;
/** For a program beside. */
const PROGRAM_MS = 600_000;
/** Of the disk that fills: what the database takes in an hour, and media. */
const DISK_MB = 320;

/** A server beside; null where this machine does not have its program. */
async function openServer(program, port, ...args) {
  let child;
  const start = async () => {
    child = known(spawn(program, args, { stdio: 'ignore' }));
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    await until(program, async () => hasEnded(child) || (await isOpen(port)), START_MS);
    if (hasEnded(child)) console.log(`note: ${program} ended: ${child.signalCode ?? child.exitCode}`);
  };
  const end = () => endOf(child, 'SIGKILL');
  try {
    await start();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    console.log(`note: ${program} is not installed; without it`);
    return null;
  }
  return { isHurt: false, hurt: end, mend: start, close: end };
}

const isOpen = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.destroy());
    socket.once('error', () => resolve(false)).once('close', (hadError) => resolve(!hadError));
  });

async function main() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-chaos-'));
  await chmod(folder, 0o755);
  const disk = await openDisk(path.join(folder, 'disk'));
  const home = path.join(folder, 'disk');
  // Made on the disk itself, by whatever user PostgreSQL runs as.
  const postgres = await startPostgres(path.join(home, 'postgres'), {
    ...{ max_connections: '200', fsync: 'off', max_wal_size: '64MB', min_wal_size: '32MB', wal_recycle: 'off' },
  });
  await postgres.ensureDatabase('avatars');
  const databaseUrl = postgres.urlOf('avatars');
  const s3 = new S3Server();
  const bucketUrl = await s3.start();
  const redisPort = await freePort();
  const redis = await openServer(
    'redis-server',
    redisPort,
    '--port',
    `${redisPort}`,
    '--save',
    '',
    '--appendonly',
    'no',
  );
  const natsPort = await freePort();
  const nats = await openServer('nats-server', natsPort, '-a', '127.0.0.1', '-p', `${natsPort}`);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NODE_ENV: 'production',
    // One instance: tokens of one process are good at the other.
    BASE_URL: 'http://avatars.test',
    NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    DATABASE_URL: databaseUrl,
    DATA_DIR: home,
    SECRETS_KEY: 'a key of the chaos suite, and of nothing else',
    ...(given.media === 'folder' ? {} : { MEDIA_URL: `s3://id:secret@bucket?endpoint=${bucketUrl}` }),
    MEDIA_SECONDS: '3',
    ENGINES: 'noop',
    LOG_LEVEL: 'error',
    SIGNUP_CREDITS: '1000',
    ...(redis ? { REDIS_URL: `redis://127.0.0.1:${redisPort}` } : {}),
    ...(nats ? { HINTS_URL: `nats://127.0.0.1:${natsPort}` } : {}),
  };
  const members = [];
  for (const role of ['web', 'worker'])
    for (const which of [0, 1]) members.push(new Member(role, which, await freePort(), env));
  const problems = [];
  const viewers = [];
  let load;
  const report = () => {
    console.log(`seed ${SEED}, ${TOTAL_MS / 60_000} min`);
    for (const member of members) member.report();
  };
  limit(TOTAL_MS + LIMIT_MS, () => {
    report();
    for (const problem of problems) console.log(`BROKEN  ${problem}`);
    kill(postgres.data);
    disk?.close();
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  // Its session is ended like all others; it is opened anew for the verdict.
  client.on('error', () => {});
  try {
    // The first makes the tables.
    for (const member of members) await member.start();
    const urls = members.slice(0, 2).map(({ url }) => url);
    load = new Load(urls, seeded(SEED + 1));
    await load.open();
    const random = seeded(SEED + 2);
    for (const { slugs, key } of load.users) viewers.push(...slugs.map((slug) => new Viewer(urls, random, slug, key)));
    const bucket = {
      isHurt: false,
      hurt(kind) {
        s3.state = kind.endsWith('refuses') ? 'refusing' : 'silent';
      },
      mend() {
        s3.state = 'well';
      },
    };
    const database = {
      isHurt: false,
      hurt: () => kill(postgres.data),
      mend: () => revived(postgres),
    };
    // A database whose disk was full may have ended: its operator starts it again.
    const full = disk && { ...disk, mend: () => disk.mend().then(() => revived(postgres)) };
    const things = { bucket, redis, nats, database, disk: full, answers: load };
    const place = { members, databaseUrl, things };
    const faults = schedule(SEED, TOTAL_MS);
    const startedMs = Date.now();
    const running = load.run(GAP_MS);
    const done = {};
    const inflicted = faults.map(async (fault) => {
      await pause(fault.atMs - (Date.now() - startedMs));
      if (await inflict(fault, place)) done[fault.kind] = (done[fault.kind] ?? 0) + 1;
    });
    await Promise.all([...inflicted, pause(TOTAL_MS)]);
    load.end();
    await revived(postgres);
    await running;
    console.log(`seed ${SEED}, ${TOTAL_MS / 60_000} min, faults: ${JSON.stringify(done)}`);
    await client.connect();
    problems.push(
      ...(await judge(load, client, databaseUrl, env)),
      ...(await seen(load, viewers)),
      ...members.flatMap(({ unexpected }) => unexpected),
      ...members.flatMap(({ role, which, defects }) =>
        [...defects].map(([text, n]) => `500 of ${role} ${which}, ${n} times: ${text}`),
      ),
    );
    console.log(
      `${load.requests} requests, ${load.dropped} dropped, answers by status ${JSON.stringify(Object.fromEntries(load.statuses))}`,
    );
  } catch (error) {
    problems.push(error.stack);
  } finally {
    load?.end();
    await clear('the connection', () => client.end());
    await Promise.all(viewers.map((viewer) => clear('a viewer', () => viewer.close())));
    for (const member of members)
      if (member.child) await clear(`${member.role} ${member.which}`, () => member.end('SIGKILL'));
    await clear('redis', () => redis?.close());
    await clear('nats', () => nats?.close());
    await clear('the bucket', () => s3.stop());
    await clear('the database', () => postgres.stop());
    await clear('the disk', () => disk?.close());
    await clear('the folder', () => rm(folder, { recursive: true, force: true }));
  }
  if (problems.length > 0) report();
  for (const problem of problems) console.log(`BROKEN  ${problem}`);
  console.log(problems.length === 0 ? 'holds' : 'BROKEN');
  // Whatever is still open.
  process.exit(problems.length === 0 ? 0 : 1);
}

/** A file system of its own, which may be filled; null where this user may not make one. */
async function openDisk(folder) {
  await mkdir(folder);
  await chmod(folder, 0o755);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    console.log('note: no file system can be mounted here; no disk is filled');
    return null;
  }
  return { ...diskOf(folder), close: () => void execFileSync('umount', ['-l', folder]) };
}

/** Kills PostgreSQL as a whole, as a machine that loses its power. */
function kill(data) {
  try {
    const [pid] = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  } catch (error) {
    console.log(`note: the database had ended: ${error.message}`);
  }
}

/** Has PostgreSQL run again where it has ended. */
const revived = (postgres) =>
  until(
    'the database',
    () =>
      postgres.revive().then(
        () => answers(postgres.urlOf('avatars')),
        () => false,
      ),
    START_MS,
  );

async function answers(connectionString) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 20_000, query_timeout: 20_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Sentences of what viewers did not see, or saw twice. */
async function seen(load, viewers) {
  const watched = new Map(viewers.map((viewer) => [viewer.slug, viewer]));
  const missing = () => [...load.turns].filter(([id, { slug }]) => !watched.get(slug).ended.has(id));
  await until('all that happened at all viewers', async () => missing().length === 0, SETTLE_MS).catch(() => {});
  const twice = viewers.flatMap(({ ended }) =>
    [...ended].filter(([, updates]) => new Set(updates).size < updates.length),
  );
  console.log(
    `${viewers.length} viewers, ${viewers.reduce((sum, { connections }) => sum + connections, 0)} connections, ` +
      `${viewers.reduce((sum, { ended }) => sum + ended.size, 0)} ends of turns (${[...ENDED].join(', ')}) seen`,
  );
  return [
    ...missing().map(([id, { words }]) => `no viewer saw the end of ${id} ${words}`),
    ...twice.map(([id, updates]) => `seen twice: ${id} ${updates}`),
    ...viewers.flatMap(({ problems }) => problems),
  ];
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

  const turns = new Map(
    (await rows('select id, status, error_message from conversation_turn')).map((row) => [row.id, row]),
  );
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
  // By the public API as well: what a user reads has every one of their turns.
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
      timeout: PROGRAM_MS,
    });
  } catch (error) {
    problems.push(`audit: ${error.stdout} ${error.stderr}`);
  }
  const attempts = await rows(
    'select coalesce(max(attempt), 0)::int as most, count(*) filter (where attempt > 1)::int as more from conversation_turn',
  );
  console.log(
    `${load.turns.size} turns and ${load.speeches.size} speeches acknowledged; ${attempts[0].more} turns took more than one attempt, ` +
      `one at most ${attempts[0].most}`,
  );
  return problems;
}

await main();
