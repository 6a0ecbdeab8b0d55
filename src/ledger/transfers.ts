/**
 * Transfers of credits: double entry, idempotent by (source, leg), with balances before and after. A transfer is one round
 * trip (the SQL function `ledger_move`), because accounts stay locked for as long as the transaction takes.
 */

import type { Tx } from '../kernel/database.ts';
import { badInput } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { one } from '../kernel/named-statements.ts';
import {
  globalAccount,
  type LockedRow,
  lockAccounts,
  lockedAccount,
  payingAccounts,
  spendable,
  splitAmount,
  systemAccount,
  welcomeAccount,
} from './accounts.ts';

/** One transfer of a posting; `amount` in micro-credits. */
export interface Leg {
  source: string;
  /** Distinguishes several transfers of one source, e.g. 'gift'. */
  leg: string;
  /** The kind shown to users: grant, gift, tribe, or what a hold paid for. */
  kind: string;
  memo?: string;
  from: string;
  to: string;
  /** Micro-credits, above 0. */
  amount: bigint;
}

/**
 * Writes one transfer between accounts that this transaction has locked. Returns false and does nothing
 * when this (source, leg) was transferred before. Rejects, by the table's checks, when the sender has too little.
 */
async function transfer(tx: Tx, accounts: Map<string, LockedRow>, leg: Leg, nowMs: number): Promise<boolean> {
  const moved = await tx.rows<{ moved: boolean }>('select ledger_move($1, $2, $3, $4, $5, $6, $7, $8, $9) as moved', [
    newId('tfr', nowMs),
    leg.source,
    leg.leg,
    leg.kind,
    leg.memo ?? null,
    leg.from,
    leg.to,
    String(leg.amount),
    nowMs,
  ]);
  if (!one(moved).moved) return false;
  const [from, to] = [accounts.get(leg.from), accounts.get(leg.to)];
  if (from) from.balance -= leg.amount;
  if (to) to.balance += leg.amount;
  return true;
}

/** Credits that the instance gives a user. */
export interface GrantRequest {
  userId: string;
  /** Micro-credits, above 0. */
  amount: bigint;
  source: string;
  memo?: string;
  lockedToCreatorUserId?: string | null;
  /** Credits of signing up, which pay for work and cannot be given away. */
  isWelcome?: boolean;
}

/** Makes credits for a user out of nothing: sign-up and operators' grants. False when this source was granted before. */
export async function grant(tx: Tx, request: GrantRequest, nowMs: number): Promise<boolean> {
  if (request.amount <= 0n) throw badInput('amount', 'must be above 0.');
  const to = receivingAccount(request);
  const from = systemAccount('issuance', request.source);
  const accounts = await lockAccounts(tx, [], [from, to]);
  const { amount, source, memo } = request;
  const leg: Leg = { source, leg: 'grant', kind: 'grant', from, to, amount, ...(memo ? { memo } : {}) };
  return transfer(tx, accounts, leg, nowMs);
}

function receivingAccount({ userId, lockedToCreatorUserId, isWelcome }: GrantRequest): string {
  if (lockedToCreatorUserId) return lockedAccount(userId, lockedToCreatorUserId);
  return isWelcome ? welcomeAccount(userId) : globalAccount(userId);
}

/** Both accounts of a gift, locked, and how much the giver can give. */
export interface OpenGift {
  /** Global credits that no hold has set aside; locked and welcome credits never move. */
  transferable: bigint;
  accounts: Map<string, LockedRow>;
}

/** Locks the two global accounts of a gift, before any other row of the transaction. */
export async function lockGiftAccounts(tx: Tx, fromUserId: string, toUserId: string): Promise<OpenGift> {
  const from = globalAccount(fromUserId);
  const accounts = await lockAccounts(tx, [from], [globalAccount(toUserId)]);
  return { accounts, transferable: spendable(accounts.get(from)) };
}

/** Moves a gift between accounts that `lockGiftAccounts` locked; the caller has compared it with what is transferable. */
export async function giveGift(
  tx: Tx,
  gift: OpenGift,
  request: { source: string; fromUserId: string; toUserId: string; amount: bigint; memo?: string },
  nowMs: number,
): Promise<boolean> {
  const { source, fromUserId, toUserId, amount, memo } = request;
  const ends = { from: globalAccount(fromUserId), to: globalAccount(toUserId) };
  return transfer(
    tx,
    gift.accounts,
    { source, leg: 'gift', kind: 'gift', amount, ...ends, ...(memo ? { memo } : {}) },
    nowMs,
  );
}

/** Who pays a creator, locked. */
export interface OpenPayment {
  fromUserId: string;
  creatorUserId: string;
  /** Credits locked to this creator, and global ones; held ones are not counted. */
  balance: bigint;
  accounts: Map<string, LockedRow>;
}

/** Locks the accounts of a payment to a creator, before any other row of the transaction. */
export async function lockPaymentAccounts(tx: Tx, fromUserId: string, creatorUserId: string): Promise<OpenPayment> {
  const order = payingAccounts(fromUserId, creatorUserId);
  const accounts = await lockAccounts(tx, order, [globalAccount(creatorUserId)]);
  const balance = order.reduce((sum, id) => sum + spendable(accounts.get(id)), 0n);
  return { fromUserId, creatorUserId, balance, accounts };
}

/**
 * Pays a creator: credits locked to them first, then global ones; the creator receives global credits. The caller
 * has compared the amount with the balance. False when this source was paid before.
 */
export async function payCreator(
  tx: Tx,
  payment: OpenPayment,
  request: { source: string; kind: string; amount: bigint; memo?: string },
  nowMs: number,
): Promise<boolean> {
  const { fromUserId, creatorUserId, accounts } = payment;
  const parts = splitAmount(accounts, payingAccounts(fromUserId, creatorUserId), request.amount);
  if (!parts) throw new Error('A payment was not compared with its balance.');
  for (const [from, amount] of parts) {
    const ends = { from, to: globalAccount(creatorUserId) };
    const leg: Leg = { ...request, leg: `pay:${from[0]}`, amount, ...ends };
    if (!(await transfer(tx, accounts, leg, nowMs))) return false;
  }
  return true;
}
