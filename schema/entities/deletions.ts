/** What is left of things that were deleted: nothing of what they held. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, millis } from './columns.ts';
import { ConversationEntity } from './conversations.ts';

/** A turn that is gone, for viewers who come back and still show it. */
export const DeletedTurnEntity = defineEntity({
  name: 'DeletedTurnEntity',
  tableName: 'deleted_turn',
  properties: {
    id: p.text().primary(),
    conversation: belongsTo(ConversationEntity, 'conversation_id').deleteRule('cascade'),
    number: p.integer(),
    chunk: p.integer(),
    role: p.enum(['user', 'avatar']),
    version: p.bigint('number'),
    createdAt: millis(),
  },
  uniques: [{ properties: ['conversation', 'version'] }],
});
export type DeletedTurnEntity = InferEntity<typeof DeletedTurnEntity>;

/** Files that are to leave the store: keys, and prefixes, which end in `/`. */
export const MediaRemovalEntity = defineEntity({
  name: 'MediaRemovalEntity',
  tableName: 'media_removal',
  properties: {
    id: p.text().primary(),
    paths: p.json<string[]>(),
    dueAt: millis(),
    /** Removed once; this is for what was stored by work that ran meanwhile. */
    isAgain: p.boolean().default(false),
  },
  indexes: [{ name: 'media_removal_due', properties: ['dueAt'] }],
});
export type MediaRemovalEntity = InferEntity<typeof MediaRemovalEntity>;

/** A talking head that was ordered elsewhere, for work that has ended without it: its provider is to be notified. */
export const TalkingHeadCancellationEntity = defineEntity({
  name: 'TalkingHeadCancellationEntity',
  tableName: 'talking_head_cancellation',
  properties: {
    id: p.bigint('number').primary().autoincrement().generated('identity'),
    talkingHeadOrder: p.json<object>(),
    attempts: p.integer().default(0),
    dueAt: millis(),
  },
});
export type TalkingHeadCancellationEntity = InferEntity<typeof TalkingHeadCancellationEntity>;
