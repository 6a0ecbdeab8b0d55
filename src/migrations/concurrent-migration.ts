import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Indexes of tables that may be large, made and dropped while others go on writing. PostgreSQL does that outside of any
 * transaction, so such a migration is applied by itself. One that was broken off goes on: what was finished stays, and what
 * PostgreSQL left unfinished, which it calls invalid, is made anew.
 */
export abstract class ConcurrentMigration extends SqlMigration {
  /** Name -> `table (columns) where ...`; a unique one has a constraint, and is none of these. */
  abstract readonly indexes: Readonly<Record<string, string>>;
  readonly dropped: readonly string[] = [];

  /** What its checksum is of; what is there already is left out when it runs. */
  override get sql(): string {
    return this.#statements(() => ({ isValid: false })).join(';\n');
  }

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const found = await this.execute(
      'select relname, indisvalid from pg_index join pg_class on oid = indexrelid where pg_table_is_visible(oid)',
    );
    const there = new Map(found.map(({ relname, indisvalid }) => [relname, { isValid: indisvalid }]));
    for (const statement of this.#statements((name) => there.get(name))) this.addSql(statement);
  }

  #statements(find: (name: string) => { isValid: boolean } | undefined): string[] {
    const drop = (name: string) => (find(name) ? [`drop index concurrently if exists ${name}`] : []);
    return [
      ...Object.entries(this.indexes)
        .filter(([name]) => !find(name)?.isValid)
        .flatMap(([name, columns]) => [...drop(name), `create index concurrently ${name} on ${columns}`]),
      ...this.dropped.flatMap(drop),
    ];
  }
}
