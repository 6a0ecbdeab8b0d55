/**
 * The accounts of the ledger: their names, their rows, and the lock that every movement takes first. A user has one
 * `global` account and one `locked` account per creator; revenue and issuance are spread over shards, so that no row
 * is hot. Nothing outside src/ledger reads or writes these rows.
 */

import type { Tx } from '../kernel/database.ts';
import { sha256 } from '../kernel/ids.ts';

const SHARDS = 16;

export const globalAccount = (userId: string): string => `g:${userId}`;
export const lockedAccount = (userId: string, creatorUserId: string): string => `l:${userId}:${creatorUserId}`;

/** A shard of the house's accounts; the same source always meets the same shard. */
export function houseAccount(kind: 'revenue' | 'issuance', source: string): string {
  return `${kind === 'revenue' ? 'r' : 'i'}:${Number.parseInt(sha256(source).slice(0, 6), 16) % SHARDS}`;
}

export interface LockedRow extends Record<string, unknown> {
  id: string;
  balance: bigint;
  held: bigint;
}

/** Creates an account's row when it is missing; never changes one. */
export async function ensureAccount(tx: Tx, id: string): Promise<void> {
  const [letter, userId = null, creatorUserId = null] = id.split(':');
  const kind = { g: 'global', l: 'locked', r: 'revenue', i: 'issuance' }[letter!];
  const own = letter === 'g' || letter === 'l';
  await tx.rows(
    'insert into ledger_account (id, kind, user_id, creator_user_id) values ($1, $2, $3, $4) on conflict do nothing',
    [id, kind, own ? userId : null, letter === 'l' ? creatorUserId : null],
  );
}

/** Locks the rows in id order (the order every transaction keeps, so none waits in a circle) and reads them. */
export async function lockAccounts(tx: Tx, ids: Iterable<string>): Promise<Map<string, LockedRow>> {
  const wanted = [...new Set(ids)].sort();
  const rows = await tx.rows<{ id: string; balance: string; held: string }>(
    'select id, balance::text, held::text from ledger_account where id = any($1) order by id for update',
    [wanted],
  );
  return new Map(rows.map((row) => [row.id, { id: row.id, balance: BigInt(row.balance), held: BigInt(row.held) }]));
}
