/** `npm run reset-password`: builds when stale, then prints a link that sets a password (src/commands/reset-password.ts). */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled({ dev: false });
await buildIfStale();
const program = path.join(root, 'dist/src/commands/reset-password.js');
process.exitCode = await run(nodeBinary(), ['--no-warnings', program, ...process.argv.slice(2)]);
