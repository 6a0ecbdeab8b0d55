/** Lets the memory system work inside a transaction of `kernel/database.ts`. It opens and commits nothing. */
import type { Tx } from '../../../kernel/database.ts';
import type { Sql } from './ports.ts';

/** An open transaction as the port wants it. Statements are not named there: they are planned anew each time. */
export function inTransaction(tx: Pick<Tx, 'rows'>): Sql {
  return { query: async ({ text, values }) => ({ rows: await tx.rows(text, values ?? []) }) };
}
