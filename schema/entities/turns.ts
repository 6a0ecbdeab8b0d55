import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { AvatarEntity } from './avatars.ts';
import { belongsTo, millis } from './columns.ts';
import { ConversationEntity } from './conversations.ts';
import { LedgerHoldEntity } from './ledger.ts';

export const InjectionEntity = defineEntity({
  name: 'InjectionEntity',
  tableName: 'injection',
  properties: {
    id: p.text().primary(),
    conversation: belongsTo(ConversationEntity, 'conversation_id').deleteRule('cascade'),
    number: p.integer().nullable(),
    state: p.enum(['waiting', 'writing', 'done']),
    attempt: p.integer().default(0),
    request: p.json<unknown>(),
    createdAt: millis(),
    remembered: p.boolean().default(false),
  },
  indexes: [{ name: 'injection_waiting', properties: ['conversation', 'number'], where: "state <> 'done'::text" }],
  uniques: [{ properties: ['conversation', 'number'] }],
});
export type InjectionEntity = InferEntity<typeof InjectionEntity>;

/**
 * Partitioned by the id of the conversation, which sorts by time: turns of one conversation lie together. The first partition has the
 * name of the table of before, `turn` (docs/decisions/0023-partitions-of-turns-and-jobs.md). Each keeps its keys for itself: the id, the slug, and the chunk of an injection.
 */
export const TurnEntity = defineEntity({
  name: 'TurnEntity',
  tableName: 'conversation_turn',
  properties: {
    id: p.text().primary(),
    conversation: belongsTo(ConversationEntity, 'conversation_id').deleteRule('cascade'),
    injection: belongsTo(InjectionEntity, 'injection_id').deleteRule('cascade'),
    number: p.integer().nullable(),
    chunk: p.integer(),
    role: p.enum(['user', 'avatar']),
    userText: p.text().nullable(),
    avatarText: p.text().nullable(),
    output: p.enum(['audio', 'video']).nullable(),
    status: p.enum(['pending', 'audio', 'video', 'ready', 'error']),
    audioKey: p.text().nullable(),
    videoKey: p.text().nullable(),
    streamKey: p.text().nullable(),
    shareSlug: p.text().nullable(),
    errorMessage: p.text().nullable(),
    mediaError: p.text().nullable(),
    voicedBy: belongsTo(AvatarEntity, 'voiced_by_avatar_id'),
    language: p.text().nullable(),
    marks: p.json<{ ms: number; at: number; len: number }[]>().nullable(),
    seconds: p.double().$type<number>().nullable(),
    heardText: p.text().nullable(),
    talkingHeadOrder: p.json<object>().nullable(),
    hold: belongsTo(LedgerHoldEntity, 'hold_id').nullable(),
    attempt: p.integer().default(0),
    version: p.bigint('number').nullable(),
    createdAt: millis(),
  },
  indexes: [
    { name: 'conversation_turn_voiced_by', properties: ['voicedBy'] },
    { name: 'conversation_turn_order', properties: ['conversation', 'number', 'chunk'] },
    { name: 'conversation_turn_streamed', properties: ['createdAt'], where: 'stream_key IS NOT NULL' },
    {
      name: 'conversation_turn_unfinished',
      properties: ['createdAt'],
      where: "(status = 'pending'::text) OR ((status = 'audio'::text) AND (output = 'video'::text))",
    },
  ],
  uniques: [{ properties: ['conversation', 'version'] }],
});
export type TurnEntity = InferEntity<typeof TurnEntity>;

export const TranslatedCaptionEntity = defineEntity({
  name: 'TranslatedCaptionEntity',
  tableName: 'translated_caption',
  properties: {
    // Of a turn, with which it goes: by a trigger, not by a foreign key, which would have to name the conversation.
    turnId: p.text().primary(),
    language: p.text().primary(),
    sourceHash: p.text(),
    text: p.text(),
    createdAt: millis(),
  },
});
export type TranslatedCaptionEntity = InferEntity<typeof TranslatedCaptionEntity>;
