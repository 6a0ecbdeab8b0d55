/**
 * Writing and reading single memories of the managed brain. By statements, not the ORM: each write is ONE that takes the
 * brain's row lock first, so it is atomic on a bare pool as well as inside a transaction, and writers cannot deadlock with
 * one another. As entities a save would be four round trips more, and its words many rows (50 cost 4.1 times as much:
 * docs/decisions/0002). An edit names the text it was made from and does nothing when that has changed meanwhile.
 */
import { type Expression, type Kysely, type QueryCreator, type Selectable, sql } from 'kysely';
import { prepared, type Tables } from '../../../../schema/entities/tables.ts';
import { unnest } from '../../../kernel/prepared.ts';

/** Words and how often each is met, side by side. */
interface Terms {
  terms: readonly number[];
  counts: readonly number[];
}

const termRows = ({ terms, counts }: Terms) =>
  unnest<{ term: number; tf: number }, 't'>('t', { term: ['integer', terms], tf: ['integer', counts] });

const ONE = sql.lit(1);

/** A memory with its index terms. */
export interface NewMemory extends Terms {
  avatarId: string;
  sandboxId: string;
  /** A fixed namespace; null for the slice of `speakerRef`. */
  ns: number | null;
  speakerRef: string | null;
  id: string;
  content: string;
  length: number;
  createdAt: number;
  savedBy: string | null;
}

const COUNTED = ['avatar_id', 'sandbox_id', 'n', 'total_len', 'next_seq'] as const;

/** Counts a memory in its brain, whose row is made where there is none and stays locked; the place that it gets there. */
const takePlace = (
  db: QueryCreator<Tables>,
  counts: Expression<Pick<Selectable<Tables['brain']>, (typeof COUNTED)[number]>>,
) =>
  db
    .insertInto('brain')
    .columns(COUNTED)
    .expression(counts)
    .onConflict((conflict) =>
      conflict.columns(['avatar_id', 'sandbox_id']).doUpdateSet(({ eb, ref }) => ({
        n: eb('brain.n', '+', ONE),
        total_len: eb('brain.total_len', '+', ref('excluded.total_len')),
        next_seq: eb('brain.next_seq', '+', ONE),
      })),
    )
    .returning(({ eb }) => ['scope_id', eb('next_seq', '-', ONE).as('seq')]);

/** What a brain is of its first memory. */
const ofOne = ({ avatarId, sandboxId, length }: NewMemory) =>
  [
    sql.val(avatarId).as('avatar_id'),
    sql.val(sandboxId).as('sandbox_id'),
    ONE.as('n'),
    sql<number>`${length}::int`.as('total_len'),
    ONE.as('next_seq'),
  ] as const;

/** Puts a memory with its index terms in the place `b`; a row where there is that. */
const putInPlace = (tables: QueryCreator<Tables & { b: { scope_id: number; seq: number } }>, given: NewMemory) =>
  tables
    .with('speaker', (db) =>
      db
        .insertInto('brain_speaker')
        .columns(['scope_id', 'speaker_ref', 'ns'])
        .expression(
          db
            .selectFrom('b')
            .select(({ val, eb }) => [
              'scope_id',
              val(given.speakerRef).as('speaker_ref'),
              eb('seq', '+', sql.lit(3)).as('ns'),
            ])
            .where(sql`${given.ns}::int`, 'is', null),
        )
        .onConflict((conflict) =>
          conflict.columns(['scope_id', 'speaker_ref']).doUpdateSet(({ ref }) => ({ ns: ref('brain_speaker.ns') })),
        )
        .returning('ns'),
    )
    .with('reserved', (db) =>
      db
        .selectFrom('b')
        .select(({ fn, selectFrom }) => [
          'scope_id',
          'seq',
          fn.coalesce(sql<number>`${given.ns}::int`, selectFrom('speaker').select('ns')).as('ns'),
        ]),
    )
    .with('entry', (db) =>
      db
        .insertInto('brain_entry')
        .columns(['scope_id', 'seq', 'id', 'ns', 'speaker_ref', 'content', 'len', 'created_at', 'saved_by'])
        .expression(
          db
            .selectFrom('reserved')
            .select(({ val }) => [
              'scope_id',
              'seq',
              val(given.id).as('id'),
              'ns',
              val(given.speakerRef).as('speaker_ref'),
              val(given.content).as('content'),
              val(given.length).as('len'),
              val(given.createdAt).as('created_at'),
              val(given.savedBy).as('saved_by'),
            ]),
        ),
    )
    // A row of `brain_embedding` says that a model is in use, which is to give it a vector.
    .with('due', (db) =>
      db
        .insertInto('brain_due')
        .columns(['scope_id', 'seq', 'due_at'])
        .expression(
          db
            .selectFrom(['reserved', 'brain_embedding'])
            .select(({ val }) => ['reserved.scope_id', 'reserved.seq', val(given.createdAt).as('due_at')]),
        ),
    )
    .with('words', (db) =>
      db
        .insertInto('brain_term')
        .columns(['scope_id', 'term', 'ns', 'seq', 'tf', 'len'])
        .expression((eb) =>
          eb
            .selectFrom(['reserved', termRows(given)])
            .select(({ val }) => ['scope_id', 't.term', 'ns', 'seq', 't.tf', val(given.length).as('len')]),
        ),
    )
    .selectFrom('b')
    .select('scope_id');

