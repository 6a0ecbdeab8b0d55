import { SqlMigration } from '../kernel/migrations.ts';

/** A picture of a film for the card and the player of its share page. */
export default class extends SqlMigration {
  override readonly sql = `
alter table video_generation add column still_key text;
`;
}
