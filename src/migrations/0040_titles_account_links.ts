import { SqlMigration } from '../kernel/migrations.ts';

/** Names that users give their conversations, and links that set a password or change an address. */
export default class extends SqlMigration {
  override readonly sql = `
alter table conversation add column title text;
create table account_link (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  purpose text not null check (purpose in ('reset_password', 'change_email')),
  email text,
  token_hash text unique,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index account_link_user on account_link (user_id, created_at);
`;
}
