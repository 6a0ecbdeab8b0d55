/**
 * `npm run generate` and `npm run drift`: builds, then writes or checks the generated files (src/commands/generate.ts), and
 * fails where the graph has changed in a way that breaks its clients and that CHANGELOG.md does not announce.
 */
import { buildIfStale } from './build.mjs';
import { checkGraphChanges } from './graph-changes.mjs';
import { nodeBinary, root, run } from './tools.mjs';

await buildIfStale({ modules: true });
const code = await run(nodeBinary(), [
  '--no-warnings',
  `${root}/dist/src/commands/generate.js`,
  ...process.argv.slice(2),
]);
const breaking = await checkGraphChanges(process.argv.includes('--release'));
process.exitCode = code || Math.min(breaking, 1);
