import { SqlMigration } from '../kernel/migrations.ts';

/** The process that runs the request of a key, by the number of its lock; null where it is not known. */
export default class extends SqlMigration {
  override readonly sql = 'alter table idempotency_key add column if not exists process int';
}
