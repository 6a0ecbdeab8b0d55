/**
 * Runs the benches one after another on a PostgreSQL of their own, and prints one table: what was measured, its baseline in
 * the same run, the ratio and whether it meets its goal. Ratios are of CPU time, because other work on the
 * machine changes clock time and leaves CPU time nearly alone. A bench is never a test: it asserts no time.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../dist/src/embedded-postgres/server.js';
import { stopAllParts } from './support/parts.mjs';
import { table } from './support/rows.mjs';

/** Each exports `bench({ databaseUrl, databaseOf, say })` and returns rows; `databaseOf` makes another by its name. */
const BENCHES = [
  'poll',
  'graphql',
  'fanout',
  'accept',
  'orm',
  'fairness',
  'talking-head',
  'first-fragment',
  'media',
  'decoders',
  'growth',
];
/** Programs of their own that print lines; those with "ratio N (goal G)" become rows too. */
const PROGRAMS = ['transfers', 'brain'];

const options = process.argv.slice(2);
const asJson = options.includes('--json');
const wanted = options.filter((option) => !option.startsWith('--'));
const here = path.dirname(fileURLToPath(import.meta.url));
const known = [...BENCHES, ...PROGRAMS.filter((name) => existsSync(path.join(here, `${name}.mjs`)))];
const strange = wanted.find((name) => !known.includes(name));
if (strange) {
  console.error(`There is no bench named ${strange}; there are ${known.join(', ')}.`);
  process.exit(1);
}

const say = (text) => process.stderr.write(`${text}\n`);
const rows = [];
const directory = await mkdtemp(path.join(os.tmpdir(), 'avatar-bench-'));
let postgres;
const stop = async () => {
  await stopAllParts();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().then(() => process.exit(1)));
try {
  for (const name of known.filter((one) => wanted.length === 0 || wanted.includes(one))) {
    const startedAt = performance.now();
    try {
      if (PROGRAMS.includes(name)) rows.push(...(await runProgram(name)));
      else {
        postgres ??= await startPostgres(directory, { max_connections: '200' });
        const databaseOf = async (database) => {
          await postgres.ensureDatabase(database);
          return postgres.urlOf(database);
        };
        const databaseUrl = await databaseOf(`bench_${name.replace(/\W/g, '_')}`);
        const { bench } = await import(`./${name}.mjs`);
        rows.push(...(await bench({ databaseUrl, databaseOf, say })));
      }
    } catch (error) {
      rows.push({ figure: name, verdict: 'failed', note: error.message.split('\n')[0] });
      say(error.stack);
      process.exitCode = 1;
    } finally {
      await stopAllParts();
    }
    say(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
} finally {
  await stop();
}
const cpu = os.cpus();
const machine = `${cpu.length} x ${cpu[0].model.trim()}, load ${os.loadavg()[0].toFixed(1)}, Node ${process.version}`;
console.log(asJson ? JSON.stringify({ machine, at: new Date().toISOString(), rows }, null, 2) : table(rows, machine));

/** Runs a bench that is a program, shows what it prints, and reads its ratios. */
async function runProgram(name) {
  const child = spawn(process.execPath, ['--no-warnings', path.join(here, `${name}.mjs`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    printed += text;
    process.stderr.write(text);
  }
  return printed.split('\n').flatMap((line) => {
    const [, figure, note, ratio, sign, goal] =
      /^(.+?): (.+), ratio ([\d.]+) \(goal ([<>]=) ?([\d.]+)x?\)/.exec(line) ?? [];
    if (!figure) return [];
    const isMet = sign === '>=' ? Number(ratio) >= Number(goal) : Number(ratio) <= Number(goal);
    return [{ figure, note, ratio: Number(ratio), goal: `${sign} ${goal}`, verdict: isMet ? 'met' : 'not met' }];
  });
}
