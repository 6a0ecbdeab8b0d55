/** `npm run doctor`: builds when stale, then calls everything that is configured once and says what answers (src/commands/doctor.ts). */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled({ dev: false });
await buildIfStale();
const command = path.join(root, 'dist/src/commands/doctor.js');
process.exitCode = await run(nodeBinary(), ['--no-warnings', command, ...process.argv.slice(2)]);
