/**
 * `npm run chaos -- 5`: five minutes of faults under load, and whether everything that was acknowledged is there once. Installs
 * and builds when needed; `test/chaos/run.mjs` says what it does.
 */
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled();
const { buildIfStale } = await import('./build.mjs');
await buildIfStale({ modules: true });
process.exitCode = await run(nodeBinary(), ['--no-warnings', `${root}/test/chaos/run.mjs`, ...process.argv.slice(2)]);
