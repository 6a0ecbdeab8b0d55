/** `npm run rolling`: the version before and this one side by side on one database; `test/rolling/run.mjs` says what it does. */
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled();
const { buildIfStale } = await import('./build.mjs');
await buildIfStale({ modules: true });
process.exitCode = await run(nodeBinary(), ['--no-warnings', `${root}/test/rolling/run.mjs`, ...process.argv.slice(2)]);
