/**
 * `npm run fuzz -- --minutes 10`: damaged media of every format through the public API of a whole instance. Installs and
 * builds when needed; `test/fuzz/run.mjs` says what must hold.
 */
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled();
const { buildIfStale } = await import('./build.mjs');
await buildIfStale({ modules: true });
process.exitCode = await run(nodeBinary(), ['--no-warnings', `${root}/test/fuzz/run.mjs`, ...process.argv.slice(2)]);
