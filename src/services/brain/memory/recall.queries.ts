/**
 * What a recall reads of the managed brain, by words and by meaning. SQL by hand, not the ORM: each is one statement
 * around a lateral read for every word or namespace, over common parts, and PostgreSQL's plan for it is what a recall
 * costs; as entities it would be every posting of every word (1 000 rows cost 21 times as much: docs/decisions/0002). The
 * rows are typed by the entities.
 */
import type { Selectable } from 'kysely';
import type { Tables } from '../../../../schema/entities/tables.ts';

/** The statement for a reader of everything, and for one of some namespaces. */
export type Statements = Record<'all' | 'some', string>;

/** Which namespaces a `Readable` covers in one brain; $1 avatar, $2 sandbox, $3 shared ns, $4 refs, $5 prefix or ''. */
const NAMESPACES = `
ns AS MATERIALIZED (
  SELECT array(
    SELECT unnest($3::int[])
    UNION ALL
    SELECT s.ns FROM brain_speaker s, b
    WHERE s.scope_id = b.scope_id
      AND (s.speaker_ref = ANY ($4::text[]) OR ($5::text <> '' AND s.speaker_ref ^@ $5::text))
  ) AS readable
)`;
const BRAIN =
  'b AS MATERIALIZED (SELECT scope_id, n, total_len, next_seq FROM brain WHERE avatar_id = $1 AND sandbox_id = $2)';
/** The condition that keeps the readable namespaces of `NAMESPACES`; `column` is trusted text. */
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

const EVERY_NS = `(
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

/** The first $7 readable entries of the candidates ($6, best first), with the offsets of neighbours within $8 ms. */
const entries = (everything: boolean): string => `
WITH ${BRAIN}, ${NAMESPACES}
SELECT p.seq, p.id, p.ns, p.speaker_ref, p.source, p.content, p.created_at,
  (
    SELECT string_agg((o.seq - p.seq)::text, ',') FROM brain_entry o
    WHERE o.scope_id = p.scope_id AND o.seq BETWEEN p.seq - 2 AND p.seq + 2
      AND o.created_at BETWEEN p.created_at - $8::bigint AND p.created_at + $8::bigint
  ) AS linked
FROM (
  SELECT entry.* FROM b, unnest($6::int[]) WITH ORDINALITY AS c (seq, ord)
  JOIN LATERAL (SELECT * FROM brain_entry g WHERE g.scope_id = b.scope_id AND g.seq = c.seq) entry ON true
  WHERE true ${everything ? '' : SOME('entry.ns')}
  ORDER BY c.ord LIMIT $7::int
) p`;

const both = (text: (everything: boolean) => string): Statements => ({ all: text(true), some: text(false) });

/** Rows of `PostingsRow`, one a term. Parameters: those of the namespaces, then $6 the terms. */
export const POSTINGS = both(postings);
/** Postings, newest first. Parameters: those of the namespaces, then $6 the terms, $7 how many of each. */
export const NEWEST = both(newest);
/**
 * Rows of `LinkedRow` in the candidates’ order. Parameters: those of the namespaces, then $6 the candidates, $7 how
 * many, $8 the milliseconds between neighbours.
 */
export const ENTRIES = both(entries);

type Entry = Selectable<Tables['brain_entry']>;
type Term = Selectable<Tables['brain_term']>;

/** A memory as every statement selects it. */
export type EntryRow = Pick<Entry, 'seq' | 'id' | 'ns' | 'speaker_ref' | 'source' | 'content' | 'created_at'>;

/** Of `ENTRIES`: `linked` lists offsets of neighbours. */
export type LinkedRow = EntryRow & { linked: string };

/** Of `POSTINGS`; without a `df` the brain does not know the word. */
export interface PostingsRow
  extends Pick<Selectable<Tables['brain']>, 'n' | 'total_len' | 'next_seq'>,
    Pick<Term, 'term'> {
  df: number | null;
  last_count: number;
  last_seq: number;
  seqs: string;
  counts: string;
  lengths: string;
}

/** Of `NEWEST`. */
export type NewestRow = Pick<Term, 'term' | 'seq' | 'tf' | 'len'>;

/** Greater than every `seq`. */
export const BEHIND_EVERY_SEQ = 2_147_483_647;

/**
 * A page in the order of the key, from one bound to the other and no further. The brain is one value and the bounds are always
 * there: joined, or with a bound that may be null, all that it holds is read and sorted (a page of 120 000 memories took 60 ms).
 */
const list = (way: 'ASC' | 'DESC') => {
  const where = (filter: string): string => `
WITH ${BRAIN}, ${NAMESPACES}
SELECT p.seq, p.id, p.ns, p.speaker_ref, p.source, p.content, p.created_at
FROM brain_entry p
WHERE p.scope_id = (SELECT scope_id FROM b)
  AND p.seq > coalesce($6::int, -1) AND p.seq < coalesce($7::int, ${BEHIND_EVERY_SEQ}) ${filter}
ORDER BY p.seq ${way} LIMIT (SELECT $8::bigint)`;
  // What was said, and not what was read by training.
  return { all: where(''), some: where(SOME('p.ns')), said: where('AND p.ns <> 2') };
};

/** $6 and $7 the seqs between which they are, or null; $8 how many. Oldest or newest first. */
export const LIST = { oldest: list('ASC'), newest: list('DESC') };

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
 * $6 space, $7 signs of the question, $8 entries found by words. Rows: the nearest and those entries, with the number, mean
 * and spread of the distances compared. A namespace's newest are taken where a brain holds more than is compared.
 */
const near = (everything: boolean, { ctes, large, limit, graph }: Compares): string => `
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
/**
 * The nearest vectors by comparing all. Parameters: those of the namespaces, then $6 the space, $7 the question’s
 * signs, $8 entries found by words, which are measured in any case.
 */
export const NEAR = both((everything) => near(everything, SCAN));

/** As `NEAR`, with a graph that says what it adds. */
export const nearBy = (compares: (everything: boolean) => Compares): Statements =>
  both((everything) => near(everything, compares(everything)));
