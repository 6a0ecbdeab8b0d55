/**
 * Migrations: MikroORM's, forward only, and each remembered with a checksum of its SQL (comments left out). One is a file
 * of src/migrations whose default export is a `SqlMigration`, listed in its `index.ts` by the file's name. Several processes may start
 * at once: one migrates, the others wait and find nothing left to do.
 */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Constructor, IMigratorStorage, MikroORM, Transaction } from '@mikro-orm/core';
import { Migration, MigrationStorage, Migrator as MikroMigrator, TSMigrationGenerator } from '@mikro-orm/migrations';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { preparedOver } from './prepared.ts';
import { APPLICATION, compareVersions, VERSION } from './version.ts';

/** Where MikroORM keeps which migrations ran; `checksum` and `breaking` are ours. */
export const MIGRATION_TABLE = 'mikro_orm_migrations';

/**
 * Number of the advisory lock that keeps two starting processes from migrating at once. It is polled, never waited for, and may
 * be held for long: no other lock has this number.
 */
export const MIGRATION_LOCK = 4_020_264;

/**
 * The one of releases before 1.3, which wait for it in a statement. An index that is made concurrently waits for the end
 * of every statement: so no process holds this lock meanwhile, and an old one finds nothing to do.
 */
const TRANSACTIONS_LOCK = 4_020_261;
const LOCK_WAIT_MS = 100;

/** A change of the schema that is never undone: a wrong one is corrected by another migration. */
export abstract class SqlMigration extends Migration {
  /** One or more statements. Once it ran anywhere it stays as it is, which its checksum sees to. */
  abstract readonly sql: string;

  /**
   * The first release that can work with the database afterwards, e.g. `1.4.0`, when older ones cannot. It is then not
   * applied while a process of an older release is connected, and none starts on the database any more. Without it,
   * the release before this one must still work, so that processes can be replaced one by one.
   */
  readonly breaking?: string;

  override up(): void {
    this.addSql(this.sql);
  }
}

/** The database is one for later releases. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** A migration of `src/migrations`. */
export interface ListedMigration {
  /** `0014_what_it_does` */
  name: string;
  class: Constructor<SqlMigration>;
}

/**
 * Applies what this database has not seen, in order, and returns the names: all or nothing of those between two
 * ones that run outside of transactions. Throws one sentence when an applied migration was changed, or when releases that cannot work with
 * the outcome are in the way.
 */
export async function migrate(on: { orm: MikroORM; sessions: pg.Pool }): Promise<string[]> {
  const client = await on.sessions.connect();
  try {
    return await locked(client, MIGRATION_LOCK, () => applyAll(client, on.orm.migrator as Migrator));
  } finally {
    client.release();
  }
}

/** Asks for the lock again and again: one who waits for it in a statement keeps concurrent indexes waiting. */
async function locked<T>(client: pg.PoolClient, lock: number, work: () => Promise<T>): Promise<T> {
  const isTaken = async () =>
    (await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock])).rows[0]?.taken;
  while (!(await isTaken())) await setTimeout(LOCK_WAIT_MS);
  try {
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lock]).catch(() => {});
  }
}

async function applyAll(client: pg.PoolClient, migrator: Migrator): Promise<string[]> {
  const done: string[] = [];
  let current = '';
  migrator.on('migrating', ({ name }) => {
    current = name;
  });
  const apply = async (group: string[]) => {
    await migrator.apply(group).catch((error) => {
      throw new Error(`Migration ${current} failed: ${error.message}`, { cause: error });
    });
    done.push(...group);
  };
  for (;;) {
    // Pending migrations are read anew: an older process may have started since the lock was released.
    const group = await locked(client, TRANSACTIONS_LOCK, async () => {
      const [next] = migrator.groups(await pendingOf(client, migrator.written()));
      if (next && migrator.isTransactional(next)) await apply(next);
      return next;
    });
    if (!group) return done;
    if (!migrator.isTransactional(group)) await apply(group);
  }
}

/** Names of the migrations to apply. Throws where a changed migration or connected older releases are in the way. */
async function pendingOf(client: pg.PoolClient, written: Map<string, Written>): Promise<string[]> {
  await prepareTable(client);
  const applied = await checkApplied(client, written);
  const pending = [...written].filter(([name]) => !applied.has(name));
  for (const [name, { breaking }] of pending) if (breaking) await checkConnected(client, name, breaking);
  return pending.map(([name]) => name);
}

/** A migration as it is written today. */
interface Written {
  checksum: string;
  breaking: string | undefined;
}

/** The table as MikroORM makes it, with our columns; what releases before 1.3 applied is taken over once. */
async function prepareTable(client: pg.PoolClient): Promise<void> {
  await client.query(`
    create table if not exists ${MIGRATION_TABLE} (id serial primary key, name varchar(255) not null,
      executed_at timestamptz not null default current_timestamp);
    alter table ${MIGRATION_TABLE} add column if not exists checksum text, add column if not exists breaking text;
    do $$ begin
      if to_regclass('schema_migration') is not null then
        insert into ${MIGRATION_TABLE} (name, executed_at)
        select replace(name, '.sql', ''), applied_at from schema_migration
        where not exists (select from ${MIGRATION_TABLE}) order by name;
      end if;
    end $$`);
}

