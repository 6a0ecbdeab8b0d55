/** `npm start`: installs once, builds when stale, then hands over to the server under the project's own Node. */
import { ensureInstalled, platformCommand, run } from './tools.mjs';

try {
  await ensureInstalled({ dev: false });
  const { buildIfStale } = await import('./build.mjs');
  if (await buildIfStale()) console.log('Built.');
  const { command, args, env } = platformCommand();
  process.exitCode = await run(command, args, { env });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
