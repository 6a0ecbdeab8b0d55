/**
 * Holds: an estimate is set aside when work is accepted, what was used is captured on success, the rest goes back; a
 * failure releases all. A hold is settled once: a second capture or release changes nothing.
 */
import { fromMicro } from '../kernel/credits.ts';
import type { Tx } from '../kernel/database.ts';
import { PlatformError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { lockAccounts, spendable, spendingAccounts, splitAmount, systemAccount } from './accounts.ts';

export interface HoldRequest {
  /** Unique: what it pays for, e.g. 'turn:trn_...'. */
  source: string;
  /** turn, speech, image, video, tribe: shown in the ledger. */
  kind: string;
  userId: string;
  /** Micro-credits, above 0. */
  amount: bigint;
  /** The creator who is paid for: credits locked to them are spent first. */
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
 * Locks what these holds will be taken from, in the order that `openHolds` keeps: for rules that must read what others
 * have spent, without a gap, before the holds are opened. Takes nothing.
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
    tx.send(
      `with parts as (
         select * from unnest($6::text[], $7::bigint[]) as p (account_id, amount)),
       held as (
         update ledger_account a set held = a.held + p.amount from parts p where a.id = p.account_id returning a.id),
       hold as (
         insert into ledger_hold (id, source, user_id, amount, kind, created_at) values ($1, $2, $3, $4, $5, $8)
         returning id)
       insert into ledger_hold_part (hold_id, account_id, amount)
       select hold.id, p.account_id, p.amount from hold, parts p join held on held.id = p.account_id`,
      [
        holdId,
        request.source,
        request.userId,
        String(request.amount),
        request.kind,
        parts.map(([id]) => id),
        parts.map(([, part]) => String(part)),
        nowMs,
      ],
    );
    ids.push(holdId);
  }
  return ids;
}

/** Locks what several holds were taken from, in id order: before they are settled one by one. */
export async function lockHolds(tx: Tx, holdIds: readonly string[]): Promise<void> {
  if (holdIds.length === 0) return;
  const parts = await tx.rows<{ id: string }>(
    'select distinct account_id as id from ledger_hold_part where hold_id = any($1)',
    [holdIds],
  );
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
  const [row] = await tx.rows<{ captured: string | null }>(
    'select ledger_settle($1, $2, $3, $4, $5, $6)::text as captured',
    [
      holdId,
      String(amount),
      systemAccount('revenue', holdId),
      memo ?? null,
      nowMs,
      // One transfer from locked, one from welcome and one from global credits, at most.
      [newId('tfr', nowMs), newId('tfr', nowMs), newId('tfr', nowMs)],
    ],
  );
  return row?.captured == null ? undefined : BigInt(row.captured);
}
