import { SqlMigration } from '../kernel/migrations.ts';

/** For the export of an account, which asks for what it saved in whichever avatar. */
export default class extends SqlMigration {
  override readonly sql = `
    create index brain_entry_saved_by on brain_entry (saved_by, id);
    create index brain_external_saved_by on brain_external (saved_by, id)`;
}
