/** What people and operators see of the ledger: balances, their lines, and the audit. Reads only. */

import { type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../schema/entities/tables.ts';
import type { Balance, LedgerLine, LedgerPage } from '../../schema/user.ts';
import type { Database } from '../kernel/database.ts';

type Reader = Pick<Database, 'rows'>;

const accountsOf = prepared((tables, given: { userId: string }) =>
  tables
    .selectFrom('ledger_account')
    .select(['kind', 'creator_user_id', 'balance', 'held'])
    .where('user_id', '=', given.userId)
    .orderBy('creator_user_id', (order) => order.asc().nullsFirst()),
);

/** Balance of a user (`me.balance`): zeroes for one who never had credits. */
export async function balanceOf(db: Reader, userId: string): Promise<Balance> {
  const rows = await accountsOf(db, { userId });
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

interface PageValues {
  userId: string;
  first: number;
  after: string | null;
}

/** Entries of a user's accounts behind the cursor, the newest of each account. */
const entriesOf = (tables: Kysely<Tables>, given: PageValues) =>
  tables
    .selectFrom('ledger_account as a')
    .crossJoinLateral((lateral) =>
      lateral
        .selectFrom('ledger_entry')
        .select(['transfer_id', 'amount'])
        .whereRef('account_id', '=', 'a.id')
        .where(sql<boolean>`(${given.after}::text is null or transfer_id < 'tfr_' || ${given.after}::text)`)
        .orderBy('transfer_id', 'desc')
        .limit(given.first)
        .as('e'),
    )
    .innerJoin('ledger_transfer as t', 't.id', 'e.transfer_id')
    .select(['t.id', 't.kind', 'e.amount', 't.source', 't.memo', 'a.creator_user_id as creator', 't.created_at as at'])
    .where('a.user_id', '=', given.userId);

/** A user's open holds behind the cursor, as lines. */
const openHolds = (tables: Kysely<Tables>, given: PageValues) =>
  tables
    .selectFrom('ledger_hold as h')
    .select(['h.id', sql<string>`'hold'`.as('kind'), sql<number>`-h.amount`.as('amount'), 'h.source'])
    .select([sql<string | null>`null::text`.as('memo'), sql<string | null>`null::text`.as('creator')])
    .select('h.created_at as at')
    .where('h.user_id', '=', given.userId)
    .where('h.state', '=', sql.lit('open'))
    .where(sql<boolean>`(${given.after}::text is null or h.id < 'hld_' || ${given.after}::text)`)
    .orderBy('h.id', 'desc')
    .limit(given.first);

const linesOf = prepared((tables, given: PageValues) =>
  tables
    .selectFrom(
      entriesOf(tables, given)
        .unionAll(({ parens }) => parens(openHolds(tables, given)))
        .as('lines'),
    )
    .selectAll()
    .orderBy(sql`substr(id, 5)`, 'desc')
    .limit(given.first),
);

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
  const rows = await linesOf(db, { userId, first, after: after ?? null });
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

/** One invariant of the money and its verdict, as the SQL function `ledger_audit` finds it. */
export interface AuditLine extends Record<string, unknown> {
  invariant: string;
  holds: boolean;
  breaches: number;
  /** The id of one breach; null when it holds. */
  example: string | null;
}

/** Checks every invariant of the ledger in one snapshot, by a function in PostgreSQL. Reads whole tables: for operators. */
export const auditLedger = (db: Reader): Promise<AuditLine[]> =>
  db.rows<AuditLine>('select invariant, holds, breaches::int, example from ledger_audit()');
