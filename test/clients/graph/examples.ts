/** The examples as somebody runs them: what each prints, or shows. */
import { type ChildProcess, spawn } from 'node:child_process';
import { expect, type Platform } from './platform.ts';

interface Run {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
}

function start(command: string, args: string[], env: Record<string, string> = {}): Run {
  let output = '';
  const child = spawn(command, args, { env: { ...process.env, ...env } });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
  return { child, output: () => output, ended: new Promise((resolve) => child.once('close', resolve)) };
}

/** What a program printed that had to end well. */
async function printed(command: string, args: string[], env?: Record<string, string>): Promise<string> {
  const run = start(command, args, env);
  const code = await run.ended;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${run.output()}`);
  return run.output();
}

/** Waits until it has printed this; throws when it ends without. */
async function prints(run: Run, wanted: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = wanted.exec(run.output());
    if (found) return found;
    if (run.child.exitCode !== null) throw new Error(`It ended with ${run.child.exitCode}: ${run.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function curl(): Promise<void> {
  const lines = (await printed('bash', ['curl.sh'])).trim().split('\n');
  expect(
    'what it prints',
    [/^Watch it: http.*\/live\/c-/.test(lines[0] ?? ''), (lines[1] ?? '').length > 3],
    [true, true],
  );
}

async function python(): Promise<void> {
  expect('an answer', (await printed('python3', ['talk.py', 'Who are you?'])).trim().length > 3, true);
  // Where `requests` is not installed; a folder without packages stands for it.
  expect('one without requests', (await printed('python3', ['-S', 'talk.py'])).trim().length > 3, true);
}

async function bot(): Promise<void> {
  const run = start(process.execPath, ['bot.mjs']);
  run.child.stdin?.write('general: Hello!\n');
  await prints(run, /^general> .+/m);
  run.child.stdin?.end('random: And who are you?\n');
  await prints(run, /^random> .+/m);
  run.child.kill();
  await run.ended;
}

async function nextPage({ key }: Platform): Promise<void> {
  const run = start(process.execPath, ['next-page.mjs'], { PORT: '0' });
  const [address = ''] = await prints(run, /http:\/\/localhost:\d+/);
  const html = await (await fetch(address)).text();
  expect('a frame', /<h1>Nova<\/h1><iframe src="http[^"]+\/live\/c-[^"]+token=/.test(html), true);
  expect('the key in the page', html.includes(key), false);
  run.child.kill();
  await run.ended;
}

export const examples = { curl, python, bot, nextPage };
