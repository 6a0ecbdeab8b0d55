/**
 * The memories that wait for a vector: taken in batches, given their vectors, or given back. What is taken by a worker
 * that dies is due again when its time is over. It calls no model.
 */
import type { Sql } from './ports.ts';
import { pack, signs, type Vector } from './vectors.ts';
import { CLAIM, DONE, LOCK_PAGES, MARK, POSTPONE, STORE } from './vectors-sql.ts';

/** Pages looked at by one statement while a whole database is marked. */
const MARK_BATCH = 5_000;

/** A memory that waits. */
export interface Due {
  scope_id: string;
  seq: number;
  content: string;
}

/** Memories taken together, until a moment that also tells this taking from a later one (epoch milliseconds). */
export interface Taken {
  pages: Due[];
  untilMs: number;
}

/** Takes what waits, longest first. A text that changes meanwhile is due again. */
export async function takeDue(sql: Sql, nowMs: number, untilMs: number, count: number): Promise<Taken> {
  const { rows } = await sql.query({ ...CLAIM, values: [nowMs, untilMs, count] });
  return { pages: rows, untilMs };
}

const keys = (pages: readonly Due[]): unknown[] => [pages.map((page) => page.scope_id), pages.map(({ seq }) => seq)];

/** Keeps the vectors of pages, side by side. `sql` must be a transaction's client. */
export async function storeVectors(
  sql: Sql,
  pages: readonly Due[],
  vectors: readonly Vector[],
  untilMs: number,
): Promise<void> {
  const values = [...keys(pages), pages.map(({ content }) => content)];
  await sql.query({ ...LOCK_PAGES, values });
  await sql.query({
    ...STORE,
    values: [
      ...values,
      vectors.map(({ space }) => space),
      vectors.map(({ unit }) => signs(unit)),
      vectors.map(({ unit }) => pack(unit)),
    ],
  });
  await sql.query({ ...DONE, values: [...keys(pages), untilMs] });
}

/** Gives pages back, due at `againMs`. */
export async function giveBack(sql: Sql, pages: readonly Due[], againMs: number, untilMs: number): Promise<void> {
  await sql.query({ ...POSTPONE, values: [...keys(pages), againMs, untilMs] });
}

/**
 * Says which model is in use, null for none: from then on saves mark what they keep. Resolves with the space whose
 * vectors all memories have or wait for, null when that is not known.
 */
export async function useModel(sql: Sql, model: string | null): Promise<number | null> {
  if (model === null) {
    await sql.query({ text: 'DELETE FROM brain_embedding' });
    return null;
  }
  const { rows } = await sql.query({
    text: `INSERT INTO brain_embedding AS old (model) VALUES ($1)
      ON CONFLICT (only_one) DO UPDATE SET model = excluded.model,
        space = CASE WHEN old.model = excluded.model THEN old.space END
      RETURNING space`,
    values: [model],
  });
  return rows[0].space;
}

/** Marks every memory that has no vector of `space`, wherever it is, and notes that this was done. */
export async function markWithout(sql: Sql, space: number): Promise<void> {
  let after: { scope_id: string; seq: number } | undefined = { scope_id: '0', seq: 0 };
  while (after) {
    const { rows } = await sql.query({ ...MARK, values: [after.scope_id, after.seq, space, MARK_BATCH] });
    [after] = rows;
  }
  await sql.query({ text: 'UPDATE brain_embedding SET space = $1', values: [space] });
}
