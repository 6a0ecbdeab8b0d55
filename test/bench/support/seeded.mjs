/** A web process over a database with a public conversation of 20 turns, ten of them spoken videos. */
import { startPart } from './parts.mjs';

const TURNS = 20;

export async function openSeeded(databaseUrl, { turns = TURNS } = {}) {
  const seeder = await startPart('platform', { databaseUrl, work: true });
  const seeded = await seeder.call('seed', { turns });
  // A worker that renders has its own CPU; only the process that answers is measured.
  await seeder.stop();
  const platform = await startPart('platform', { databaseUrl });
  return { platform, port: platform.facts.port, ...seeded };
}
