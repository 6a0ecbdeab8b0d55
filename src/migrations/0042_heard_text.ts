import { SqlMigration } from '../kernel/migrations.ts';

/** What was heard of a turn whose reply was interrupted. */
export default class extends SqlMigration {
  override readonly sql = 'alter table turn add column heard_text text';
}
