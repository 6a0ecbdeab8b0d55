/** The processes of an installation that is tried from outside, and what waits for them. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../scripts/tools.mjs';
import { hasEnded } from '../support/machine.ts';

/** A verdict on nothing but a start that never comes. */
export const START_MS = 300_000;
/** And on an end: stopped processes answer what they took for half a minute. */
const END_MS = 300_000;
/** How much of a log is kept. */
const LOG_LENGTH = 8_000;
/** For one answer, of which another is asked. */
const ANSWER_MS = 20_000;
/** For one thing that is cleared away. */
const CLEAR_MS = 90_000;
/** All children, to be ended with this program. */
const children = new Set();

/** Remembers a child until it has ended. */
export function known(child) {
  children.add(child);
  return child.once('exit', () => children.delete(child));
}

/** Ends a child by a signal, at last by force; false where that was needed. */
export async function endOf(child, signal) {
  if (hasEnded(child)) return true;
  let ended = true;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => {
    ended = false;
    child.kill('SIGKILL');
  }, END_MS);
  child.kill(signal);
  await exit;
  clearTimeout(timer);
  return ended;
}

/** Clears one thing away, whatever comes of it: how a run ended is not how it is cleared away. */
export async function clear(what, close) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('takes too long')), CLEAR_MS);
  });
  await Promise.race([Promise.resolve().then(close), late]).catch((error) =>
    console.log(`note: ${what} was not cleared away: ${error?.message ?? 'refused'}`),
  );
  clearTimeout(timer);
}

/** Ends this program in error where it goes on for longer, having reported what it knows; for what never ends. */
export function limit(ms, report) {
  setTimeout(() => {
    console.log(`BROKEN  not ended within ${ms / 60_000} min`);
    try {
      report();
    } finally {
      for (const child of children) child.kill('SIGKILL');
      process.exit(1);
    }
  }, ms);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks again and again; rejects after `ms`. */
export async function until(what, isTrue, ms) {
  const endMs = Date.now() + ms;
  while (!(await isTrue())) {
    if (Date.now() > endMs) throw new Error(`${what}: did not come within ${ms / 1000} s.`);
    await pause(100);
  }
}

const SHIM = ['--no-warnings', '--import', path.join(root, 'test/chaos/clock.mjs')];

/** One process of the installation. */
export class Member {
  isHurt = false;
  unexpected = [];
  /** How often it failed a request for no reason that it knows, by the error. */
  defects = new Map();
  #env;
  #isEnding = false;
  #clock;

  /** What it said of its end. */
  said = '';
  /** The end of its log. */
  logged = '';
  /** It has ended by itself, and is not started again. */
  isOver = false;
  /** It has answered since it was started. */
  isUp = false;

  /** @param home whose build it runs: another checkout's, or this one's @param restarts whether it is started again when it ends by itself */
  constructor(role, which, port, env, { home = root, restarts = true } = {}) {
    this.role = role;
    this.which = which;
    this.home = home;
    this.restarts = restarts;
    this.url = `http://127.0.0.1:${port}`;
    this.#clock = path.join(env.HOME, `clock-${role}-${which}`);
    this.#env = { ...env, ROLE: role, PORT: String(port), HOST: '127.0.0.1', CHAOS_CLOCK: this.#clock };
  }

  /** From now on its clock is wrong by so much. */
  async shiftClock(ms) {
    await writeFile(this.#clock, String(ms));
    // One that has only just begun would be ended by it.
    await until(`${this.role} ${this.which}`, () => this.isUp, START_MS);
    this.child.kill('SIGUSR2');
  }

  async start() {
    this.#isEnding = false;
    this.isOver = false;
    this.isUp = false;
    const program = [...SHIM, path.join(this.home, 'dist/src/main.js')];
    const child = known(spawn(process.execPath, program, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] }));
    this.said = '';
    child.stderr.on('data', (data) => (this.said += data));
    child.stdout.on('data', (data) => this.#read(String(data)));
    this.child = child;
    child.once('exit', (code, signal) => {
      if (this.#isEnding || child !== this.child) return;
      const wasUp = this.isUp;
      this.isUp = false;
      this.isOver = !this.restarts;
      if (this.isOver) return;
      // The database's sessions may be ended while it starts.
      if (!this.isHurt && wasUp)
        this.unexpected.push(`${this.role} ${this.which} ended by itself: ${signal ?? code} ${this.said}`);
      void pause(500)
        .then(() => !this.#isEnding && child === this.child && this.start())
        .catch((error) => this.unexpected.push(`${error.message} ${this.said}`));
    });
    const isUp = () =>
      this.isOver ||
      fetch(`${this.url}/health/live`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
        (answer) => answer.ok,
        () => false,
      );
    await until(`${this.role} ${this.which}`, isUp, START_MS);
    this.isUp = !this.hasEnded;
  }

  /** To find out what went wrong. */
  report() {
    const words = `${this.said.slice(-LOG_LENGTH)}${this.logged}`.trim();
    if (words) console.log(`${this.role} ${this.which} said: ${words}`);
  }

  get hasEnded() {
    return !this.child || hasEnded(this.child);
  }

  /** Keeps what it says of defects: whatever else breaks is reported to callers as it is. */
  #read(lines) {
    this.logged = (this.logged + lines).slice(-LOG_LENGTH);
    for (const line of lines.split('\n')) {
      if (!line.includes('request failed unexpectedly')) continue;
      const [text] = /"message":"(?:[^"\\]|\\.)*"/.exec(line) ?? [line];
      this.defects.set(text, (this.defects.get(text) ?? 0) + 1);
    }
  }

  async end(signal) {
    this.#isEnding = true;
    this.isUp = false;
    if (!(await endOf(this.child, signal)))
      this.unexpected.push(`${this.role} ${this.which} did not end by ${signal}: ${this.said}`);
  }
}
