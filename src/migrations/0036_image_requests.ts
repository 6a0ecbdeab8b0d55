import { SqlMigration } from '../kernel/migrations.ts';

/** An image that was asked for and accepted: what its job reads, and how it ended, for those who wait for it. */
export default class extends SqlMigration {
  override readonly sql = `
create table image_request (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  client_id text,
  request jsonb not null,
  keyed jsonb,
  credit_cost bigint not null,
  hold_id text not null references ledger_hold,
  state text not null default 'waiting' check (state in ('waiting', 'made', 'refused')),
  attempt integer not null default 0,
  media_key text,
  error jsonb,
  created_at bigint not null,
  waited_at bigint not null
);
create index image_request_created on image_request (created_at);
create index image_request_waiting on image_request (user_id) where state = 'waiting';
`;
}
