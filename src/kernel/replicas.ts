/**
 * Reads from copies of the database that follow it, some behind. A read says what it must see: everything that was committed
 * before it came, by a position of PostgreSQL's log, or certain versions of conversations. A replica that does not have that is
 * passed over, and PostgreSQL itself is asked. So no caller sees less than was there when they asked, however far a replica lags and
 * whichever process has written it (docs/decisions/0019).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { SECOND_MS } from './clock.ts';
import { boundWaits, type Database } from './database.ts';
import { NamedStatements, one, type Row } from './named-statements.ts';
import { isOutage } from './outages.ts';
import { preparedOver } from './prepared.ts';
import { bytesBehind, hasReplayed, type LogPosition, ReadIndex } from './read-index.ts';
import { managerOn } from './transaction.ts';

/** What a read runs on: a replica, or PostgreSQL itself. Its entities are read, and none is kept beyond the read. */
export type Reader = Pick<Database, 'rows' | 'em'>;

/** Reads since the start, by what became of them. */
export interface ReplicaStats {
  /** Answered by a replica. */
  hits: number;
  /** It lacked a version. */
  behind: number;
  /** It had not replayed the log so far, in time. */
  late: number;
  /** It did not answer, or broke the read off. */
  away: number;
  /** None was asked: each was one of the above a moment ago. */
  passed: number;
}

/** A replica as it is now. */
export interface ReplicaState {
  /** Host and port. */
  name: string;
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;
  /** Bytes of the log that it has yet to replay; undefined while it does not answer. */
  lagBytes: number | undefined;
}

/** A conversation with all its changes up to `version`; Infinity: as many as there are. */
export interface AtVersion {
  conversationId: string;
  version: number;
}

/** Reads from replicas, and from PostgreSQL itself where none has what is asked for. */
export interface Replicas {
  readonly stats: Readonly<ReplicaStats>;
  /** Reads with everything that was committed before the call. */
  read<T>(read: (on: Reader) => Promise<T>): Promise<T>;
  /**
   * Reads what belongs to conversations, at these versions or later ones. Without a question to PostgreSQL itself, and from one that
   * lags where these have not changed since; as `read` where a version is not known.
   */
  readAtVersions<T>(of: readonly AtVersion[], read: (on: Reader) => Promise<T>): Promise<T>;
  states(): Promise<ReplicaState[]>;
  close(): Promise<void>;
}

/** How a process reaches its replicas. */
export interface ReplicaOptions {
  primary: Pick<Database, 'rows' | 'em' | 'orm' | 'pool'>;
  urls: readonly string[];
  /** Connections to each. */
  poolSize: number;
  onAway(error: unknown): void;
}

/** What a read must find, and how it counts where that is not there. */
interface Condition {
  otherwise: 'behind' | 'late';
  isMet(on: Reader): Promise<boolean>;
  /** How long it is waited for, each time before it is looked again. */
  waitsMs: readonly number[];
}

const versionsOf = preparedOver<{ conversation: { id: string; version: number } }>()(
  (tables, given: { ids: readonly string[] }) =>
    tables.selectFrom('conversation').select(['id', 'version']).where(sql<boolean>`id = any(${given.ids}::text[])`),
);

/** What was just written is replayed a millisecond or two later; beyond this PostgreSQL itself is the quicker one. */
const REPLAY_WAITS_MS = [1, 2, 3, 4];
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

const atVersions = (of: readonly AtVersion[]): Condition => ({
  otherwise: 'behind',
  waitsMs: [],
  async isMet(on) {
    const known = await versionsOf(on, { ids: of.map(({ conversationId }) => conversationId) });
    const versions = new Map(known.map(({ id, version }) => [id, version]));
    return of.every(({ conversationId, version }) => (versions.get(conversationId) ?? -1) >= version);
  },
});

const replayedTo = (position: LogPosition): Condition => ({
  otherwise: 'late',
  waitsMs: REPLAY_WAITS_MS,
  isMet: async (on) => one(await hasReplayed(on, position)).isMet,
});

