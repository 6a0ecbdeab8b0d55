import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, millis } from './columns.ts';
import { OAuthClientEntity } from './oauth.ts';
import { UserEntity } from './users.ts';

/** An address that events are sent to. */
export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpointEntity',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.text().primary(),
    user: belongsTo(UserEntity, 'user_id').deleteRule('cascade'),
    // Set where it hears of what was made through an app; else of what was made for the account.
    client: belongsTo(OAuthClientEntity, 'client_id').deleteRule('cascade').nullable(),
    url: p.text(),
    events: p.json<string[]>(),
    description: p.text().nullable(),
    // Sealed, as is the one before.
    secret: p.text(),
    previousSecret: p.text().nullable(),
    previousSecretUntil: millis().nullable(),
    disabledAt: millis().nullable(),
    disabledReason: p.enum(['owner', 'gone', 'failing'] as const).nullable(),
    // When something was last taken there.
    deliveredAt: millis().nullable(),
    createdAt: millis(),
  },
  indexes: [
    { name: 'webhook_endpoint_user', properties: ['user', 'id'] },
    { name: 'webhook_endpoint_client', properties: ['client'], where: 'client_id IS NOT NULL' },
  ],
});
export type WebhookEndpointEntity = InferEntity<typeof WebhookEndpointEntity>;

/** An event that is to be sent to an address, or was. */
export const WebhookDeliveryEntity = defineEntity({
  name: 'WebhookDeliveryEntity',
  tableName: 'webhook_delivery',
  properties: {
    id: p.text().primary(),
    endpoint: belongsTo(WebhookEndpointEntity, 'endpoint_id').deleteRule('cascade'),
    eventType: p.text(),
    // The id of what it is about.
    subjectId: p.text(),
    data: p.json<Record<string, unknown>>(),
    state: p.enum(['waiting', 'sending', 'delivered', 'failed'] as const).default('waiting'),
    attempts: p.integer().default(0),
    // What the last attempt was answered with, or why it was not.
    status: p.integer().nullable(),
    error: p.text().nullable(),
    // When the next attempt begins; while it is being sent, when its job was enqueued.
    dueAt: millis(),
    // From when on its attempts are counted: when it was made, or sent again.
    begunAt: millis(),
    deliveredAt: millis().nullable(),
    createdAt: millis(),
  },
  indexes: [
    { name: 'webhook_delivery_listed', properties: ['endpoint', 'id'] },
    {
      name: 'webhook_delivery_due',
      properties: ['dueAt'],
      where: "(state = 'waiting'::text) OR (state = 'sending'::text)",
    },
    { name: 'webhook_delivery_age', properties: ['createdAt'] },
  ],
  uniques: [{ properties: ['endpoint', 'eventType', 'subjectId'] }],
});
export type WebhookDeliveryEntity = InferEntity<typeof WebhookDeliveryEntity>;
