/** `npm run load`: users against any deployment (test/load/run.mjs). It needs no build, and no database. */
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled({ dev: false });
const command = [nodeBinary(), '--no-warnings', `${root}/test/load/run.mjs`, ...process.argv.slice(2)];
process.exitCode =
  process.platform === 'win32'
    ? await run(command[0], command.slice(1))
    : await run('sh', ['-c', 'ulimit -n "$(ulimit -H -n)" 2>/dev/null; exec "$@"', 'load', ...command]);
