/**
 * How MikroORM is set up, for the platform as for the `mikro-orm` command line: entities say exactly what the migrations
 * made, so the difference of the two is empty (test/architecture/schema.test.ts).
 */
import type { MikroORM } from '@mikro-orm/core';
import {
  defineConfig,
  type EntityClass,
  type EntitySchema,
  type Options,
  type SqlEntityManager,
  SqlSchemaGenerator,
} from '@mikro-orm/postgresql';
import type pg from 'pg';
import type TypeOverrides from 'pg/lib/type-overrides';
import { type ListedMigration, MIGRATION_TABLE, Migrator, SqlMigrationGenerator } from './migrations.ts';
import { PostgresNames } from './naming.ts';
import { APPLICATION, VERSION } from './version.ts';

const INT8 = 20;

/** How the entity manager connects. */
export interface OrmOptions {
  url: string;
  entities: readonly (EntityClass | EntitySchema)[];
  migrations: readonly ListedMigration[];
  /** Columns that the index of a table's primary key holds beside the key: entities cannot say that. */
  coveringKeys: Readonly<Record<string, readonly string[]>>;
  /** Tables that do not declare the key of their entity, which every entity has. */
  undeclaredKeys: readonly string[];
  /** Tables that do not declare the foreign keys of their entity: their partitions do. */
  undeclaredReferences: readonly string[];
  poolSize?: number;
}

/** How MikroORM is opened on this database: for a process, and for its command line. */
export function ormOptions({
  url,
  entities,
  migrations,
  coveringKeys,
  undeclaredKeys,
  undeclaredReferences,
  poolSize = 12,
}: OrmOptions): Options {
  class SchemaGenerator extends SqlSchemaGenerator {
    static override register(orm: MikroORM): void {
      orm.config.registerExtension(
        '@mikro-orm/schema-generator',
        () => new SchemaGenerator(orm.em as SqlEntityManager),
      );
    }

    override getTargetSchema(...of: Parameters<SqlSchemaGenerator['getTargetSchema']>) {
      const schema = super.getTargetSchema(...of);
      for (const [table, columns] of Object.entries(coveringKeys)) {
        const key = schema.getTable(table)?.getPrimaryKey();
        if (key) key.include = [...columns];
      }
      for (const name of undeclaredKeys) {
        const table = schema.getTable(name);
        table?.setIndexes(table.getIndexes().filter(({ primary }) => !primary));
      }
      for (const name of undeclaredReferences) schema.getTable(name)?.setForeignKeys({});
      return schema;
    }
  }
  return defineConfig({
    clientUrl: url,
    entities: [...entities],
    extensions: [SchemaGenerator, Migrator],
    namingStrategy: PostgresNames,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      // What is sent without waiting leaves at once: `begin` with the first statement, the last one with `commit`.
      pipeline: true,
      onPoolCreated: readIntegers,
      application_name: new URL(url).searchParams.get('application_name') ?? `${APPLICATION}${VERSION}`,
    },
    // A lost database is reported by the query that needed it; nothing is printed beside our own log lines.
    logger: () => {},
    ignoreUndefinedInQuery: true,
    // A mistyped name is an error: a database made by that name would be an empty instance.
    ensureDatabase: false,
    schemaGenerator: {
      defaultUpdateRule: 'no action',
      // Functions (the ledger's) and triggers (the counters') are written by migrations alone.
      ignoreRoutines: true,
      ignoreTriggers: true,
      // The records of migrations: MikroORM's own, and the one that releases before 1.3 kept.
      skipTables: [MIGRATION_TABLE, 'schema_migration'],
    },
    migrations: {
      migrationsList: [...migrations],
      tableName: MIGRATION_TABLE,
      path: 'src/migrations',
      fileName: (_timestamp, name = 'change') => `${nextNumber(migrations)}_${name}`,
      generator: SqlMigrationGenerator,
      // What the entities say is compared with a migrated database, not with a file.
      snapshot: false,
    },
  });
}

/** int8 comes as a number, as the other integers do; as text beyond 2^53, which `BigInt` reads as exactly. */
function readIntegers(pool: pg.Pool): void {
  (pool.options.types as TypeOverrides).setTypeParser(INT8, (text) => {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : text;
  });
}

/** Four digits, one more than those of the newest migration. */
const nextNumber = (migrations: readonly ListedMigration[]): string =>
  String(1 + Math.max(0, ...migrations.map(({ name }) => Number(name.slice(0, 4))))).padStart(4, '0');
