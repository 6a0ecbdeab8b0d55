/**
 * Reads from copies of the database that follow it, some behind. What a reader must find there is said by the versions of its
 * conversations: a replica that has not come so far is passed over, and PostgreSQL itself is asked. So nobody sees less than
 * was seen before, however far a replica lags, and whatever wakes its readers (docs/decisions/0003).
 */
import { sql } from 'kysely';
import pg from 'pg';
import { SECOND_MS } from './clock.ts';
import { boundWaits, type Database } from './database.ts';
import { NamedStatements, type Row } from './named-statements.ts';
import { readIntegers } from './orm.ts';
import { isOutage } from './outages.ts';
import { preparedOver } from './prepared.ts';

/** What a read runs on: a replica, or PostgreSQL itself. */
export type Reader = Pick<Database, 'rows'>;

/** How many reads a replica answered, how many it was too far behind for, and how often one was found to be away. */
export interface ReplicaStats {
  hits: number;
  behind: number;
  away: number;
}

/** A conversation with all its changes up to `version`; Infinity: as many as there are. */
export interface AtVersion {
  conversationId: string;
  version: number;
}

/** Reads of what belongs to conversations, at these versions or later ones. */
export interface Replicas {
  readonly stats: Readonly<ReplicaStats>;
  read<T>(of: readonly AtVersion[], read: (on: Reader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** How a process reaches its replicas. */
export interface ReplicaOptions {
  primary: Reader;
  urls: readonly string[];
  /** Connections to each. */
  poolSize: number;
  onAway(error: unknown): void;
}

const versionsOf = preparedOver<{ conversation: { id: string; version: number } }>()(
  (tables, given: { ids: readonly string[] }) =>
    tables.selectFrom('conversation').select(['id', 'version']).where(sql<boolean>`id = any(${given.ids}::text[])`),
);

/** A replica that says nothing is away after this: there is another database to ask. */
const ANSWER_MS = 2 * SECOND_MS;
/** One that is away is left alone for so long. */
const AWAY_MS = 2 * SECOND_MS;
/** One that is behind, at first and at most. */
const BEHIND_MS = { least: 20, most: SECOND_MS };
/**
 * PostgreSQL's codes of a read that the replica broke off: its rows were removed behind it, it is stopped, or it is in
 * the middle of a migration (what is read is not there yet, or has another type than when its plan was made).
 */
const BROKEN_OFF = /^(?:40001|40P01|57\w{3}|25006|42P01|42703|42704|42883|0A000)$/;

/** Reads from these replicas, and from `primary` where there is none that has what is asked for. */
export function openReplicas({ primary, urls, poolSize, onAway }: ReplicaOptions): Replicas {
  const replicas = urls.map((url) => new Replica(url, poolSize));
  const stats: ReplicaStats = { hits: 0, behind: 0, away: 0 };
  let next = 0;

  function choose(): Replica | undefined {
    const nowMs = performance.now();
    for (let tried = 0; tried < replicas.length; tried += 1) {
      const replica = replicas[next % replicas.length];
      next += 1;
      if (replica && replica.restsUntilMs <= nowMs) return replica;
    }
    return undefined;
  }

  if (replicas.length === 0) return { stats, read: (_of, read) => read(primary), close: async () => {} };
  return {
    stats,
    async read(of, read) {
      // Only PostgreSQL itself knows how many there are.
      const replica = of.some(({ version }) => version === Number.POSITIVE_INFINITY) ? undefined : choose();
      if (!replica) return read(primary);
      try {
        const found = await replica.read(of, read);
        stats[found ? 'hits' : 'behind'] += 1;
        if (found) return found.result;
      } catch (error) {
        const { code = '' } = error as { code?: string };
        if (!isOutage(error) && !BROKEN_OFF.test(code)) throw error;
        stats.away += 1;
        if (replica.rest(AWAY_MS)) onAway(error);
      }
      return read(primary);
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
}

class Replica {
  restsUntilMs = 0;
  readonly #pool: pg.Pool;
  readonly #statements = new NamedStatements();
  #behindMs = BEHIND_MS.least;

  constructor(url: string, poolSize: number) {
    const options = { connectionString: url, max: poolSize, pipeline: true, types: new pg.TypeOverrides() };
    this.#pool = new pg.Pool(options as pg.PoolConfig);
    readIntegers(this.#pool);
    this.#pool.on('error', () => {});
    void boundWaits(this.#pool, ANSWER_MS, `set statement_timeout = ${ANSWER_MS}`);
  }

  /** Undefined when it does not have one of the conversations at its version yet. */
  async read<T>(of: readonly AtVersion[], read: (on: Reader) => Promise<T>): Promise<{ result: T } | undefined> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      const on: Reader = {
        rows: async <R extends Row>(text: string, values: unknown[] = []) =>
          (await client.query<R>(this.#statements.named(text, values))).rows,
      };
      // On one connection the read comes behind: it sees at least what this one does.
      const ids = of.map(({ conversationId }) => conversationId);
      const [known, result] = await Promise.all([versionsOf(on, { ids }), read(on)]);
      const versions = new Map(known.map(({ id, version }) => [id, version]));
      if (of.every(({ conversationId, version }) => (versions.get(conversationId) ?? -1) >= version)) {
        this.#behindMs = BEHIND_MS.least;
        return { result };
      }
      this.rest(this.#behindMs);
      this.#behindMs = Math.min(2 * this.#behindMs, BEHIND_MS.most);
      return undefined;
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Leaves it alone for a while; false when it was already. */
  rest(ms: number): boolean {
    const nowMs = performance.now();
    const isNew = this.restsUntilMs <= nowMs;
    this.restsUntilMs = nowMs + ms;
    return isNew;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
