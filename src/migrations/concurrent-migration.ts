import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Indexes of tables that may be large, made and dropped while others go on writing. PostgreSQL does that outside of any
 * transaction, so such a migration is applied by itself: one that was broken off begins anew, which no index of its names
 * keeps it from.
 */
export abstract class ConcurrentMigration extends SqlMigration {
  /** Name -> `table (columns) where ...`; a unique one has a constraint, and is none of these. */
  abstract readonly indexes: Readonly<Record<string, string>>;
  readonly dropped: readonly string[] = [];

  override get sql(): string {
    return this.#statements().join(';\n');
  }

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of this.#statements()) this.addSql(statement);
  }

  #statements(): string[] {
    return [
      ...Object.entries(this.indexes).flatMap(([name, columns]) => [
        `drop index concurrently if exists ${name}`,
        `create index concurrently ${name} on ${columns}`,
      ]),
      ...this.dropped.map((name) => `drop index concurrently if exists ${name}`),
    ];
  }
}
