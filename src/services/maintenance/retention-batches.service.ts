/**
 * How workers remove what is past its time: each step in small batches until nothing is left, for some minutes an hour, pausing
 * as long as it works, so that work that users wait for comes first. One worker at a time has a step; other workers take other
 * steps.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Database, Tx } from '../../kernel/database.ts';
import { preparedOver } from '../../kernel/prepared.ts';
import { LOCK_CLASSES } from '../../kernel/session-locks.ts';

/** The longest that one step runs in a round; the next hour's round continues it. */
const LONGEST_MS = 30 * MINUTE_MS;

/** Locks the step until the transaction ends; false where another transaction has it. */
const takeStep = preparedOver<object>()((tables, given: { step: string }) =>
  tables.selectNoFrom(
    sql<boolean>`pg_try_advisory_xact_lock(${sql.lit(LOCK_CLASSES.retention)}, hashtext(${given.step}))`.as('isMine'),
  ),
);

/**
 * Repeats `removeBatch`, each time in a transaction that has the step, for as long as it returns true and `signal` has not
 * aborted. Where another worker is at the step it is left to that one, and this returns false. A batch that takes longer than
 * `idle_in_transaction_session_timeout` elsewhere fails.
 */
export async function inBatches(
  db: Pick<Database, 'transaction'>,
  { step, signal }: { step: string; signal?: AbortSignal | undefined },
  removeBatch: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const endsAtMs = performance.now() + LONGEST_MS;
  while (!signal?.aborted) {
    const beganAtMs = performance.now();
    const goesOn = await db.transaction(async (tx) => {
      const [taken] = await takeStep(tx, { step });
      return taken?.isMine ? removeBatch(tx) : undefined;
    });
    if (goesOn === undefined) return false;
    if (!goesOn || performance.now() > endsAtMs) return true;
    await wait(performance.now() - beganAtMs, undefined, { signal }).catch(() => {});
  }
  return true;
}
