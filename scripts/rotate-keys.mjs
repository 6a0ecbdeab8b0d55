/** `npm run rotate-keys`: builds when stale, then replaces keys (src/commands/rotate-keys.ts). */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled({ dev: false });
await buildIfStale();
const program = path.join(root, 'dist/src/commands/rotate-keys.js');
process.exitCode = await run(nodeBinary(), ['--no-warnings', program, ...process.argv.slice(2)]);
