/**
 * Moving credits: double entry, idempotent by (source, leg), balances before and after recorded. The caller has locked
 * the accounts and hands their rows in, so that one transaction locks once, in order.
 */

import type { Tx } from '../kernel/database.ts';
import { PlatformError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { ensureAccount, globalAccount, houseAccount, type LockedRow, lockAccounts, lockedAccount } from './accounts.ts';

export interface Leg {
  source: string;
  /** Tells several transfers of one source apart, e.g. 'charge'. */
  leg: string;
  /** charge, grant, gift, tribe. */
  kind: string;
  memo?: string;
  from: string;
  to: string;
  /** Micro-credits, above 0. */
  amount: bigint;
}

/** Writes one transfer between locked accounts. False when this (source, leg) was moved before: nothing happens. */
export async function move(tx: Tx, accounts: Map<string, LockedRow>, leg: Leg, nowMs: number): Promise<boolean> {
  const from = accounts.get(leg.from)!;
  const to = accounts.get(leg.to)!;
  const transferId = newId('tfr', nowMs);
  const written = await tx.rows(
    `insert into ledger_transfer (id, source, leg, kind, memo, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (source, leg) do nothing returning id`,
    [transferId, leg.source, leg.leg, leg.kind, leg.memo ?? null, nowMs],
  );
  if (written.length === 0) return false;
  await tx.rows(
    `with moved as (
       update ledger_account a set balance = a.balance + m.amount
       from (values ($1::text, -$3::bigint), ($2::text, $3::bigint)) as m (id, amount)
       where a.id = m.id returning a.id, m.amount, a.balance)
     insert into ledger_entry (transfer_id, account_id, amount, balance_before, balance_after)
     select $4, id, amount, balance - amount, balance from moved`,
    [leg.from, leg.to, String(leg.amount), transferId],
  );
  from.balance -= leg.amount;
  to.balance += leg.amount;
  return true;
}

/** What an account may still spend. */
export const spendable = (row: LockedRow | undefined): bigint => (row ? row.balance - row.held : 0n);

/** Makes credits for a user out of nothing: sign-up and operators' grants. False when this source was granted before. */
export async function grant(
  tx: Tx,
  request: { userId: string; amount: bigint; source: string; memo?: string; lockedToCreatorUserId?: string | null },
  nowMs: number,
): Promise<boolean> {
  if (request.amount <= 0n) throw new PlatformError('BAD_INPUT', 'amount must be above 0.');
  const to = request.lockedToCreatorUserId
    ? lockedAccount(request.userId, request.lockedToCreatorUserId)
    : globalAccount(request.userId);
  const from = houseAccount('issuance', request.source);
  for (const id of [from, to].sort()) await ensureAccount(tx, id);
  const accounts = await lockAccounts(tx, [from, to]);
  const { amount, source, memo } = request;
  return move(
    tx,
    accounts,
    { source, leg: 'grant', kind: 'grant', from, to, amount, ...(memo ? { memo } : {}) },
    nowMs,
  );
}
