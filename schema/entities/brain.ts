import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, millis } from './columns.ts';
import { InjectionEntity } from './turns.ts';

export const BrainEntity = defineEntity({
  name: 'BrainEntity',
  tableName: 'brain',
  properties: {
    scopeId: p.bigint('number').primary().autoincrement().generated('identity'),
    avatarId: p.text(),
    sandboxId: p.text().default(''),
    n: p.integer().default(0),
    totalLen: p.bigint('number').defaultRaw('0'),
    nextSeq: p.integer().default(0),
  },
  uniques: [{ properties: ['avatarId', 'sandboxId'] }],
  checks: [
    { name: 'brain_n_check', expression: 'n >= 0' },
    { name: 'brain_total_len_check', expression: 'total_len >= 0' },
  ],
});
export type BrainEntity = InferEntity<typeof BrainEntity>;

export const BrainSpeakerEntity = defineEntity({
  name: 'BrainSpeakerEntity',
  tableName: 'brain_speaker',
  properties: {
    brain: belongsTo(BrainEntity, 'scope_id').deleteRule('cascade').primary(),
    speakerRef: p.text().collation('C').primary(),
    ns: p.integer(),
  },
  uniques: [{ properties: ['brain', 'ns'] }],
  checks: [{ name: 'brain_speaker_ns_check', expression: 'ns >= 3' }],
});
export type BrainSpeakerEntity = InferEntity<typeof BrainSpeakerEntity>;

export const BrainEntryEntity = defineEntity({
  name: 'BrainEntryEntity',
  tableName: 'brain_entry',
  properties: {
    brain: belongsTo(BrainEntity, 'scope_id').deleteRule('cascade').primary(),
    seq: p.integer().primary(),
    id: p.text().unique(),
    ns: p.integer(),
    speakerRef: p.text().nullable(),
    source: p.text().nullable(),
    content: p.text(),
    len: p.smallint(),
    createdAt: millis(),
    savedBy: p.text().nullable(),
  },
  indexes: [
    { name: 'brain_entry_learnt', properties: ['brain', 'seq'], where: 'ns = 2' },
    { name: 'brain_entry_saved_by', properties: ['savedBy', 'id'] },
  ],
});
export type BrainEntryEntity = InferEntity<typeof BrainEntryEntity>;

export const BrainTermEntity = defineEntity({
  name: 'BrainTermEntity',
  tableName: 'brain_term',
  properties: {
    // Of a brain, with which it goes: by a trigger, because a foreign key is looked up for each word that is saved.
    scopeId: p.bigint('number').primary(),
    term: p.integer().primary(),
    ns: p.integer().primary(),
    seq: p.integer().primary(),
    tf: p.smallint(),
    len: p.smallint(),
  },
});
export type BrainTermEntity = InferEntity<typeof BrainTermEntity>;

export const BrainExternalEntity = defineEntity({
  name: 'BrainExternalEntity',
  tableName: 'brain_external',
  properties: {
    avatarId: p.text().primary(),
    system: p.text().primary(),
    externalId: p.text().primary(),
    id: p.text(),
    sandboxId: p.text().default(''),
    namespace: p.enum(['public', 'private', 'speaker']),
    speakerRef: p.text().collation('C').nullable(),
    createdAt: millis(),
    savedBy: p.text().nullable(),
  },
  indexes: [
    { name: 'brain_external_id', properties: ['avatarId', 'id'] },
    { name: 'brain_external_saved_by', properties: ['savedBy', 'id'] },
    { name: 'brain_external_scope', properties: ['avatarId', 'sandboxId', 'system', 'createdAt'] },
  ],
  checks: [{ name: 'brain_external_check', expression: "(namespace = 'speaker'::text) = (speaker_ref IS NOT NULL)" }],
});
export type BrainExternalEntity = InferEntity<typeof BrainExternalEntity>;

export const BrainEmbeddingEntity = defineEntity({
  name: 'BrainEmbeddingEntity',
  tableName: 'brain_embedding',
  properties: {
    onlyOne: p.boolean().primary().default(true),
    model: p.text(),
    space: p.integer().nullable(),
  },
  checks: [{ name: 'brain_embedding_only_one_check', expression: 'only_one' }],
});
export type BrainEmbeddingEntity = InferEntity<typeof BrainEmbeddingEntity>;

export const BrainDueEntity = defineEntity({
  name: 'BrainDueEntity',
  tableName: 'brain_due',
  properties: {
    entry: p
      .manyToOne(BrainEntryEntity)
      .joinColumns('scope_id', 'seq')
      .primary()
      .deleteRule('cascade')
      .updateRule('no action')
      .ref(),
    dueAt: millis(),
  },
  indexes: [{ name: 'brain_due_at', properties: ['dueAt'] }],
});
export type BrainDueEntity = InferEntity<typeof BrainDueEntity>;

export const BrainVectorEntity = defineEntity({
  name: 'BrainVectorEntity',
  tableName: 'brain_vector',
  properties: {
    entry: p
      .manyToOne(BrainEntryEntity)
      .joinColumns('scope_id', 'seq')
      .primary()
      .deleteRule('cascade')
      .updateRule('no action')
      .ref(),
    ns: p.integer(),
    space: p.integer(),
    bits: p.string().columnType('varbit'),
    exact: p.blob(),
  },
  indexes: [
    {
      name: 'brain_vector_scan',
      expression: 'create index brain_vector_scan on brain_vector (scope_id, ns, seq) include (space, bits)',
    },
  ],
});
export type BrainVectorEntity = InferEntity<typeof BrainVectorEntity>;

export const PendingMemoryEntity = defineEntity({
  name: 'PendingMemoryEntity',
  tableName: 'pending_memory',
  properties: {
    injection: belongsTo(InjectionEntity, 'injection_id').deleteRule('cascade').primary(),
    avatarId: p.text(),
    speakerRef: p.text().collation('C'),
    statedAt: millis(),
    attempts: p.integer().default(0),
    dueAt: millis(),
  },
  indexes: [
    { name: 'pending_memory_due', properties: ['dueAt'] },
    { name: 'pending_memory_order', properties: ['avatarId', 'speakerRef', 'statedAt', 'injection'] },
  ],
});
export type PendingMemoryEntity = InferEntity<typeof PendingMemoryEntity>;
