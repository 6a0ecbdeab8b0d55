import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { AvatarEntity, AvatarImageEntity } from './avatars.ts';
import { belongsTo, millis } from './columns.ts';
import { UserEntity } from './users.ts';
import { VisitorEntity } from './visitors.ts';

export const ConversationEntity = defineEntity({
  name: 'ConversationEntity',
  tableName: 'conversation',
  properties: {
    id: p.text().primary(),
    shareSlug: p.text().unique(),
    owner: belongsTo(UserEntity, 'owner_user_id'),
    avatar: belongsTo(AvatarEntity, 'avatar_id'),
    image: belongsTo(AvatarImageEntity, 'image_id').nullable(),
    // The owner's own name for it.
    title: p.text().nullable(),
    viewerToken: p.text(),
    isPublic: p.boolean().default(false),
    clientId: p.text().nullable(),
    // Set where it is held on the avatar's page.
    visitor: belongsTo(VisitorEntity, 'visitor_id').deleteRule('cascade').nullable(),
    version: p.bigint('number').defaultRaw('0'),
    injections: p.integer().default(0),
    createdAt: millis(),
  },
  indexes: [
    { name: 'conversation_listed', properties: ['owner', 'id'], where: 'visitor_id IS NULL' },
    { name: 'conversation_by_owner', properties: ['owner', 'id'] },
    { name: 'conversation_avatar', properties: ['avatar', 'owner', 'id'] },
    { name: 'conversation_image', properties: ['image'], where: 'image_id IS NOT NULL' },
  ],
  uniques: [{ properties: ['visitor'] }],
});
export type ConversationEntity = InferEntity<typeof ConversationEntity>;

export const AccessLinkEntity = defineEntity({
  name: 'AccessLinkEntity',
  tableName: 'access_link',
  properties: {
    id: p.text().primary(),
    conversation: belongsTo(ConversationEntity, 'conversation_id').deleteRule('cascade'),
    keyHash: p.text().unique(),
    createdAt: millis(),
    revokedAt: millis().nullable(),
  },
  indexes: [{ name: 'access_link_conversation', properties: ['conversation'] }],
});
export type AccessLinkEntity = InferEntity<typeof AccessLinkEntity>;
