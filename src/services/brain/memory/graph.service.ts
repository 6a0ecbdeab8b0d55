/**
 * Whether this database searches memories by meaning through pgvector, found out once by each process and made ready in
 * the background: until then, and wherever the extension is not to be had, the newest memories are compared. No
 * migration, because those run once, and a database may gain the extension later or be restored to one without it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Row } from '../../../kernel/database.ts';
import { build, CLEAR, define, INSTALL, LOOK, type Look, NEAR_BY_GRAPH, ROOM } from './graph.queries.ts';
import type { Sql } from './memory-system.port.ts';
import { NEAR } from './recall.queries.ts';

/** The advisory lock of the one process that makes the graph. */
const LOCK = 4_020_263;
/** Building it takes a third of a millisecond a memory; other processes look this often whether it is there. */
const LOOK_AGAIN_MS = 1_000;
/** The first version that goes on until it has met enough memories that a reader may see. */
const OLDEST = [0, 8] as const;

/** What there is to search with: pgvector's version, or why it is not used. */
export type Prepared = { version: string } | { without: string };

const look = async (sql: Sql): Promise<Look | undefined> => (await sql.rows<Look & Row>(LOOK))[0];

function tooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = OLDEST;
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** Makes extension, graph and function where they are missing. One process at a time, outside of any transaction. */
export async function prepareGraph(sql: Sql): Promise<Prepared> {
  let found = await look(sql);
  if (!found) return { without: 'the database does not offer pgvector' };
  if (!found.installed) {
    try {
      await sql.rows(INSTALL);
    } catch (error) {
      return { without: `pgvector is offered, but not created: ${(error as Error).message}` };
    }
    found = await look(sql);
  }
  const version = found?.installed;
  if (!found || !version) return { without: 'pgvector was created, and is not there' };
  if (tooOld(version)) return { without: `pgvector ${version} is older than ${OLDEST.join('.')}` };
  if (!found.built) {
    await sql.rows(ROOM);
    await sql.rows(CLEAR);
    await sql.rows(build(found.schema));
  }
  await sql.rows(define(found.schema));
  return { version };
}

/** The longest that a timer takes: an index is built for as long as it needs, whatever the pool's other statements may. */
const UNBOUNDED_MS = 2 ** 31 - 1;

/** One connection, for settings and locks that are a session's. */
const onClient = (client: pg.PoolClient): Sql => ({
  async rows<T extends Row>(text: string, values: unknown[] = []) {
    const query: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: UNBOUNDED_MS };
    return (await client.query<T>(query)).rows;
  },
});

/** The links between a brain's entries. */
export interface Graph {
  /** The statement that finds what is near, for a reader of everything or of some namespaces. */
  near(which: 'all' | 'some'): string;
  /** Resolves when it is known whether there is a graph, and it can be used; never rejects. */
  ready: Promise<void>;
  /** Breaks off what is being built; a later start begins again. */
  close(): Promise<void>;
}

/** Readies the graph behind the caller's back; `onOutcome` hears the outcome, or what went wrong. */
export function openGraph(pool: pg.Pool, onOutcome: (outcome: Prepared | { error: unknown }) => void): Graph {
  const closed = new AbortController();
  let building: number | undefined;
  let usable = false;

  /** Null while another process is at it: waiting inside PostgreSQL would keep that one's index from being finished. */
  async function tryOnce(): Promise<Prepared | null> {
    const client = await pool.connect();
    try {
      const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS mine, pg_backend_pid() AS pid`);
      if (!rows[0].mine) return null;
      building = rows[0].pid;
      try {
        closed.signal.throwIfAborted();
        return await prepareGraph(onClient(client));
      } finally {
        building = undefined;
        await client.query(`SELECT pg_advisory_unlock(${LOCK})`);
      }
    } finally {
      // The session's settings were made for this alone: the connection is closed, not returned to the pool.
      client.release(true);
    }
  }

  async function run(): Promise<void> {
    try {
      let prepared = await tryOnce();
      while (!prepared) {
        await wait(LOOK_AGAIN_MS, undefined, { signal: closed.signal });
        prepared = await tryOnce();
      }
      usable = 'version' in prepared;
      onOutcome(prepared);
    } catch (error) {
      if (!closed.signal.aborted) onOutcome({ error });
    }
  }

  const ready = run();
  return {
    near: (which) => (usable ? NEAR_BY_GRAPH : NEAR)[which],
    ready,
    async close() {
      closed.abort();
      if (building !== undefined) await pool.query('SELECT pg_cancel_backend($1)', [building]).catch(() => {});
      await ready;
    },
  };
}
