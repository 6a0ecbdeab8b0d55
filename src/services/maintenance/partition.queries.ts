/**
 * Partitions by their time. Not the ORM's, which knows a table and not the tables that it consists of: functions in PostgreSQL read, make
 * and drop them (src/migrations/0072_partitions.ts).
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

/** Makes a partition. `taken`: something is in that range already; `busy`: others work on the table, and are not kept waiting. */
export const addPartition = prepared((tables, given: OfTable & { fromMs: number; toMs: number }) =>
  tables.selectNoFrom(({ fn, val, cast }) =>
    fn<'made' | 'taken' | 'busy'>('add_partition', [
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
