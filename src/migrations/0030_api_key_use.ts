import { SqlMigration } from '../kernel/migrations.ts';

/** When a key was used last and until when it may be; its scopes stand in the column that tokens of apps have. */
export default class extends SqlMigration {
  override readonly sql = `
alter table api_key add column last_used_at bigint, add column expires_at bigint;

-- The secret before the last rotation of an app verifies until the time beside it.
alter table oauth_client
  add column previous_secret_hash text,
  add column previous_secret_until bigint,
  add column secret_rotated_at bigint;
`;
}
