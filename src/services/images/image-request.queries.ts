/**
 * Taking a request for an image, and how it stands. By statements, not the ORM: a process that waits for an image reads it
 * again and again (a row by its key costs 4.5 times as much as an entity: docs/decisions/0002), and an attempt takes it by
 * the statement that says whether it has ended (8.1 times).
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';

const WAITING = sql.lit<'waiting'>('waiting');

/** Takes a request that waits: an attempt of before finds itself overtaken. No row where it has ended. */
export const claimRequest = prepared((tables, given: { id: string }) =>
  tables
    .updateTable('image_request')
    .set(({ eb }) => ({ attempt: eb('attempt', '+', 1) }))
    .where('id', '=', given.id)
    .where('state', '=', WAITING)
    .returning(['id', 'attempt', 'user_id as userId', 'client_id as clientId', 'request', 'keyed'])
    .returning(['credit_cost as creditCost', 'hold_id as holdId', 'created_at as createdAt']),
);

/** How a request stands. */
export const requestState = prepared((tables, given: { id: string }) =>
  tables
    .selectFrom('image_request')
    .select(['id', 'state', 'attempt', 'hold_id as holdId', 'media_key as mediaKey', 'error'])
    .where('id', '=', given.id),
);

/** An image request that an attempt has taken. */
export type ClaimedRequest = Awaited<ReturnType<typeof claimRequest>>[number];
