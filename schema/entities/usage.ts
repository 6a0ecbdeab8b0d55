/** What accounts have of what is free to make. The counters are kept by triggers. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo } from './columns.ts';
import { UserEntity } from './users.ts';

export const AccountUsageEntity = defineEntity({
  name: 'AccountUsageEntity',
  tableName: 'account_usage',
  properties: {
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade').primary(),
    kind: p.text().primary(),
    used: p.bigint('number'),
  },
  checks: [{ name: 'account_usage_used_check', expression: 'used >= 0' }],
});
export type AccountUsageEntity = InferEntity<typeof AccountUsageEntity>;

export const MediaObjectEntity = defineEntity({
  name: 'MediaObjectEntity',
  tableName: 'media_object',
  properties: {
    key: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id'),
    bytes: p.bigint('number'),
  },
  indexes: [{ name: 'media_object_user', properties: ['user'] }],
  checks: [{ name: 'media_object_bytes_check', expression: 'bytes >= 0' }],
});
export type MediaObjectEntity = InferEntity<typeof MediaObjectEntity>;
