/**
 * Holds: an estimate is set aside when work is accepted, what was used is captured on success, the rest goes back; a
 * failure releases all (DESIGN.md 7). A hold is settled once: a second capture or release changes nothing.
 */
import { fromMicro } from '../kernel/credits.ts';
import type { Tx } from '../kernel/database.ts';
import { PlatformError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { ensureAccount, globalAccount, houseAccount, type LockedRow, lockAccounts, lockedAccount } from './accounts.ts';
import { move, spendable } from './transfers.ts';

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
  /** True when the caller is the payer and may see the balance in a 402 (R13). */
  revealBalance: boolean;
}

const accountsOf = (request: HoldRequest): string[] => [
  ...(request.creatorUserId ? [lockedAccount(request.userId, request.creatorUserId)] : []),
  globalAccount(request.userId),
];

/** The 402 of api.md 7, with both amounts. */
export function insufficientCredits(required: bigint, available: bigint, reveal: boolean): PlatformError {
  return new PlatformError('INSUFFICIENT_CREDITS', undefined, {
    details: { requiredCredits: fromMicro(required), availableCredits: reveal ? fromMicro(available) : 0 },
  });
}

/** Splits an amount over accounts in spending order; undefined when it does not fit. */
function split(accounts: Map<string, LockedRow>, ids: string[], amount: bigint): [string, bigint][] | undefined {
  const parts: [string, bigint][] = [];
  let rest = amount;
  for (const id of ids) {
    const free = spendable(accounts.get(id));
    const part = free < rest ? free : rest;
    if (part > 0n) parts.push([id, part]);
    rest -= part;
  }
  return rest === 0n ? parts : undefined;
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
    const parts = split(accounts, order, request.amount);
    if (!parts) {
      const available = order.reduce((sum, id) => sum + spendable(accounts.get(id)), 0n);
      throw insufficientCredits(request.amount, available, request.revealBalance);
    }
    const holdId = newId('hld', nowMs);
    for (const [id, part] of parts) accounts.get(id)!.held += part;
    await tx.rows(
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

interface HoldRow extends Record<string, unknown> {
  source: string;
  kind: string;
  amount: string;
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
  const parts = await tx.rows<{ account_id: string; amount: string }>(
    'select account_id, amount::text from ledger_hold_part where hold_id = $1 order by account_id',
    [holdId],
  );
  const revenue = houseAccount('revenue', holdId);
  if (amount > 0n) await ensureAccount(tx, revenue);
  const accounts = await lockAccounts(tx, [...parts.map((part) => part.account_id), ...(amount > 0n ? [revenue] : [])]);
  const [hold] = await tx.rows<HoldRow>(
    `update ledger_hold set state = case when $2::bigint > 0 then 'captured' else 'released' end,
       captured = least(amount, $2::bigint), settled_at = $3
     where id = $1 and state = 'open' returning source, kind, amount::text`,
    [holdId, String(amount), nowMs],
  );
  if (!hold) return undefined;
  await tx.rows(
    `update ledger_account a set held = a.held - p.amount from ledger_hold_part p
     where p.hold_id = $1 and a.id = p.account_id`,
    [holdId],
  );
  let rest = amount < BigInt(hold.amount) ? amount : BigInt(hold.amount);
  const captured = rest;
  // Spending order again: locked credits ('l:') before global ones ('g:').
  for (const part of parts.toSorted((a, b) => (a.account_id < b.account_id ? 1 : -1))) {
    const take = BigInt(part.amount) < rest ? BigInt(part.amount) : rest;
    if (take === 0n) continue;
    const leg = { source: hold.source, leg: `charge:${part.account_id[0]}`, kind: hold.kind, amount: take };
    await move(tx, accounts, { ...leg, from: part.account_id, to: revenue, ...(memo ? { memo } : {}) }, nowMs);
    rest -= take;
  }
  return captured;
}
