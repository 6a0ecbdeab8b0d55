import { SqlMigration } from '../kernel/migrations.ts';

/** Sign-in for third-party apps. Access tokens are rows of api_key. */
export default class extends SqlMigration {
  override readonly sql = `
create table oauth_client (
  id text primary key,
  owner_user_id text not null references app_user on delete cascade,
  name text not null,
  secret_hash text not null,
  redirect_domains jsonb not null,
  scopes jsonb not null,
  -- The avatar that the client-credentials grant acts as; null disables the grant.
  service_avatar_id text references avatar on delete set null,
  created_at bigint not null
);
create index oauth_client_owner on oauth_client (owner_user_id, created_at);

-- Authorization codes. A claimed one stays for a day, so that its replay is recognised and revokes what it issued.
create table oauth_code (
  code_hash text primary key,
  client_id text not null references oauth_client on delete cascade,
  user_id text not null references app_user on delete cascade,
  avatar_id text not null references avatar on delete cascade,
  redirect_uri text not null,
  scopes jsonb not null,
  code_challenge text,
  expires_at bigint not null,
  claimed_at bigint,
  -- Set when the exchange succeeded.
  token_id text references api_key on delete set null,
  redeemed_at bigint
);
create index oauth_code_age on oauth_code (expires_at);

-- Which avatar a user last showed to an app: preselected on the next consent.
create table oauth_choice (
  user_id text not null references app_user on delete cascade,
  client_id text not null references oauth_client on delete cascade,
  avatar_id text not null references avatar on delete cascade,
  primary key (user_id, client_id)
);

create index api_key_client on api_key (client_id, user_id) where client_id is not null;
`;
}
