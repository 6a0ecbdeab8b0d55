/** A migrated database for the tests of memory, reached as services reach it. */

import { openSchema } from '../../src/app/open-schema.ts';
import { type Database, openDatabase } from '../../src/kernel/database.ts';
import type { Sql } from '../../src/services/brain/memory/memory-system.port.ts';
import { createTestDatabase } from './database.ts';

export interface BrainDatabase {
  sql: Sql;
  pool: Database['pool'];
  /** Runs `fn` inside one transaction. */
  transaction<T>(fn: (sql: Sql) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export async function startBrainDatabase(): Promise<BrainDatabase> {
  const test = await createTestDatabase();
  const db = await openDatabase(openSchema(test.url));
  return {
    sql: db,
    pool: db.pool,
    transaction: (fn) => db.transaction((tx) => fn(tx)),
    async stop() {
      await db.close();
      await test.drop();
    },
  };
}
