/**
 * The statements of the managed brain. Each write is ONE statement that takes the brain's row lock first, so it is
 * atomic on a bare pool as well as inside a transaction. All are named: planning them costs more than running them.
 */

/** A named statement, ready for values. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * $1 avatar, $2 sandbox, $3 fixed ns or null, $4 speakerRef, $5 id, $6 content, $7 length, $8 now, $9 terms,
 * $10 counts, $11 who saves it or null.
 */
export const SAVE: Statement = {
  name: 'brain_save',
  text: `
WITH b AS (
  INSERT INTO brain AS old (avatar_id, sandbox_id, n, total_len, next_seq) VALUES ($1, $2, 1, $7::int, 1)
  ON CONFLICT (avatar_id, sandbox_id) DO UPDATE
    SET n = old.n + 1, total_len = old.total_len + $7::int, next_seq = old.next_seq + 1
  RETURNING scope_id, next_seq - 1 AS seq
), speaker AS (
  INSERT INTO brain_speaker AS old (scope_id, speaker_ref, ns) SELECT scope_id, $4, seq + 3 FROM b WHERE $3::int IS NULL
  ON CONFLICT (scope_id, speaker_ref) DO UPDATE SET ns = old.ns
  RETURNING ns
), at AS (
  SELECT scope_id, seq, coalesce($3::int, (SELECT ns FROM speaker)) AS ns FROM b
), page AS (
  INSERT INTO brain_page (scope_id, seq, id, ns, speaker_ref, content, len, created_at, saved_by)
  SELECT scope_id, seq, $5, ns, $4, $6, $7::int, $8::bigint, $11 FROM at
), due AS (
  INSERT INTO brain_due (scope_id, seq, due_at) SELECT scope_id, seq, $8::bigint FROM at, brain_embedding
)
INSERT INTO brain_term (scope_id, term, ns, seq, tf, len)
SELECT scope_id, t.term, ns, seq, t.tf, $7::int FROM at, unnest($9::int[], $10::int[]) AS t (term, tf)`,
};

/** Which namespaces a `Readable` covers in one brain; $1 avatar, $2 sandbox, $3 shared ns, $4 refs, $5 prefix or ''. */
export const NAMESPACES = `
ns AS MATERIALIZED (
  SELECT array(
    SELECT unnest($3::int[])
    UNION ALL
    SELECT s.ns FROM brain_speaker s, b
    WHERE s.scope_id = b.scope_id
      AND (s.speaker_ref = ANY ($4::text[]) OR ($5::text <> '' AND s.speaker_ref ^@ $5::text))
  ) AS readable
)`;
export const BRAIN =
  'b AS MATERIALIZED (SELECT scope_id, n, total_len, next_seq FROM brain WHERE avatar_id = $1 AND sandbox_id = $2)';
export const SOME = (column: string): string => `AND ${column} = ANY ((SELECT readable FROM ns)::int[])`;

/**
 * Postings of the query's terms ($6), as JSON-able lists; a term with more than the cap gives its count only, and
 * where in the brain the cap was reached, from which its true frequency is estimated. `everything` spares the filter.
 */
const postings = (everything: boolean): string => `
WITH ${BRAIN}, ${NAMESPACES}
SELECT b.n, b.total_len, b.next_seq, q.term, p.df, p.last_count, p.last_seq, p.seqs, p.counts, p.lengths
FROM b CROSS JOIN unnest($6::int[]) AS q (term)
CROSS JOIN LATERAL (
  SELECT sum(c)::int AS df, (array_agg(c ORDER BY g.ns DESC))[1]::int AS last_count,
    (array_agg(s ORDER BY g.ns DESC))[1] AS last_seq,
    string_agg(g.seqs, ',') AS seqs, string_agg(g.counts, ',') AS counts, string_agg(g.lengths, ',') AS lengths
  FROM (
    SELECT x.ns, count(*) AS c, max(seq) AS s, string_agg(seq::text, ',') AS seqs, string_agg(tf::text, ',') AS counts,
      string_agg(len::text, ',') AS lengths
    FROM (
      SELECT t.ns, t.seq, t.tf, t.len FROM brain_term t
      WHERE t.scope_id = b.scope_id AND t.term = q.term ${everything ? '' : SOME('t.ns')}
      ORDER BY t.ns, t.seq
      LIMIT greatest(200, least(2000, b.n / 4)) + 1
    ) x GROUP BY x.ns
  ) g
) p`;

export const EVERY_NS = `(
    SELECT unnest($3::int[]) UNION ALL SELECT s.ns FROM brain_speaker s WHERE s.scope_id = b.scope_id
  )`;

/** The newest postings ($7 at most) of terms that are all common ($6), where nothing rarer can lead the search. */
const newest = (everything: boolean): string => `
WITH ${BRAIN}, ${NAMESPACES}
SELECT q.term, p.seq, p.tf, p.len
FROM b CROSS JOIN unnest($6::int[]) AS q (term)
CROSS JOIN LATERAL (
  SELECT l.seq, l.tf, l.len
  FROM ${everything ? EVERY_NS : 'unnest((SELECT readable FROM ns))'} AS r (ns)
  CROSS JOIN LATERAL (
    SELECT t.seq, t.tf, t.len FROM brain_term t
    WHERE t.scope_id = b.scope_id AND t.term = q.term AND t.ns = r.ns ORDER BY t.seq DESC LIMIT $7::int
  ) l ORDER BY l.seq DESC LIMIT $7::int
) p`;

/** The first $7 readable pages of the candidates ($6, best first), with the offsets of neighbours within $8 ms. */
const pages = (everything: boolean): string => `
WITH ${BRAIN}, ${NAMESPACES}
SELECT p.seq, p.id, p.ns, p.speaker_ref, p.source, p.content, p.created_at,
  (
    SELECT string_agg((o.seq - p.seq)::text, ',') FROM brain_page o
    WHERE o.scope_id = p.scope_id AND o.seq BETWEEN p.seq - 2 AND p.seq + 2
      AND o.created_at BETWEEN p.created_at - $8::bigint AND p.created_at + $8::bigint
  ) AS linked
FROM (
  SELECT page.* FROM b, unnest($6::int[]) WITH ORDINALITY AS c (seq, ord)
  JOIN LATERAL (SELECT * FROM brain_page g WHERE g.scope_id = b.scope_id AND g.seq = c.seq) page ON true
  WHERE true ${everything ? '' : SOME('page.ns')}
  ORDER BY c.ord LIMIT $7::int
) p`;

export const both = (name: string, text: (everything: boolean) => string): Record<'all' | 'some', Statement> => ({
  all: { name: `${name}_all`, text: text(true) },
  some: { name: `${name}_some`, text: text(false) },
});

export const POSTINGS = both('brain_postings', postings);
export const NEWEST = both('brain_newest', newest);
export const PAGES = both('brain_pages', pages);
