import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, millis } from './columns.ts';

export const UserEntity = defineEntity({
  name: 'UserEntity',
  tableName: 'app_user',
  properties: {
    id: p.text().primary(),
    email: p.text().nullable().unique(),
    passwordHash: p.text().nullable(),
    displayName: p.text().nullable(),
    streamUsername: p.text().nullable(),
    issuer: p.text().nullable(),
    subject: p.text().nullable(),
    createdAt: millis(),
    // True unless a link that was sent to the address is waited for.
    emailVerified: p.boolean().default(true),
    verificationAskedAt: millis().nullable(),
  },
  uniques: [
    {
      name: 'app_user_stream_username',
      expression: `create unique index app_user_stream_username on public.app_user using btree (lower(stream_username))`,
    },
    { properties: ['issuer', 'subject'] },
  ],
});
export type UserEntity = InferEntity<typeof UserEntity>;

/** A link that was sent to confirm an address. */
export const EmailVerificationEntity = defineEntity({
  name: 'EmailVerificationEntity',
  tableName: 'email_verification',
  properties: {
    tokenHash: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade'),
    createdAt: millis(),
    expiresAt: millis(),
    usedAt: millis().nullable(),
  },
  indexes: [{ name: 'email_verification_user', properties: ['user', 'createdAt'] }],
});
export type EmailVerificationEntity = InferEntity<typeof EmailVerificationEntity>;

/** A link that lets its holder set a new password or takes another address; mailed, or shown to an operator. */
export const AccountLinkEntity = defineEntity({
  name: 'AccountLinkEntity',
  tableName: 'account_link',
  properties: {
    id: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade'),
    purpose: p.enum(['reset_password', 'change_email'] as const),
    // The address that is to be the account's.
    email: p.text().nullable(),
    // Absent until the link is made.
    tokenHash: p.text().nullable().unique(),
    createdAt: millis(),
    expiresAt: millis(),
    usedAt: millis().nullable(),
  },
  indexes: [{ name: 'account_link_user', properties: ['user', 'createdAt'] }],
});
export type AccountLinkEntity = InferEntity<typeof AccountLinkEntity>;

export const SessionEntity = defineEntity({
  name: 'SessionEntity',
  tableName: 'session',
  properties: {
    id: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade'),
    createdAt: millis(),
    expiresAt: millis(),
    revokedAt: millis().nullable(),
  },
  indexes: [{ name: 'session_by_user', properties: ['user'] }],
});
export type SessionEntity = InferEntity<typeof SessionEntity>;

export const ApiKeyEntity = defineEntity({
  name: 'ApiKeyEntity',
  tableName: 'api_key',
  properties: {
    id: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade'),
    name: p.text(),
    /** Of a token with an audience another one than of a token or key for the API: see `storedHash`. */
    tokenHash: p.text().unique(),
    clientId: p.text().nullable(),
    avatarId: p.text().nullable(),
    scopes: p.json<string[]>().nullable(),
    clientCredentials: p.boolean().default(false),
    /** The one resource that takes it; null: the whole API. */
    audience: p.text().nullable(),
    createdAt: millis(),
    revokedAt: millis().nullable(),
    lastUsedAt: millis().nullable(),
    expiresAt: millis().nullable(),
  },
  indexes: [
    { name: 'api_key_client', properties: ['clientId', 'user'], where: 'client_id IS NOT NULL' },
    { name: 'api_key_user', properties: ['user', 'createdAt'] },
  ],
});
export type ApiKeyEntity = InferEntity<typeof ApiKeyEntity>;

export const AuditEventEntity = defineEntity({
  name: 'AuditEventEntity',
  tableName: 'audit_event',
  properties: {
    id: p.text().primary(),
    // No relations: a line outlives what it is about.
    userId: p.text().nullable(),
    actorUserId: p.text().nullable(),
    credentialKind: p.text().nullable(),
    credentialId: p.text().nullable(),
    clientId: p.text().nullable(),
    action: p.text(),
    subject: p.text().nullable(),
    detail: p.text().nullable(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
    createdAt: millis(),
  },
  indexes: [
    { name: 'audit_event_user', properties: ['userId', 'id'] },
    { name: 'audit_event_action', properties: ['action', 'id'] },
  ],
});
export type AuditEventEntity = InferEntity<typeof AuditEventEntity>;
