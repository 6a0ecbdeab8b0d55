/**
 * The accounts of the ledger: their names, their rows, and the lock that every movement takes first. A user has one
 * `global` account, one `locked` account per creator and a `welcome` one; revenue and issuance are spread over shards, so that no row
 * is hot. Nothing outside src/ledger reads or writes these rows.
 */

import type { Tx } from '../kernel/database.ts';
import { sha256 } from '../kernel/ids.ts';

const SHARDS = 16;

/** Id of a user's account of credits that pay for anything. */
export const globalAccount = (userId: string): string => `g:${userId}`;
/** Credits of sign-up: they pay for work, and cannot be given away. */
export const welcomeAccount = (userId: string): string => `w:${userId}`;
/** Id of a user's account of credits that only pay one creator. */
export const lockedAccount = (userId: string, creatorUserId: string): string => `l:${userId}:${creatorUserId}`;

/** A shard of the system's accounts; the same source always meets the same shard. */
export function systemAccount(kind: 'revenue' | 'issuance', source: string): string {
  return `${kind === 'revenue' ? 'r' : 'i'}:${Number.parseInt(sha256(source).slice(0, 6), 16) % SHARDS}`;
}

/** An account's row under lock; amounts in micro-credits. */
export interface LockedRow extends Record<string, unknown> {
  id: string;
  /** Micro-credits, of which `held` are set aside by open holds. */
  balance: bigint;
  held: bigint;
}

/**
 * Locks the rows in id order (the order every transaction keeps, so none waits in a circle) and reads them. Accounts
 * in `making`, those that will receive, are made when they are missing; others that are missing are left out.
 */
export async function lockAccounts(
  tx: Tx,
  ids: readonly string[],
  making: readonly string[] = [],
): Promise<Map<string, LockedRow>> {
  const rows = await tx.rows<{ id: string; balance: string; held: string }>(
    'select id, balance::text, held::text from ledger_lock($1, $2)',
    [ids, making],
  );
  return new Map(rows.map((row) => [row.id, { id: row.id, balance: BigInt(row.balance), held: BigInt(row.held) }]));
}

/** What an account may still spend, in micro-credits; 0 for one that does not exist. */
export const spendable = (row: LockedRow | undefined): bigint => (row ? row.balance - row.held : 0n);

/** Accounts that work can be paid from, in spending order: credits locked to its creator, welcome credits, global ones. */
export const spendingAccounts = (userId: string, creatorUserId?: string): string[] => [
  ...(creatorUserId ? [lockedAccount(userId, creatorUserId)] : []),
  welcomeAccount(userId),
  globalAccount(userId),
];

/**
 * Accounts that another user can be paid from, in spending order. Never welcome credits: the other user could give them away.
 */
export const payingAccounts = (userId: string, creatorUserId: string): string[] => [
  lockedAccount(userId, creatorUserId),
  globalAccount(userId),
];

/** Splits an amount over accounts in the order given; undefined when it does not fit. */
export function splitAmount(
  accounts: ReadonlyMap<string, LockedRow>,
  order: readonly string[],
  amount: bigint,
): [accountId: string, part: bigint][] | undefined {
  const parts: [string, bigint][] = [];
  let rest = amount;
  for (const id of order) {
    let part = spendable(accounts.get(id));
    if (part > rest) part = rest;
    if (part > 0n) parts.push([id, part]);
    rest -= part;
  }
  return rest === 0n ? parts : undefined;
}
