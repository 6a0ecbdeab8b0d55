import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ImageModelId } from '../../src/kernel/media-options.ts';
import { AvatarEntity, AvatarImageEntity } from './avatars.ts';
import { belongsTo, micro, millis } from './columns.ts';
import { LedgerHoldEntity } from './ledger.ts';
import { UserEntity } from './users.ts';

export const ImageGenerationEntity = defineEntity({
  name: 'ImageGenerationEntity',
  tableName: 'image_generation',
  properties: {
    id: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id'),
    clientId: p.text().nullable(),
    operation: p.enum(['generate', 'edit']),
    model: p.text(),
    prompt: p.text(),
    aspectRatio: p.text(),
    mediaKey: p.text().unique(),
    width: p.integer(),
    height: p.integer(),
    rig: p.json<unknown>().nullable(),
    /** How the embedded engine drew it, so that its words can be changed. */
    drawing: p.json<object>().nullable(),
    creditCost: micro(),
    createdAt: millis(),
  },
  indexes: [{ name: 'image_generation_listed', properties: ['user', 'id'] }],
});
export type ImageGenerationEntity = InferEntity<typeof ImageGenerationEntity>;

/** What the job of an image reads; JSON. */
export interface ImageOrder {
  operation: 'generate' | 'edit';
  /** As the caller wrote it, and as the model reads it. */
  prompt: string;
  modelPrompt: string;
  model: ImageModelId;
  aspectRatio: string;
  /** Each with the field that it came by. */
  references: { field: string; url: string }[];
}

/** An image that was accepted; rows of those that have ended stay for an hour. */
export const ImageRequestEntity = defineEntity({
  name: 'ImageRequestEntity',
  tableName: 'image_request',
  properties: {
    id: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade'),
    clientId: p.text().nullable(),
    request: p.json<ImageOrder>(),
    /** The Idempotency-Key that it came with. */
    keyed: p.json<{ caller: string; key: string; begunAt: number }>().nullable(),
    creditCost: micro(),
    hold: belongsTo(LedgerHoldEntity, 'hold_id'),
    state: p.enum(['waiting', 'made', 'refused']).default('waiting'),
    attempt: p.integer().default(0),
    mediaKey: p.text().nullable(),
    /** Why it was refused: code, sentence and details of the public error. */
    error: p
      .json<{ code: string; text: string; details?: Record<string, string | number | boolean | null> }>()
      .nullable(),
    createdAt: millis(),
    /** When a waiting request last said so. */
    waitedAt: millis(),
  },
  indexes: [
    { name: 'image_request_created', properties: ['createdAt'] },
    { name: 'image_request_waiting', properties: ['user'], where: "state = 'waiting'::text" },
  ],
});
export type ImageRequestEntity = InferEntity<typeof ImageRequestEntity>;

export const SpeechGenerationEntity = defineEntity({
  name: 'SpeechGenerationEntity',
  tableName: 'speech_generation',
  properties: {
    id: p.text().primary(),
    caller: belongsTo(UserEntity, 'caller_user_id'),
    payer: belongsTo(UserEntity, 'payer_user_id'),
    clientId: p.text().nullable(),
    avatar: belongsTo(AvatarEntity, 'avatar_id').deleteRule('cascade'),
    image: belongsTo(AvatarImageEntity, 'image_id').deleteRule('set null').nullable(),
    voiceId: p.text(),
    dedupKey: p.text(),
    text: p.text(),
    textMode: p.enum(['literal', 'personality']),
    spokenText: p.text().nullable(),
    output: p.enum(['audio', 'video']),
    language: p.text().nullable(),
    status: p.enum(['pending', 'audio', 'video', 'error']).default('pending'),
    audioKey: p.text().nullable(),
    videoKey: p.text().nullable(),
    shareSlug: p.text().nullable().unique(),
    errorMessage: p.text().nullable(),
    marks: p.json<{ ms: number; at: number; len: number }[]>().nullable(),
    seconds: p.double().$type<number>().nullable(),
    talkingHeadOrder: p.json<object>().nullable(),
    hold: belongsTo(LedgerHoldEntity, 'hold_id').nullable(),
    attempt: p.integer().default(0),
    createdAt: millis(),
  },
  indexes: [
    { name: 'speech_generation_caller', properties: ['caller', 'id'] },
    { name: 'speech_generation_payer', properties: ['payer'] },
    { name: 'speech_generation_avatar', properties: ['avatar'] },
    { name: 'speech_generation_image', properties: ['image'], where: 'image_id IS NOT NULL' },
    {
      name: 'speech_generation_unfinished',
      properties: ['createdAt'],
      where: "(status = 'pending'::text) OR ((status = 'audio'::text) AND (output = 'video'::text))",
    },
  ],
  uniques: [{ name: 'speech_generation_dedup', properties: ['dedupKey'], where: "status <> 'error'::text" }],
});
export type SpeechGenerationEntity = InferEntity<typeof SpeechGenerationEntity>;

export const VideoGenerationEntity = defineEntity({
  name: 'VideoGenerationEntity',
  tableName: 'video_generation',
  properties: {
    id: p.text().primary(),
    shareSlug: p.text().unique(),
    user: belongsTo(UserEntity, 'user_id'),
    clientId: p.text().nullable(),
    request: p.json<unknown>(),
    model: p.text(),
    referencedAvatars: p.json<{ id: string; name: string }[]>(),
    status: p.enum(['queued', 'rendering', 'ready', 'error']).default('queued'),
    progress: p.double().$type<number>().default(0),
    isPublic: p.boolean(),
    seconds: p.double().$type<number>(),
    creditCost: micro(),
    mediaKey: p.text().nullable(),
    width: p.integer().nullable(),
    height: p.integer().nullable(),
    seed: p.double().$type<number>().nullable(),
    errorMessage: p.text().nullable(),
    hold: belongsTo(LedgerHoldEntity, 'hold_id').nullable(),
    attempt: p.integer().default(0),
    createdAt: millis(),
    stillKey: p.text().nullable(),
  },
  indexes: [
    {
      name: 'video_generation_unfinished',
      properties: ['createdAt'],
      where: "status = ANY (ARRAY['queued'::text, 'rendering'::text])",
    },
    { name: 'video_generation_listed', properties: ['user', 'id'] },
  ],
});
export type VideoGenerationEntity = InferEntity<typeof VideoGenerationEntity>;
