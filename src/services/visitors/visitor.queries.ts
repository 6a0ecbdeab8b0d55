/**
 * What is read of visitors with what they cost, and who of them is silent. Not the ORM's: sums over holds are one number where
 * entities are every hold (of 4 000 they took 2.5 ms, as entities 700; a page of 20 visitors with 20 holds each 13 and 84), and
 * that a visitor said nothing and cost nothing is asked behind the locks by one statement, which sees who speaks just then.
 */
import { type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { Keyset } from '../../kernel/keyset.ts';
import { bothOrders, inKeyset } from '../../kernel/prepared.ts';

/** What holds on an avatar's page come to: open ones with what they hold, ended ones with what was captured. */
const spending = (tables: Kysely<Tables>) =>
  tables
    .selectFrom('non_owner_spending as s')
    .innerJoin('ledger_hold as h', 'h.id', 's.hold_id')
    .select(sql<string>`coalesce(sum(case when h.state = 'open' then h.amount else h.captured end), 0)`.as('sum'));

/** Visitors of an avatar by their ids, with what they spent since the day began and in all, in micro-credits. */
export const visitorsOf = bothOrders((way) =>
  prepared((tables, given: { avatarId: string; dayMs: number } & Keyset) =>
    tables
      .selectFrom('visitor as v')
      .innerJoin('app_user as u', 'u.id', 'v.user_id')
      .select(['v.id', 'u.display_name as displayName', 'v.token_hash as tokenHash'])
      .select(['v.created_at as createdAt', 'v.seen_at as seenAt', 'v.blocked_at as blockedAt'])
      .select((eb) => [
        spending(tables).where('s.visitor_id', '=', eb.ref('v.id')).$asScalar().$notNull().as('spent'),
        spending(tables)
          .where('s.visitor_id', '=', eb.ref('v.id'))
          .where('s.created_at', '>=', given.dayMs)
          .$asScalar()
          .$notNull()
          .as('spentToday'),
        eb
          .selectFrom('injection as i')
          .innerJoin('conversation as c', 'c.id', 'i.conversation_id')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .whereRef('c.visitor_id', '=', 'v.id')
          .$asScalar()
          .$notNull()
          .as('turns'),
      ])
      .where('v.avatar_id', '=', given.avatarId)
      .where(inKeyset('v.id', given))
      .orderBy('v.id', way)
      .limit(given.limit),
  ),
);

/** What all visitors of an avatar spent since the day began, in micro-credits. */
export const spentByVisitors = prepared((tables, given: { avatarId: string; dayMs: number }) =>
  spending(tables)
    .where('s.avatar_id', '=', given.avatarId)
    .where('s.visitor_id', 'is not', null)
    .where('s.created_at', '>=', given.dayMs),
);

/**
 * Anonymous visitors not seen since a time who never said anything, with their conversation: the greeting is the avatar's.
 * Who is blocked stays, for their network is known by them; so does who cost the owner something.
 */
const silent = (tables: Kysely<Tables>, beforeMs: number) =>
  tables
    .selectFrom('visitor as v')
    .leftJoin('conversation as c', 'c.visitor_id', 'v.id')
    .select(['v.id', 'v.user_id as userId', 'c.id as conversationId'])
    .where('v.token_hash', 'is not', null)
    .where('v.blocked_at', 'is', null)
    .where('v.seen_at', '<', beforeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('conversation_turn as t')
            .select('t.id')
            .whereRef('t.conversation_id', '=', 'c.id')
            .where('t.role', '=', sql.lit('user')),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('non_owner_spending as s').select('s.hold_id').whereRef('s.visitor_id', '=', 'v.id'))),
    );

/** Anonymous visitors who have said nothing for long, behind the one of that id. */
export const silentVisitors = prepared((tables, given: { beforeMs: number; after: string; limit: number }) =>
  silent(tables, given.beforeMs).where('v.id', '>', given.after).orderBy('v.id').limit(given.limit),
);

/** The visitor, if they are one of those. */
export const silentVisitor = prepared((tables, given: { id: string; beforeMs: number }) =>
  silent(tables, given.beforeMs).where('v.id', '=', given.id),
);
