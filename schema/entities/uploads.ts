import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, millis } from './columns.ts';
import { UserEntity } from './users.ts';

/** A file that was brought, or a portrait that was drawn, and is not used yet. */
export const UploadEntity = defineEntity({
  name: 'UploadEntity',
  tableName: 'upload',
  properties: {
    id: p.text().primary(),
    owner: belongsTo(UserEntity, 'owner_user_id').deleteRule('cascade'),
    /** Of the one address that its bytes may be sent to; null once they are here. */
    tokenHash: p.text().nullable(),
    mediaKey: p.text().unique().nullable(),
    rig: p.json<unknown>().nullable(),
    createdAt: millis(),
  },
  indexes: [
    { name: 'upload_created', properties: ['createdAt'] },
    { name: 'upload_owner', properties: ['owner'] },
  ],
});
export type UploadEntity = InferEntity<typeof UploadEntity>;
