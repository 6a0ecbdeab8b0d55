/**
 * Makes partitions ahead of their time, and drops those of changes of accounts and of jobs that are past and those in which no turn is left.
 * Done hourly by the workers. A write finds a place whatever was made: in the default partition of its table, and of turns in the newest
 * (docs/decisions/0018-partitions.md).
 */
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Platform } from '../platform/platform.port.ts';
import {
  addPartition,
  analyzeTurns,
  checkJobs,
  checkTurns,
  dropChangePartition,
  dropEmptyTurns,
  dropJobPartition,
  partitionsMade,
  splitTurns,
  turnsEnd,
  unbounded,
} from './partition.queries.ts';
import {
  changePartitions,
  jobPartitions,
  LEDGER_PARTITIONS,
  type PartitionRule,
  TURN_PARTITIONS,
} from './partition.rules.ts';
import { inBatches } from './retention-batches.service.ts';

/** How many times a round tries again while a table is locked. */
const MOST_ATTEMPTS = 50;
/** Wait before it tries again. */
const BUSY_MS = 200;
/** The longest time of a timer, in the place of no limit: reading a large partition takes as long as it needs. */
const UNBOUNDED_MS = 2 ** 31 - 1;

type Needs = Pick<Platform, 'db' | 'clock' | 'log' | 'config'>;

/** Partitions of every table that has some. */
export class Partitions {
  readonly #p: Needs;
  /** Tables that another worker has in the current round: how far ahead they are is that worker's to report. */
  #leftToOthers = new Set<string>();

  constructor(platform: Needs) {
    this.#p = platform;
  }

  /** Makes and drops what is due, until `signal` aborts; returns how many of each. */
  async run(signal?: AbortSignal): Promise<{ made: number; dropped: number }> {
    const { config, clock, log } = this.#p;
    const rules = this.#rules();
    this.#leftToOthers = new Set();
    // Dropped first: numbers of job slots are used again, and the next partition may need that of a past one.
    const done = { made: 0, dropped: await this.#dropJobs(signal) };
    for (const rule of rules) done.made += await this.#make(rule, signal);
    done.made += await this.#splitTurns(signal);
    const beforeMs = clock.now() - config.KEEP_FEED_DAYS * DAY_MS;
    const drop = async (tx: Tx) => (await dropChangePartition(tx, { beforeMs }))[0]?.outcome;
    done.dropped += await this.#step('past account_change', drop, signal);
    const dropTurns = async (tx: Tx) => (await dropEmptyTurns(tx, { beforeMs: clock.now() }))[0]?.outcome;
    // With the lock under which the next partition is made: what another worker has half made must not be dropped as a remainder.
    done.dropped += await this.#step(TURN_PARTITIONS.table, dropTurns, signal);
    if (done.made + done.dropped > 0) log.info(done, 'partitions');
    for (const { table, leftMs, lowMs } of await this.#left(rules)) {
      if (leftMs < lowMs && !this.#leftToOthers.has(table)) log.warn({ table, leftMs }, 'partitions end soon');
    }
    return done;
  }

  /**
   * How far ahead each table has partitions, ms; 0 where it has none for the present time. Of turns only while the newest has an
   * end.
   */
  async left(): Promise<{ table: string; leftMs: number }[]> {
    return this.#left(this.#rules());
  }

  #rules(): PartitionRule[] {
    const { KEEP_FEED_DAYS, KEEP_JOB_HOURS } = this.#p.config;
    return [changePartitions(KEEP_FEED_DAYS), LEDGER_PARTITIONS, jobPartitions(KEEP_JOB_HOURS)];
  }

  async #left(rules: PartitionRule[]): Promise<{ table: string; leftMs: number; lowMs: number }[]> {
    const { db } = this.#p;
    const endOf = async ({ table, lowMs }: PartitionRule) => ({
      table,
      lowMs,
      ...(await partitionsMade(db, { table }))[0],
    });
    const ends = await Promise.all(rules.map(endOf));
    const { table, lowMs } = TURN_PARTITIONS;
    const [turns] = await turnsEnd(db, {});
    const ofTurns = turns?.endMs == null ? [] : [{ table, lowMs, endMs: turns.endMs }];
    const nowMs = this.#p.clock.now();
    return [...ends, ...ofTurns].map((one) => ({
      table: one.table,
      lowMs: one.lowMs,
      leftMs: Math.max(0, (one.endMs ?? 0) - nowMs),
    }));
  }

