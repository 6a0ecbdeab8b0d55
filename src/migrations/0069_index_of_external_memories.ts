import { SqlMigration } from '../kernel/migrations.ts';

/** An index is named after its columns: those of an external memory's avatar, sandbox and system. No statement names it. */
export default class extends SqlMigration {
  override readonly sql = 'alter index brain_external_place rename to brain_external_scope;';
}
