/**
 * What ends or deletes a reply being written locks the accounts of its holds, then injections, turns and the conversation, as a
 * reply does. What a reply writes between these steps was not locked: to wait for it now could be waiting in a circle, so
 * all locks are released and the work begins anew.
 */
import type { Database, Tx } from '../../kernel/database.ts';
import { busy } from '../../kernel/errors.ts';
import { settleHold } from '../../ledger/holds.ts';

/** Something was said or written while what it belongs to was being locked. */
export class WrittenMeanwhileError extends Error {}

/** How often work begins anew: each time something was written at that very moment. */
const ATTEMPTS = 8;

/** A transaction, again where something was written while it locked. Throws UNAVAILABLE where that does not end. */
export async function lockedAnew<T>(db: Pick<Database, 'transaction'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!(error instanceof WrittenMeanwhileError)) throw error;
      if (attempt === ATTEMPTS) {
        throw busy('More is being said at this very moment: try again.', { seconds: 1, cause: error });
      }
    }
  }
}

/** Gives holds back uncharged. Throws WrittenMeanwhileError for one whose accounts are not among the locked ones. */
export async function releaseLocked(
  tx: Tx,
  { locked, holdIds }: { locked: readonly string[]; holdIds: readonly string[] },
  nowMs: number,
): Promise<void> {
  if (holdIds.some((id) => !locked.includes(id))) throw new WrittenMeanwhileError();
  for (const holdId of holdIds) await settleHold(tx, holdId, 0n, nowMs);
}
