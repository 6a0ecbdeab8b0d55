/**
 * `npm run fuzz`: damaged media through the public API of a whole instance as `npm start` runs it, for some minutes. It
 * exits with 1 and the case's id when an answer is neither 2xx nor a 400 in words of ours, a process ends, a generation
 * never does, a whole file is no longer taken in time, or memory stays.
 *
 * Options: `--minutes 5`, `--seed 1`, `--from 0` (the first case), `--only id` (one case again, by the id and seed that
 * a failure printed).
 */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { platformCommand } from '../../scripts/tools.mjs';
import { look } from '../soak/processes.mjs';
import { freePort } from '../support/machine.ts';
import { bombs, damagedCase, formats } from './corpus.ts';
import { faults, send, serveCases, stillRunning } from './endpoints.ts';

const { values: given } = parseArgs({
  options: Object.fromEntries(['minutes', 'seed', 'from', 'only'].map((name) => [name, { type: 'string' }])),
});
const SEED = Number(given.seed ?? 1);
const FROM = Number(given.from ?? 0);
const MINUTES = Number(given.minutes ?? 5);
const OPERATOR = { email: 'operator@example.com', password: 'operator-password' };
/** Cases on their way at once. */
const AT_ONCE = 3;
/** Accepted generations that may be under way: with more, cases wait. */
const MAX_RUNNING = 12;
/** So long may none of those under way end. A long queue on a slow machine is no fault, one that stands still is. */
const STALLED_MS = 180_000;
/** A whole file may take this much longer than before the run, and never less than the second. */
const SLOWER = 3;
const SLOWER_MS = 5_000;
/** What web and worker may have more after the run than before it, each. */
const MEMORY_MB = 300;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts the platform and resolves when it is ready. */
async function startPlatform(folder, fileHost) {
  const port = await freePort();
  const { command, args, env } = platformCommand();
  const own = { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: path.join(folder, 'data'), RATE_LIMITS: 'off' };
  const operator = { OPERATOR_EMAILS: OPERATOR.email, OPERATOR_PASSWORD: OPERATOR.password };
  const child = spawn(command, args, {
    env: { ...env, ...own, ...operator, FETCH_ALLOW_HOSTS: fileHost, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output = (output + data).slice(-20_000);
    });
  while (!output.includes('Ctrl-C stops everything')) {
    if (child.exitCode !== null) throw new Error(`The platform ended: ${output}`);
    if (isInterrupted) {
      await stop(child);
      throw new Error('Interrupted.');
    }
    await pause(200);
  }
  return { child, url: `http://127.0.0.1:${port}`, said: () => output };
}

async function ask(url, query, variables, as) {
  const headers = { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) };
  const body = JSON.stringify({ query, variables });
  const { data, errors } = await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json();
  if (errors) throw new Error(errors[0].message);
  return data;
}

/** An account with an API key and credits for everything that turns out to be readable. */
async function openCaller(url) {
  const { signUp } = await ask(
    url,
    'mutation { signUp(email: "ada@example.com", password: "correct horse battery", displayName: "Ada") { idToken user { userId } } }',
  );
  const { createApiKey } = await ask(url, 'mutation { createApiKey(name: "fuzz") { token } }', {}, signUp.idToken);
  const { signIn } = await ask(
    url,
    'mutation($email: String!, $password: String!) { signIn(email: $email, password: $password) { idToken } }',
    OPERATOR,
  );
  const grant = 'mutation($userId: ID!) { grantCredits(userId: $userId, amount: 1000) { available } }';
  for (let i = 0; i < 10; i++) await ask(url, grant, { userId: signUp.user.userId }, signIn.idToken);
  return { url, apiKey: createApiKey.token };
}

let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isInterrupted = true;
  });

const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-fuzz-'));
// PostgreSQL runs as `nobody` where this runs as root, and must be able to enter.
await chmod(folder, 0o755);
const files = await serveCases();
const problems = [];
let platform;
try {
  platform = await startPlatform(folder, files.host);
  await run();
} catch (error) {
  // Whatever fails once the platform is being stopped fails because of that.
  if (!isInterrupted) problems.push(error.stack);
} finally {
  await stop(platform?.child);
  await files.close();
  await rm(folder, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 50)) console.log(problem);
const verdict = problems.length === 0 ? 'All held.' : `${problems.length} problems (seed ${SEED}).`;
console.log(isInterrupted ? 'Interrupted.' : verdict);
process.exitCode = problems.length === 0 && !isInterrupted ? 0 : 1;