/** Stores a memory with its index terms. */
export const saveMemory = prepared((tables, given: NewMemory) =>
  putInPlace(
    tables.with('b', (db) => takePlace(db, db.selectNoFrom(ofOne(given)))),
    given,
  ),
);

/**
 * The same with all that must hold, as a transaction of its own: the avatar is held, and the quota of who saves it looked at
 * under the lock that counting takes as well. No row where there is no avatar, a division by zero where the account has nothing
 * counted yet or is full: then nothing is stored.
 */
export const saveMemoryAlone = prepared((tables, given: NewMemory & { limit: number }) =>
  putInPlace(
    tables
      .with('held', (db) => db.selectFrom('avatar').select('id').where('id', '=', given.avatarId).forShare())
      .with('taken', (db) => takePlace(db, db.selectFrom('held').select(ofOne(given))))
      // Behind the brain's lock, in the order of all others.
      .with('room', (db) =>
        db
          .selectFrom(['taken', 'account_usage as u'])
          .select('u.used')
          .where('u.user_id', '=', given.savedBy)
          .where('u.kind', '=', sql.lit('memories'))
          .where('u.used', '<', given.limit)
          .forUpdate('u'),
      )
      .with('b', (db) =>
        db.selectFrom('taken').select(({ eb, selectFrom }) => [
          'scope_id',
          eb(
            'seq',
            '/',
            selectFrom('room').select(({ fn }) => fn.countAll<number>().as('n')),
          ).as('seq'),
        ]),
      ),
    given,
  ),
);

/** Forgets a sandbox. The cascades take all of it; a save that waits for the lock starts an empty brain. */
export const deleteSandbox = prepared((tables, given: { avatarId: string; sandboxId: string }) =>
  tables
    .deleteFrom('brain')
    .where('avatar_id', '=', given.avatarId)
    .where('sandbox_id', '=', given.sandboxId)
    .where('sandbox_id', '<>', sql.lit(''))
    .returning('n'),
);

/** What every reading statement has of a memory. */
const ENTRY_COLUMNS = ['p.seq', 'p.id', 'p.ns', 'p.speaker_ref', 'p.source', 'p.content', 'p.created_at'] as const;

/** A memory of an avatar by its id, whichever brain (main or sandbox) it is in. */
export const entryOf = prepared((tables, given: { avatarId: string; id: string }) =>
  tables
    .selectFrom('brain_entry as p')
    .innerJoin('brain as b', 'b.scope_id', 'p.scope_id')
    .select(['b.sandbox_id', ...ENTRY_COLUMNS])
    .where('p.id', '=', given.id)
    .where('b.avatar_id', '=', given.avatarId),
);

/** The row lock of the brain that holds a memory of an avatar, as `b`. */
const lockedBrain = (db: Kysely<Tables>, { avatarId, id }: { avatarId: string; id: string }) =>
  db
    .selectFrom('brain')
    .select('scope_id')
    .where('avatar_id', '=', avatarId)
    .where('scope_id', '=', ({ selectFrom }) => selectFrom('brain_entry').select('scope_id').where('id', '=', id))
    .forUpdate();

interface Edit extends Terms {
  avatarId: string;
  id: string;
  /** The text that is edited. */
  before: string;
  content: string;
  length: number;
  /** Hashes of the words that the new text has no more. */
  gone: readonly number[];
}

