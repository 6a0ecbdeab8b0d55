import { SqlMigration } from '../kernel/migrations.ts';

/** How an image came about, so that its words can be changed by drawing it anew. */
export default class extends SqlMigration {
  override readonly sql = 'alter table image_generation add column drawing jsonb';
}
