/** What a training job does to its row, each a single statement (docs/decisions/0002), and how far the latest one is. */
import { type Kysely, type NotNull, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';

/** A training that waits. No row where one of its avatar waits already. */
export const queueTraining = prepared(
  (tables, given: { id: string; avatarId: string; total: number; requestedAt: number }) =>
    tables
      .insertInto('training')
      .values({
        id: given.id,
        avatar_id: given.avatarId,
        status: sql.lit('queued'),
        total: given.total,
        requested_at: given.requestedAt,
      })
      // In the words of the index, so that PostgreSQL finds it by them.
      .onConflict((conflict) => conflict.column('avatar_id').where('status', '=', sql.lit('queued')).doNothing())
      .returning('id'),
);

/** No row where this owner has no such avatar; without a status before its first training. */
export const latestTraining = prepared((tables, given: { avatarId: string; ownerId: string }) =>
  tables
    .selectFrom('avatar as a')
    .leftJoin('training as t', 't.avatar_id', 'a.id')
    .select([
      'a.id as avatarId',
      't.status',
      't.done',
      't.total',
      't.passages',
      't.failures',
      't.error',
      't.requested_at as requestedAt',
      't.finished_at as finishedAt',
    ])
    .where('a.id', '=', given.avatarId)
    .where('a.owner_user_id', '=', given.ownerId)
    .orderBy('t.requested_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(1),
);

/** The latest of each avatar of this owner that has one. */
export const latestTrainings = prepared((tables, given: { avatarIds: string[]; ownerId: string }) =>
  tables
    .selectFrom('avatar as a')
    .innerJoin('training as t', 't.avatar_id', 'a.id')
    .distinctOn('a.id')
    .select(['a.id as avatarId', 't.status', 't.done', 't.total', 't.passages', 't.failures', 't.error'])
    .select(['t.requested_at as requestedAt', 't.finished_at as finishedAt'])
    .where('a.id', '=', sql<string>`any(${given.avatarIds}::text[])`)
    .where('a.owner_user_id', '=', given.ownerId)
    .orderBy('a.id')
    .orderBy('t.requested_at', 'desc')
    .orderBy('t.id', 'desc'),
);

/** Begins a training, or begins it anew, with what its avatar names now. No row where it has ended. */
export const claimTraining = prepared((tables, given: { id: string }) =>
  tables
    .updateTable('training as t')
    .from('avatar as a')
    .set({
      status: 'running',
      done: 0,
      failures: sql`'[]'::jsonb`,
      total: sql`jsonb_array_length(a.knowledge_base_urls)`,
    })
    .where('t.id', '=', given.id)
    .whereRef('a.id', '=', 't.avatar_id')
    .where('t.status', 'in', ['queued', 'running'])
    .returning([
      't.id',
      't.avatar_id as avatarId',
      'a.knowledge_base_urls as urls',
      'a.personality_prompt as personalityPrompt',
    ])
    .$narrowType<{ urls: NotNull }>(),
);

const running = (tables: Kysely<Tables>, given: { id: string }) =>
  tables.updateTable('training').where('id', '=', given.id).where('status', '=', 'running');

/** One more page was looked at. `failures` is JSON. */
export const showPage = prepared((tables, given: { id: string; failures: string }) =>
  running(tables, given).set({ done: sql`least(done + 1, total)`, failures: sql`${given.failures}::jsonb` }),
);

/** Ends a training in error. */
export const failTraining = prepared((tables, given: { id: string; error: string; finishedAt: number }) =>
  running(tables, given).set({ status: 'failed', error: given.error, finished_at: given.finishedAt }),
);
