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
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Row } from './statements.ts';

/** What a statement runs on: the pool, or a transaction. */
interface Runs {
  rows<T extends Row>(sql: string, values?: unknown[]): Promise<T[]>;
}

/** Stands in the built statement where a value goes. */
class Given {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

const GIVEN = new Proxy({}, { get: (_, name) => new Given(name) });

const UNCONNECTED = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * `build` is called once, with stand-ins: it passes what it is given on to Kysely and looks at none of it. Where the text
 * depends on the values there are several statements. An array is one value: `= any(${given.ids})`, not `in`.
 */
export const preparedOver =
  <Tables>() =>
  <Values extends object, Result>(build: (tables: Kysely<Tables>, given: Values) => Compilable<Result>) => {
    let built: { sql: string; parameters: readonly unknown[] } | undefined;
    return (on: Runs, values: Values): Promise<Result[]> => {
      built ??= build(UNCONNECTED as unknown as Kysely<Tables>, GIVEN as Values).compile();
      const given = values as Record<PropertyKey, unknown>;
      const filled = built.parameters.map((value) => (value instanceof Given ? given[value.name] : value));
      return on.rows<Result & Row>(built.sql, filled);
    };
  };
