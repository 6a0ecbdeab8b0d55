import { SqlMigration } from '../kernel/migrations.ts';

/** Refresh tokens, and authorization requests that an app sent beforehand (RFC 9126). */
export default class extends SqlMigration {
  override readonly sql = `
    -- Each is used once. They belong to the grant: the row of its access token, whose secret is replaced with each use.
    create table oauth_refresh (
      token_hash text primary key,
      grant_id text not null references api_key on delete cascade,
      -- The code was redeemed with the app's secret: so must this be.
      needs_secret boolean not null,
      expires_at bigint not null,
      used_at bigint
    );
    create index oauth_refresh_grant on oauth_refresh (grant_id);
    create index oauth_refresh_age on oauth_refresh (expires_at);

    create table oauth_pushed_request (
      request_hash text primary key,
      client_id text not null references oauth_client on delete cascade,
      parameters jsonb not null,
      expires_at bigint not null
    );
    create index oauth_pushed_request_age on oauth_pushed_request (expires_at);`;
}
