/**
 * `npm run fuzz`: damaged media through the public API of a whole instance as `npm start` runs it, for some minutes. It
 * exits with 1 and the case's id when an answer is neither 2xx nor a 400 in words of ours, a process ends, a generation
 * never does, a whole file is no longer taken in time, or memory stays.
 *
 * Options: `--minutes 5`, `--seed 1`, `--from 0` (the first case), `--only id` (one case again, by the id and seed that
 * a failure printed).
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { platformCommand } from '../../scripts/tools.mjs';
import { look } from '../soak/processes.mjs';
import { bombs, damagedCase, formats } from './corpus.ts';
import { faults, haveEnded, send, serveCases } from './doors.ts';

const { values: given } = parseArgs({
  options: Object.fromEntries(['minutes', 'seed', 'from', 'only'].map((name) => [name, { type: 'string' }])),
});
const SEED = Number(given.seed ?? 1);
const FROM = Number(given.from ?? 0);
const MINUTES = Number(given.minutes ?? 5);
const OPERATOR = { email: 'operator@example.com', password: 'operator-password' };
/** Cases on their way at once. */
const AT_ONCE = 3;
const END_MS = 180_000;
/** A whole file may take this much longer than before the run, and never less than the second. */
const SLOWER = 3;
const SLOWER_MS = 5_000;
/** What web and worker may have more after the run than before it, each. */
const MEMORY_MB = 300;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

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

const folder = await mkdtemp(path.join(os.tmpdir(), 'fuzz-'));
const files = await serveCases();
const platform = await startPlatform(folder, files.host);
const problems = [];
try {
  await run();
} finally {
  platform.child.kill('SIGTERM');
  await new Promise((resolve) => platform.child.once('exit', resolve));
  await files.close();
  await rm(folder, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 50)) console.log(problem);
console.log(problems.length === 0 ? 'All held.' : `${problems.length} problems (seed ${SEED}).`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function run() {
  const caller = await openCaller(platform.url);
  const all = await formats();
  const whole = all.map(({ name, ...rest }) => ({ id: `${name}/whole`, ...rest }));
  await takeWhole(whole, caller);
  const usualMs = await takeWhole(whole, caller);
  const before = processes();
  const polls = [];
  const cases = given.only ? [oneCase(all)].values() : draw(all);
  let sent = 0;
  const work = async () => {
    for (const one of cases) {
      const told = await send(one, files, caller, polls).catch((error) => {
        problems.push(`${one.id}: ${error.cause?.code ?? error.message}`);
        return [];
      });
      for (const { id, door, status, text } of faults(told))
        problems.push(`${id} ${door}: ${status} ${text.slice(0, 300)}`);
      if (++sent % 100 === 0) console.log(`${sent} cases, ${problems.length} problems`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`${sent} cases sent; ${polls.length} generations accepted.`);
  await settle(polls, caller, before, () => takeWhole(whole, caller), usualMs);
}

function* draw(all) {
  const endsAt = performance.now() + MINUTES * 60_000;
  for (let number = FROM; performance.now() < endsAt; number++) yield damagedCase(all, SEED, number);
}

function oneCase(all) {
  return damagedCase(all, SEED, Number(given.only.split('/').at(-1)));
}

/** Sends every format undamaged. @returns milliseconds */
async function takeWhole(whole, caller) {
  const polls = [];
  const start = performance.now();
  for (const one of [...whole, ...(given.only ? [] : await bombs())]) {
    const told = await send(one, files, caller, polls);
    const refused = told.filter(({ status }) => status >= 300);
    if (!one.id.startsWith('bomb/')) for (const { id, door, text } of refused) problems.push(`${id} ${door}: ${text}`);
    for (const { id, door, text } of faults(told)) problems.push(`${id} ${door}: ${text}`);
  }
  await untilEnded(polls, caller);
  return performance.now() - start;
}

async function untilEnded(polls, caller) {
  const endsAt = performance.now() + END_MS;
  while (!(await haveEnded(polls, caller))) {
    if (performance.now() > endsAt) return problems.push('A generation neither became ready nor ended in error.');
    await pause(250);
  }
}

/** Web and worker; decoders come and go. */
function processes() {
  return look(platform.child.pid, folder).filter(({ name }) => name === 'web' || name === 'worker');
}

async function settle(polls, caller, before, again, usualMs) {
  await untilEnded(polls, caller);
  const ms = await again();
  console.log(`Whole files: ${Math.round(usualMs)} ms before, ${Math.round(ms)} ms after.`);
  if (ms > usualMs * SLOWER + SLOWER_MS) problems.push('Whole files take longer than before.');
  const after = new Map(processes().map((one) => [one.pid, one]));
  for (const { pid, name, rssMb } of before) {
    const now = after.get(pid);
    console.log(`${name}: ${Math.round(rssMb)} MB before, ${now ? `${Math.round(now.rssMb)} MB after` : 'gone'}.`);
    if (!now) problems.push(`${name} ended. ${platform.said().slice(-500)}`);
    else if (now.rssMb > rssMb + MEMORY_MB) problems.push(`${name} keeps ${Math.round(now.rssMb - rssMb)} MB.`);
  }
}
