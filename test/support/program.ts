/** The program itself as `npm start` runs it, and its commands, in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { until } from './until.ts';

export interface Run {
  child: ChildProcess;
  /** What it printed so far. */
  output(): string;
  /** Its exit code; null when a signal ended it. */
  exit: Promise<number | null>;
}

/** Runs a built module, e.g. `src/main`, with these variables and no others of ours. */
export function runModule(name: string, env: Record<string, string>, ...args: string[]): Run {
  return runProgram(process.execPath, ['--no-warnings', `dist/${name}.js`, ...args], env);
}

/** Runs a program in the project's folder, with these variables and no others of ours. */
export function runProgram(command: string, args: string[], env: Record<string, string>): Run {
  let output = '';
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      HOME: os.tmpdir(),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  return {
    child,
    output: () => output,
    exit: new Promise((resolve) => child.once('close', resolve)),
  };
}

/** A start takes three seconds, and on a machine that others use as much minutes; it is what the test is about. */
const PATIENCE_MS = 300_000;

/** Resolves when the program has said that it is ready. Rejects, with what it said, when it ends instead. */
export async function ready(run: Run): Promise<void> {
  await until(
    async () => run.output().includes('Ctrl-C stops everything.') || run.child.exitCode !== null,
    PATIENCE_MS,
  );
  if (run.child.exitCode !== null) throw new Error(`It ended: ${run.output()}`);
}
