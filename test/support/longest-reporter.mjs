/** Ends a run of many files with what it took and which of them took most, for `sequencer.mjs` and work on its speed. */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { readComputing } from './cpu-time.mjs';

const SHOWN = 10;

export default class LongestReporter {
  #folder;

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
    const lines = [
      `${files.length} files in ${minutes.toFixed(1)} minutes on ${availableParallelism()} cores; they computed ` +
        `${all.toFixed(0)} s without PostgreSQL. Those that computed most (and took):`,
      ...files
        .slice(0, SHOWN)
        .map(({ name, computed, took }) => `${computed.toFixed(1).padStart(7)} s (${took.toFixed(1)} s) ${name}`),
    ];
    process.stderr.write(`\n${lines.join('\n')}\n`);
  }
}
