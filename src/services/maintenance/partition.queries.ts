/**
 * Partitions by their time. Not the ORM's, which knows a table and not the tables that it consists of: functions in PostgreSQL read, make
 * and drop them (src/migrations/0072_partitions.ts; of turns 0074_turn_partitions.ts, of jobs 0076_job_partitions.ts).
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';
import type { PartitionRule } from './partition.rules.ts';

type OfTable = Pick<PartitionRule, 'table'>;

/** The end of a table's last partition, and the number of rows in the largest one. Null where it has none. */
export const partitionsMade = prepared((tables, given: OfTable) =>
  tables
    .selectFrom(sql<{ ends_at: number; entries: number }>`partitions_of(${given.table})`.as('p'))
    .select(({ fn }) => [fn.max<number | null>('ends_at').as('endMs'), fn.max<number | null>('entries').as('rows')]),
);

/**
 * Makes a partition, or, of jobs, takes a step towards the first one. `taken`: rows of that range exist already; `busy`: the
 * table is locked, and was not waited for; `unchecked`: `checkJobs` is next.
 */
export const addPartition = prepared((tables, given: OfTable & { fromMs: number; toMs: number }) =>
  tables.selectNoFrom(({ fn, val, cast }) =>
    fn<'made' | 'taken' | 'busy' | 'unchecked'>('add_partition', [
      val(given.table),
      cast(val(given.fromMs), 'bigint'),
      cast(val(given.toMs), 'bigint'),
    ]).as('outcome'),
  ),
);

/** Drops the oldest partition of changes of accounts, if it ended before a time; feeds know then from which cursor on they lack nothing. */
export const dropChangePartition = prepared((tables, given: { beforeMs: number }) =>
  tables.selectNoFrom(({ fn, val, cast }) =>
    fn<'dropped' | 'none' | 'busy'>('drop_change_partition', [cast(val(given.beforeMs), 'bigint')]).as('outcome'),
  ),
);

/**
 * Takes a step towards the next partition of turns, for conversations from `fromMs` on, once the newest has `most` rows. `none`:
 * nothing to do; `unchecked`: `checkTurns` is next; `taken`: there are conversations from that time on; `moved`: the end of the
 * newest was nearer than `nearMs` and was moved.
 */
export const splitTurns = prepared((tables, given: { most: number; fromMs: number; nearMs: number }) =>
  tables.selectNoFrom(({ fn, val, cast }) =>
    fn<'none' | 'begun' | 'unchecked' | 'made' | 'taken' | 'moved' | 'busy'>('split_turns', [
      cast(val(given.most), 'bigint'),
      cast(val(given.fromMs), 'bigint'),
      cast(val(given.nearMs), 'bigint'),
    ]).as('outcome'),
  ),
);

/** When the newest partition of turns ends; null while it has no end. */
export const turnsEnd = prepared((tables, _given: object) =>
  tables.selectNoFrom(({ fn }) => fn<number | null>('turns_end_at', []).as('endMs')),
);

/** Drops a partition that ended before a time and in which no turn is left. */
export const dropEmptyTurns = prepared((tables, given: { beforeMs: number }) =>
  tables.selectNoFrom(({ fn, val, cast }) =>
    fn<'dropped' | 'none' | 'busy'>('drop_empty_turns', [cast(val(given.beforeMs), 'bigint')]).as('outcome'),
  ),
);

/**
 * Drops a partition of jobs that ended before a time, and in which no job waits, runs or has just ended; it is searched without
 * blocking other work.
 */
export const dropJobPartition = prepared((tables, given: { beforeMs: number }) =>
  tables.selectNoFrom(({ fn, val, cast }) =>
    fn<'dropped' | 'none' | 'busy'>('drop_job_partition', [cast(val(given.beforeMs), 'bigint')]).as('outcome'),
  ),
);
/** Validates the jobs that were there before the table was partitioned, so that they can become a partition. */
export const checkJobs = prepared((tables, _given: object) =>
  tables.selectNoFrom(({ fn }) => fn('check_jobs', []).as('checked')),
);

/** Removes the time limits of a session, for statements that take as long as they need and block no other work. */
export const unbounded = prepared((tables, _given: object) =>
  tables.selectNoFrom(({ fn, val }) => [
    fn('set_config', [val('statement_timeout'), val('0'), val(false)]).as('statements'),
    fn('set_config', [val('lock_timeout'), val('0'), val(false)]).as('locks'),
  ]),
);
/** Validates the newest partition of turns, so that it can be given an end. */
export const checkTurns = prepared((tables, _given: object) =>
  tables.selectNoFrom(({ fn }) => fn('check_turns', []).as('checked')),
);
/** Gathers statistics for plans over all turns, if the last ones are older than a time. */
export const analyzeTurns = prepared((tables, given: { beforeMs: number }) =>
  tables.selectNoFrom(({ fn, val, cast }) => fn('analyze_turns', [cast(val(given.beforeMs), 'bigint')]).as('analyzed')),
);
