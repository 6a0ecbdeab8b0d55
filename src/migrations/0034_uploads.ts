import { SqlMigration } from '../kernel/migrations.ts';

/** What a person brought or had drawn, until it is used: each row lives for a day. */
export default class extends SqlMigration {
  override readonly sql = `
create table upload (
  id text primary key,
  owner_user_id text not null references app_user on delete cascade,
  token_hash text,
  media_key text unique,
  rig jsonb,
  created_at bigint not null
);
create index upload_created on upload (created_at);
create index upload_owner on upload (owner_user_id);
`;
}
