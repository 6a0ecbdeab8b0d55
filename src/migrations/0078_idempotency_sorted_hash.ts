import { SqlMigration } from '../kernel/migrations.ts';

/**
 * The hash of a keyed request whose fields are in the order of their names: the same request in another order is the same.
 * The release before knows `request_hash` alone, and so it stays: of the request as it was sent.
 */
export default class extends SqlMigration {
  override readonly sql = 'alter table idempotency_key add column if not exists sorted_hash text';
}
