/**
 * `npm run bench`: each figure and its baseline, measured in the same run. Installs and builds when needed, raises the
 * limit of open files as far as it may (10 000 viewers need as many), and runs `test/bench/run.mjs` under the project's
 * own Node. `npm run bench -- poll fanout` runs some of them, `--json` prints machine-readable rows.
 */
import { ALLOCATOR, ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled();
const { buildIfStale } = await import('./build.mjs');
await buildIfStale({ modules: true });
const command = [nodeBinary(), '--no-warnings', `${root}/test/bench/run.mjs`, ...process.argv.slice(2)];
const env = { ...ALLOCATOR, ...process.env };
process.exitCode =
  process.platform === 'win32'
    ? await run(command[0], command.slice(1), { env })
    : await run('sh', ['-c', 'ulimit -n "$(ulimit -H -n)" 2>/dev/null; exec "$@"', 'bench', ...command], { env });
