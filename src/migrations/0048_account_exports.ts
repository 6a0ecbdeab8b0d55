import { SqlMigration } from '../kernel/migrations.ts';

/** What an account asked to have of what is held of it: one a time. */
export default class extends SqlMigration {
  override readonly sql = `
create table account_export (
  id text primary key,
  user_id text not null unique references app_user on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'ready', 'failed')),
  attempt int not null default 0,
  media_key text,
  bytes bigint,
  created_at bigint not null,
  expires_at bigint not null
);
create index account_export_expires on account_export (expires_at);
`;
}