/** No row where the text has changed meanwhile. */
export const editMemory = prepared((tables, given: Edit) =>
  tables
    .with(
      (cte) => cte('b').materialized(),
      () => lockedBrain(tables, given),
    )
    .with('entry', (db) =>
      db
        .updateTable('brain_entry as p')
        .from(['b', 'brain_entry as was'])
        .set({ content: given.content, len: given.length })
        .whereRef('p.scope_id', '=', 'b.scope_id')
        .where('p.id', '=', given.id)
        .where('p.content', '=', given.before)
        .whereRef('was.id', '=', 'p.id')
        .returning(['p.scope_id', 'p.ns', 'p.seq', sql<number>`${given.length}::int - was.len`.as('longer')]),
    )
    .with('gone', (db) =>
      db
        .deleteFrom('brain_term as t')
        .using('entry')
        .whereRef('t.scope_id', '=', 'entry.scope_id')
        .where('t.term', '=', sql<number>`any(${given.gone}::int[])`)
        .whereRef('t.ns', '=', 'entry.ns')
        .whereRef('t.seq', '=', 'entry.seq'),
    )
    .with('there', (db) =>
      db
        .insertInto('brain_term')
        .columns(['scope_id', 'term', 'ns', 'seq', 'tf', 'len'])
        .expression(
          db
            .selectFrom(['entry', termRows(given)])
            .select(({ val }) => ['scope_id', 't.term', 'ns', 'seq', 't.tf', val(given.length).as('len')]),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['scope_id', 'term', 'ns', 'seq'])
            .doUpdateSet(({ ref }) => ({ tf: ref('excluded.tf'), len: ref('excluded.len') })),
        ),
    )
    .with('meaning', (db) =>
      db
        .deleteFrom('brain_vector as v')
        .using('entry')
        .whereRef('v.scope_id', '=', 'entry.scope_id')
        .whereRef('v.seq', '=', 'entry.seq')
        .returning('v.seq'),
    )
    .with('due', (db) =>
      db
        .insertInto('brain_due')
        .columns(['scope_id', 'seq', 'due_at'])
        .expression(
          db
            .selectFrom('entry')
            .select(['scope_id', 'seq', sql.lit(0).as('due_at')])
            .where(({ or, exists, selectFrom }) =>
              or([
                exists(selectFrom('meaning').select('meaning.seq')),
                exists(selectFrom('brain_embedding').select('model')),
              ]),
            ),
        )
        .onConflict((conflict) => conflict.columns(['scope_id', 'seq']).doUpdateSet({ due_at: sql.lit(0) })),
    )
    .updateTable('brain')
    .from('entry')
    .set(({ eb, ref }) => ({ total_len: eb('brain.total_len', '+', ref('entry.longer')) }))
    .whereRef('brain.scope_id', '=', 'entry.scope_id')
    .returning('brain.scope_id'),
);

/** No row where the text has changed meanwhile. */
export const deleteMemory = prepared(
  (tables, given: { avatarId: string; id: string; content: string; terms: readonly number[] }) =>
    tables
      .with(
        (cte) => cte('b').materialized(),
        () => lockedBrain(tables, given),
      )
      .with('entry', (db) =>
        db
          .deleteFrom('brain_entry as p')
          .using('b')
          .whereRef('p.scope_id', '=', 'b.scope_id')
          .where('p.id', '=', given.id)
          .where('p.content', '=', given.content)
          .returning(['p.scope_id', 'p.ns', 'p.seq', 'p.len']),
      )
      .with('gone', (db) =>
        db
          .deleteFrom('brain_term as t')
          .using('entry')
          .whereRef('t.scope_id', '=', 'entry.scope_id')
          .where('t.term', '=', sql<number>`any(${given.terms}::int[])`)
          .whereRef('t.ns', '=', 'entry.ns')
          .whereRef('t.seq', '=', 'entry.seq'),
      )
      .updateTable('brain')
      .from('entry')
      .set(({ eb, ref }) => ({
        n: eb('brain.n', '-', ONE),
        total_len: eb('brain.total_len', '-', ref('entry.len')),
      }))
      .whereRef('brain.scope_id', '=', 'entry.scope_id')
      .returning('brain.scope_id'),
);
