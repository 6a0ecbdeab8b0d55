import { SqlMigration } from '../kernel/migrations.ts';

/** Turns whose fragments are still stored: what the hourly housekeeping looks for. */
export default class extends SqlMigration {
  override readonly sql = `
create index turn_streamed on turn (created_at) where stream_key is not null;
`;
}
