/**
 * The statements of memories by meaning where PostgreSQL has pgvector: a graph of the signs (HNSW) leads to the nearest
 * of a brain too large to compare. It indexes what `brain_vector` holds anyway, so a database that gains or loses the
 * extension gains or loses an index and no data. `schema` is where the extension lives, quoted. Not the ORM's, which knows
 * neither operators nor index of an extension.
 */
import { type Compares, MAX_SCAN, NEAREST, nearBy, SOME } from './recall.queries.ts';

/**
 * Signs of a vector that the graph looks at; shorter ones are filled up with zeros, which changes no distance. A fixed
 * length makes one index do for every model; longer vectors are found by their first dimensions and ranked by all.
 */
const WIDTH = 1_024;
/** Vectors of a large brain that are compared even so: how far memories are from a question as a rule (`fusion.rules.ts`). */
const SAMPLE = 1_000;
/**
 * Comparing R vectors takes .6 µs each; the graph of T vectors passes 100 T / R until it has met 100 of them, 16 µs
 * each. So it pays from 50 √T on.
 */
const PAYS_FROM = 50;
/** Vectors the graph passes at most, for 80 ms; where it met too few among them, all are compared. */
const MAX_PASSED = 5_000;

/** What the database says of the extension and of the graph: one row, none where it is not offered. */
export interface Look {
  installed: string | null;
  schema: string;
  built: boolean | null;
}
/** One `Look`, or no row where the server does not offer the extension. */
export const LOOK = `
SELECT e.extversion AS installed, quote_ident(n.nspname) AS schema,
  (SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass('brain_vector_graph')) AS built
FROM pg_available_extensions a LEFT JOIN pg_extension e ON e.extname = a.name
LEFT JOIN pg_namespace n ON n.oid = e.extnamespace WHERE a.name = 'vector'`;
/** Needs the right to create extensions; without it the statement fails and all vectors are compared. */
export const INSTALL = 'CREATE EXTENSION IF NOT EXISTS vector';

/** What a build that was broken off leaves is of no use. */
export const CLEAR = 'DROP INDEX CONCURRENTLY IF EXISTS brain_vector_graph';
/**
 * For the session that builds: as much memory as the graph of some hundred thousand memories takes meanwhile, and the
 * time that it needs, for itself and for the transactions whose end it waits for.
 */
export const ROOM = `SELECT set_config('maintenance_work_mem', greatest(setting::int, 262144) || 'kB', false),
    set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)
    FROM pg_settings WHERE name = 'maintenance_work_mem'`;
/**
 * Memories are written meanwhile. For 100 000 memories among as many others, 16 neighbours find as much as comparing all
 * signs in 6 to 11 ms of a core, 8 find 97 % of it in 4 to 6.5; but what is unlike all else is lost with fewer of either.
 */
export const build = (schema: string) => `CREATE INDEX CONCURRENTLY brain_vector_graph ON brain_vector
    USING hnsw ((bits::bit(${WIDTH})) ${schema}.bit_hamming_ops) WITH (m = 16, ef_construction = 128)`;

const nearest = (schema: string, readable: string): string => `
    RETURN QUERY SELECT v.seq FROM brain_vector v WHERE v.scope_id = in_scope AND v.space = in_space ${readable}
    ORDER BY v.bits::bit(${WIDTH}) OPERATOR(${schema}.<~>) signs::bit(${WIDTH}) LIMIT ${NEAREST};`;

/**
 * The nearest of a brain, or of its namespaces `readable`. A function, because the graph's settings hold within one: it
 * is followed until enough readable memories are met, however many others lie between. Where that takes too long, all
 * are compared: memories the reader may not see cost time, and never take the place of others.
 */
export const define = (schema: string) => `
CREATE OR REPLACE FUNCTION brain_vector_nearest(in_scope bigint, readable integer[], in_space integer, signs varbit)
RETURNS SETOF integer LANGUAGE plpgsql STABLE ROWS ${NEAREST}
SET hnsw.iterative_scan = 'relaxed_order' SET hnsw.max_scan_tuples = ${MAX_PASSED}
SET enable_sort = off SET jit = off AS $$
DECLARE met integer;
BEGIN
  IF readable IS NULL THEN ${nearest(schema, '')}
  ELSE ${nearest(schema, 'AND v.ns = ANY (readable)')}
  END IF;
  GET DIAGNOSTICS met = ROW_COUNT;
  IF met < ${NEAREST} THEN
    RETURN QUERY SELECT v.seq FROM brain_vector v
    WHERE v.scope_id = in_scope AND v.space = in_space AND (readable IS NULL OR v.ns = ANY (readable))
    ORDER BY bit_count(v.bits # signs), v.seq DESC LIMIT ${NEAREST};
  END IF;
END $$`;

const graph = (everything: boolean): Compares => ({
  ctes: `
held AS MATERIALIZED (
  SELECT most, b.n > most ${
    everything
      ? ''
      : `AND EXISTS (
    SELECT FROM brain_vector v WHERE v.scope_id = b.scope_id ${SOME('v.ns')} OFFSET most
  )`
  } AS large
  FROM b, (
    SELECT greatest(${MAX_SCAN}, ${PAYS_FROM} * sqrt(greatest(reltuples, 0)))::int AS most
    FROM pg_class WHERE oid = 'brain_vector'::regclass
  ) m
), size AS MATERIALIZED (SELECT large, CASE WHEN large THEN ${SAMPLE} ELSE most END AS compares FROM held),`,
  large: '(SELECT large FROM size)',
  limit: '(SELECT compares FROM size)',
  graph: `
  UNION SELECT g.seq FROM b, brain_vector_nearest(b.scope_id, ${everything ? 'NULL' : '(SELECT readable FROM ns)'}, $6::int, $7::varbit) AS g (seq)
  WHERE (SELECT large FROM size)`,
});

/** As `NEAR`, for any number of memories. */
export const NEAR_BY_GRAPH = nearBy(graph);
