import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, micro, millis } from './columns.ts';
import { UserEntity } from './users.ts';

export const GiftIntentEntity = defineEntity({
  name: 'GiftIntentEntity',
  tableName: 'gift_intent',
  properties: {
    id: p.text().primary(),
    from: belongsTo(UserEntity, 'from_user_id'),
    to: belongsTo(UserEntity, 'to_user_id'),
    toAsSent: p.text(),
    amount: micro(),
    note: p.text().nullable(),
    clientId: p.text().nullable(),
    status: p.enum(['pending', 'confirmed', 'cancelled']).default('pending'),
    createdAt: millis(),
    expiresAt: millis(),
    // By PostgreSQL's clock, one for all processes. No column; read where it is populated.
    hasRunOut: p
      .boolean()
      .formula(({ expiresAt }) => `${expiresAt} <= now_ms()`)
      .lazy(),
    resolvedAt: millis().nullable(),
  },
  indexes: [
    { name: 'gift_intent_to', properties: ['to'] },
    { name: 'gift_intent_from', properties: ['from'] },
    { name: 'gift_intent_received', properties: ['to', 'id'], where: "status = 'confirmed'::text" },
    { name: 'gift_intent_sent', properties: ['from', 'to', 'createdAt'], where: "status = 'confirmed'::text" },
  ],
  checks: [
    { name: 'gift_intent_amount_check', expression: 'amount > 0' },
    { name: 'gift_intent_check', expression: "(status = 'pending'::text) = (resolved_at IS NULL)" },
    { name: 'gift_intent_check1', expression: 'from_user_id <> to_user_id' },
  ],
});
export type GiftIntentEntity = InferEntity<typeof GiftIntentEntity>;
