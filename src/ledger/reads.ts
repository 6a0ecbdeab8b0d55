/** What users and operators see of the ledger: balances, their lines, and the audit. Reads only. */

import { type InferResult, type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../schema/entities/tables.ts';
import type { Balance, LedgerEntry, UsageLine } from '../../schema/user.ts';
import type { Database } from '../kernel/database.ts';
import { idsFrom } from '../kernel/ids.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../kernel/keyset.ts';
import { type LedgerKind, labelOf, USED_LABELS, usageOf } from '../kernel/ledger-kinds.ts';
import { bothOrders, unplannedLimit } from '../kernel/prepared.ts';

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

type PageValues = { userId: string } & Keyset;

/** The id of a line without its prefix, by which lines are ordered: it begins with the time of the movement. */
const PLACE = sql.ref('line.place');

/** Entries of a user's accounts within the keyset, of a label or of all; each account is read from its end and no further. */
const entriesOf = (tables: Kysely<Tables>, given: PageValues, way: 'asc' | 'desc', label?: string) =>
  tables
    .selectFrom('ledger_account as a')
    .crossJoinLateral((lateral) =>
      lateral
        .selectFrom('ledger_entry')
        .select(['transfer_id', 'amount', sql<string>`substr(transfer_id, 5) || ':' || account_id`.as('place')])
        .whereRef('account_id', '=', 'a.id')
        .$if(label !== undefined, (entries) =>
          entries.where(({ exists, selectFrom }) =>
            exists(
              selectFrom('ledger_transfer as of')
                .select('of.id')
                .whereRef('of.id', '=', 'transfer_id')
                .where('of.kind', '=', label as string),
            ),
          ),
        )
        .where(sql<boolean>`(${given.above}::text is null
          or transfer_id >= 'tfr_' || split_part(${given.above}, ':', 1)
          and substr(transfer_id, 5) || ':' || account_id > ${given.above})`)
        .where(sql<boolean>`(${given.below}::text is null
          or transfer_id <= 'tfr_' || split_part(${given.below}, ':', 1)
          and substr(transfer_id, 5) || ':' || account_id < ${given.below})`)
        .orderBy('transfer_id', way)
        .limit(unplannedLimit(given.limit))
        .as('e'),
    )
    .innerJoin('ledger_transfer as t', 't.id', 'e.transfer_id')
    .select(['e.place', sql<string>`'tfr_' || e.place`.as('id'), 't.kind', 'e.amount', 't.source', 't.memo'])
    .select(['a.creator_user_id as creator', 't.created_at as at'])
    .where('a.user_id', '=', given.userId);

/** A user's open holds, as lines. */
const allOpenHolds = (tables: Kysely<Tables>, given: { userId: string }) =>
  tables
    .selectFrom('ledger_hold as h')
    .select([sql<string>`substr(h.id, 5)`.as('place'), 'h.id', sql<string>`'hold'`.as('kind')])
    .select([sql<number>`-h.amount`.as('amount'), 'h.source', sql<string | null>`null::text`.as('memo')])
    .select([sql<string | null>`null::text`.as('creator'), 'h.created_at as at'])
    .where('h.user_id', '=', given.userId)
    .where('h.state', '=', sql.lit('open'));

/** Those within the keyset. */
const openHolds = (tables: Kysely<Tables>, given: PageValues, way: 'asc' | 'desc') =>
  allOpenHolds(tables, given)
    .where(sql<boolean>`(${given.above}::text is null or substr(h.id, 5) > ${given.above})`)
    .where(sql<boolean>`(${given.below}::text is null or substr(h.id, 5) < ${given.below})`)
    .orderBy('h.id', way)
    .limit(given.limit);

const linesOf = bothOrders((way) =>
  prepared((tables, given: PageValues) =>
    tables
      .selectFrom(
        entriesOf(tables, given, way)
          .unionAll(({ parens }) => parens(openHolds(tables, given, way)))
          .as('line'),
      )
      .selectAll()
      .orderBy(PLACE, way)
      .limit(given.limit),
  ),
);

/** Entries of one label alone. */
const linesOfLabel = bothOrders((way) =>
  prepared((tables, given: PageValues & { label: string }) =>
    tables
      .selectFrom(entriesOf(tables, given, way, given.label).as('line'))
      .selectAll()
      .orderBy(PLACE, way)
      .limit(given.limit),
  ),
);
const holdLines = bothOrders((way) =>
  prepared((tables, given: PageValues) =>
    tables
      .selectFrom(openHolds(tables, given, way).as('line'))
      .selectAll()
      .orderBy(PLACE, way)
      .limit(given.limit),
  ),
);

/** A line as it is read. */
type LineRow = InferResult<ReturnType<typeof entriesOf>>[number];

const entryOfIds = prepared((tables, given: { userId: string; transferId: string; accountId: string }) =>
  tables
    .selectFrom('ledger_entry as e')
    .innerJoin('ledger_account as a', 'a.id', 'e.account_id')
    .innerJoin('ledger_transfer as t', 't.id', 'e.transfer_id')
    .select([sql<string>`substr(t.id, 5) || ':' || a.id`.as('place'), sql<string>`t.id || ':' || a.id`.as('id')])
    .select(['t.kind', 'e.amount', 't.source', 't.memo', 'a.creator_user_id as creator', 't.created_at as at'])
    .where('e.transfer_id', '=', given.transferId)
    .where('e.account_id', '=', given.accountId)
    .where('a.user_id', '=', given.userId),
);
const openHoldOfId = prepared((tables, given: { userId: string; id: string }) =>
  allOpenHolds(tables, given).where('h.id', '=', given.id),
);

/** One line of a user's accounts by its id; null where there is none. */
export async function ledgerLine(db: Reader, userId: string, id: string): Promise<LedgerEntry | null> {
  const [transferId = '', accountId] = id.split(/:(.*)/s);
  const [row] = accountId
    ? await entryOfIds(db, { userId, transferId, accountId })
    : await openHoldOfId(db, { userId, id });
  return row ? showLine(row) : null;
}

/** Newest first. */
const LINES: Listing<{ place: string }> = {
  name: 'LedgerEntry',
  order: 'desc',
  keyOf: ({ place }) => place,
  key: /^\w{1,40}(:[\w:-]{1,200})?$/,
};

const showLine = (row: LineRow): LedgerEntry => ({
  id: row.id,
  kind: row.kind,
  amount: BigInt(row.amount),
  sourceRef: row.source,
  memo: row.memo,
  creatorUserId: row.creator,
  createdAt: row.at,
});

/**
 * Lines of a user's accounts, newest first: every entry, and every hold that is still open; `kind` leaves the others out.
 * A transfer that touches two accounts of the user has two lines.
 */
export function ledgerPage(
  db: Reader,
  userId: string,
  { kind = null, ...page }: PageRequest & { kind?: LedgerKind | null } = {},
): Promise<Connection<LedgerEntry>> {
  const read = (keyset: Keyset) => {
    const values = { userId, ...keyset };
    if (kind === null) return linesOf(db, values);
    return kind === 'hold' ? holdLines(db, values) : linesOfLabel(db, { ...values, label: labelOf(kind) });
  };
  return readPage(page, LINES, read, showLine);
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

/** Credits that were moved, by kind, of transfers whose ids are in this range: what it was paid for, `grant`, `gift`, `tribe`. */
export const creditsMoved = prepared((tables, given: { after: string; before: string }) =>
  tables
    .selectFrom('ledger_transfer as t')
    .innerJoin('ledger_entry as e', 'e.transfer_id', 't.id')
    .select(({ fn }) => ['t.kind', sql<string>`${fn.sum('e.amount')}::text`.as('amount')])
    .where('t.id', '>=', given.after)
    .where('t.id', '<', given.before)
    .where('e.amount', '>', sql.lit(0))
    .groupBy('t.kind'),
);

/** Credits in open holds, by what they are held for. */
export const creditsHeld = prepared((tables, _given: object) =>
  tables
    .selectFrom('ledger_hold')
    .select(({ fn }) => ['kind', sql<string>`${fn.sum('amount')}::text`.as('amount')])
    .where('state', '=', sql.lit('open'))
    .groupBy('kind'),
);