async function checkApplied(client: pg.PoolClient, written: Map<string, Written>): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string; checksum: string | null; breaking: string | null }>(
    `select name, checksum, breaking from ${MIGRATION_TABLE}`,
  );
  for (const { name, checksum, breaking } of rows) {
    const ours = written.get(name);
    if (ours && checksum === null) await remember(client, name, ours);
    else if (ours && checksum !== ours.checksum)
      throw new Error(`Migration ${name} was changed after it ran on this database: restore it, and write a new one.`);
    else if (!ours) checkFits(name, breaking);
  }
  return new Set(rows.map(({ name }) => name));
}

function checkFits(name: string, breaking: string | null): void {
  if (breaking && compareVersions(VERSION, breaking) < 0)
    throw new NewerSchemaError(
      `Migration ${name} made this database one for release ${breaking} or later; this is ${VERSION}.`,
    );
}

const breakingMigrations = preparedOver<Record<typeof MIGRATION_TABLE, { name: string; breaking: string | null }>>()(
  (tables, _given: object) =>
    tables.selectFrom(MIGRATION_TABLE).select(['name', 'breaking']).where('breaking', 'is not', null),
);

/** For a process that runs already. @throws NewerSchemaError when this release cannot work with the database any more */
export async function checkSchema(db: { orm: MikroORM } & Parameters<typeof breakingMigrations>[0]): Promise<void> {
  const ours = (db.orm.migrator as Migrator).written();
  for (const { name, breaking } of await breakingMigrations(db, {})) if (!ours.has(name)) checkFits(name, breaking);
}

const remember = (client: pg.PoolClient, name: string, { checksum, breaking }: Written): Promise<unknown> =>
  client.query(`update ${MIGRATION_TABLE} set checksum = $2, breaking = $3 where name = $1`, [
    name,
    checksum,
    breaking ?? null,
  ]);

/** Releases from 1.3 on name themselves in their connections; a pooler between must hand the name on. */
async function checkConnected(client: pg.PoolClient, name: string, breaking: string): Promise<void> {
  const { rows } = await client.query<{ release: string }>(
    `select distinct substr(application_name, length($1) + 1) as release from pg_stat_activity
     where datname = current_database() and starts_with(application_name, $1)`,
    [APPLICATION],
  );
  const old = rows.map(({ release }) => release).filter((release) => compareVersions(release, breaking) < 0);
  if (old.length > 0)
    throw new Error(`Migration ${name} waits until every process before release ${breaking} is stopped: ${old} runs.`);
}

/** MikroORM's, over `SqlMigration`s, remembering the checksum of each in the transaction that applies it. */
export class Migrator extends MikroMigrator {
  static override register(orm: MikroORM): void {
    orm.config.registerExtension('@mikro-orm/migrator', () => new Migrator(orm.em as SqlEntityManager));
  }

  /** These migrations as they are applied: those that run outside of transactions alone, what lies between them together. */
  groups(names: readonly string[]): string[][] {
    const groups: string[][] = [];
    let isOpen = false;
    for (const name of names) {
      const isTogether = this.#written(name).isTransactional();
      if (isTogether && isOpen) groups.at(-1)?.push(name);
      else groups.push([name]);
      isOpen = isTogether;
    }
    return groups;
  }

  /** Whether a group is applied in one transaction. */
  isTransactional(group: readonly string[]): boolean {
    return group.every((name) => this.#written(name).isTransactional());
  }

  /** Applies a group; of one that runs outside of transactions none is opened around it. */
  async apply(group: string[]): Promise<void> {
    const { allOrNothing = true } = this.options;
    this.options.allOrNothing = this.isTransactional(group);
    try {
      await this.up({ migrations: group });
    } finally {
      this.options.allOrNothing = allOrNothing;
    }
  }

  /** What the listed migrations say today, by name. */
  written(): Map<string, Written> {
    return new Map(this.#listed().map(({ name }) => [name, this.#read(this.#written(name))]));
  }

  #listed(): ListedMigration[] {
    return (this.options.migrationsList ?? []) as ListedMigration[];
  }

  #written(name: string): SqlMigration {
    const listed = this.#listed().find((one) => one.name === name);
    if (!listed) throw new Error(`There is no migration ${name}.`);
    return new listed.class(this.driver, this.config);
  }

  #read({ sql, breaking }: SqlMigration): Written {
    // Comments may be mended.
    const text = sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
    return { checksum: createHash('sha256').update(text).digest('hex'), breaking };
  }

  protected override createStorage(): IMigratorStorage {
    const { driver, options } = this;
    const written = (): Map<string, Written> => this.written();
    return new (class extends MigrationStorage {
      override async logMigration(params: { name: string }, tx?: Transaction): Promise<void> {
        await super.logMigration(params, tx);
        const { checksum, breaking } = written().get(params.name)!;
        const sql = `update ${MIGRATION_TABLE} set checksum = ?, breaking = ? where name = ?`;
        await this.driver.execute(sql, [checksum, breaking ?? null, params.name], 'run', tx);
      }
    })(driver, options);
  }
}

/** What `mikro-orm migration:create` writes: a `SqlMigration` of what the entities have and the database has not. */
export class SqlMigrationGenerator extends TSMigrationGenerator {
  override generateMigrationFile(_className: string, { up }: { up: string[] }): string {
    const sql = up
      .join('\n')
      .trim()
      .replace(/[`$\\]/g, '\\$&');
    return `import { SqlMigration } from '../kernel/migrations.ts';\n
/** TODO: why. */
export default class extends SqlMigration {\n  override readonly sql = \`\n${sql}\n\`;\n}\n`;
  }
}
