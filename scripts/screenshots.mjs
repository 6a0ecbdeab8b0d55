/**
 * `npm run screenshots`: every page in four variants (desktop and phone, light and dark) into
 * node_modules/.cache/screenshots, with sheets of them side by side. Starts all it needs. `npm run screenshots -- readme` takes the
 * README's images instead, of a demo that runs.
 */
import { ensureInstalled, nodeBinary, root, run } from './tools.mjs';

await ensureInstalled();
const { buildIfStale } = await import('./build.mjs');
await buildIfStale({ modules: true });
const JEST = ['--no-warnings', `${root}/node_modules/jest/bin/jest.js`, '--testMatch', '**/test/pages/screenshots.ts'];
const script = process.argv[2] === 'readme' ? [`${root}/scripts/readme-images.mjs`] : [...JEST, '--runInBand'];
process.exitCode = await run(nodeBinary(), script, { env: { ...process.env, NODE_ENV: 'production' } });
