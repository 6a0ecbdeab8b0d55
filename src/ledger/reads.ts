/** What people see of the ledger: their balance and its lines. Reads only. */

import type { Balance, LedgerLine, LedgerPage } from '../../schema/user.ts';
import type { Database } from '../kernel/database.ts';

type Reader = Pick<Database, 'rows'>;

/** Balance of a user (DESIGN.md 5, `me.balance`): zeroes for one who never had credits. */
export async function balanceOf(db: Reader, userId: string): Promise<Balance> {
  const rows = await db.rows<{ kind: string; creator_user_id: string | null; balance: string; held: string }>(
    `select kind, creator_user_id, balance::text, held::text from ledger_account where user_id = $1
     order by creator_user_id nulls first`,
    [userId],
  );
  const balance: Balance = { available: 0n, transferable: 0n, held: 0n, locked: [] };
  for (const row of rows) {
    const free = BigInt(row.balance) - BigInt(row.held);
    balance.available += free;
    balance.held += BigInt(row.held);
    if (row.kind === 'global') balance.transferable = free;
    else if (row.creator_user_id) balance.locked.push({ creatorUserId: row.creator_user_id, amount: free });
  }
  return balance;
}

/**
 * Lines of a user's accounts, newest first: every entry, and every hold that is still open. `after` is the id of the
 * last line of the page before.
 */
export async function ledgerPage(
  db: Reader,
  userId: string,
  first: number,
  after?: string | null,
): Promise<LedgerPage> {
  const rows = await db.rows<{
    id: string;
    kind: string;
    amount: string;
    source: string;
    memo: string | null;
    creator: string | null;
    at: number;
  }>(
    `select * from (
       select t.id || ':' || left(a.id, 1) as id, t.kind, e.amount::text, t.source, t.memo, a.creator_user_id as creator,
         t.created_at::float8 as at
       from ledger_account a join ledger_entry e on e.account_id = a.id join ledger_transfer t on t.id = e.transfer_id
       where a.user_id = $1
       union all
       select h.id, 'hold', (-h.amount)::text, h.source, null, null, h.created_at::float8
       from ledger_hold h where h.user_id = $1 and h.state = 'open') lines
     where $2::text is null or (at, id) < (split_part($2, '/', 1)::float8, split_part($2, '/', 2))
     order by at desc, id desc limit $3`,
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
  return { entries, endCursor: entries.length === first && last ? `${last.createdAt}/${last.id}` : null };
}
