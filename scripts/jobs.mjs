/** `npm run jobs`: builds when stale, then lists or retries jobs that failed (src/commands/jobs.ts). */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled({ dev: false });
await buildIfStale();
const program = path.join(root, 'dist/src/commands/jobs.js');
process.exitCode = await run(nodeBinary(), ['--no-warnings', program, ...process.argv.slice(2)]);
