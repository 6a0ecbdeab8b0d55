/**
 * Partitions by their time. Not the ORM's, which knows a table and not the tables that it consists of: functions in PostgreSQL read, make
 * and drop them (src/migrations/0072_partitions.ts; of turns 0074_turn_partitions.ts, of jobs 0076_job_partitions.ts).
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';
import type { PartitionRule } from './partition.rules.ts';

type OfTable = Pick<PartitionRule, 'table'>;

/** Until when a table has partitions of a time, and how many rows the largest has. Null where it has none. */
export const partitionsMade = prepared((tables, given: OfTable) =>
  tables
    .selectFrom(sql<{ ends_at: number; entries: number }>`partitions_of(${given.table})`.as('p'))
    .select(({ fn }) => [fn.max<number | null>('ends_at').as('endMs'), fn.max<number | null>('entries').as('rows')]),
);

/**
 * Makes a partition, or of jobs a step towards the first. `taken`: something is in that range already; `busy`: others work on the table, and
 * are not kept waiting; `unchecked`: `checkJobs` is next.
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
 * A step towards the next partition of turns, for conversations from `fromMs` on, once the newest has `most`. `none`: nothing is to do;
 * `unchecked`: `checkTurns` is next; `taken`: there are conversations from that time on; `moved`: its end was nearer than `nearMs`.
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

/** Drops a partition of jobs that ended before a time, and in which none waits, runs or has just ended; it looks through it beside the work. */
export const dropJobPartition = prepared((tables, given: { beforeMs: number }) =>
  tables.selectNoFrom(({ fn, val, cast }) =>
    fn<'dropped' | 'none' | 'busy'>('drop_job_partition', [cast(val(given.beforeMs), 'bigint')]).as('outcome'),
  ),
);
/** Reads the jobs of before, so that they can become a partition. */
export const checkJobs = prepared((tables, _given: object) =>
  tables.selectNoFrom(({ fn }) => fn('check_jobs', []).as('checked')),
);

/** For the session of the last and the next two, which take as long as they need and keep no one waiting. */
export const unbounded = prepared((tables, _given: object) =>
  tables.selectNoFrom(({ fn, val }) => [
    fn('set_config', [val('statement_timeout'), val('0'), val(false)]).as('statements'),
    fn('set_config', [val('lock_timeout'), val('0'), val(false)]).as('locks'),
  ]),
);
/** Reads the newest partition of turns, so that it can be given its end. */
export const checkTurns = prepared((tables, _given: object) =>
  tables.selectNoFrom(({ fn }) => fn('check_turns', []).as('checked')),
);
/** Gathers what plans over all turns are estimated by, if that was done before a time. */
export const analyzeTurns = prepared((tables, given: { beforeMs: number }) =>
  tables.selectNoFrom(({ fn, val, cast }) => fn('analyze_turns', [cast(val(given.beforeMs), 'bigint')]).as('analyzed')),
);
