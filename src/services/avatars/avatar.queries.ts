/**
 * Avatars of several users at once, and whether a portrait may be drawn. By statements, not the ORM: a page of each of
 * many users is one lateral read, where entities would be a read for each user; jobs are in a table of pg-boss, which has
 * no entity and is asked ten times a second.
 */
import { sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { JobKind } from '../../kernel/job-kinds.ts';
import type { Keyset } from '../../kernel/keyset.ts';
import { bothOrders, inKeyset, preparedOver } from '../../kernel/prepared.ts';

/** The ids of a page of each user's avatars: all of the caller's own, of others the public ones. */
export const visibleAvatarsOfUsers = bothOrders((way) =>
  prepared((tables, given: { userIds: string[]; callerId: string } & Keyset) =>
    tables
      .selectFrom(sql<{ user_id: string }>`unnest(${given.userIds}::text[])`.as<'u'>(sql`u(user_id)`))
      .crossJoinLateral((lateral) =>
        lateral
          .selectFrom('avatar as a')
          .select(['a.id'])
          .whereRef('a.owner_user_id', '=', 'u.user_id')
          .where(sql<boolean>`(a.publicly_renderable or a.owner_user_id = ${given.callerId})`)
          .where(inKeyset('a.id', given))
          .orderBy('a.id', way)
          .limit(given.limit)
          .as('seen'),
      )
      .select('seen.id')
      .orderBy('seen.id', way),
  ),
);

/** What is short and paid for. Videos take minutes, too long for a portrait to wait. */
const PAID: readonly JobKind[] = ['image', 'render', 'speak'];

const preparedOverJobs = preparedOver<Tables & { 'pgboss.job': { name: JobKind; state: string; start_after: Date } }>();

/** A row when paid work waits that no worker has begun. */
export const waitingPaidWork = preparedOverJobs((tables, _given: object) =>
  tables
    .selectFrom('pgboss.job')
    .select('name')
    .where('name', 'in', PAID)
    .where('state', '<', sql.lit('active'))
    .where('start_after', '<=', sql<Date>`now()`)
    .limit(1),
);
