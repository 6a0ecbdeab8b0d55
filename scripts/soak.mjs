/**
 * `npm run soak -- 120`: two hours of steady mixed load on a whole instance, its memory over time, and a verdict. Installs
 * and builds when needed; `test/soak/run.mjs` says what it does.
 */
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled();
const { buildIfStale } = await import('./build.mjs');
await buildIfStale({ modules: true });
process.exitCode = await run(nodeBinary(), ['--no-warnings', `${root}/test/soak/run.mjs`, ...process.argv.slice(2)]);
