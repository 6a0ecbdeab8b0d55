/**
 * How far PostgreSQL has written its log (WAL): a replica that has replayed it to there has every commit of before. The
 * question is asked once for all reads that wait: one that comes while it is under way takes the next, for a commit that its
 * caller knows of may be behind this one (docs/decisions/0019).
 */
import { sql } from 'kysely';
import { one, type Row } from './named-statements.ts';
import { preparedOver } from './prepared.ts';

interface Runs {
  rows<T extends Row>(sql: string, values?: unknown[]): Promise<T[]>;
}

/** A place in the log; places compare within one timeline, which is another after each failover. */
export interface LogPosition {
  lsn: string;
  /** As names of log files begin: eight hexadecimal digits. */
  timeline: string;
}

const over = preparedOver<object>();

// What is inserted, not what is flushed: a commit that does not wait for the disk is acknowledged before.
const present = over((tables, _given: object) =>
  tables.selectNoFrom([
    sql<string>`pg_current_wal_insert_lsn()::text`.as('lsn'),
    sql<string>`substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)`.as('timeline'),
  ]),
);

/**
 * Whether this replica has replayed the log to there. One that was promoted, or went on with the lost database, has another timeline
 * than PostgreSQL itself. What it receives says it at once, where the role may see that (`pg_read_all_stats`), its last restart point
 * minutes later.
 */
export const hasReplayed = over((tables, given: LogPosition) =>
  tables.selectFrom(sql<{ timeline_id: number }>`pg_control_checkpoint()`.as('checkpoint')).select(
    sql<boolean>`pg_last_wal_replay_lsn() >= ${given.lsn}::pg_lsn and lpad(upper(to_hex(
        coalesce((select received_tli from pg_stat_wal_receiver), checkpoint.timeline_id))), 8, '0') = ${given.timeline}`.as(
      'isMet',
    ),
  ),
);

/** How many bytes of the log this replica has yet to replay to be there. */
export const bytesBehind = over((tables, given: Pick<LogPosition, 'lsn'>) =>
  tables.selectNoFrom(
    sql<number>`greatest(pg_wal_lsn_diff(${given.lsn}::pg_lsn, pg_last_wal_replay_lsn()), 0)::bigint`.as('bytes'),
  ),
);

/** Positions of the log, one question at a time. */
export class ReadIndex {
  readonly #primary: Runs;
  #asked: Promise<LogPosition> | undefined;
  #next: Promise<LogPosition> | undefined;

  constructor(primary: Runs) {
    this.#primary = primary;
  }

  /** A position behind everything that was committed before the call. */
  position(): Promise<LogPosition> {
    this.#next ??= this.#ask(this.#asked);
    return this.#next;
  }

  async #ask(before: Promise<unknown> | undefined): Promise<LogPosition> {
    await before?.catch(() => {});
    this.#asked = this.#next;
    this.#next = undefined;
    return one(await present(this.#primary, {}));
  }
}
