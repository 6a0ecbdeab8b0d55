/**
 * The statements behind `pages.ts`. Writers lock the brain's row before a page's, as saves do, so they cannot deadlock
 * with one another; an edit names the text it was made from and does nothing when that has changed meanwhile.
 */
import { BRAIN, both, NAMESPACES, SOME, type Statement } from './managed-sql.ts';

/** $6 seq to continue before, or null; $7 how many. */
export const LIST = both(
  'brain_list',
  (everything) => `
WITH ${BRAIN}, ${NAMESPACES}
SELECT p.seq, p.id, p.ns, p.speaker_ref, p.source, p.content, p.created_at
FROM b JOIN brain_page p ON p.scope_id = b.scope_id
WHERE ($6::int IS NULL OR p.seq < $6::int) ${everything ? '' : SOME('p.ns')}
ORDER BY p.seq DESC LIMIT $7::int`,
);

/** $1 avatar, $2 id. */
export const OWN_PAGE: Statement = {
  name: 'brain_own_page',
  text: `
SELECT b.sandbox_id, p.seq, p.id, p.ns, p.speaker_ref, p.source, p.content, p.created_at
FROM brain_page p JOIN brain b USING (scope_id) WHERE p.id = $2 AND b.avatar_id = $1`,
};

/** Takes the row lock of the brain that holds page $2 of avatar $1. */
const LOCK_BY_PAGE = `
b AS MATERIALIZED (
  SELECT scope_id FROM brain
  WHERE avatar_id = $1 AND scope_id = (SELECT scope_id FROM brain_page WHERE id = $2) FOR UPDATE
)`;

/** $3 old content, $4 new content, $5 new length, $6 terms that go, $7 and $8 terms and counts that are there now. */
export const UPDATE: Statement = {
  name: 'brain_update',
  text: `
WITH ${LOCK_BY_PAGE}, page AS (
  UPDATE brain_page p SET content = $4, len = $5::int FROM b, brain_page was
  WHERE p.scope_id = b.scope_id AND p.id = $2 AND p.content = $3 AND was.id = p.id
  RETURNING p.scope_id, p.ns, p.seq, $5::int - was.len AS longer
), gone AS (
  DELETE FROM brain_term t USING page
  WHERE t.scope_id = page.scope_id AND t.term = ANY ($6::int[]) AND t.ns = page.ns AND t.seq = page.seq
), there AS (
  INSERT INTO brain_term AS t (scope_id, term, ns, seq, tf, len)
  SELECT page.scope_id, n.term, page.ns, page.seq, n.tf, $5::int FROM page, unnest($7::int[], $8::int[]) AS n (term, tf)
  ON CONFLICT (scope_id, term, ns, seq) DO UPDATE SET tf = excluded.tf, len = excluded.len
), meaning AS (
  DELETE FROM brain_vector v USING page WHERE v.scope_id = page.scope_id AND v.seq = page.seq RETURNING v.seq
), due AS (
  INSERT INTO brain_due (scope_id, seq, due_at)
  SELECT page.scope_id, page.seq, 0 FROM page
  WHERE EXISTS (SELECT 1 FROM meaning) OR EXISTS (SELECT 1 FROM brain_embedding)
  ON CONFLICT (scope_id, seq) DO UPDATE SET due_at = 0
)
UPDATE brain SET total_len = total_len + page.longer FROM page WHERE brain.scope_id = page.scope_id
RETURNING brain.scope_id`,
};

/** $3 the content it was read with, $4 its terms. */
export const REMOVE: Statement = {
  name: 'brain_remove',
  text: `
WITH ${LOCK_BY_PAGE}, page AS (
  DELETE FROM brain_page p USING b WHERE p.scope_id = b.scope_id AND p.id = $2 AND p.content = $3
  RETURNING p.scope_id, p.ns, p.seq, p.len
), gone AS (
  DELETE FROM brain_term t USING page
  WHERE t.scope_id = page.scope_id AND t.term = ANY ($4::int[]) AND t.ns = page.ns AND t.seq = page.seq
)
UPDATE brain SET n = n - 1, total_len = total_len - page.len FROM page WHERE brain.scope_id = page.scope_id
RETURNING brain.scope_id`,
};

/** Makes sure the avatar's own brain exists, and takes its row lock. */
export const LOCK: Statement = {
  name: 'brain_lock',
  text: `
INSERT INTO brain AS old (avatar_id, sandbox_id) VALUES ($1, '')
ON CONFLICT (avatar_id, sandbox_id) DO UPDATE SET n = old.n RETURNING scope_id`,
};

/**
 * $1 scope, $2 ids, $3 texts, $4 sources, $5 lengths, $6 now, $7 index of the passage of each posting, $8 terms,
 * $9 counts.
 */
export const REPLACE_KNOWLEDGE: Statement = {
  name: 'brain_replace_knowledge',
  text: `
WITH gone AS (
  DELETE FROM brain_page WHERE scope_id = $1 AND ns = 2 RETURNING len
), gone_terms AS (
  DELETE FROM brain_term WHERE scope_id = $1 AND ns = 2
), b AS (
  UPDATE brain SET next_seq = next_seq + cardinality($2::text[]),
    n = n + cardinality($2::text[]) - (SELECT count(*) FROM gone),
    total_len = total_len + (SELECT coalesce(sum(l), 0) FROM unnest($5::int[]) AS l)
      - (SELECT coalesce(sum(len), 0) FROM gone)
  WHERE scope_id = $1 RETURNING scope_id, next_seq - cardinality($2::text[]) AS base
), page AS (
  INSERT INTO brain_page (scope_id, seq, id, ns, source, content, len, created_at)
  SELECT b.scope_id, b.base + p.ord - 1, p.id, 2, p.source, p.content, p.len, $6::bigint
  FROM b, unnest($2::text[], $3::text[], $4::text[], $5::int[]) WITH ORDINALITY AS p (id, content, source, len, ord)
), due AS (
  INSERT INTO brain_due (scope_id, seq, due_at)
  SELECT b.scope_id, b.base + i, $6::bigint FROM b, brain_embedding, generate_series(0, cardinality($2::text[]) - 1) AS i
)
INSERT INTO brain_term (scope_id, term, ns, seq, tf, len)
SELECT b.scope_id, t.term, 2, b.base + t.i, t.tf, ($5::int[])[t.i + 1]
FROM b, unnest($7::int[], $8::int[], $9::int[]) AS t (i, term, tf)`,
};
