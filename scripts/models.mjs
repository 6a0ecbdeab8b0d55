/** `npm run models`: builds when stale, then brings what local models need into DATA_DIR/models (src/commands/models.ts). */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled({ dev: false });
await buildIfStale();
const command = path.join(root, 'dist/src/commands/models.js');
process.exitCode = await run(nodeBinary(), ['--no-warnings', command, ...process.argv.slice(2)]);
