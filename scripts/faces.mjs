/**
 * `npm run faces -- me.jpg --sheets /tmp/sheets`: talking heads of these images, or of the tests' own, judged by the landmark
 * library. Installs and builds when needed; `test/faces/run.mjs` says what is measured.
 */
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled();
const { buildIfStale } = await import('./build.mjs');
await buildIfStale({ modules: true });
process.exitCode = await run(nodeBinary(), ['--no-warnings', `${root}/test/faces/run.mjs`, ...process.argv.slice(2)]);
