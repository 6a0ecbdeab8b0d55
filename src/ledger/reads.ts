/** What people and operators see of the ledger: balances, their lines, and the audit. Reads only. */

import type { Balance, LedgerLine, LedgerPage } from '../../schema/user.ts';
import type { Database } from '../kernel/database.ts';

type Reader = Pick<Database, 'rows'>;

/** Balance of a user (`me.balance`): zeroes for one who never had credits. */
export async function balanceOf(db: Reader, userId: string): Promise<Balance> {
  const rows = await db.rows<{ kind: string; creator_user_id: string | null; balance: string; held: string }>(
    `select kind, creator_user_id, balance::text, held::text from ledger_account where user_id = $1
     order by creator_user_id nulls first`,
    [userId],
  );
  const balance: Balance = { available: 0n, transferable: 0n, welcome: 0n, held: 0n, locked: [] };
  for (const row of rows) {
    const free = BigInt(row.balance) - BigInt(row.held);
    balance.available += free;
    balance.held += BigInt(row.held);
    if (row.kind === 'global') balance.transferable = free;
    else if (row.kind === 'welcome') balance.welcome = free;
    else if (row.creator_user_id) balance.locked.push({ creatorUserId: row.creator_user_id, amount: free });
  }
  return balance;
}

/**
 * Lines of a user's accounts, newest first: every entry, and every hold that is still open. `after` is the `endCursor`
 * of the page before. Ids begin with their time, so each account is read backwards from the cursor and no further: a
 * creator of a large tribe has a line for each of its members.
 */
export async function ledgerPage(
  db: Reader,
  userId: string,
  first: number,
  after?: string | null,
): Promise<LedgerPage> {
  const rows = await db.rows<LineRow>(
    `select * from (
       select t.id, t.kind, e.amount::text, t.source, t.memo, a.creator_user_id as creator, t.created_at::float8 as at
       from ledger_account a
       cross join lateral (select transfer_id, amount from ledger_entry where account_id = a.id
         and ($2::text is null or transfer_id < 'tfr_' || $2) order by transfer_id desc limit $3) e
       join ledger_transfer t on t.id = e.transfer_id
       where a.user_id = $1
       union all
       (select h.id, 'hold', (-h.amount)::text, h.source, null, null, h.created_at::float8
        from ledger_hold h where h.user_id = $1 and h.state = 'open' and ($2::text is null or h.id < 'hld_' || $2)
        order by h.id desc limit $3)) lines
     order by substr(id, 5) desc limit $3`,
    [userId, after ?? null, first],
  );
  const entries: LedgerLine[] = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    amount: BigInt(row.amount),
    source: row.source,
    memo: row.memo,
    creatorUserId: row.creator,
    createdAt: row.at,
  }));
  const last = entries.at(-1);
  return { entries, endCursor: entries.length === first && last ? last.id.slice('tfr_'.length) : null };
}

interface LineRow extends Record<string, unknown> {
  id: string;
  kind: string;
  amount: string;
  source: string;
  memo: string | null;
  creator: string | null;
  at: number;
}

/** One invariant of the money and its verdict, as the SQL function `ledger_audit` finds it. */
export interface AuditLine extends Record<string, unknown> {
  invariant: string;
  holds: boolean;
  breaches: number;
  /** The id of one breach; null when it holds. */
  example: string | null;
}

/** Checks every invariant of the ledger in one snapshot. Reads whole tables: for operators. */
export const auditLedger = (db: Reader): Promise<AuditLine[]> =>
  db.rows<AuditLine>('select invariant, holds, breaches::int, example from ledger_audit()');
