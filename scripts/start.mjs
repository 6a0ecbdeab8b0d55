/** `npm start`: installs once, builds when stale, then hands over to the server under the project's own Node. */
import { ensureInstalled, platformCommand, run } from './tools.mjs';

const USAGE = `npm start
  Installs once, builds what is stale, starts everything and prints where it is; Ctrl-C stops it.
  It is set up by environment variables: PORT=8080 npm start. docs/operations.md lists them.`;

async function start([word]) {
  if (word === '--help' || word === '-h') return console.log(USAGE);
  // A setting that is not taken would be missed when the start is over.
  if (word) throw new Error(`npm start takes no arguments, and was given "${word}".\n${USAGE}`);
  await ensureInstalled({ dev: false });
  const { buildIfStale } = await import('./build.mjs');
  if (await buildIfStale()) console.log('Built.');
  const { command, args, env } = platformCommand();
  process.exitCode = await run(command, args, { env });
}

start(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