/** Reads from these replicas, and from `primary` where there is none that has what is asked for. */
export function openReplicas({ primary, urls, poolSize, onAway }: ReplicaOptions): Replicas {
  const replicas = urls.map((url) => new Replica(url, poolSize, primary));
  const index = new ReadIndex(primary);
  const stats: ReplicaStats = { hits: 0, behind: 0, late: 0, away: 0, passed: 0 };
  let next = 0;

  function choose(otherwise: Condition['otherwise']): Replica | undefined {
    for (let tried = 0; tried < replicas.length; tried += 1) {
      const replica = replicas[next % replicas.length];
      next += 1;
      if (replica && !replica.rests.away.isOn && !replica.rests[otherwise].isOn) return replica;
    }
    stats.passed += 1;
    return undefined;
  }

  async function readFrom<T>(replica: Replica, condition: Condition, read: (on: Reader) => Promise<T>): Promise<T> {
    try {
      const found = await replica.read(condition, read);
      stats[found ? 'hits' : condition.otherwise] += 1;
      if (found) return found.result;
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!isOutage(error) && !BROKEN_OFF.test(code)) throw error;
      stats.away += 1;
      if (replica.rests.away.begin()) onAway(error);
    }
    return read(primary);
  }

  const close = async () => void (await Promise.all(replicas.map((replica) => replica.close())));
  const states = async (): Promise<ReplicaState[]> => {
    if (replicas.length === 0) return [];
    const position = await index.position().catch(() => undefined);
    return Promise.all(replicas.map((replica) => replica.state(position)));
  };
  const read: Replicas['read'] = async (read) => {
    const replica = choose('late');
    // Where even this cannot be asked, the read itself will say why.
    const position = replica && (await index.position().catch(() => undefined));
    return replica && position ? readFrom(replica, replayedTo(position), read) : read(primary);
  };
  const readAtVersions: Replicas['readAtVersions'] = async (of, readThem) => {
    if (of.some(({ version }) => version === Number.POSITIVE_INFINITY)) return read(readThem);
    const replica = choose('behind');
    return replica ? readFrom(replica, atVersions(of), readThem) : readThem(primary);
  };
  if (replicas.length > 0) return { stats, states, close, read, readAtVersions };
  return { stats, states, close, read: (read) => read(primary), readAtVersions: (_of, read) => read(primary) };
}

class Replica {
  /** Apart: one that is a little late for what was just written has most conversations as they are, and one that lacks a version answers. */
  readonly rests = {
    away: new Rest({ least: AWAY_MS, most: AWAY_MS }),
    behind: new Rest(BEHIND_MS),
    late: new Rest(BEHIND_MS),
  };
  readonly #name: string;
  readonly #pool: pg.Pool;
  readonly #orm: Database['orm'];
  readonly #statements = new NamedStatements();

  constructor(url: string, poolSize: number, { orm, pool }: ReplicaOptions['primary']) {
    this.#name = new URL(url).host;
    this.#orm = orm;
    // Values are read as those of the primary are.
    const options = { connectionString: url, max: poolSize, pipeline: true, types: pool.options.types };
    this.#pool = new pg.Pool(options as pg.PoolConfig);
    this.#pool.on('error', () => {});
    void boundWaits(this.#pool, ANSWER_MS, `set statement_timeout = ${ANSWER_MS}`);
  }

  /** Undefined when it does not have what it must. */
  async read<T>(
    { otherwise, isMet, waitsMs }: Condition,
    read: (on: Reader) => Promise<T>,
  ): Promise<{ result: T } | undefined> {
    const found = await this.#connected(async (on) => {
      // On one connection the read comes behind: it sees at least what this one does.
      const [isThere, result] = await Promise.all([isMet(on), read(on)]);
      if (isThere) return { result };
      for (const ms of waitsMs) {
        await wait(ms);
        if (await isMet(on)) return { result: await read(on) };
      }
      return undefined;
    });
    if (found) this.rests[otherwise].end();
    else this.rests[otherwise].begin();
    return found;
  }

  async state(position: LogPosition | undefined): Promise<ReplicaState> {
    const isAsked = position !== undefined && !this.rests.away.isOn;
    const behind = isAsked
      ? await this.#connected((on) => bytesBehind(on, position)).catch(() => undefined)
      : undefined;
    return { name: this.#name, pool: this.#pool, lagBytes: behind?.[0]?.bytes };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** On one of its connections, which is given up where anything fails. */
  async #connected<T>(work: (on: Reader) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      const query = (text: string, values: unknown[]) => client.query<Row>(this.#statements.named(text, values));
      return await work({
        rows: async <R extends Row>(text: string, values: unknown[] = []) => (await query(text, values)).rows as R[],
        em: () => managerOn(this.#orm, { query, once: (text) => client.query<Row>(text) }),
      });
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** Leaves something alone for a while, longer each time. */
class Rest {
  readonly #limits: { least: number; most: number };
  #ms: number;
  #untilMs = 0;

  constructor(limits: { least: number; most: number }) {
    this.#limits = limits;
    this.#ms = limits.least;
  }

  get isOn(): boolean {
    return performance.now() < this.#untilMs;
  }

  /** False where it is on already: reads that ran at once and failed together are one reason. */
  begin(): boolean {
    if (this.isOn) return false;
    this.#untilMs = performance.now() + this.#ms;
    this.#ms = Math.min(2 * this.#ms, this.#limits.most);
    return true;
  }

  end(): void {
    this.#ms = this.#limits.least;
  }
}
