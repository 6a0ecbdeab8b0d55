/**
 * `npm run soak [-- minutes]`: a whole instance as `npm start` runs it (embedded database, web, worker, real engines)
 * under a seeded mixed load at a steady rate, and its memory over time by process. It ends with the verdict `level` or
 * `GROWS` and exits with 1 when it grows or answers with failures.
 *
 * Options: `--rate 3` actions a second, `--seed 1`, `--port 0`.
 */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { platformCommand } from '../../scripts/tools.mjs';
import { freePort } from '../support/machine.ts';
import { serveFiles } from './files.mjs';
import { look } from './processes.mjs';
import { judge } from './verdict.mjs';
import { openVisitor } from './visitor.mjs';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { rate: { type: 'string' }, seed: { type: 'string' }, port: { type: 'string' } },
});
const MINUTES = Number(positionals[0] ?? 120);
const RATE = Number(given.rate ?? 3);
const SAMPLE_MS = 10_000;
const PRINT_MS = Math.max(30_000, (MINUTES * 60_000) / 60);
const VISITORS = 6;
/** Then someone else comes in their slot, so that what is kept of each account shows. */
const ACTIONS_A_VISIT = 150;
/** More than this under way, and the load waits: the soak measures memory, not queues. */
const AT_ONCE = 24;

/** How often each action comes; what costs a second of CPU comes seldom. */
const MIX = Object.entries({
  poll: 40,
  pollUnchanged: 12,
  'turn text': 9,
  'turn audio': 5,
  'turn video': 2,
  speak: 2,
  image: 3,
  edit: 3,
  upload: 2,
  video: 1,
  signIn: 4,
  save: 4,
  recall: 5,
  ask: 3,
  watch: 4,
  media: 6,
  docs: 2,
});

