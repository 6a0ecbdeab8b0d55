/**
 * Claims a request for an image, and reads its state. By statements, not the ORM: a process that waits for an image polls it
 * (as an entity a row by its key costs 4.5 times as much: docs/decisions/0002), and an attempt claims it by the same
 * statement that says whether it has ended (8.1 times).
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';

const WAITING = sql.lit<'waiting'>('waiting');

/** Claims a waiting request; an earlier attempt then finds itself overtaken. No row where it has ended. */
export const claimRequest = prepared((tables, given: { id: string }) =>
  tables
    .updateTable('image_request')
    .set(({ eb }) => ({ attempt: eb('attempt', '+', 1) }))
    .where('id', '=', given.id)
    .where('state', '=', WAITING)
    .returning(['id', 'attempt', 'user_id as userId', 'client_id as clientId', 'request', 'keyed'])
    .returning(['credit_cost as creditCost', 'hold_id as holdId', 'created_at as createdAt']),
);

/** The state of a request. */
export const requestState = prepared((tables, given: { id: string }) =>
  tables
    .selectFrom('image_request')
    .select(['id', 'state', 'attempt', 'hold_id as holdId', 'media_key as mediaKey', 'error'])
    .where('id', '=', given.id),
);

/** An image request that an attempt has taken. */
export type ClaimedRequest = Awaited<ReturnType<typeof claimRequest>>[number];
