import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, micro, millis } from './columns.ts';
import { LedgerHoldEntity } from './ledger.ts';
import { UserEntity } from './users.ts';

export const AvatarFolderEntity = defineEntity({
  name: 'AvatarFolderEntity',
  tableName: 'avatar_folder',
  properties: {
    id: p.text().primary(),
    owner: belongsTo(UserEntity, 'owner_user_id'),
    name: p.text(),
    iconKey: p.text().nullable(),
    createdAt: millis(),
  },
  indexes: [{ name: 'avatar_folder_owner', properties: ['owner', 'createdAt'] }],
});
export type AvatarFolderEntity = InferEntity<typeof AvatarFolderEntity>;

export const AvatarEntity = defineEntity({
  name: 'AvatarEntity',
  tableName: 'avatar',
  properties: {
    id: p.text().primary(),
    owner: belongsTo(UserEntity, 'owner_user_id'),
    displayName: p.text(),
    personalityPrompt: p.text().nullable(),
    ttsVoiceId: p.text().nullable(),
    publiclyRenderable: p.boolean().default(false),
    folder: belongsTo(AvatarFolderEntity, 'folder_id').deleteRule('set null').nullable(),
    nameLocked: p.boolean().default(false),
    knowledgeBaseUrls: p.json<string[]>().defaultRaw("'[]'::jsonb"),
    gemRef: p.text().nullable(),
    nonOwnerCapPerDay: micro().nullable(),
    // Who may talk with it on its page, /a/{talkSlug}; the slug stays once it is given.
    talkAudience: p.enum(['nobody', 'signed_in', 'everyone'] as const).default('nobody'),
    talkSlug: p.text().nullable().unique(),
    talkCapPerVisitor: micro().nullable(),
    talkCapPerDay: micro().nullable(),
    talkGreeting: p.text().nullable(),
    createdAt: millis(),
    updatedAt: millis(),
    brainSystem: p.text().default('managed'),
    brainSettings: p.text().nullable(),
  },
  indexes: [
    { name: 'avatar_listed', properties: ['owner', 'id'] },
    { name: 'avatar_public_listed', properties: ['id'], where: 'publicly_renderable' },
    { name: 'avatar_in_folder', properties: ['folder'], where: 'folder_id IS NOT NULL' },
  ],
});
export type AvatarEntity = InferEntity<typeof AvatarEntity>;

export const AvatarImageEntity = defineEntity({
  name: 'AvatarImageEntity',
  tableName: 'avatar_image',
  properties: {
    id: p.text().primary(),
    avatar: belongsTo(AvatarEntity, 'avatar_id').deleteRule('cascade'),
    mediaKey: p.text().unique(),
    isPrimary: p.boolean().default(false),
    width: p.integer(),
    height: p.integer(),
    rig: p.json<unknown>().nullable(),
    rigSource: p.text().default('none'),
    createdAt: millis(),
  },
  indexes: [{ name: 'avatar_image_avatar', properties: ['avatar', 'createdAt'] }],
  uniques: [{ name: 'avatar_image_primary', properties: ['avatar'], where: 'is_primary' }],
});
export type AvatarImageEntity = InferEntity<typeof AvatarImageEntity>;

export const CustomVoiceEntity = defineEntity({
  name: 'CustomVoiceEntity',
  tableName: 'custom_voice',
  properties: {
    id: p.text().primary(),
    owner: belongsTo(UserEntity, 'owner_user_id'),
    avatar: belongsTo(AvatarEntity, 'avatar_id').deleteRule('cascade'),
    name: p.text(),
    settings: p.json<{ base: string; variant?: string; pitch?: number; rate?: number }>(),
    createdAt: millis(),
  },
  indexes: [
    { name: 'custom_voice_owner', properties: ['owner', 'createdAt'] },
    { name: 'custom_voice_avatar', properties: ['avatar'] },
  ],
});
export type CustomVoiceEntity = InferEntity<typeof CustomVoiceEntity>;

export const TrainingEntity = defineEntity({
  name: 'TrainingEntity',
  tableName: 'training',
  properties: {
    id: p.text().primary(),
    avatar: belongsTo(AvatarEntity, 'avatar_id').deleteRule('cascade'),
    status: p.enum(['queued', 'running', 'trained', 'failed', 'superseded']),
    done: p.integer().default(0),
    total: p.integer(),
    passages: p.integer().default(0),
    failures: p.json<{ url: string; reason: string }[]>().defaultRaw("'[]'::jsonb"),
    error: p.text().nullable(),
    requestedAt: millis(),
    finishedAt: millis().nullable(),
  },
  indexes: [{ name: 'training_avatar', properties: ['avatar', 'requestedAt'] }],
  uniques: [{ name: 'training_waiting', properties: ['avatar'], where: "status = 'queued'::text" }],
  checks: [{ name: 'training_check', expression: '(done >= 0) AND (done <= total)' }],
});
export type TrainingEntity = InferEntity<typeof TrainingEntity>;

export const NonOwnerSpendingEntity = defineEntity({
  name: 'NonOwnerSpendingEntity',
  tableName: 'non_owner_spending',
  properties: {
    hold: belongsTo(LedgerHoldEntity, 'hold_id').primary(),
    avatar: belongsTo(AvatarEntity, 'avatar_id'),
    createdAt: millis(),
    // Whose page visit it was; no relation, for visitors import avatars.
    visitorId: p.text().nullable(),
  },
  indexes: [
    { name: 'non_owner_spending_day', properties: ['avatar', 'createdAt'] },
    {
      name: 'non_owner_spending_visitor',
      properties: ['visitorId', 'createdAt'],
      where: 'visitor_id IS NOT NULL',
    },
  ],
});
export type NonOwnerSpendingEntity = InferEntity<typeof NonOwnerSpendingEntity>;
