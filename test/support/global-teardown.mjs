/** Stops the PostgreSQL of the test run and removes its data. */
import { rm } from 'node:fs/promises';

export default async function teardown() {
  await globalThis.testPostgres?.stop();
  for (const place of [process.env.TEST_POSTGRES_DIR, process.env.TEST_TIMES])
    await rm(place, { recursive: true, force: true });
}
