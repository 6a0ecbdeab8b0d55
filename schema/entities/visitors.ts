import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { AvatarEntity } from './avatars.ts';
import { belongsTo, millis } from './columns.ts';
import { UserEntity } from './users.ts';

/** Who came to an avatar's page to talk. */
export const VisitorEntity = defineEntity({
  name: 'VisitorEntity',
  tableName: 'visitor',
  properties: {
    id: p.text().primary(),
    avatar: belongsTo(AvatarEntity, 'avatar_id').deleteRule('cascade'),
    // Of an anonymous visitor an account without a way to sign in.
    user: belongsTo(UserEntity, 'user_id'),
    // Absent of who is signed in.
    tokenHash: p.text().nullable().unique(),
    // Keyed hash of the network an anonymous visitor came from.
    addressHash: p.text().nullable(),
    createdAt: millis(),
    seenAt: millis(),
    blockedAt: millis().nullable(),
  },
  indexes: [
    { name: 'visitor_listed', properties: ['avatar', 'id'] },
    { name: 'visitor_user', properties: ['user'] },
  ],
  uniques: [{ properties: ['avatar', 'user'] }],
});
export type VisitorEntity = InferEntity<typeof VisitorEntity>;
