/**
 * Opening holds, and what users and operators see of the ledger. By statements, not the ORM: a hold is sent without being
 * waited for (three such writes cost 2.7 times as much as entities, docs/decisions/0002); a page is cut from the end of
 * each account and of the open holds in their common order, where entities would be all of them; the rest are sums (over 1
 * 000 rows 21 times as much).
 */
import { type InferResult, type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../schema/entities/tables.ts';
import type { Keyset } from '../kernel/keyset.ts';
import { anyOf, bothOrders, unnest, unplannedLimit } from '../kernel/prepared.ts';

/** A user's accounts, those locked to a creator last. */
export const accountsOf = prepared((tables, given: { userId: string }) =>
  tables
    .selectFrom('ledger_account')
    .select(['kind', 'creator_user_id', 'balance', 'held'])
    .where('user_id', '=', given.userId)
    .orderBy('creator_user_id', (order) => order.asc().nullsFirst()),
);

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

/** Entries and open holds. */
export const linesOf = bothOrders((way) =>
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
export const linesOfLabel = bothOrders((way) =>
  prepared((tables, given: PageValues & { label: string }) =>
    tables
      .selectFrom(entriesOf(tables, given, way, given.label).as('line'))
      .selectAll()
      .orderBy(PLACE, way)
      .limit(given.limit),
  ),
);
/** Open holds alone. */
export const holdLines = bothOrders((way) =>
  prepared((tables, given: PageValues) =>
    tables
      .selectFrom(openHolds(tables, given, way).as('line'))
      .selectAll()
      .orderBy(PLACE, way)
      .limit(given.limit),
  ),
);

/** A line as it is read. */
export type LineRow = InferResult<ReturnType<typeof entriesOf>>[number];

/** The line of a transfer and an account. */
export const entryOfIds = prepared((tables, given: { userId: string; transferId: string; accountId: string }) =>
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
/** The line of an open hold. */
export const openHoldOfId = prepared((tables, given: { userId: string; id: string }) =>
  allOpenHolds(tables, given).where('h.id', '=', given.id),
);

/** What was used, by day and kind. */
export const usedSince = prepared((tables, given: { userId: string; from: string; labels: readonly string[] }) => {
  const day = sql<string>`to_char(to_timestamp(t.created_at / 1000) at time zone 'UTC', 'YYYY-MM-DD')`;
  return tables
    .selectFrom('ledger_account as a')
    .innerJoin('ledger_entry as e', 'e.account_id', 'a.id')
    .innerJoin('ledger_transfer as t', 't.id', 'e.transfer_id')
    .select([day.as('day'), 't.kind', sql<number>`count(distinct t.id)::int`.as('count')])
    .select(sql<number>`-sum(e.amount)::bigint`.as('credits'))
    .where('a.user_id', '=', given.userId)
    .where('e.transfer_id', '>=', given.from)
    .where('t.kind', '=', anyOf(given.labels))
    .groupBy([day, 't.kind'])
    .orderBy(sql`1`)
    .orderBy('t.kind');
});

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

/** A hold to open. */
export interface NewHold {
  holdId: string;
  source: string;
  userId: string;
  amount: bigint;
  kind: string;
  /** The accounts it is taken from, and the amount from each. */
  accountIds: string[];
  amounts: bigint[];
  createdAt: number;
}

/** One statement, which every accepted turn sends without awaiting it. */
export const openHold = prepared((tables, given: NewHold) =>
  tables
    .with('parts', (db) =>
      db
        .selectFrom(
          unnest<{ account_id: string; amount: bigint }, 'p'>('p', {
            account_id: ['text', given.accountIds],
            amount: ['bigint', given.amounts],
          }),
        )
        .selectAll(),
    )
    .with('held', (db) =>
      db
        .updateTable('ledger_account as a')
        .from('parts as p')
        .set(({ ref }) => ({ held: sql<bigint>`${ref('a.held')} + ${ref('p.amount')}` }))
        .whereRef('a.id', '=', 'p.account_id')
        .returning('a.id'),
    )
    .with('hold', (db) =>
      db
        .insertInto('ledger_hold')
        .values({
          id: given.holdId,
          source: given.source,
          user_id: given.userId,
          amount: given.amount,
          kind: given.kind,
          created_at: given.createdAt,
        })
        .returning('id'),
    )
    .insertInto('ledger_hold_part')
    .columns(['hold_id', 'account_id', 'amount'])
    .expression((eb) =>
      eb
        .selectFrom(['hold', 'parts as p'])
        .innerJoin('held', 'held.id', 'p.account_id')
        .select(['hold.id', 'p.account_id', 'p.amount']),
    ),
);

/** The accounts that holds are taken from. */
export const payersOf = prepared((tables, given: { holdIds: readonly string[] }) =>
  tables
    .selectFrom('ledger_hold_part')
    .select('account_id as id')
    .distinct()
    .where('hold_id', '=', anyOf(given.holdIds)),
);

/** One invariant of the money and its verdict, as the SQL function `ledger_audit` finds it. */
export interface AuditLine {
  invariant: string;
  holds: boolean;
  breaches: number;
  /** The id of one breach; null when it holds. */
  example: string | null;
}

/** Every invariant, by a function in PostgreSQL. */
export const auditLines = prepared((tables, _given: object) =>
  tables
    .selectFrom(sql<AuditLine>`ledger_audit()`.as('line'))
    .select(({ cast }) => ['invariant', 'holds', cast<number>('breaches', 'integer').as('breaches'), 'example']),
);
