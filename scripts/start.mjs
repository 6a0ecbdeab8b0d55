/** `npm start`: installs once, builds when stale, then hands over to the server under the project's own Node. */
import path from 'node:path';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

try {
  await ensureInstalled();
  const { buildIfStale } = await import('./build.mjs');
  if (await buildIfStale()) console.log('Built.');
  process.exitCode = await run(nodeBinary(), [
    '--enable-source-maps',
    '--no-warnings',
    path.join(root, 'dist/src/main.js'),
  ]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
