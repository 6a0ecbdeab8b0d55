/**
 * Counters of quotas, which are not the ORM's. Each accepted turn reads its payer's, in the round trip of its other statements
 * (by hand 85 µs of two queries, as entities 678). One is taken where the limit allows it by the statement that looks: two
 * requests never take the last one both. Counters of several accounts are found and locked by one statement, in one order, so that no
 * two deletions wait for each other in a circle.
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';
import type { QuotaName } from '../../kernel/quotas.ts';

/** Locks the counters of accounts, of conversations' owners and of files' owners, each account's by their names. */
export const lockCounters = prepared(
  (tables, given: { userIds: readonly string[]; conversationIds: readonly string[]; mediaKeys: readonly string[] }) =>
    tables
      .selectFrom('account_usage')
      .select('kind')
      .where(({ or, eb, selectFrom }) =>
        or([
          eb('user_id', '=', sql<string>`any(${given.userIds}::text[])`),
          eb(
            'user_id',
            'in',
            selectFrom('conversation')
              .select('owner_user_id')
              .where('id', '=', sql<string>`any(${given.conversationIds}::text[])`),
          ),
          eb(
            'user_id',
            'in',
            selectFrom('media_object')
              .select('user_id')
              .where('key', '=', sql<string>`any(${given.mediaKeys}::text[])`),
          ),
        ]),
      )
      .orderBy('user_id')
      .orderBy('kind')
      .forUpdate(),
);

/** How much an account has of something; no row before the first. */
export const usage = prepared((tables, given: { userId: string; name: QuotaName }) =>
  tables.selectFrom('account_usage').select('used').where('user_id', '=', given.userId).where('kind', '=', given.name),
);

/** Counts one more; no row where the limit is reached. */
export const oneMore = prepared((tables, given: { userId: string; name: QuotaName; limit: number }) =>
  tables
    .insertInto('account_usage')
    .columns(['user_id', 'kind', 'used'])
    .expression(
      tables
        .selectNoFrom(({ val }) => [val(given.userId).as('user_id'), val(given.name).as('kind'), sql.lit(1).as('used')])
        .where(sql<boolean>`${given.limit}::bigint > 0`),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind'])
        .doUpdateSet(({ eb }) => ({ used: eb('account_usage.used', '+', 1) }))
        .where('account_usage.used', '<', given.limit),
    )
    .returning('used'),
);
