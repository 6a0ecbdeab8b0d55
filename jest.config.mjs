/** Jest runs the TypeScript sources as native ES modules, compiled by the same swc options as the build. */
import { swcOptions } from './scripts/build.mjs';

// The sources import each other as `./x.ts`, which jest resolves as it is: no rewriting here.
const { rewriteRelativeImportExtensions: _, ...jsc } = swcOptions.jsc;

export default {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', { jsc, module: { type: 'es6' }, swcrc: false }] },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  maxWorkers: 2,
  // A worker keeps some of every file it ran; one that has grown so far is replaced.
  workerIdleMemoryLimit: '1500MB',
  // What never comes fails by this; it is no verdict on speed, so a busy machine has time enough.
  testTimeout: 600_000,
};
