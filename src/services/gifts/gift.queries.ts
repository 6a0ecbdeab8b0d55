/**
 * Statements of gifts. They read PostgreSQL's clock, not a process's: whether an intent has run out is decided where it
 * is locked, by one clock for all processes.
 */
import { type ExpressionBuilder, type InferResult, type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { Keyset } from '../../kernel/keyset.ts';
import { bothOrders, inKeyset, unplannedLimit } from '../../kernel/prepared.ts';

const NOW = sql<number>`now_ms()`;

/** An intent as it is shown: one that nobody resolved in time is expired. */
const shown = ({ eb, ref }: ExpressionBuilder<Tables, 'gift_intent'>) =>
  [
    'id',
    'from_user_id as fromUserId',
    'to_user_id as toUserId',
    'to_as_sent as toAsSent',
    'amount',
    'note',
    'client_id as clientId',
    'created_at as createdAt',
    'expires_at as expiresAt',
    eb
      .case()
      .when(eb.and([eb('status', '=', 'pending'), eb('expires_at', '<=', NOW)]))
      .then('expired' as const)
      .else(ref('status'))
      .end()
      .as('status'),
  ] as const;

const intents = (tables: Kysely<Tables>) => tables.selectFrom('gift_intent').select(shown);

/** A gift as it is stored; amounts in micro-credits. */
export type IntentRow = InferResult<ReturnType<typeof intents>>[number];

/** A proposed gift by id. */
export const findIntent = prepared((tables, given: { id: string }) => intents(tables).where('id', '=', given.id));

/** Those of these ids that somebody proposed. */
export const ownIntents = prepared((tables, given: { ids: readonly string[]; from: string }) =>
  intents(tables).where(sql<boolean>`id = any(${given.ids}::text[])`).where('from_user_id', '=', given.from),
);

/** The same under lock until the transaction ends. */
export const lockIntent = prepared((tables, given: { id: string }) =>
  tables.selectFrom('gift_intent').select('id').where('id', '=', given.id).forUpdate(),
);

interface NewIntent {
  id: string;
  fromUserId: string;
  toUserId: string;
  toAsSent: string;
  /** Micro-credits. */
  amount: bigint;
  note: string | null;
  clientId: string | null;
  /** How long it may wait, in milliseconds. */
  ms: number;
}

/** Adds a proposed gift. */
export const addIntent = prepared((tables, given: NewIntent) =>
  tables
    .insertInto('gift_intent')
    .columns([
      'id',
      'from_user_id',
      'to_user_id',
      'to_as_sent',
      'amount',
      'note',
      'client_id',
      'created_at',
      'expires_at',
    ])
    .expression(
      tables
        .selectFrom(tables.selectNoFrom(NOW.as('at')).as('clock'))
        .select(({ val, eb }) => [
          val(given.id).as('id'),
          val(given.fromUserId).as('from_user_id'),
          val(given.toUserId).as('to_user_id'),
          val(given.toAsSent).as('to_as_sent'),
          val(given.amount).as('amount'),
          val(given.note).as('note'),
          val(given.clientId).as('client_id'),
          'clock.at as created_at',
          eb('clock.at', '+', given.ms).as('expires_at'),
        ]),
    )
    .returning(shown),
);

/** Resolves an intent that is still pending; nothing comes back for one that has ended. */
export const resolveIntent = prepared((tables, given: { id: string; status: 'confirmed' | 'cancelled' }) =>
  tables
    .updateTable('gift_intent')
    .set({ status: given.status, resolved_at: NOW })
    .where('id', '=', given.id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', NOW)
    .returning(shown),
);

/** The app that proposed an intent; nothing for one that its sender made. */
export const appOfIntent = prepared((tables, given: { id: string }) =>
  tables
    .selectFrom('gift_intent as g')
    .innerJoin('oauth_client as c', 'c.id', 'g.client_id')
    .select(['c.name', 'c.redirect_domains as hosts'])
    .where('g.id', '=', given.id),
);

/** A literal, for the partial index. */
const confirmed = (tables: Kysely<Tables>, given: { from: string; to: string }) =>
  tables
    .selectFrom('gift_intent')
    .where('from_user_id', '=', given.from)
    .where('to_user_id', '=', given.to)
    .where('status', '=', sql.lit('confirmed'));

/** `total` in micro-credits; null for no gifts. */
export const sumOfSent = prepared((tables, given: { from: string; to: string }) =>
  confirmed(tables, given).select(({ fn }) => [
    sql<string | null>`sum(amount)`.as('total'),
    fn.countAll<number>().as('count'),
  ]),
);

/** The gifts with these ids. */
export const sentGifts = bothOrders((way) =>
  prepared((tables, given: { from: string; to: string } & Keyset) =>
    confirmed(tables, given)
      .select(['id', 'amount', 'note', 'created_at as createdAt'])
      .where(inKeyset('id', given))
      .orderBy('id', way)
      .limit(given.limit),
  ),
);

const given = (tables: Kysely<Tables>, to: string) =>
  tables
    .selectFrom('gift_intent as g')
    .innerJoin('app_user as u', 'u.id', 'g.from_user_id')
    .select([
      'g.id',
      'g.amount',
      'g.note',
      'g.created_at as createdAt',
      'u.id as from',
      'u.display_name as fromDisplayName',
    ])
    .where('g.to_user_id', '=', to)
    // A literal, for the partial index.
    .where('g.status', '=', sql.lit('confirmed'));

/** A confirmed gift as its recipient sees it. */
export type ReceivedRow = InferResult<ReturnType<typeof given>>[number];

/** What somebody was given and by whom, by ids. */
export const receivedGifts = bothOrders((way) =>
  prepared((tables, page: { to: string } & Keyset) =>
    given(tables, page.to).where(inKeyset('g.id', page)).orderBy('g.id', way).limit(unplannedLimit(page.limit)),
  ),
);

/** Gifts to this account that are among these ids. */
export const receivedAmong = prepared((tables, asked: { to: string; ids: readonly string[] }) =>
  given(tables, asked.to).where(sql<boolean>`g.id = any(${asked.ids}::text[])`),
);

/** What somebody gave and to whom, by ids. */
export const givenGifts = bothOrders((way) =>
  prepared((tables, given: { from: string } & Keyset) =>
    tables
      .selectFrom('gift_intent as g')
      .innerJoin('app_user as u', 'u.id', 'g.to_user_id')
      .select([
        'g.id',
        'g.amount',
        'g.note',
        'g.created_at as createdAt',
        'u.id as to',
        'u.display_name as toDisplayName',
      ])
      .where('g.from_user_id', '=', given.from)
      // A literal, for the partial index.
      .where('g.status', '=', sql.lit('confirmed'))
      .where(inKeyset('g.id', given))
      .orderBy('g.id', way)
      .limit(unplannedLimit(given.limit)),
  ),
);
