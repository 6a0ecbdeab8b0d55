/**
 * `npm test`: installs and builds when needed, then runs every jest suite under the project's own Node.
 * Arguments are handed to jest: `npm test -- test/rules`.
 */
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled();
const { buildIfStale } = await import('./build.mjs');
await buildIfStale();
process.exitCode = await run(nodeBinary(), [
  '--experimental-vm-modules',
  '--no-warnings',
  `${root}/node_modules/jest/bin/jest.js`,
  ...process.argv.slice(2),
]);
