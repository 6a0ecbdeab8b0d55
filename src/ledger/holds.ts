/**
 * Holds: the estimated price is set aside when work is accepted. On success the used amount is captured and the rest
 * released; on failure all is released. A hold is settled once: a second capture or release changes nothing.
 */
import { fromMicro } from '../kernel/credits.ts';
import type { Tx } from '../kernel/database.ts';
import { PlatformError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { lockAccounts, spendable, spendingAccounts, splitAmount, systemAccount } from './accounts.ts';
import { openHold, payersOf } from './ledger.queries.ts';

/** Credits to set aside for a piece of work. */
export interface HoldRequest {
  /** Unique: what it pays for, e.g. 'turn:trn_...'. */
  source: string;
  /** turn, speech, image, video, tribe: shown in the ledger. */
  kind: string;
  userId: string;
  /** Micro-credits, above 0. */
  amount: bigint;
  /** The creator whose work is paid for: credits locked to them are spent first. */
  creatorUserId?: string;
  /** True when the caller is the payer and may see the balance in a 402. */
  revealBalance: boolean;
}

const accountsOf = (request: HoldRequest): string[] => spendingAccounts(request.userId, request.creatorUserId);

/** The 402 of the documented API, with both amounts. */
export function insufficientCredits(required: bigint, available: bigint, reveal: boolean): PlatformError {
  return new PlatformError('INSUFFICIENT_CREDITS', undefined, {
    details: { requiredCredits: fromMicro(required), availableCredits: reveal ? fromMicro(available) : 0 },
  });
}

/**
 * Locks the accounts of these holds, in the order of `openHolds`, without holding anything, so that a rule can read what was
 * spent and then open the holds with no spending in between.
 */
export async function lockPayers(tx: Tx, requests: readonly HoldRequest[]): Promise<void> {
  await lockAccounts(tx, requests.flatMap(accountsOf));
}

/**
 * Opens holds, all or none, locking every account once in id order. Returns their ids in the order asked.
 * Throws INSUFFICIENT_CREDITS for the first that does not fit.
 */
export async function openHolds(tx: Tx, requests: HoldRequest[], nowMs: number): Promise<string[]> {
  if (requests.length === 0) return [];
  const accounts = await lockAccounts(tx, requests.flatMap(accountsOf));
  const ids: string[] = [];
  for (const request of requests) {
    const order = accountsOf(request);
    const parts = splitAmount(accounts, order, request.amount);
    if (!parts) {
      const available = order.reduce((sum, id) => sum + spendable(accounts.get(id)), 0n);
      throw insufficientCredits(request.amount, available, request.revealBalance);
    }
    const holdId = newId('hld', nowMs);
    for (const [id, part] of parts) accounts.get(id)!.held += part;
    const opened = openHold.filled({
      holdId,
      source: request.source,
      userId: request.userId,
      amount: request.amount,
      kind: request.kind,
      accountIds: parts.map(([id]) => id),
      amounts: parts.map(([, part]) => part),
      createdAt: nowMs,
    });
    tx.send(opened.sql, opened.values);
    ids.push(holdId);
  }
  return ids;
}

/** Locks the accounts of several holds in id order, before they are settled one by one. */
export async function lockHolds(tx: Tx, holdIds: readonly string[]): Promise<void> {
  if (holdIds.length === 0) return;
  const parts = await payersOf(tx, { holdIds });
  await lockAccounts(
    tx,
    parts.map(({ id }) => id),
  );
}

/**
 * Ends a hold: captures `amount` (0 releases all; never more than was held) and gives the rest back. Returns the
 * micro-credits captured, or undefined when the hold had ended before.
 */
export async function settleHold(
  tx: Tx,
  holdId: string,
  amount: bigint,
  nowMs: number,
  memo?: string,
): Promise<bigint | undefined> {
  const { sql, values } = settlement(holdId, amount, nowMs, memo);
  const [row] = await tx.rows<{ captured: string | null }>(sql, values);
  return row?.captured == null ? undefined : BigInt(row.captured);
}

/** The same without awaiting it, for callers that do not need the captured amount. */
export function sendSettlement(tx: Tx, holdId: string, amount: bigint, nowMs: number, memo?: string): void {
  const { sql, values } = settlement(holdId, amount, nowMs, memo);
  tx.send(sql, values);
}

/** `ledger_settle`, as migration 0026_welcome_credits left it, is the only code that captures and releases. */
function settlement(holdId: string, amount: bigint, nowMs: number, memo: string | undefined) {
  // One transfer from locked, one from welcome and one from global credits, at most.
  const transferIds = [newId('tfr', nowMs), newId('tfr', nowMs), newId('tfr', nowMs)];
  return {
    sql: 'select ledger_settle($1, $2, $3, $4, $5, $6)::text as captured',
    values: [holdId, String(amount), systemAccount('revenue', holdId), memo ?? null, nowMs, transferIds],
  };
}
