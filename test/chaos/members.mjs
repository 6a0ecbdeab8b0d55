/** The processes of an installation that is tried from outside, and what waits for them. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { root } from '../../scripts/tools.mjs';

/** A verdict on nothing but a start that never comes. */
export const START_MS = 300_000;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks again and again; rejects after `ms`. */
export async function until(what, isTrue, ms) {
  const endMs = Date.now() + ms;
  while (!(await isTrue())) {
    if (Date.now() > endMs) throw new Error(`${what}: did not come within ${ms / 1000} s.`);
    await pause(100);
  }
}

export const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

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
  /** It has ended by itself, and is not started again. */
  isOver = false;

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
    this.child.kill('SIGUSR2');
  }

  async start() {
    this.#isEnding = false;
    const child = spawn(process.execPath, [...SHIM, path.join(this.home, 'dist/src/main.js')], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.said = '';
    child.stderr.on('data', (data) => (this.said += data));
    child.stdout.on('data', (data) => this.#read(String(data)));
    this.child = child;
    child.once('exit', (code, signal) => {
      if (this.#isEnding || child !== this.child) return;
      this.isOver = !this.restarts;
      if (this.isOver) return;
      // The database's sessions may be ended while it starts.
      if (!this.isHurt)
        this.unexpected.push(`${this.role} ${this.which} ended by itself: ${signal ?? code} ${this.said}`);
      void pause(500).then(() => !this.#isEnding && this.start());
    });
    const isUp = () =>
      this.isOver ||
      fetch(`${this.url}/health/live`).then(
        (answer) => answer.ok,
        () => false,
      );
    await until(`${this.role} ${this.which}`, isUp, START_MS);
  }

  /** Keeps what it says of defects: whatever else breaks is told to callers as it is. */
  #read(lines) {
    for (const line of lines.split('\n')) {
      if (!line.includes('request failed unexpectedly')) continue;
      const [text] = /"message":"(?:[^"\\]|\\.)*"/.exec(line) ?? [line];
      this.defects.set(text, (this.defects.get(text) ?? 0) + 1);
    }
  }

  async end(signal) {
    this.#isEnding = true;
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}
