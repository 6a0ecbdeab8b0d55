import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, millis } from './columns.ts';
import { UserEntity } from './users.ts';

/** A file with what is held of an account, made for it; an account has one at most. */
export const AccountExportEntity = defineEntity({
  name: 'AccountExportEntity',
  tableName: 'account_export',
  properties: {
    id: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade').unique(),
    status: p.enum(['waiting', 'ready', 'failed'] as const).default('waiting'),
    attempt: p.integer().default(0),
    mediaKey: p.text().nullable(),
    bytes: p.bigint('number').nullable(),
    createdAt: millis(),
    /** When it is deleted, whatever became of it. */
    expiresAt: millis(),
  },
  indexes: [{ name: 'account_export_expires', properties: ['expiresAt'] }],
});
/** A row. */
export type AccountExportEntity = InferEntity<typeof AccountExportEntity>;
