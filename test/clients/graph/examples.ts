/** The examples as developers run them: what each prints, or shows. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createReadStream, existsSync, globSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { createClient, rest } from 'avatar-platform-client';
import { openBrowser } from '../../support/browser.ts';
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

/** The source as OBS shows it, from a web server and in a browser: it appears when the avatar speaks. */
async function obsSource({ url, key, avatarId, conversationId }: Platform): Promise<void> {
  const api = rest(createClient({ url, token: key }));
  const [voice] = (await api.voices()).voices;
  await api.setAvatarVoice({ avatarId, voiceId: voice?.id ?? '' });
  const { liveUrl } = (await api.conversation({ conversationId })).conversation;
  const files = createServer((_, response) => createReadStream('obs-source.html').pipe(response));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const browser = await openBrowser(['--autoplay-policy=no-user-gesture-required']);
  try {
    const page = await (await browser.newContext()).newPage();
    const { port } = files.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/obs-source.html?live=${encodeURIComponent(liveUrl)}`);
    await page.frameLocator('iframe').locator('avatar-stage').waitFor();
    expect('what is seen of a silent avatar', await page.locator('iframe.speaking').count(), 0);
    await api.injectTurn({ conversationId, userText: 'Good evening!', output: 'audio' });
    await page.locator('iframe.speaking').waitFor();
  } finally {
    await browser.close();
    files.close();
  }
}

/** Programs that run JavaScript, and what stands before the file. */
const RUNTIMES: Record<string, string[]> = { node: [], deno: ['run', '--allow-all'], bun: [] };

/** Where the packages of Deno and Bun, which are installed with the other tools, have their programs. */
const packaged = (pattern: string): string[] => globSync(`../../node_modules/${pattern}`);

/** Our own client in each runtime that is installed or on the path: Deno, Bun, and of Node each from version 20 on. */
async function everyRuntime(): Promise<void> {
  const own = [dirname(process.execPath), ...packaged('@deno/*'), ...packaged('@oven/*/bin')];
  const folders = [...own, ...(process.env.PATH ?? '').split(delimiter)];
  const ran = new Set<string>();
  for (const [name, before] of Object.entries(RUNTIMES)) {
    const files = folders.map((folder) => join(folder, name)).filter((file) => existsSync(file));
    for (const program of new Set(files.map((file) => realpathSync(file)))) {
      const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().split('\n')[0] ?? '';
      if (name === 'node' && Number(/\d+/.exec(version)?.[0]) < 20) continue;
      expect(`${name} ${version}`, (await printed(program, [...before, 'any-runtime.mjs'])).trim(), 'ok');
      ran.add(name);
      console.log(`  in ${name} ${version}`);
    }
  }
  expect('the runtimes', [...ran], Object.keys(RUNTIMES));
}

export const examples = { curl, python, bot, nextPage, obsSource, everyRuntime };
