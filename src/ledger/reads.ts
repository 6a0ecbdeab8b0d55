/** What people and operators see of the ledger: balances, their lines, and the audit. Reads only. */

import { type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../schema/entities/tables.ts';
import type { Balance, LedgerLine, LedgerPage, UsageLine } from '../../schema/user.ts';
import type { Database } from '../kernel/database.ts';
import { idsFrom } from '../kernel/ids.ts';
import { type LedgerKind, labelOf, USED_LABELS, usageOf } from '../kernel/ledger-kinds.ts';

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

/** Entries of one label alone. */
const linesOfLabel = prepared((tables, given: PageValues & { label: string }) =>
  tables
    .selectFrom('ledger_account as a')
    .innerJoin('ledger_entry as e', 'e.account_id', 'a.id')
    .innerJoin('ledger_transfer as t', 't.id', 'e.transfer_id')
    .select(['t.id', 't.kind', 'e.amount', 't.source', 't.memo', 'a.creator_user_id as creator', 't.created_at as at'])
    .where('a.user_id', '=', given.userId)
    .where('t.kind', '=', given.label)
    .where(sql<boolean>`(${given.after}::text is null or e.transfer_id < 'tfr_' || ${given.after}::text)`)
    .orderBy('e.transfer_id', 'desc')
    .limit(given.first),
);
const holdLines = prepared((tables, given: PageValues) => openHolds(tables, given));

/**
 * Lines of a user's accounts, newest first: every entry, and every hold that is still open. `after` is the `endCursor`
 * of the page before; `kind` leaves the others out. Ids begin with their time, so each account is read backwards from the cursor and no further: a
 * creator of a large tribe has a line for each of its members.
 */
export async function ledgerPage(
  db: Reader,
  userId: string,
  first: number,
  { after = null, kind = null }: { after?: string | null; kind?: LedgerKind | null } = {},
): Promise<LedgerPage> {
  const page = { userId, first, after };
  const rows =
    kind === null
      ? await linesOf(db, page)
      : kind === 'hold'
        ? await holdLines(db, page)
        : await linesOfLabel(db, { ...page, label: labelOf(kind) });
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

const usedSince = prepared((tables, given: { userId: string; from: string; labels: readonly string[] }) => {
  const day = sql<string>`to_char(to_timestamp(t.created_at / 1000) at time zone 'UTC', 'YYYY-MM-DD')`;
  return tables
    .selectFrom('ledger_account as a')
    .innerJoin('ledger_entry as e', 'e.account_id', 'a.id')
    .innerJoin('ledger_transfer as t', 't.id', 'e.transfer_id')
    .select([day.as('day'), 't.kind', sql<number>`count(distinct t.id)::int`.as('count')])
    .select(sql<number>`-sum(e.amount)::bigint`.as('credits'))
    .where('a.user_id', '=', given.userId)
    .where('e.transfer_id', '>=', given.from)
    .where(sql<boolean>`t.kind = any(${given.labels}::text[])`)
    .groupBy([day, 't.kind'])
    .orderBy(sql`1`)
    .orderBy('t.kind');
});

/** What a user's credits were used for since then, by day (UTC) and kind. Ids begin with their time. */
export async function usageSince(db: Reader, userId: string, sinceMs: number): Promise<UsageLine[]> {
  const rows = await usedSince(db, { userId, from: idsFrom('tfr', sinceMs), labels: USED_LABELS });
  return rows.flatMap(({ day, kind: label, count, credits }) => {
    const kind = usageOf(label);
    return kind ? [{ day, kind, count, credits: BigInt(credits) }] : [];
  });
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
