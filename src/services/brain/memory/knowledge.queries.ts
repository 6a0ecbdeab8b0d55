/**
 * What an avatar learnt by training: read by page, replaced, and forgotten by page. Not the ORM's: a writer locks its brain
 * by one statement, so that the next sees all that was committed before, and writes all passages with their words by one, where
 * entities would be a row for each word of each page. Passages are read for each reply (two queries by hand take 85 µs, as
 * entities 678), and what counts by page is one row a page.
 */
import { type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../../schema/entities/tables.ts';
import type { Keyset } from '../../../kernel/keyset.ts';
import { bothOrders, unnest, unplannedLimit } from '../../../kernel/prepared.ts';
import { BEHIND_EVERY_SEQ } from './recall.queries.ts';

/** Makes sure the avatar's own brain exists, and takes its row lock. */
export const lockBrain = prepared((tables, given: { avatarId: string }) =>
  tables
    .insertInto('brain')
    .values({ avatar_id: given.avatarId, sandbox_id: sql.lit('') })
    .onConflict((conflict) =>
      conflict.columns(['avatar_id', 'sandbox_id']).doUpdateSet(({ ref }) => ({ n: ref('brain.n') })),
    )
    .returning('scope_id'),
);

interface Knowledge {
  scopeId: number;
  ids: readonly string[];
  texts: readonly string[];
  sources: readonly (string | null)[];
  lengths: readonly number[];
  createdAt: number;
  /** Of each word the index of its passage, itself, and how often it is met there. */
  passageOf: readonly number[];
  terms: readonly number[];
  counts: readonly number[];
}

/** The namespace of knowledge. */
const KNOWLEDGE = sql.lit(2);

/** Stores the passages of a page. */
export const putKnowledge = prepared((tables, given: Knowledge) => {
  const count = sql<number>`cardinality(${given.ids}::text[])`;
  return tables
    .with('gone', (db) =>
      db.deleteFrom('brain_entry').where('scope_id', '=', given.scopeId).where('ns', '=', KNOWLEDGE).returning('len'),
    )
    .with('gone_terms', (db) =>
      db.deleteFrom('brain_term').where('scope_id', '=', given.scopeId).where('ns', '=', KNOWLEDGE),
    )
    .with('b', (db) =>
      db
        .updateTable('brain')
        .set(({ eb }) => ({
          next_seq: eb('next_seq', '+', count),
          n: sql<number>`n + ${count} - (select count(*) from gone)`,
          total_len: sql<number>`total_len + (select coalesce(sum(l), 0) from unnest(${given.lengths}::int[]) as l)
            - (select coalesce(sum(len), 0) from gone)`,
        }))
        .where('scope_id', '=', given.scopeId)
        .returning(['scope_id', sql<number>`next_seq - ${count}`.as('base')]),
    )
    .with('page', (db) =>
      db
        .insertInto('brain_entry')
        .columns(['scope_id', 'seq', 'id', 'ns', 'source', 'content', 'len', 'created_at'])
        .expression(
          db
            .selectFrom([
              'b',
              sql<{
                id: string;
                content: string;
                source: string | null;
                len: number;
                ord: number;
              }>`unnest(${given.ids}::text[],
                ${given.texts}::text[], ${given.sources}::text[], ${given.lengths}::int[]) with ordinality`.as<'p'>(
                sql`p(id, content, source, len, ord)`,
              ),
            ])
            .select(({ val }) => [
              'b.scope_id',
              sql<number>`b.base + p.ord - 1`.as('seq'),
              'p.id',
              KNOWLEDGE.as('ns'),
              'p.source',
              'p.content',
              'p.len',
              val(given.createdAt).as('created_at'),
            ]),
        ),
    )
    .with('due', (db) =>
      db
        .insertInto('brain_due')
        .columns(['scope_id', 'seq', 'due_at'])
        .expression(
          db
            .selectFrom([
              'b',
              'brain_embedding',
              sql<{ i: number }>`generate_series(0, ${count} - 1)`.as<'passage'>(sql`passage(i)`),
            ])
            .select(({ val }) => [
              'b.scope_id',
              sql<number>`b.base + passage.i`.as('seq'),
              val(given.createdAt).as('due_at'),
            ]),
        ),
    )
    .insertInto('brain_term')
    .columns(['scope_id', 'term', 'ns', 'seq', 'tf', 'len'])
    .expression((eb) =>
      eb
        .selectFrom([
          'b',
          unnest<{ i: number; term: number; tf: number }, 't'>('t', {
            i: ['integer', given.passageOf],
            term: ['integer', given.terms],
            tf: ['integer', given.counts],
          }),
        ])
        .select([
          'b.scope_id',
          't.term',
          KNOWLEDGE.as('ns'),
          sql<number>`b.base + t.i`.as('seq'),
          't.tf',
          sql<number>`(${given.lengths}::int[])[t.i + 1]`.as('len'),
        ]),
    );
});

/** What an avatar learnt, as `p`. */
const learnt = (tables: Kysely<Tables>, { avatarId }: { avatarId: string }) =>
  tables
    .selectFrom('brain_entry as p')
    // One value, not a join: so the order of the key is that of the list.
    .where('p.scope_id', '=', (of) =>
      of.selectFrom('brain').select('scope_id').where('avatar_id', '=', avatarId).where('sandbox_id', '=', sql.lit('')),
    )
    .where('p.ns', '=', KNOWLEDGE);

/** How much an avatar learnt of each page, in the order in which they were read; of its personality without a source. */
export const knowledgeSources = prepared((tables, given: { avatarId: string }) =>
  learnt(tables, given)
    .select(['p.source', sql<number>`count(*)::int`.as('passages'), sql<number>`max(p.created_at)`.as('learnedAt')])
    .groupBy('p.source')
    .orderBy(sql`min(p.seq)`),
);

interface KnowledgeSearch extends Keyset {
  avatarId: string;
  /** Of one page. */
  source: string | null;
  /** With these letters in them, in any case. */
  search: string | null;
}

/** Passages of pages in the order of their `seq`, between two of them. */
export const knowledgePassages = bothOrders((way) =>
  prepared((tables, given: KnowledgeSearch) =>
    learnt(tables, given)
      .select(['p.seq', 'p.id', 'p.content', 'p.source', 'p.created_at as createdAt'])
      .where('p.source', 'is not', null)
      .where(sql<boolean>`(${given.source}::text is null or p.source = ${given.source}::text)`)
      .where(
        sql<boolean>`(${given.search}::text is null or strpos(lower(p.content), lower(${given.search}::text)) > 0)`,
      )
      .where(
        sql<boolean>`p.seq > coalesce(${given.above}::int, -1)
          and p.seq < coalesce(${given.below}::int, ${sql.lit(BEHIND_EVERY_SEQ)})`,
      )
      .orderBy('p.seq', way)
      .limit(unplannedLimit(given.limit)),
  ),
);

/** Forgets what was learnt of a page, with its words; how many passages that were. The brain is locked. */
export const forgetSource = prepared((tables, given: { scopeId: number; source: string }) =>
  tables
    .with('gone', (db) =>
      db
        .deleteFrom('brain_entry')
        .where('scope_id', '=', given.scopeId)
        .where('ns', '=', KNOWLEDGE)
        .where('source', '=', given.source)
        .returning(['seq', 'len']),
    )
    .with('gone_terms', (db) =>
      db
        .deleteFrom('brain_term')
        .where('scope_id', '=', given.scopeId)
        .where('ns', '=', KNOWLEDGE)
        .where('seq', 'in', ({ selectFrom }) => selectFrom('gone').select('gone.seq')),
    )
    .updateTable('brain')
    .set({
      n: sql<number>`n - (select count(*) from gone)`,
      total_len: sql<number>`total_len - (select coalesce(sum(len), 0) from gone)`,
    })
    .where('scope_id', '=', given.scopeId)
    .returning(sql<number>`(select count(*)::int from gone)`.as('passages')),
);
