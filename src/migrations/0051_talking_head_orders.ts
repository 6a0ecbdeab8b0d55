import { SqlMigration } from '../kernel/migrations.ts';

/** What makes a talking head elsewhere, so that a worker that takes the work over goes on with it. */
export default class extends SqlMigration {
  override readonly sql = `
    alter table turn add column talking_head_order jsonb;
    alter table speech_generation add column talking_head_order jsonb`;
}