  /** Makes the next partition of turns once the newest is large; returns how many it made. */
  async #splitTurns(signal?: AbortSignal): Promise<number> {
    const { table, most, aheadMs, lowMs } = TURN_PARTITIONS;
    let outcome: string | undefined;
    const step = async (tx: Tx) => {
      const nowMs = this.#p.clock.now();
      // Whole days: the name of a partition is its first hour.
      const fromMs = Math.ceil((nowMs + aheadMs) / DAY_MS) * DAY_MS;
      const [row] = await splitTurns(tx, { most, fromMs, nearMs: nowMs + lowMs });
      outcome = row?.outcome;
      return outcome === 'unchecked' || outcome === 'taken' ? undefined : outcome;
    };
    let made = await this.#step(table, step, signal);
    const checked = await this.#inSession(table, signal, async (client) => {
      if (outcome === 'unchecked') await run(client, checkTurns.filled({}));
      await run(client, analyzeTurns.filled({ beforeMs: this.#p.clock.now() - DAY_MS }));
    });
    if (checked && outcome === 'unchecked') made += await this.#step(table, step, signal);
    // Where ids from a wrong clock are in the way, it is tried again in an hour.
    if (outcome === 'taken') this.#p.log.warn({ table }, 'partition range taken');
    return made;
  }

  /** Work on a connection of its own, without limits of time; false where it failed, or `signal` aborted. */
  async #inSession(
    step: string,
    signal: AbortSignal | undefined,
    work: (client: pg.PoolClient) => Promise<void>,
  ): Promise<boolean> {
    let client: pg.PoolClient | undefined;
    const end = (): void => {
      // Not returned to the pool: its settings were changed.
      client?.release(true);
      client = undefined;
    };
    try {
      client = await this.#p.db.sessions.connect();
      signal?.addEventListener('abort', end, { once: true });
      if (signal?.aborted) return false;
      await run(client, unbounded.filled({}));
      await work(client);
      return true;
    } catch (error) {
      if (!signal?.aborted) this.#p.log.warn({ err: error, step }, 'partition step failed');
      return false;
    } finally {
      signal?.removeEventListener('abort', end);
      end();
    }
  }

  /** Drops partitions of jobs that are past; returns how many. */
  async #dropJobs(signal?: AbortSignal): Promise<number> {
    const beforeMs = this.#p.clock.now() - this.#p.config.KEEP_JOB_HOURS * HOUR_MS;
    let dropped = 0;
    await this.#inSession('past pgboss.job_common', signal, async (client) => {
      for (let busy = 0; busy < MOST_ATTEMPTS && !signal?.aborted; ) {
        const [row] = await run(client, dropJobPartition.filled({ beforeMs }));
        if (row?.outcome === 'dropped') dropped += 1;
        else if (row?.outcome !== 'busy') return;
        else busy += 1;
        await wait(BUSY_MS, undefined, { signal });
      }
    });
    return dropped;
  }

  /** Makes partitions of a table until there are enough; returns how many. */
  async #make(rule: PartitionRule, signal?: AbortSignal): Promise<number> {
    let isUnchecked = false;
    const make = this.#maker(rule);
    const step = async (tx: Tx) => {
      const outcome = await make(tx);
      isUnchecked = outcome === 'unchecked';
      return isUnchecked ? undefined : outcome;
    };
    const made = await this.#step(rule.table, step, signal);
    const check = async (client: pg.PoolClient) => void (await run(client, checkJobs.filled({})));
    if (!isUnchecked || !(await this.#inSession(rule.table, signal, check))) return made;
    return made + (await this.#step(rule.table, step, signal));
  }

  /** Makes one partition at a time, until there are enough. */
  #maker({ table, aheadMs, next }: PartitionRule): (tx: Tx) => Promise<string | undefined> {
    // A range with rows is skipped: rows that came while there was no partition stay where they are.
    let endMs = 0;
    let isTaken = false;
    return async (tx) => {
      const nowMs = this.#p.clock.now();
      const [made] = await partitionsMade(tx, { table });
      endMs = Math.max(endMs, made?.endMs ?? 0);
      if (endMs >= nowMs + aheadMs) return undefined;
      const range = next({ endMs, rows: made?.rows ?? 0, isTaken }, nowMs);
      const [added] = await addPartition(tx, { table, ...range });
      if (added?.outcome === 'taken') {
        if (isTaken) endMs = range.toMs;
        isTaken = true;
      }
      return added?.outcome;
    };
  }

  /** Repeats `act`, a transaction each, until it has nothing to do; returns how often it made or dropped something. */
  async #step(step: string, act: (tx: Tx) => Promise<string | undefined>, signal?: AbortSignal): Promise<number> {
    let changed = 0;
    let attempts = 0;
    try {
      const isMine = await inBatches(this.#p.db, { step, signal }, async (tx) => {
        const outcome = await act(tx);
        if (outcome === 'made' || outcome === 'dropped') changed += 1;
        attempts += 1;
        return outcome !== undefined && outcome !== 'none' && attempts < MOST_ATTEMPTS;
      });
      if (!isMine) this.#leftToOthers.add(step);
    } catch (error) {
      this.#p.log.warn({ err: error, step }, 'partition step failed');
    }
    return changed;
  }
}

/** Runs a statement without the pool's time limit. */
async function run(
  client: pg.PoolClient,
  { sql: text, values }: { sql: string; values: unknown[] },
): Promise<{ outcome?: string }[]> {
  const query: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: UNBOUNDED_MS };
  return (await client.query(query)).rows;
}
