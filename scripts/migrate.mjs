/** `npm run migrate`: builds when stale, then brings the database to this release (src/commands/migrate.ts). */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled({ dev: false });
await buildIfStale();
const program = path.join(root, 'dist/src/commands/migrate.js');
process.exitCode = await run(nodeBinary(), ['--no-warnings', program, ...process.argv.slice(2)]);
