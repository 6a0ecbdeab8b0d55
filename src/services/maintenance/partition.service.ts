/**
 * Makes partitions ahead of their time, and drops those of changes of accounts that are past. Done hourly by the workers. A table of
 * which none was made has a default partition that takes everything, as a whole table would (docs/decisions/0018-partitions.md).
 */
import { DAY_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Platform } from '../platform/platform.port.ts';
import { addPartition, dropChangePartition, partitionsMade } from './partition.queries.ts';
import { changePartitions, LEDGER_PARTITIONS, type PartitionRule } from './partition.rules.ts';
import { inBatches } from './retention-batches.service.ts';

/** How often a round looks again while others work on a table; each time it waits for a fifth of a second. */
const MOST_ATTEMPTS = 50;

type Needs = Pick<Platform, 'db' | 'clock' | 'log' | 'config'>;

/** Partitions of every table that has some. */
export class Partitions {
  readonly #p: Needs;

  constructor(platform: Needs) {
    this.#p = platform;
  }

  /** Makes and drops what is due, until `signal` aborts; returns how many of each. */
  async run(signal?: AbortSignal): Promise<{ made: number; dropped: number }> {
    const { config, clock, log } = this.#p;
    const rules = [changePartitions(config.KEEP_FEED_DAYS), LEDGER_PARTITIONS];
    const done = { made: 0, dropped: 0 };
    for (const rule of rules) done.made += await this.#step(rule.table, this.#maker(rule), signal);
    const beforeMs = clock.now() - config.KEEP_FEED_DAYS * DAY_MS;
    const drop = async (tx: Tx) => (await dropChangePartition(tx, { beforeMs }))[0]?.outcome;
    done.dropped = await this.#step('past account_change', drop, signal);
    if (done.made + done.dropped > 0) log.info(done, 'partitions');
    for (const { table, leftMs, lowMs } of await this.#left(rules)) {
      if (leftMs < lowMs) log.warn({ table, leftMs }, 'partitions end soon');
    }
    return done;
  }

  /** For how long ahead each table has partitions, ms; 0 where it has none of now. */
  async left(): Promise<{ table: string; leftMs: number }[]> {
    return this.#left([changePartitions(this.#p.config.KEEP_FEED_DAYS), LEDGER_PARTITIONS]);
  }

  #left(rules: PartitionRule[]): Promise<{ table: string; leftMs: number; lowMs: number }[]> {
    const { db, clock } = this.#p;
    return Promise.all(
      rules.map(async ({ table, lowMs }) => {
        const [made] = await partitionsMade(db, { table });
        return { table, lowMs, leftMs: Math.max(0, (made?.endMs ?? 0) - clock.now()) };
      }),
    );
  }

  /** Makes one partition at a time, until there are enough. */
  #maker({ table, aheadMs, next }: PartitionRule): (tx: Tx) => Promise<string | undefined> {
    // What is taken is left out: rows that came while there was no partition stay where they are.
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
      await inBatches(this.#p.db, { step, signal }, async (tx) => {
        const outcome = await act(tx);
        if (outcome === 'made' || outcome === 'dropped') changed += 1;
        attempts += 1;
        return outcome !== undefined && outcome !== 'none' && attempts < MOST_ATTEMPTS;
      });
    } catch (error) {
      this.#p.log.warn({ err: error, step }, 'partition step failed');
    }
    return changed;
  }
}
