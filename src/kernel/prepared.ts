/**
 * Statements of hot paths, typed like the ORM's and as fast as SQL by hand: Kysely builds the text once, and from then
 * on only values are put in and the statement is run under its name, which PostgreSQL has planned.
 *
 *     const slugOf = prepared((tables, given: { id: string }) =>
 *       tables.selectFrom('conversation').select('share_slug as slug').where('id', '=', given.id));
 *
 *     const [row] = await slugOf(db, { id });   // row?: { slug: string }
 */
import {
  type AliasedRawBuilder,
  type Compilable,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Keyset } from './keyset.ts';
import type { Row } from './named-statements.ts';
import type { Tx } from './transaction.ts';

/** What a statement runs on: the pool, or a transaction. */
interface Runs {
  rows<T extends Row>(sql: string, values?: unknown[]): Promise<T[]>;
}

/** A statement with the values of one call: what `tx.send` and `tx.beforeCommit` take. */
interface Filled {
  sql: string;
  values: unknown[];
}

/** Runs the statement; `filled` only gives its text and values, for callers that send it without waiting (`tx.send`). */
export interface Prepared<Values, Result> {
  (on: Runs, values: Values): Promise<Result[]>;
  filled(values: Values): Filled;
}

/** Stands in the built statement where a value goes. */
class Given {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

const GIVEN = new Proxy({}, { get: (_, name) => new Given(name) });

const UNCONNECTED: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/**
 * `build` is called once, with stand-ins: it passes what it is given on to Kysely and looks at none of it. Where the text
 * depends on the values there are several statements. An array is one value: `anyOf(given.ids)`, not `in`.
 */
export const preparedOver = <Tables>() => {
  const tables = new Kysely<Tables>({ dialect: UNCONNECTED });
  return <Values extends object, Result>(
    build: (tables: Kysely<Tables>, given: Values) => Compilable<Result>,
  ): Prepared<Values, Result> => {
    let built: { sql: string; parameters: readonly unknown[] } | undefined;
    const filled = (values: Values): Filled => {
      built ??= build(tables, GIVEN as Values).compile();
      const given = values as Record<PropertyKey, unknown>;
      const fill = (value: unknown): unknown => (value instanceof Given ? given[value.name] : value);
      return { sql: built.sql, values: built.parameters.map(fill) };
    };
    const run = (on: Runs, values: Values): Promise<Result[]> => {
      const statement = filled(values);
      return on.rows<Result & Row>(statement.sql, statement.values);
    };
    return Object.assign(run, { filled });
  };
};

/** One of these: `where('id', '=', anyOf(given.ids))`. An array is one value, so that the text is the same however many there are. */
export const anyOf = (values: readonly string[]): RawBuilder<string> => sql<string>`any(${values}::text[])`;

/**
 * An id that PostgreSQL does not know when it plans. Of a partitioned table the plan that suits every id is priced as if all partitions were
 * read; where it knew one it would take that for dearer, and plan anew each time, which takes longer than all else.
 */
export const unplanned = (id: string): RawBuilder<string> => sql<string>`(select ${id}::text)`;

/** The same for one of several: not even how many there are is known, for which it would plan anew too. */
export const unplannedAnyOf = (values: readonly string[]): RawBuilder<string> =>
  sql<string>`any((select ${values}::text[])::text[])`;

/** Sorts behind every id, in any collation. */
const BEHIND_ALL = sql.lit('zzzzzz');

/**
 * The rows of a keyset by this column, which holds ids; order and limit are the statement's own. As bounds that are always
 * there, by which an index is entered: `$1 is null or id > $1` is looked at for each of its rows.
 */
export const inKeyset = (column: string, given: Keyset): RawBuilder<boolean> => sql<boolean>`
  ${sql.ref(column)} > coalesce(${given.above}::text, '') and ${sql.ref(column)} < coalesce(${given.below}::text, ${BEHIND_ALL})`;

/**
 * A limit that PostgreSQL does not know when it plans: it reads by the order's index then, and ends. Where it knows that a
 * page is as large as the usual list, it reads and sorts the whole list, which of a long one is a thousand times as much.
 */
export const unplannedLimit = (limit: number): RawBuilder<number> => sql<number>`(select ${limit}::bigint)`;

/** A statement for each order of a list, of which the keyset takes one. */
export function bothOrders<Values extends Keyset, Result>(
  make: (way: 'asc' | 'desc') => Prepared<Values, Result>,
): (on: Runs, values: Values) => Promise<Result[]> {
  const [ascending, descending] = [make('asc'), make('desc')];
  return (on, values) => (values.descending ? descending : ascending)(on, values);
}

/**
 * Arrays of one length as rows, `unnest($1::text[], $2::int[]) as u (id, n)`: many rows with few parameters, and the same
 * text however many there are. `columns` names the type and the array of each column, in order.
 */
export function unnest<Row extends object, const Alias extends string>(
  alias: Alias,
  columns: {
    [Column in keyof Row]: readonly [type: 'text' | 'integer' | 'bigint' | 'bytea', values: readonly Row[Column][]];
  },
): AliasedRawBuilder<Row, Alias> {
  const entries = Object.entries<readonly [string, readonly unknown[]]>(columns);
  const arrays = entries.map(([, [type, values]]) => sql`${values}::${sql.raw(type)}[]`);
  const names = entries.map(([name]) => sql.ref(name));
  return sql<Row>`unnest(${sql.join(arrays)})`.as<Alias>(sql`${sql.ref(alias)}(${sql.join(names)})`);
}

/** Runs prepared statements without waiting for them; their rows are dropped. See `Tx.send`. */
export const sent = (tx: Pick<Tx, 'send'>): Runs => ({
  rows: async (sql, values = []) => {
    tx.send(sql, values);
    return [];
  },
});

/** The same for statements that must meet a row; `otherwise` makes the error of the transaction. See `Tx.require`. */
export const required = (tx: Pick<Tx, 'require'>, otherwise: () => Error): Runs => ({
  rows: async (sql, values = []) => {
    tx.require(sql, values, otherwise);
    return [];
  },
});
