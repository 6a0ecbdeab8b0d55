/** `npm run generate` and `npm run drift`: builds, then writes or checks the generated files (src/commands/generate.ts). */
import { buildIfStale } from './build.mjs';
import { nodeBinary, root, run } from './tools.mjs';

await buildIfStale();
process.exitCode = await run(nodeBinary(), [
  '--no-warnings',
  `${root}/dist/src/commands/generate.js`,
  ...process.argv.slice(2),
]);
