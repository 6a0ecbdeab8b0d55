import { SqlMigration } from '../kernel/migrations.ts';

/** A repeated piece of work counts its attempts, in this table as in all others. */
export default class extends SqlMigration {
  /** Releases before ask for the old name, as they do for those of 0037. */
  override readonly breaking = '1.3.0';

  override readonly sql = `
alter table brain_unremembered rename column tries to attempts;
`;
}
