import { SqlMigration } from '../kernel/migrations.ts';

/** The turns that are gone, for viewers to hear of, and files that are to leave the store. */
export default class extends SqlMigration {
  override readonly sql = `
create table deleted_turn (
  id text primary key,
  conversation_id text not null references conversation on delete cascade,
  number int not null,
  chunk int not null,
  role text not null check (role in ('user', 'avatar')),
  version bigint not null,
  created_at bigint not null,
  unique (conversation_id, version)
);
create table media_removal (
  id text primary key,
  paths jsonb not null,
  due_at bigint not null,
  is_again boolean not null default false
);
create index media_removal_due on media_removal (due_at);
`;
}