async function stop(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function run() {
  const caller = await openCaller(platform.url);
  const all = await formats();
  const whole = all.map(({ name, ...rest }) => ({ id: `${name}/whole`, ...rest }));
  const known = [...whole, ...(given.only ? [] : await bombs())];
  await takeWhole(known, caller);
  const usualMs = await takeWhole(known, caller);
  const before = processes();
  await sendCases(given.only ? [oneCase(all)].values() : draw(all), caller);
  if (isInterrupted) return;
  const ms = await takeWhole(known, caller);
  console.log(`Whole files: ${Math.round(usualMs)} ms before, ${Math.round(ms)} ms after.`);
  if (ms > usualMs * SLOWER + SLOWER_MS) problems.push('Whole files take longer than before.');
  compare(before, processes());
}

/** Sends cases, some at once, and waits until every generation that was accepted has ended. */
async function sendCases(cases, caller) {
  const running = { polls: [], since: performance.now() };
  let sent = 0;
  let accepted = 0;
  const work = async () => {
    for (const one of cases) {
      const polls = [];
      const answers = await send(one, files, caller, polls).catch((error) => {
        if (!isInterrupted) problems.push(`${one.id}: ${error.cause?.code ?? error.message}`);
        return [];
      });
      report(answers);
      accepted += polls.length;
      running.polls.push(...polls);
      if (++sent % 100 === 0) console.log(`${sent} cases, ${accepted} accepted, ${problems.length} problems`);
      await untilEnded(running, caller, MAX_RUNNING);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await untilEnded(running, caller);
  console.log(`${sent} cases sent, ${accepted} generations accepted.`);
}

/** Waits until no more than `atMost` generations are under way. */
async function untilEnded(running, caller, atMost = 0) {
  if (running.polls.length > atMost) running.since = performance.now();
  while (running.polls.length > atMost && !isInterrupted) {
    await dropEnded(running, caller);
    await pause(250);
  }
}

/** Takes out what has ended; throws when nothing has for too long. */
async function dropEnded(running, caller) {
  const asked = running.polls.slice();
  const still = new Set(await stillRunning(asked, caller));
  const ended = new Set(asked.filter((poll) => !still.has(poll)));
  running.polls = running.polls.filter((poll) => !ended.has(poll));
  if (ended.size > 0 || running.polls.length === 0) running.since = performance.now();
  if (performance.now() - running.since > STALLED_MS)
    throw new Error(`None of ${running.polls.length} generations ended for ${STALLED_MS / 1_000} s.`);
}

function report(answers) {
  for (const { id, endpoint, status, text } of faults(answers))
    problems.push(`${id} ${endpoint}: ${status} ${text.slice(0, 300)}`);
}

function* draw(all) {
  const endsAt = performance.now() + MINUTES * 60_000;
  for (let number = FROM; performance.now() < endsAt && !isInterrupted; number++) yield damagedCase(all, SEED, number);
}

function oneCase(all) {
  return damagedCase(all, SEED, Number(given.only.split('/').at(-1)));
}

/** Sends every format undamaged, which must be taken, and bombs. @returns milliseconds until all that came of it ended */
async function takeWhole(known, caller) {
  const running = { polls: [], since: performance.now() };
  const start = performance.now();
  for (const one of known) {
    if (isInterrupted) return 0;
    const answers = await send(one, files, caller, running.polls);
    const refused = one.id.startsWith('bomb/') ? [] : answers.filter(({ status }) => status >= 300);
    for (const { id, endpoint, status, text } of refused) problems.push(`${id} ${endpoint}: ${status} ${text}`);
    report(answers);
  }
  await untilEnded(running, caller);
  return performance.now() - start;
}

/** Web and worker; decoders come and go. */
function processes() {
  return look(platform.child.pid, folder).filter(({ name }) => name === 'web' || name === 'worker');
}

/** Web and worker are the ones from before, and have released what they took. */
function compare(before, after) {
  if (before.length !== 2) problems.push(`Web and worker were not seen: ${JSON.stringify(before)}.`);
  for (const { pid, name, rssMb } of before) {
    const now = after.find((one) => one.pid === pid);
    console.log(`${name}: ${Math.round(rssMb)} MB before, ${now ? `${Math.round(now.rssMb)} MB after` : 'gone'}.`);
    if (!now) problems.push(`${name} ended. ${platform.said().slice(-500)}`);
    else if (now.rssMb > rssMb + MEMORY_MB) problems.push(`${name} keeps ${Math.round(now.rssMb - rssMb)} MB.`);
  }
}
