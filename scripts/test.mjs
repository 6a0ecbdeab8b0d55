/**
 * `npm test`: installs and builds when needed, then runs every jest suite under the project's own Node.
 * Arguments are handed to jest: `npm test -- test/rules`.
 */
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled();
const { buildIfStale } = await import('./build.mjs');
await buildIfStale({ modules: true });
/**
 * V8's settings for test workers, which forget nearly all that they make: a large nursery is emptied rarely,
 * and by the thread itself, which takes less computing than several that divide the work. What is old is looked through
 * only once there are 500 MB of it: each time takes a second, and found little to collect.
 */
const V8 = [
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--single-threaded-gc',
  '--initial-old-space-size=500',
];

process.exitCode = await run(
  nodeBinary(),
  ['--no-warnings', ...V8, `${root}/node_modules/jest/bin/jest.js`, ...process.argv.slice(2)],
  {
    env: {
      ...process.env,
      // As in the Dockerfile: otherwise graphql-js looks at every value for one of another copy of itself.
      NODE_ENV: 'production',
      // Programs that tests start find their code compiled.
      NODE_COMPILE_CACHE: `${root}/node_modules/.cache/test-programs`,
    },
  },
);
