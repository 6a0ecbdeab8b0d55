/**
 * What was paid for an avatar's turns and speech: read from the holds that paid, by the work that they name. One grouped
 * sum over joins, not the ORM, for which it would be every hold of a month (a sum over 1 000 rows costs 21 times as much:
 * docs/decisions/0002).
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';

/**
 * By the ledger's label, of what is not deleted. `credits` in micro-credits, `others` those that other users and visitors
 * spent at the owner's cost.
 */
export const paidForAvatar = prepared((tables, given: { userId: string; avatarId: string; sinceMs: number }) =>
  tables
    .selectFrom('ledger_hold as h')
    .leftJoin('conversation_turn as t', (join) =>
      join.onRef('t.id', '=', sql`substr(h.source, 6)`).on('h.kind', '=', 'turn'),
    )
    .leftJoin('speech_generation as s', (join) =>
      join.onRef('s.id', '=', sql`substr(h.source, 8)`).on('h.kind', '=', 'speech'),
    )
    .leftJoin('non_owner_spending as n', 'n.hold_id', 'h.id')
    .select(['h.kind', sql<number>`count(*)::int`.as('count')])
    .select(sql<string>`sum(h.captured)::bigint`.as('credits'))
    .select(sql<string>`coalesce(sum(h.captured) filter (where n.hold_id is not null), 0)::bigint`.as('others'))
    .where('h.user_id', '=', given.userId)
    .where('h.created_at', '>=', given.sinceMs)
    .where(sql<boolean>`h.captured > 0`)
    .where((eb) => eb.or([eb('t.voiced_by_avatar_id', '=', given.avatarId), eb('s.avatar_id', '=', given.avatarId)]))
    .groupBy('h.kind')
    .orderBy('h.kind'),
);
