/**
 * The queue of memories that wait for a vector. Not the ORM's: several workers take from it at once and a text may change
 * meanwhile, so each step is a statement that looks and writes, of a whole batch, where entities would be a row at a time.
 * Writers take the entry's row before its vector, and that before its mark.
 */
import { sql } from 'kysely';
import { prepared } from '../../../../schema/entities/tables.ts';
import { unnest } from '../../../kernel/prepared.ts';

/** Takes what is due until a moment, longest first. */
export const takeDueEntries = prepared((tables, given: { nowMs: number; untilMs: number; count: number }) =>
  tables
    .with('taken', (db) =>
      db
        .updateTable('brain_due as d')
        .from(
          db
            .selectFrom('brain_due')
            .select(['scope_id', 'seq'])
            .where('due_at', '<=', given.nowMs)
            .orderBy('due_at')
            .limit(given.count)
            .forUpdate()
            .skipLocked()
            .as('t'),
        )
        .set({ due_at: given.untilMs })
        .whereRef('d.scope_id', '=', 't.scope_id')
        .whereRef('d.seq', '=', 't.seq')
        .returning(['d.scope_id', 'd.seq']),
    )
    .selectFrom('taken')
    .innerJoin('brain_entry as p', (join) =>
      join.onRef('p.scope_id', '=', 'taken.scope_id').onRef('p.seq', '=', 'taken.seq'),
    )
    .select(['p.scope_id', 'p.seq', 'p.content'])
    .orderBy('p.scope_id')
    .orderBy('p.seq'),
);

/** Entries and the texts they were taken with, side by side. */
interface Entries {
  scopes: readonly number[];
  seqs: readonly number[];
  texts: readonly string[];
}

/** So that they keep these texts to the end of the transaction. Always in the same order. */
export const lockEntries = prepared((tables, given: Entries) =>
  tables
    .selectFrom('brain_entry as p')
    .innerJoin(
      unnest<{ scope_id: number; seq: number; content: string }, 't'>('t', {
        scope_id: ['bigint', given.scopes],
        seq: ['integer', given.seqs],
        content: ['text', given.texts],
      }),
      (join) =>
        join.onRef('p.scope_id', '=', 't.scope_id').onRef('p.seq', '=', 't.seq').onRef('p.content', '=', 't.content'),
    )
    .select(['p.scope_id', 'p.seq'])
    .orderBy('p.scope_id')
    .orderBy('p.seq')
    .forKeyShare('p'),
);

interface Vectors extends Entries {
  spaces: readonly number[];
  /** As bits, in text. */
  signs: readonly string[];
  exact: readonly Buffer[];
}

/** An entry whose text changed meanwhile gets none: it keeps its mark, and gets the vector of its new text by it. */
export const putVectors = prepared((tables, given: Vectors) =>
  tables
    .insertInto('brain_vector')
    .columns(['scope_id', 'seq', 'ns', 'space', 'bits', 'exact'])
    .expression(
      tables
        .selectFrom(
          unnest<{ scope_id: number; seq: number; content: string; space: number; bits: string; exact: Buffer }, 't'>(
            't',
            {
              scope_id: ['bigint', given.scopes],
              seq: ['integer', given.seqs],
              content: ['text', given.texts],
              space: ['integer', given.spaces],
              bits: ['text', given.signs],
              exact: ['bytea', given.exact],
            },
          ),
        )
        .innerJoin('brain_entry as p', (join) =>
          join.onRef('p.scope_id', '=', 't.scope_id').onRef('p.seq', '=', 't.seq').onRef('p.content', '=', 't.content'),
        )
        .select(['p.scope_id', 'p.seq', 'p.ns', 't.space', sql<string>`t.bits::varbit`.as('bits'), 't.exact']),
    )
    .onConflict((conflict) =>
      conflict.columns(['scope_id', 'seq']).doUpdateSet(({ ref }) => ({
        space: ref('excluded.space'),
        bits: ref('excluded.bits'),
        exact: ref('excluded.exact'),
      })),
    ),
);

interface Marks extends Omit<Entries, 'texts'> {
  /** Until when they were taken: what is due anew meanwhile stays so. */
  untilMs: number;
}

const markRows = ({ scopes, seqs }: Marks) =>
  unnest<{ scope_id: number; seq: number }, 't'>('t', { scope_id: ['bigint', scopes], seq: ['integer', seqs] });

/** Takes entries off the list of those that wait for a vector. */
export const dropMarks = prepared((tables, given: Marks) =>
  tables
    .deleteFrom('brain_due as d')
    .using(markRows(given))
    .whereRef('d.scope_id', '=', 't.scope_id')
    .whereRef('d.seq', '=', 't.seq')
    .where('d.due_at', '=', given.untilMs),
);

/** Lets entries wait longer for their vector. */
export const postponeMarks = prepared((tables, given: Marks & { againMs: number }) =>
  tables
    .updateTable('brain_due as d')
    .from(markRows(given))
    .set({ due_at: given.againMs })
    .whereRef('d.scope_id', '=', 't.scope_id')
    .whereRef('d.seq', '=', 't.seq')
    .where('d.due_at', '=', given.untilMs),
);

interface MarkFrom {
  scopeId: number;
  seq: number;
  space: number;
  count: number;
}

/** Marks the next entries behind one that have no vector of a space; the last entry looked at. */
export const markEntries = prepared((tables, given: MarkFrom) =>
  tables
    .with(
      (cte) => cte('entry').materialized(),
      (db) =>
        db
          .selectFrom('brain_entry')
          .select(['scope_id', 'seq'])
          .where(sql<boolean>`(scope_id, seq) > (${given.scopeId}::bigint, ${given.seq}::int)`)
          .orderBy('scope_id')
          .orderBy('seq')
          .limit(given.count),
    )
    .with('marked', (db) =>
      db
        .insertInto('brain_due')
        .columns(['scope_id', 'seq', 'due_at'])
        .expression(
          db
            .selectFrom('entry as p')
            .select(['p.scope_id', 'p.seq', sql.lit(0).as('due_at')])
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('brain_vector as v')
                    .select('v.seq')
                    .whereRef('v.scope_id', '=', 'p.scope_id')
                    .whereRef('v.seq', '=', 'p.seq')
                    .where('v.space', '=', given.space),
                ),
              ),
            ),
        )
        .onConflict((conflict) => conflict.columns(['scope_id', 'seq']).doNothing()),
    )
    .selectFrom('entry')
    .select(['scope_id', 'seq'])
    .orderBy('scope_id', 'desc')
    .orderBy('seq', 'desc')
    .limit(sql.lit(1)),
);

/** No model: saves mark nothing. */
export const forgetModel = prepared((tables, _given: object) => tables.deleteFrom('brain_embedding'));

/** Another model than before has no space that all memories have. */
export const noteModel = prepared((tables, given: { model: string }) =>
  tables
    .insertInto('brain_embedding')
    .values({ model: given.model })
    .onConflict((conflict) =>
      conflict.column('only_one').doUpdateSet(({ eb, ref }) => ({
        model: ref('excluded.model'),
        space: eb
          .case()
          .when('brain_embedding.model', '=', ref('excluded.model'))
          .then(ref('brain_embedding.space'))
          .end(),
      })),
    )
    .returning('space'),
);

/** All memories have a vector of this space, or wait for it. */
export const noteSpace = prepared((tables, given: { space: number }) =>
  tables.updateTable('brain_embedding').set({ space: given.space }),
);
