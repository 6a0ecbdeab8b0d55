/**
 * Reads credentials, and writes when they were last used. By statements, not the ORM: every request reads one (a row by its key
 * costs 4.5 times as much as an entity, docs/decisions/0002), uses are many rows in one write, and one statement both adds the
 * account of an external issuer and sees whether a parallel request has added it.
 */
import { sql } from 'kysely';
import { prepared } from '../../schema/entities/tables.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import { unnest } from '../kernel/prepared.ts';

/** A key or token that is not revoked. */
export const standingKey = prepared((tables, given: { hash: string; nowMs: number }) =>
  tables
    .selectFrom('api_key')
    .select([
      'id',
      'user_id as userId',
      'client_id as clientId',
      'avatar_id as avatarId',
      'scopes',
      'client_credentials as clientCredentials',
      'expires_at as expiresAt',
      'audience',
    ])
    .where('token_hash', '=', given.hash)
    .where('revoked_at', 'is', null)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', given.nowMs)])),
);

/** A session that is not revoked. */
export const standingSession = prepared((tables, given: { id: string; nowMs: number }) =>
  tables
    .selectFrom('session')
    .select('user_id as userId')
    .where('id', '=', given.id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', given.nowMs),
);

/** The account of a person at an external issuer. */
export const userAtIssuer = prepared((tables, given: { issuer: string; subject: string }) =>
  tables
    .selectFrom('app_user')
    .select(['id', 'email_verified as emailVerified'])
    .where('issuer', '=', given.issuer)
    .where('subject', '=', given.subject),
);

interface NewUser {
  id: string;
  name: string | null;
  issuer: string;
  subject: string;
  nowMs: number;
  emailVerified: boolean;
}

/** No row when a parallel request has made the account. */
export const addUser = prepared((tables, given: NewUser) =>
  tables
    .insertInto('app_user')
    .values({
      id: given.id,
      display_name: given.name,
      issuer: given.issuer,
      subject: given.subject,
      created_at: given.nowMs,
      email_verified: given.emailVerified,
    })
    .onConflict((on) => on.columns(['issuer', 'subject']).doNothing())
    .returning('id'),
);

/** The use of a key is written at most once in this time. */
export const AT_MOST_EVERY_MS = MINUTE_MS;

/** When keys were last used. */
export const writeUses = prepared((tables, given: { ids: string[]; moments: number[] }) =>
  tables
    .updateTable('api_key as k')
    .from(unnest<{ id: string; at: number }, 'u'>('u', { id: ['text', given.ids], at: ['bigint', given.moments] }))
    .set((eb) => ({ last_used_at: eb.ref('u.at') }))
    .whereRef('k.id', '=', 'u.id')
    .where((eb) =>
      eb.or([eb('k.last_used_at', 'is', null), eb('k.last_used_at', '<=', eb('u.at', '-', sql.lit(AT_MOST_EVERY_MS)))]),
    ),
);
