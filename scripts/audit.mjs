/** `npm run audit`: builds when stale, then prints every invariant of the ledger and its verdict (src/commands/audit.ts). */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled({ dev: false });
await buildIfStale();
process.exitCode = await run(nodeBinary(), ['--no-warnings', path.join(root, 'dist/src/commands/audit.js')]);
