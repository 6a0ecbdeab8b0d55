import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { AvatarEntity } from './avatars.ts';
import { belongsTo, millis } from './columns.ts';
import { ApiKeyEntity, UserEntity } from './users.ts';

/** An authorization request, by the names of its fields in GraphQL. */
export type AuthorizationParameters = Record<string, string>;

export const OAuthClientEntity = defineEntity({
  name: 'OAuthClientEntity',
  tableName: 'oauth_client',
  properties: {
    id: p.text().primary(),
    /** Null: it registered itself. */
    owner: belongsTo(UserEntity, 'owner_user_id').deleteRule('cascade').nullable(),
    name: p.text(),
    secretHash: p.text(),
    redirectDomains: p.json<string[]>(),
    scopes: p.json<string[]>(),
    serviceAvatar: belongsTo(AvatarEntity, 'service_avatar_id').deleteRule('set null').nullable(),
    createdAt: millis(),
    previousSecretHash: p.text().nullable(),
    previousSecretUntil: millis().nullable(),
    secretRotatedAt: millis().nullable(),
    /** Of an app that registered itself: the exact addresses that it may be answered at. */
    redirectUris: p.json<string[]>().nullable(),
    /** Of an app that registered itself: how it proves itself at the token endpoint. */
    authMethod: p.text().nullable(),
  },
  indexes: [
    { name: 'oauth_client_owner', properties: ['owner', 'createdAt'] },
    { name: 'oauth_client_unowned', properties: ['createdAt'], where: 'owner_user_id IS NULL' },
  ],
});
export type OAuthClientEntity = InferEntity<typeof OAuthClientEntity>;

export const OAuthCodeEntity = defineEntity({
  name: 'OAuthCodeEntity',
  tableName: 'oauth_code',
  properties: {
    codeHash: p.text().primary(),
    client: belongsTo(OAuthClientEntity, 'client_id').deleteRule('cascade'),
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade'),
    avatar: belongsTo(AvatarEntity, 'avatar_id').deleteRule('cascade'),
    redirectUri: p.text(),
    scopes: p.json<string[]>(),
    codeChallenge: p.text().nullable(),
    /** What the token is for (RFC 8707); null: the whole API. */
    resource: p.text().nullable(),
    expiresAt: millis(),
    claimedAt: millis().nullable(),
    token: belongsTo(ApiKeyEntity, 'token_id').deleteRule('set null').nullable(),
    redeemedAt: millis().nullable(),
  },
  indexes: [{ name: 'oauth_code_age', properties: ['expiresAt'] }],
});
export type OAuthCodeEntity = InferEntity<typeof OAuthCodeEntity>;

export const OAuthChoiceEntity = defineEntity({
  name: 'OAuthChoiceEntity',
  tableName: 'oauth_choice',
  properties: {
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade').primary(),
    client: belongsTo(OAuthClientEntity, 'client_id').deleteRule('cascade').primary(),
    avatar: belongsTo(AvatarEntity, 'avatar_id').deleteRule('cascade'),
  },
});
export type OAuthChoiceEntity = InferEntity<typeof OAuthChoiceEntity>;

export const OAuthRefreshEntity = defineEntity({
  name: 'OAuthRefreshEntity',
  tableName: 'oauth_refresh',
  properties: {
    tokenHash: p.text().primary(),
    grant: belongsTo(ApiKeyEntity, 'grant_id').deleteRule('cascade'),
    needsSecret: p.boolean(),
    expiresAt: millis(),
    usedAt: millis().nullable(),
  },
  indexes: [
    { name: 'oauth_refresh_grant', properties: ['grant'] },
    { name: 'oauth_refresh_age', properties: ['expiresAt'] },
  ],
});
export type OAuthRefreshEntity = InferEntity<typeof OAuthRefreshEntity>;

export const OAuthPushedRequestEntity = defineEntity({
  name: 'OAuthPushedRequestEntity',
  tableName: 'oauth_pushed_request',
  properties: {
    requestHash: p.text().primary(),
    client: belongsTo(OAuthClientEntity, 'client_id').deleteRule('cascade'),
    parameters: p.json<AuthorizationParameters>(),
    expiresAt: millis(),
  },
  indexes: [{ name: 'oauth_pushed_request_age', properties: ['expiresAt'] }],
});
export type OAuthPushedRequestEntity = InferEntity<typeof OAuthPushedRequestEntity>;
