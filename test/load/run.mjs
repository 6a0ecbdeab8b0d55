/**
 * `npm run load -- --url https://avatars.example.com --key svc_... --users 200 --seconds 120 --output audio`: see README, "Grow".
 * It exits with 1 when anything failed.
 */
import { parseArgs } from 'node:util';
import { load } from './load.mjs';

const OPTIONS = {
  options: {
    url: { type: 'string', default: 'http://localhost:4000' },
    key: { type: 'string', default: process.env.AVATAR_API_KEY ?? '' },
    users: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    output: { type: 'string', default: 'text' },
    poll: { type: 'string', default: '4' },
    watch: { type: 'string', default: '5' },
    talk: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
};
const USAGE = `npm run load -- --key svc_... [--url http://localhost:4000] [--users 20] [--seconds 60] [--output text|audio|video]
  So many users of any deployment: what they wait for, in milliseconds, and errors. What is said is charged to the key's
  account. --poll, --watch and --talk are how many of ten users do each (4, 5, 1); --json prints JSON.`;

const number = (values, name, least, most) => {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`--${name} must be a whole number from ${least} to ${most}.`);
  return value;
};
const text = (ms) => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)));

async function main() {
  const { values } = parseArgs(OPTIONS);
  if (values.help) return console.log(USAGE);
  if (!values.key)
    throw new Error('Name an API key by --key or AVATAR_API_KEY: what is said is charged to its account.');
  if (!['text', 'audio', 'video'].includes(values.output)) throw new Error('--output must be text, audio or video.');
  const { rows, errors } = await load({
    url: values.url,
    key: values.key,
    users: number(values, 'users', 1, 100_000),
    seconds: number(values, 'seconds', 1, 86_400),
    output: values.output,
    mix: {
      poll: number(values, 'poll', 0, 1_000),
      watch: number(values, 'watch', 0, 1_000),
      talk: number(values, 'talk', 1, 1_000),
    },
    say: (line) => console.error(line),
  });
  if (values.json) console.log(JSON.stringify({ rows, errors }));
  else {
    console.log('| what | count | p50 ms | p95 ms | p99 ms | longest ms |\n|---|---|---|---|---|---|');
    for (const { kind, count, p50, p95, p99, max } of rows)
      console.log(`| ${[kind, count, text(p50), text(p95), text(p99), text(max)].join(' | ')} |`);
    console.log(errors.length === 0 ? '\nNo errors.' : '\nErrors:');
    for (const { cause, count } of errors) console.log(`${count} x ${cause}`);
  }
  process.exitCode = errors.length === 0 ? 0 : 1;
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
