/** What the commands of package.json say to someone who tries them: help that does nothing, and one sentence for a wrong word. */
import { expect, test } from '@jest/globals';
import { runModule, runProgram } from '../support/program.ts';

/** No database is there, so that a command which begins its work anyway is found. */
const env = { DATA_DIR: '/tmp/there-is-nothing-here' };
const COMMANDS = ['audit', 'backup', 'doctor', 'jobs', 'migrate', 'models', 'reset-password', 'restore', 'rotate-keys'];

async function outcome(name: string, ...words: string[]) {
  const run =
    name === 'start' || name === 'load'
      ? runProgram(process.execPath, [name === 'start' ? 'scripts/start.mjs' : 'test/load/run.mjs', ...words], env)
      : runModule(`src/commands/${name}`, env, ...words);
  return { code: await run.exit, out: run.output() };
}

test('--help says what each takes, and does nothing else', async () => {
  const names = [...COMMANDS, 'load', 'start'];
  const said = await Promise.all(names.map((name) => outcome(name, '--help')));
  const usage = names.map((name) => (name === 'start' ? 'npm start' : `npm run ${name}`));
  expect(said).toEqual(usage.map((line) => ({ code: 0, out: expect.stringContaining(line) })));
});

test.each(['doctor', 'reset-password', 'load'])(
  '%s refuses an option that it does not have, in one sentence',
  async (name) => {
    const { code, out } = await outcome(name, '--nonsense');
    expect({ code, lines: out.trim().split('\n') }).toEqual({
      code: 1,
      lines: [expect.stringContaining('--nonsense')],
    });
  },
);

test('start takes no settings as arguments, which it would not follow', async () => {
  const { code, out } = await outcome('start', '--port', '5000');
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('"--port"') });
});

test.each([
  ['audit', ['now'], '"now"'],
  ['jobs', ['failed', 'all'], 'Say what to do'],
  ['rotate-keys', ['secrets-key', 'signing'], 'stands alone'],
])('%s %j is more than it would do', async (name, words, sentence) => {
  const { code, out } = await outcome(name, ...words);
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining(sentence) });
});
