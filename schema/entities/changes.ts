/** What has changed of the things of accounts that are watched. The rows are written by triggers. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, millis } from './columns.ts';
import { UserEntity } from './users.ts';

/** Of an account that is watched, or was in the last day. */
export const AccountFeedEntity = defineEntity({
  name: 'AccountFeedEntity',
  tableName: 'account_feed',
  properties: {
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade').primary(),
    // Of the latest change that has a number. It begins with a time, so that it never goes back.
    version: p.bigint('number'),
    // Cursors of before lack changes that are gone.
    keptFrom: p.bigint('number'),
    // True once every transaction records its changes here.
    isOpen: p.boolean().default(false),
    watchedAt: millis(),
  },
});
export type AccountFeedEntity = InferEntity<typeof AccountFeedEntity>;

/**
 * The last change of one thing; more than one while they have no number. Partitioned by number, which follows the time: what has none
 * waits in a partition of its own, `account_change_waiting` (docs/decisions/0018-partitions.md).
 */
export const AccountChangeEntity = defineEntity({
  name: 'AccountChangeEntity',
  tableName: 'account_change',
  properties: {
    // No key of the table: that would have to hold the number.
    id: p.bigint('number').primary().autoincrement().generated('identity'),
    // Of a feed, with which it goes: by a trigger, not by a foreign key.
    userId: p.text(),
    kind: p.enum(['conversation', 'video', 'speech', 'image', 'balance', 'gift', 'training'] as const),
    subjectId: p.text(),
    // null until a reader numbers it.
    version: p.bigint('number').nullable(),
    changedAt: millis(),
  },
  indexes: [
    { name: 'account_change_version', properties: ['userId', 'version'], where: 'version IS NOT NULL' },
    { name: 'account_change_subject', properties: ['userId', 'subjectId'], where: 'version IS NOT NULL' },
  ],
});
export type AccountChangeEntity = InferEntity<typeof AccountChangeEntity>;
