/**
 * What feeds of accounts read and number. By statements, not the ORM: every open feed is looked at once a second, and each
 * change of an account that is watched is read once a process (a page of 20 rows costs 7.3 times as much as entities:
 * docs/decisions/0002).
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
    .selectFrom('account_feed as f')
    .select(['f.user_id as id', 'f.version'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('account_change as c')
          .select('c.id')
          .whereRef('c.user_id', '=', 'f.user_id')
          .where('c.version', 'is', null),
      ).as('isBehind'),
    )
    .where('f.user_id', '=', anyOf(given.ids)),
);

/** Locks a feed, so that only this transaction numbers its changes. */
export const lockFeed = prepared((tables, given: OfUser) =>
  tables.selectFrom('account_feed').select('user_id').where('user_id', '=', given.userId).forNoKeyUpdate(),
);

/**
 * Numbers the changes that have been committed, at most `limit`: of one thing the last, and the ones before go. A statement
 * behind `lockFeed`, for it has to see what the one before numbered. `taken`: how many there were.
 */
export const numberChanges = prepared((tables, given: OfUser & { limit: number }) =>
  tables
    .with('new', (db) =>
      db
        .selectFrom('account_change')
        .select(['id', 'kind', 'subject_id'])
        .where('user_id', '=', given.userId)
        .where('version', 'is', null)
        .orderBy('id')
        .limit(given.limit),
    )
    .with('last', (db) =>
      db
        .selectFrom('new')
        .select(['kind', 'subject_id', sql<number>`max(id)`.as('id')])
        .select(sql<number>`row_number() over (order by max(id))`.as('place'))
        .groupBy(['kind', 'subject_id']),
    )
    .with('gone', (db) =>
      db
        .deleteFrom('account_change as c')
        .using('last')
        .where('c.user_id', '=', given.userId)
        .whereRef('c.kind', '=', 'last.kind')
        .whereRef('c.subject_id', '=', 'last.subject_id')
        .whereRef('c.id', '<', 'last.id'),
    )
    .with('numbered', (db) =>
      db
        .updateTable('account_change as c')
        .from(['last', 'account_feed as f'])
        .set(({ ref }) => ({ version: sql<number>`${ref('f.version')} + ${ref('last.place')}` }))
        .whereRef('c.id', '=', 'last.id')
        .where('f.user_id', '=', given.userId),
    )
    .updateTable('account_feed')
    .set(({ ref }) => ({ version: sql<number>`${ref('version')} + (select count(*) from last)` }))
    .where('user_id', '=', given.userId)
    .returning(sql<number>`(select count(*)::int from new)`.as('taken')),
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

/**
 * Removes changes of before, and keeps in mind that cursors of then lack them. One that has no number yet would have been
 * behind every cursor that was given out: it takes one with it.
 */
export const removeChanges = prepared((tables, given: { beforeMs: number; limit: number }) =>
  tables
    .with('old', (db) =>
      db
        .selectFrom('account_change')
        .select(['id', 'user_id', 'version'])
        .where('changed_at', '<', given.beforeMs)
        .orderBy('changed_at')
        .limit(given.limit),
    )
    .with('gone', (db) => db.deleteFrom('account_change as c').using('old').whereRef('c.id', '=', 'old.id'))
    .with('kept', (db) =>
      db
        .updateTable('account_feed as f')
        .from((from) =>
          from
            .selectFrom('old')
            .select(['user_id', from.fn.max('version').as('version')])
            .select(sql<number>`bool_or(version is null)::int`.as('unnumbered'))
            .groupBy('user_id')
            .as('o'),
        )
        .set(({ ref }) => ({
          version: sql<number>`f.version + ${ref('o.unnumbered')}`,
          kept_from: sql<number>`greatest(f.kept_from, ${ref('o.version')}, case ${ref('o.unnumbered')} when 1 then f.version + 1 end)`,
        }))
        .whereRef('f.user_id', '=', 'o.user_id'),
    )
    .selectFrom('old')
    .select(({ fn }) => fn.countAll<number>().as('removed')),
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
