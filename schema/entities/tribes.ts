import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, micro, millis } from './columns.ts';
import { UserEntity } from './users.ts';

export const TribeEntity = defineEntity({
  name: 'TribeEntity',
  tableName: 'tribe',
  properties: {
    creator: belongsTo(UserEntity, 'creator_user_id').primary(),
    name: p.text().nullable(),
    joinCost: micro().defaultRaw('0'),
    memberCount: p.bigint('number').defaultRaw('0'),
  },
  checks: [
    { name: 'tribe_join_cost_check', expression: 'join_cost >= 0' },
    { name: 'tribe_member_count_check', expression: 'member_count >= 0' },
  ],
});
export type TribeEntity = InferEntity<typeof TribeEntity>;

export const TribeMemberEntity = defineEntity({
  name: 'TribeMemberEntity',
  tableName: 'tribe_member',
  properties: {
    creator: belongsTo(UserEntity, 'creator_user_id').primary(),
    member: belongsTo(UserEntity, 'member_user_id').primary(),
    charged: micro(),
    isSubscriber: p.boolean(),
    joinedAt: millis(),
  },
  indexes: [{ name: 'tribe_member_member', properties: ['member'] }],
  checks: [
    { name: 'tribe_member_charged_check', expression: 'charged >= 0' },
    { name: 'tribe_member_check', expression: 'creator_user_id <> member_user_id' },
    { name: 'tribe_member_check1', expression: '(NOT is_subscriber) OR (charged = 0)' },
  ],
});
export type TribeMemberEntity = InferEntity<typeof TribeMemberEntity>;

export const StreamSubscriptionEntity = defineEntity({
  name: 'StreamSubscriptionEntity',
  tableName: 'stream_subscription',
  properties: {
    creator: belongsTo(UserEntity, 'creator_user_id').deleteRule('cascade').primary(),
    member: belongsTo(UserEntity, 'member_user_id').deleteRule('cascade').primary(),
    createdAt: millis(),
  },
  indexes: [{ name: 'stream_subscription_member', properties: ['member'] }],
});
export type StreamSubscriptionEntity = InferEntity<typeof StreamSubscriptionEntity>;

export const StreamAccountEntity = defineEntity({
  name: 'StreamAccountEntity',
  tableName: 'stream_account',
  properties: {
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade').primary(),
    platformUserId: p.text().unique(),
    accessToken: p.text().nullable(),
    refreshToken: p.text().nullable(),
    linkedAt: millis(),
  },
});
export type StreamAccountEntity = InferEntity<typeof StreamAccountEntity>;

export const StreamLinkStateEntity = defineEntity({
  name: 'StreamLinkStateEntity',
  tableName: 'stream_link_state',
  properties: {
    stateHash: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade'),
    expiresAt: millis(),
  },
});
export type StreamLinkStateEntity = InferEntity<typeof StreamLinkStateEntity>;
