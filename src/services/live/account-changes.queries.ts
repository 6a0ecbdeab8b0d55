/**
 * What feeds of accounts read and number. By statements, not the ORM: every open feed is looked at once a second, and each
 * change of an account that is watched is read once a process (a page of 20 rows costs 7.3 times as much as entities:
 * docs/decisions/0002). What moves changes between partitions are functions in PostgreSQL (src/migrations/0072_partitions.ts).
 */
import { type InferResult, type Kysely, type NotNull, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import { anyOf } from '../../kernel/prepared.ts';

interface OfUser {
  userId: string;
}

/** Opens the feed of an account, or notes that it is still watched. */
export const renewFeed = prepared((tables, given: OfUser & { nowMs: number }) =>
  tables
    .insertInto('account_feed')
    .values({ user_id: given.userId, version: given.nowMs, kept_from: given.nowMs, watched_at: given.nowMs })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ watched_at: given.nowMs }))
    .returning('is_open as isOpen'),
);

/** Transactions that looked whether feeds are open, and have not ended. */
export const changingTransactions = prepared((tables, _given: object) =>
  tables
    .selectFrom(sql<{ virtualtransaction: string; relation: number; database: number; mode: string }>`pg_locks`.as('l'))
    .innerJoin(sql<{ oid: number; datname: string }>`pg_database`.as('d'), 'd.oid', 'l.database')
    .select('l.virtualtransaction as id')
    .where('d.datname', '=', sql<string>`current_database()`)
    .where('l.relation', '=', sql<number>`'account_change'::regclass`)
    .where('l.mode', '=', 'RowExclusiveLock'),
);

/** From here on the feed lacks nothing. */
export const markOpen = prepared((tables, given: OfUser) =>
  tables.updateTable('account_feed').set({ is_open: true }).where('user_id', '=', given.userId),
);

/** Notes that these are watched. */
export const renewFeeds = prepared((tables, given: { ids: string[]; nowMs: number }) =>
  tables.updateTable('account_feed').set({ watched_at: given.nowMs }).where('user_id', '=', anyOf(given.ids)),
);

/** The version of a feed, and from which cursor on it lacks nothing. */
export const feedState = prepared((tables, given: OfUser) =>
  tables.selectFrom('account_feed').select(['version', 'kept_from as keptFrom']).where('user_id', '=', given.userId),
);

/** The present versions of feeds. `isBehind`: changes wait for their number. */
export const feedVersions = prepared((tables, given: { ids: string[] }) =>
  tables
    .selectFrom(
      sql<{ id: string; version: number; is_behind: boolean }>`feed_versions(${given.ids}::text[])`.as('feed'),
    )
    .select(['id', 'version', 'is_behind as isBehind']),
);

/**
 * Numbers the changes that have been committed, at most `limit`: of one thing the last, and the ones before go. One at a time
 * numbers a feed. `taken`: how many there were.
 */
export const numberChanges = prepared((tables, given: OfUser & { limit: number; nowMs: number }) =>
  tables.selectNoFrom(
    sql<number>`number_changes(${given.userId}, ${given.limit}::int, ${given.nowMs}::bigint)`.as('taken'),
  ),
);

const behind = (tables: Kysely<Tables>, given: OfUser & { after: number; limit: number }) =>
  tables
    .selectFrom('account_change')
    .select(['version', 'kind', 'subject_id as subjectId', 'changed_at as changedAt'])
    .where('user_id', '=', given.userId)
    .where('version', '>', given.after)
    .orderBy('version')
    .limit(given.limit)
    .$narrowType<{ version: NotNull }>();

/** One change of an account: what has changed, and the number of it. */
export type AccountChange = InferResult<ReturnType<typeof behind>>[number];

/** Changes with a version beyond `after`, by ascending version. */
export const changesBehind = prepared(behind);

/** Removes changes of before that lie in no partition of their time, and keeps in mind that cursors of then lack them. */
export const removeChanges = prepared((tables, given: { beforeMs: number; limit: number }) =>
  tables.selectNoFrom(
    sql<number>`remove_waiting_changes(${given.beforeMs}::bigint, ${given.limit}::int)`.as('removed'),
  ),
);

/** Closes feeds that had no viewer since. */
export const closeFeeds = prepared((tables, given: { beforeMs: number; limit: number }) =>
  tables
    .deleteFrom('account_feed')
    .where('user_id', 'in', (db) =>
      db.selectFrom('account_feed').select('user_id').where('watched_at', '<', given.beforeMs).limit(given.limit),
    )
    .returning('user_id'),
);
