/**
 * What is read and noted of caps while a turn of a non-owner is accepted, behind the payer's lock: everyone who talks with that
 * owner's avatars waits for it. So it is not the ORM's: a cap and its sum are one round trip (0.4 ms with 200 holds of the day,
 * which as entities took 25), and what is noted travels with the statements behind it.
 */
import { type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import { unnest } from '../../kernel/prepared.ts';

/** The cap of an avatar, and what other users spent of it since the day began; both in micro-credits. */
export const spentToday = prepared((tables, given: { avatarId: string; dayMs: number }) =>
  tables
    .selectFrom('avatar as a')
    .select(['a.non_owner_cap_per_day as cap'])
    .select(({ selectFrom }) =>
      selectFrom('non_owner_spending as s')
        .innerJoin('ledger_hold as h', 'h.id', 's.hold_id')
        .select(sql<string>`coalesce(sum(case when h.state = 'open' then h.amount else h.captured end), 0)`.as('sum'))
        .whereRef('s.avatar_id', '=', 'a.id')
        .where('s.created_at', '>=', given.dayMs)
        // Nothing is added up where there is no cap.
        .where('a.non_owner_cap_per_day', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('spent'),
    )
    .where('a.id', '=', given.avatarId),
);

/** What holds of avatar `a` since the day began come to; `where` says whose. */
const spentOnPage = (by: Kysely<Tables>, dayMs: number) =>
  by
    .selectFrom('non_owner_spending as s')
    .innerJoin('ledger_hold as h', 'h.id', 's.hold_id')
    .select(sql<string>`coalesce(sum(case when h.state = 'open' then h.amount else h.captured end), 0)`.as('sum'))
    .where('s.created_at', '>=', dayMs);

/** A visitor's caps, what was spent under each since the day began, in micro-credits, and whether they may still talk. */
export const visitorDay = prepared((tables, given: { visitorId: string; avatarId: string; dayMs: number }) =>
  tables
    .selectFrom('visitor as v')
    .innerJoin('avatar as a', 'a.id', 'v.avatar_id')
    .select(['a.talk_cap_per_visitor as capPerVisitor', 'a.talk_cap_per_day as capPerDay'])
    .select(['a.talk_audience as talkAudience', 'v.blocked_at as visitorBlockedAt', 'v.token_hash as visitorTokenHash'])
    .select(
      spentOnPage(tables, given.dayMs)
        .where('s.visitor_id', '=', given.visitorId)
        .$asScalar()
        .$notNull()
        .as('spentByVisitor'),
    )
    .select(
      spentOnPage(tables, given.dayMs)
        .where('s.avatar_id', '=', given.avatarId)
        .where('s.visitor_id', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('spentByAll'),
    )
    .where('v.id', '=', given.visitorId),
);

interface Noted {
  holdIds: string[];
  avatarId: string;
  visitorId: string | null;
  nowMs: number;
}

/** Notes holds that a non-owner opened. */
export const noteSpending = prepared((tables, given: Noted) =>
  tables
    .insertInto('non_owner_spending')
    .columns(['hold_id', 'avatar_id', 'visitor_id', 'created_at'])
    .expression(
      tables
        .selectFrom(unnest<{ id: string }, 'h'>('h', { id: ['text', given.holdIds] }))
        .select(({ val }) => [
          'h.id',
          val(given.avatarId).as('avatar_id'),
          val(given.visitorId).as('visitor_id'),
          val(given.nowMs).as('created_at'),
        ]),
    ),
);
