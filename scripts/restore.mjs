/** `npm run restore`: builds when stale, then runs src/commands/restore.ts with its arguments. */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled({ dev: false });
await buildIfStale();
const program = path.join(root, 'dist/src/commands/restore.js');
process.exitCode = await run(nodeBinary(), ['--no-warnings', program, ...process.argv.slice(2)]);
