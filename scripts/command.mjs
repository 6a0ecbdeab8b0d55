/** `npm run backup` and its sisters: installs once, builds when stale, then runs src/commands/<name>.ts with its arguments. */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

const [name, ...words] = process.argv.slice(2);
await ensureInstalled({ dev: false });
await buildIfStale();
process.exitCode = await run(nodeBinary(), [
  '--no-warnings',
  path.join(root, `dist/src/commands/${name}.js`),
  ...words,
]);
