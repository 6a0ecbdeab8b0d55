/**
 * The tables as Kysely types them, derived from the entities: a column that is renamed there is a type error in every
 * statement that names it. For the few statements that are not the ORM's (`*.queries.ts`, docs/decisions/0002).
 */
import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { ColumnType } from 'kysely';
import { preparedOver } from '../../src/kernel/prepared.ts';
import type { ENTITIES } from './index.ts';

type Inferred = InferKyselyDB<(typeof ENTITIES)[number]>;

/** On the wire int8 is a number (src/kernel/database.ts), also where the entity holds credits as a bigint. */
type Wire<T> = T extends bigint ? number : T;
type Written<T> = T extends bigint ? bigint | number : T;
type Column<T> =
  T extends ColumnType<infer Read, infer Insert, infer Update>
    ? ColumnType<Wire<Read>, Written<Insert>, Written<Update>>
    : unknown extends T
      ? T
      : ColumnType<Wire<T>, Written<T>, Written<T>>;

/** The two columns of the relation `entry`, which Kysely infers as columns `entry_brain` and `entry_seq`. */
interface MemoryKey {
  scope_id: number;
  seq: number;
}

/** Properties that are no columns: relations of two columns, and what a formula computes. */
type NoColumn = `entry_${string}` | 'has_run_out';

/** Columns and their types of every table, for the query builder. */
export type Tables = {
  [Table in keyof Inferred]: {
    [Name in keyof Inferred[Table] as Name extends NoColumn ? never : Name]: Column<Inferred[Table][Name]>;
  };
} & { brain_due: MemoryKey; brain_vector: MemoryKey };

/** A statement over these tables that is built once and then only run. */
export const prepared = preparedOver<Tables>();
