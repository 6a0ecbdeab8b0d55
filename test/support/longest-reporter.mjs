/** Ends a run of many files with what it took and which of them took most, for `sequencer.mjs` and work on its speed. */
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { readComputing } from './cpu-time.mjs';

const SHOWN = 10;

/** Seconds that all cores have computed, for whatever program, and those that have passed on them. */
function machineSeconds() {
  const times = cpus().map((core) => core.times);
  const sum = (of) => times.reduce((all, time) => all + of(time), 0) / 1000;
  const idle = sum((time) => time.idle);
  const passed = sum((time) => time.user + time.nice + time.sys + time.irq + time.idle);
  return { computed: passed - idle, passed };
}

export default class LongestReporter {
  #folder;
  #before = machineSeconds();

  constructor({ rootDir }) {
    this.#folder = path.join(rootDir, 'test');
  }

  onRunComplete(_, { startTime, testResults }) {
    if (testResults.length <= SHOWN) return;
    const computing = readComputing();
    const files = testResults
      .map(({ testFilePath, perfStats }) => ({
        name: path.relative(this.#folder, testFilePath).replace('.test.ts', ''),
        computed: computing.get(testFilePath) ?? 0,
        took: (perfStats.end - perfStats.start) / 1000,
      }))
      .sort((one, other) => other.computed - one.computed);
    const all = files.reduce((sum, { computed }) => sum + computed, 0);
    const minutes = (Date.now() - startTime) / 60_000;
    const now = machineSeconds();
    const [busy, passed] = [now.computed - this.#before.computed, now.passed - this.#before.passed];
    const lines = [
      `All programs of this machine computed ${busy.toFixed(0)} s, ${((100 * busy) / passed).toFixed(0)} % of what its cores can.`,
      `${files.length} files in ${minutes.toFixed(1)} minutes on ${availableParallelism()} cores; they computed ` +
        `${all.toFixed(0)} s without PostgreSQL. Those that computed most (and took):`,
      ...files
        .slice(0, SHOWN)
        .map(({ name, computed, took }) => `${computed.toFixed(1).padStart(7)} s (${took.toFixed(1)} s) ${name}`),
    ];
    process.stderr.write(`\n${lines.join('\n')}\n`);
  }
}
