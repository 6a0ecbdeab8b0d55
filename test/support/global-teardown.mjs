/** Stops the PostgreSQL of the test run and removes its files. */
import { rm } from 'node:fs/promises';

export default async function teardown() {
  await globalThis.testPostgres?.stop();
  await rm(globalThis.testFolder, { recursive: true, force: true });
}
