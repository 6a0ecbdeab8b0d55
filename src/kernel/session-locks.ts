/**
 * Who is alive: a process holds an advisory lock on a connection of its own for as long as it lives. PostgreSQL lets go of
 * it with the connection, also where the process was killed or its machine lost its power.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { preparedOver } from './prepared.ts';

/**
 * The first number of the locks of each kind; the second is drawn at random, and of `workerKind` it says which kind of job the
 * worker of that connection takes.
 */
export const LOCK_CLASSES = { worker: 4_020, web: 4_021, retention: 4_022, workerKind: 4_023 } as const;

/** So that the lock of a machine that lost its power is gone in seconds; not every platform can. */
const KEEPALIVE = `select set_config('tcp_keepalives_idle', '3', false), set_config('tcp_keepalives_interval', '1', false),
  set_config('tcp_keepalives_count', '3', false)`;

const HOLD = 'select pg_advisory_lock_shared($1, id) from unnest($2::int[]) id';

/** Takes the lock for as long as the connection stands. Shared: who comes back does not wait for the lost connection. */
export async function holdLock(client: pg.Client, lockClass: number, id: number): Promise<void> {
  await client.query(KEEPALIVE).catch(() => {});
  await client.query(HOLD, [lockClass, [id]]);
}

/** Says on the connection of a worker's lock which kinds of job it takes. @param kinds by their number */
export async function holdKinds(client: pg.Client, kinds: readonly number[]): Promise<void> {
  await client.query(HOLD, [LOCK_CLASSES.workerKind, kinds]);
}

const overLocks = preparedOver<{ pg_locks: { locktype: string; classid: number; objid: number; pid: number } }>();
const IN_THIS_DATABASE = sql<boolean>`database = (select oid from pg_database where datname = current_database())`;

/** The locks of these classes, with the connection that holds each. */
export const locksOf = overLocks((tables, given: { lockClasses: number[] }) =>
  tables
    .selectFrom('pg_locks')
    .select(['classid', 'objid', 'pid'])
    .where('locktype', '=', 'advisory')
    .where(sql<boolean>`classid = any(${given.lockClasses}::bigint[])`)
    .where(IN_THIS_DATABASE),
);

/** A row where this lock is held. */
export const heldLock = overLocks((tables, given: { lockClass: number; id: number }) =>
  tables
    .selectFrom('pg_locks')
    .select('objid')
    .where('locktype', '=', 'advisory')
    .where('classid', '=', given.lockClass)
    .where('objid', '=', given.id)
    .where(IN_THIS_DATABASE)
    .limit(1),
);
