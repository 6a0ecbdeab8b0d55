/**
 * The statements of memories by meaning. A search compares signs (a few bytes a memory, read from an index alone) and
 * hands the nearest on with their exact vectors; writers take the page's row before its vector, and that before its mark.
 */
import { BRAIN, both, EVERY_NS, NAMESPACES, type Statement } from './managed-sql.ts';

/** Vectors one search compares at most without a graph, the newest of each namespace; 10 000 take 6 ms of a core. */
export const MAX_SCAN = 10_000;
/** How many of the nearest by sign are ranked by their exact vectors. */
export const NEAREST = 100;

const COMPARED = 'v.seq, bit_count(v.bits # $7::varbit)::int AS distance';

/** What a search compares: `large` says that a brain holds more than all, `limit` how many then, of `graph` see there. */
export interface Compares {
  ctes: string;
  large: string;
  limit: string | number;
  graph: string;
}

/**
 * $6 space, $7 signs of the question, $8 pages found by words. Rows: the nearest and those pages, with the number, mean
 * and spread of the distances compared. A namespace's newest are taken where a brain holds more than is compared.
 */
export const near = (everything: boolean, { ctes, large, limit, graph }: Compares): string => `
WITH ${BRAIN}, ${NAMESPACES}, ${ctes} compared AS MATERIALIZED (
  ${
    everything
      ? `SELECT ${COMPARED} FROM b JOIN brain_vector v ON v.scope_id = b.scope_id
  WHERE NOT ${large} AND v.space = $6::int
  UNION ALL`
      : ''
  }
  (SELECT l.seq, l.distance FROM b CROSS JOIN LATERAL ${everything ? EVERY_NS : 'unnest((SELECT readable FROM ns))'} AS r (ns)
  CROSS JOIN LATERAL (
    SELECT ${COMPARED} FROM brain_vector v
    WHERE v.scope_id = b.scope_id AND v.ns = r.ns AND v.space = $6::int ORDER BY v.seq DESC LIMIT ${limit}
  ) l ${everything ? `WHERE ${large}` : ''} LIMIT ${limit})
), spread AS (
  SELECT count(*)::int AS compared, avg(distance)::float8 AS mean, stddev_samp(distance)::float8 AS deviation FROM compared
), chosen AS (
  (SELECT seq FROM compared ORDER BY distance, seq DESC LIMIT ${NEAREST}) UNION SELECT unnest($8::int[]) ${graph}
)
SELECT v.seq, bit_count(v.bits # $7::varbit)::int AS distance, v.exact, s.compared, s.mean, s.deviation
FROM spread s, b, chosen c JOIN brain_vector v ON v.scope_id = (SELECT scope_id FROM b) AND v.seq = c.seq
WHERE v.space = $6::int`;

const SCAN: Compares = { ctes: '', large: `(b.n > ${MAX_SCAN})`, limit: MAX_SCAN, graph: '' };
export const NEAR = both('brain_near', (everything) => near(everything, SCAN));

/** Takes what is due ($1 now) until $2, $3 at most. */
export const CLAIM: Statement = {
  name: 'brain_due_claim',
  text: `
WITH taken AS (
  UPDATE brain_due d SET due_at = $2::bigint
  FROM (SELECT scope_id, seq FROM brain_due WHERE due_at <= $1::bigint ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) t
  WHERE d.scope_id = t.scope_id AND d.seq = t.seq
  RETURNING d.scope_id, d.seq
)
SELECT p.scope_id, p.seq, p.content FROM taken JOIN brain_page p USING (scope_id, seq) ORDER BY p.scope_id, p.seq`,
};

/**
 * $1 scopes, $2 seqs, $3 texts, $4 spaces, $5 signs, $6 exact vectors, $7 until when they were taken. A page whose text
 * changed meanwhile keeps its mark, and gets the vector of its new text by it.
 */
export const LOCK_PAGES: Statement = {
  name: 'brain_vector_lock',
  text: `
SELECT p.scope_id, p.seq FROM brain_page p JOIN unnest($1::bigint[], $2::int[], $3::text[]) AS t (scope_id, seq, content)
  ON p.scope_id = t.scope_id AND p.seq = t.seq AND p.content = t.content
ORDER BY 1, 2 FOR KEY SHARE OF p`,
};
export const STORE: Statement = {
  name: 'brain_vector_store',
  text: `
INSERT INTO brain_vector (scope_id, seq, ns, space, bits, exact)
SELECT p.scope_id, p.seq, p.ns, t.space, t.bits::varbit, t.exact
FROM unnest($1::bigint[], $2::int[], $3::text[], $4::int[], $5::text[], $6::bytea[])
  AS t (scope_id, seq, content, space, bits, exact)
JOIN brain_page p ON p.scope_id = t.scope_id AND p.seq = t.seq AND p.content = t.content
ON CONFLICT (scope_id, seq) DO UPDATE SET space = excluded.space, bits = excluded.bits, exact = excluded.exact`,
};
export const DONE: Statement = {
  name: 'brain_due_done',
  text: `
DELETE FROM brain_due d USING unnest($1::bigint[], $2::int[]) AS t (scope_id, seq)
WHERE d.scope_id = t.scope_id AND d.seq = t.seq AND d.due_at = $3::bigint`,
};

/** Gives back ($3: when to try again) what was taken until $4. */
export const POSTPONE: Statement = {
  name: 'brain_due_postpone',
  text: `
UPDATE brain_due d SET due_at = $3::bigint FROM unnest($1::bigint[], $2::int[]) AS t (scope_id, seq)
WHERE d.scope_id = t.scope_id AND d.seq = t.seq AND d.due_at = $4::bigint`,
};

/** Marks the next $4 pages after ($1, $2) that have no vector of space $3; rows: the last page looked at. */
export const MARK: Statement = {
  name: 'brain_due_mark',
  text: `
WITH page AS MATERIALIZED (
  SELECT scope_id, seq FROM brain_page WHERE (scope_id, seq) > ($1::bigint, $2::int) ORDER BY scope_id, seq LIMIT $4
), marked AS (
  INSERT INTO brain_due (scope_id, seq, due_at)
  SELECT scope_id, seq, 0 FROM page p
  WHERE NOT EXISTS (
    SELECT 1 FROM brain_vector v WHERE v.scope_id = p.scope_id AND v.seq = p.seq AND v.space = $3::int
  )
  ON CONFLICT (scope_id, seq) DO NOTHING
)
SELECT scope_id, seq FROM page ORDER BY scope_id DESC, seq DESC LIMIT 1`,
};
