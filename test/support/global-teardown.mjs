/** Stops the PostgreSQL of the test run and removes its data. */
import { rm } from 'node:fs/promises';

export default async function teardown() {
  await globalThis.testPostgres?.stop();
  await rm(process.env.TEST_POSTGRES_DIR, { recursive: true, force: true });
}
