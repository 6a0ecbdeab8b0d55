/**
 * The memories that wait for a vector: taken in batches, given their vectors, or requeued. What is taken by a worker
 * that dies is due again when its time is over. It calls no model.
 */
import {
  dropMarks,
  forgetModel,
  lockEntries,
  markEntries,
  noteModel,
  noteSpace,
  postponeMarks,
  putVectors,
  takeDueEntries,
} from './embedding.queries.ts';
import type { Sql } from './memory-system.port.ts';
import { pack, signs, type Vector } from './vector.codec.ts';

/** Entries looked at by one statement while a whole database is marked. */
const MARK_BATCH = 5_000;

/** A memory that waits. */
export interface Due {
  scope_id: number;
  seq: number;
  content: string;
}

/** Memories taken together, until a moment that also identifies this taking (epoch milliseconds). */
export interface Taken {
  entries: Due[];
  untilMs: number;
}

/** Takes what waits, longest first. A text that changes meanwhile is due again. */
export async function takeDue(sql: Sql, nowMs: number, untilMs: number, count: number): Promise<Taken> {
  return { entries: await takeDueEntries(sql, { nowMs, untilMs, count }), untilMs };
}

const keys = (entries: readonly Due[]) => ({
  scopes: entries.map((entry) => entry.scope_id),
  seqs: entries.map(({ seq }) => seq),
});

/** Keeps the vectors of entries, side by side. `sql` must be a transaction's client. */
export async function storeVectors(
  sql: Sql,
  entries: readonly Due[],
  vectors: readonly Vector[],
  untilMs: number,
): Promise<void> {
  const taken = { ...keys(entries), texts: entries.map(({ content }) => content) };
  await lockEntries(sql, taken);
  await putVectors(sql, {
    ...taken,
    spaces: vectors.map(({ space }) => space),
    signs: vectors.map(({ unit }) => signs(unit)),
    exact: vectors.map(({ unit }) => pack(unit)),
  });
  await dropMarks(sql, { ...keys(entries), untilMs });
}

/** Requeues entries, due at `againMs`. */
export async function requeueDue(sql: Sql, entries: readonly Due[], againMs: number, untilMs: number): Promise<void> {
  await postponeMarks(sql, { ...keys(entries), againMs, untilMs });
}

/**
 * Says which model is in use, null for none: from then on saves mark what they keep. Resolves with the space whose
 * vectors all memories have or wait for, null when that is not known.
 */
export async function useModel(sql: Sql, model: string | null): Promise<number | null> {
  if (model === null) {
    await forgetModel(sql, {});
    return null;
  }
  const [noted] = await noteModel(sql, { model });
  return noted?.space ?? null;
}

/** Marks every memory that has no vector of `space`, wherever it is, and notes that this was done. */
export async function markWithout(sql: Sql, space: number): Promise<void> {
  let after: { scope_id: number; seq: number } | undefined = { scope_id: 0, seq: 0 };
  while (after) {
    const from: { scopeId: number; seq: number } = { scopeId: after.scope_id, seq: after.seq };
    [after] = await markEntries(sql, { ...from, space, count: MARK_BATCH });
  }
  await noteSpace(sql, { space });
}
