/** Jest runs the TypeScript sources as native ES modules, compiled by the same swc options as the build. */
import { availableParallelism } from 'node:os';
import { swcOptions } from './scripts/build.mjs';

// The sources import each other as `./x.ts`, which jest resolves as it is: no rewriting here.
const { rewriteRelativeImportExtensions: _, ...jsc } = swcOptions.jsc;

export default {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', { jsc, module: { type: 'es6' }, swcrc: false }] },
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // One more than the machine has cores: much of what is tested waits for what it started.
  maxWorkers: Math.min(availableParallelism() + 1, 8),
  // A worker keeps some of every file it ran; one that has grown so far is replaced.
  workerIdleMemoryLimit: '1000MB',
  // What never comes fails by this; it is no verdict on speed, so a busy machine has time enough.
  testTimeout: 600_000,
};
