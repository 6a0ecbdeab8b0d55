import { ConcurrentMigration } from './concurrent-migration.ts';

/**
 * What `account_change` keeps of its indexes once it is the partition of changes that have no number: rows that wait are in none
 * of them, so that adding one writes two indexes instead of five (0072).
 */
export default class extends ConcurrentMigration {
  override readonly indexes = {
    account_change_waiting_version: 'account_change (user_id, version) where version is not null',
    account_change_waiting_subject: 'account_change (user_id, subject_id) where version is not null',
  };
}
