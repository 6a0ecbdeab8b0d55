/** How jest runs the tests: docs/testing.md says why so. */
import { availableParallelism } from 'node:os';

/** What a worker takes of memory at most, with PostgreSQL's, decoders' and browsers' part of it. */
const WORKER_BYTES = 1.5e9;

export default {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  runtime: '<rootDir>/test/support/runtime.mjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // `sources.mjs` compiles what is loaded.
  transform: {},
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  reporters: ['default', '<rootDir>/test/support/longest-reporter.mjs'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Two more than the machine has cores, where there is memory for them: much of what is tested waits for what it started.
  maxWorkers: Math.max(
    1,
    Math.min(availableParallelism() + 2, 8, Math.floor(process.availableMemory() / WORKER_BYTES)),
  ),
  // A worker keeps some of every file it ran; one that has grown so far is replaced.
  workerIdleMemoryLimit: '1000MB',
  // A worker that is to end has nothing left: its pipe to jest and its output are all that is open, and Node's own end
  // begins in the same millisecond. That frees up to a gigabyte, which takes a busy machine more than jest's half second;
  // jest would then say that tests had left something. What is left open fails the file that left it (`leftovers.mjs`).
  workerGracefulExitTimeout: 60_000,
  // What never comes fails by this; it is no verdict on speed, so a busy machine has time enough.
  testTimeout: 600_000,
};