/** Mulberry32. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = seeded(Number(given.seed ?? 1));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const OPERATOR = { email: 'operator@example.com', password: 'operator-password' };

function drawAction() {
  let left = random() * MIX.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of MIX) {
    left -= weight;
    if (left < 0) return name;
  }
  return MIX[0][0];
}

/** Starts the platform and resolves when it is ready, with its process. */
async function startPlatform(folder, port, fileHost) {
  const notes = path.join(folder, 'notes');
  await mkdir(notes);
  const { command, args, env } = platformCommand();
  const child = spawn(command, args, {
    env: {
      ...env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: path.join(folder, 'data'),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      FETCH_ALLOW_HOSTS: fileHost,
      OPERATOR_EMAILS: OPERATOR.email,
      OPERATOR_PASSWORD: OPERATOR.password,
      SOAK_FOLDER: notes,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('./probe.mjs', import.meta.url).href}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (data) => {
    output = (output + data).slice(-20_000);
    for (const line of String(data).split('\n')) if (/"level":[56]0/.test(line)) console.log(line.slice(0, 400));
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const url = `http://127.0.0.1:${port}`;
  while (!output.includes('Ctrl-C stops everything')) {
    if (child.exitCode !== null) throw new Error(`The platform ended: ${output}`);
    await pause(200);
  }
  return { child, url, notes };
}

/** Grants credits as the operator; the session is renewed when it has run out. */
function granter(url) {
  const ask = async (query, variables, as) => {
    const headers = { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) };
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await answer.json();
    if (errors) throw new Error(errors[0].message);
    return data;
  };
  return async (userId) => {
    const { signIn } = await ask(
      'mutation($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { idToken } }',
      OPERATOR,
    );
    await ask(
      'mutation($userId: ID!) { grantCredits(input: { userId: $userId, amount: 1000 }) { available } }',
      { userId },
      signIn.idToken,
    );
  };
}

/** Load until `until` says stop. @returns what came of it, counted while it runs */
function drive(world, isOver) {
  const tally = { done: 0, heldBack: 0, failed: new Map() };
  let running = 0;
  const visitors = [];
  const failed = (what, error) => {
    const text = `${what}: ${error.message.replace(/[a-z]+_[\w-]{8,}|[ctg]-\d\d-\d\d-\w+/g, '*')}`;
    tally.failed.set(text, (tally.failed.get(text) ?? 0) + 1);
  };
  const perform = async (slot, name) => {
    running += 1;
    try {
      const visit = visitors[slot];
      if (!visit || visit.actions >= ACTIONS_A_VISIT) {
        visitors[slot] = { actions: 0 };
        visit?.visitor?.leave();
        visitors[slot].visitor = await openVisitor(world);
      }
      const { visitor } = visitors[slot];
      if (!visitor) return;
      visitors[slot].actions += 1;
      const [method, ...args] = name.split(' ');
      await visitor[method](...args);
      tally.done += 1;
    } catch (error) {
      if (!isOver()) failed(name, error);
      if (!visitors[slot]?.visitor) visitors[slot] = undefined;
    } finally {
      running -= 1;
    }
  };
  const ended = (async () => {
    let next = performance.now();
    while (!isOver()) {
      const [slot, name] = [Math.floor(random() * VISITORS), drawAction()];
      if (running < AT_ONCE) void perform(slot, name);
      else tally.heldBack += 1;
      next = Math.max(next + 1_000 / RATE, performance.now() - 1_000);
      await pause(Math.max(0, next - performance.now()));
    }
    for (const visit of visitors) visit?.visitor?.leave();
  })();
  return { tally, ended };
}

/** Processes of one name together: a pool of children counts as a whole, and one that was replaced goes on. */
function byName(processes) {
  const sums = new Map();
  for (const { name, rssMb, heapMb, externalMb, handles, threads } of processes) {
    const sum = sums.get(name) ?? { processes: 0, rssMb: 0, heapMb: 0, externalMb: 0, handles: 0, threads: 0 };
    sums.set(name, {
      processes: sum.processes + 1,
      rssMb: sum.rssMb + rssMb,
      heapMb: sum.heapMb + heapMb,
      externalMb: sum.externalMb + externalMb,
      handles: sum.handles + handles,
      threads: sum.threads + threads,
    });
  }
  return sums;
}

const text = (name, { processes, rssMb, heapMb, externalMb, handles }) =>
  `${name}${processes > 1 ? ` x${processes}` : ''} ${rssMb.toFixed(0)} MB ` +
  `(heap ${heapMb.toFixed(0)}, external ${externalMb.toFixed(0)}, handles ${handles})`;

function verdictOf(series) {
  const verdicts = [...series].map(([name, samples]) => ({ name, ...judge(samples) }));
  const words = verdicts.map(({ name, isLevel, fromMb, toMb, mbPerHour }) =>
    isLevel === undefined
      ? `${name}: too short to say`
      : `${name} ${fromMb.toFixed(0)} -> ${toMb.toFixed(0)} MB, ${mbPerHour >= 0 ? '+' : ''}${mbPerHour.toFixed(0)} MB/h: ` +
        (isLevel ? 'level' : 'GROWS'),
  );
  return { isLevel: verdicts.every(({ isLevel }) => isLevel !== false), words: words.join('; ') };
}

async function soak() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-soak-'));
  // PostgreSQL runs as `nobody` where this runs as root, and must be able to enter.
  await chmod(folder, 0o755);
  const files = await serveFiles(random);
  const port = Number(given.port ?? 0) || (await freePort());
  const { child, url, notes } = await startPlatform(folder, port, files.host);
  const startedAt = Date.now();
  let isOver = false;
  const stop = () => {
    isOver = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  child.once('exit', stop);
  const { tally, ended } = drive({ url, random, files, grant: granter(url) }, () => isOver);
  const series = new Map();
  const minutesNow = () => (Date.now() - startedAt) / 60_000;
  let printedAt = 0;
  while (!isOver && minutesNow() < MINUTES) {
    await pause(SAMPLE_MS);
    if (isOver) break;
    const sums = byName(look(child.pid, notes));
    for (const [name, { rssMb }] of sums) {
      series.set(name, [...(series.get(name) ?? []), { minutes: minutesNow(), mb: rssMb }]);
    }
    if (Date.now() - printedAt < PRINT_MS) continue;
    printedAt = Date.now();
    const parts = [...sums].map(([name, sum]) => text(name, sum)).join(' | ');
    const failures = [...tally.failed.values()].reduce((sum, n) => sum + n, 0);
    console.log(
      `${minutesNow().toFixed(1)} min  ${parts}  ${tally.done} done, ${failures} failed, ${tally.heldBack} held back`,
    );
    if (minutesNow() > 10)
      console.log(`so far, after ${minutesNow().toFixed(0)} of ${MINUTES} min: ${verdictOf(series).words}`);
  }
  const endedByItself = child.exitCode !== null;
  isOver = true;
  await ended;
  if (!endedByItself) {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  await files.close();
  await rm(folder, { recursive: true, force: true });
  for (const [what, times] of tally.failed) console.log(`${times}x ${what}`);
  const { isLevel, words } = verdictOf(series);
  const outcome = endedByItself ? 'THE PLATFORM ENDED' : isLevel ? 'level' : 'GROWS';
  console.log(`${outcome} after ${minutesNow().toFixed(0)} min, ${tally.done} actions at ${RATE}/s: ${words}`);
  process.exitCode = endedByItself || !isLevel || tally.failed.size > 0 ? 1 : 0;
}

await soak();
