import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { millis } from './columns.ts';

export const InstanceSecretEntity = defineEntity({
  name: 'InstanceSecretEntity',
  tableName: 'instance_secret',
  properties: {
    name: p.text().$type<'media' | 'encryption' | 'pairwise' | 'signing'>().primary(),
    generation: p.integer().primary().default(1),
    value: p.text(),
    createdAt: millis(),
    activeAt: millis().nullable(),
    verifyUntil: millis().nullable(),
    wrappedBy: p.text().nullable(),
  },
});
export type InstanceSecretEntity = InferEntity<typeof InstanceSecretEntity>;

export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKeyEntity',
  tableName: 'idempotency_key',
  properties: {
    caller: p.text().primary(),
    key: p.text().primary(),
    requestHash: p.text(),
    status: p.integer().nullable(),
    body: p.json<unknown>().nullable(),
    createdAt: millis(),
    process: p.integer().nullable(),
    sortedHash: p.text().nullable(),
  },
  indexes: [{ name: 'idempotency_key_age', properties: ['createdAt'] }],
});
export type IdempotencyKeyEntity = InferEntity<typeof IdempotencyKeyEntity>;

export const WorkerJobEntity = defineEntity({
  name: 'WorkerJobEntity',
  tableName: 'worker_job',
  properties: {
    jobId: p.uuid().primary(),
    attempt: p.integer().primary(),
    queue: p.text(),
    worker: p.bigint('number'),
    beatAt: millis().nullable(),
  },
});
export type WorkerJobEntity = InferEntity<typeof WorkerJobEntity>;
