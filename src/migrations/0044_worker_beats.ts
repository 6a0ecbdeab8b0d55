import { SqlMigration } from '../kernel/migrations.ts';

/** When the worker of a note last said that it goes on; null where it is of a release that says nothing. */
export default class extends SqlMigration {
  override readonly sql = 'alter table worker_job add column beat_at bigint';
}
