import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Addresses that accounts and apps have their events sent to, and what was sent. A line is written in the transaction
 * that it reports; `due_at` is when it is to be sent, or was last handed to the job queue.
 */
export default class extends SqlMigration {
  override readonly sql = `
create table webhook_endpoint (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  client_id text references oauth_client on delete cascade,
  url text not null,
  events jsonb not null,
  description text,
  secret text not null,
  previous_secret text,
  previous_secret_until bigint,
  disabled_at bigint,
  disabled_reason text check (disabled_reason in ('owner', 'gone', 'failing')),
  delivered_at bigint,
  created_at bigint not null
);
create trigger usage_added after insert on webhook_endpoint referencing new table as changed for each statement
  execute function count_usage('webhooks', 'r.user_id', 'count(*)', 'true');
create trigger usage_removed after delete on webhook_endpoint referencing old table as changed for each statement
  execute function count_usage('webhooks', 'r.user_id', 'count(*)', 'true');
create index webhook_endpoint_user on webhook_endpoint (user_id, id);
create index webhook_endpoint_client on webhook_endpoint (client_id) where client_id is not null;
create table webhook_delivery (
  id text primary key,
  endpoint_id text not null references webhook_endpoint on delete cascade,
  event_type text not null,
  subject_id text not null,
  data jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'delivered', 'failed')),
  attempts integer not null default 0,
  status integer,
  error text,
  due_at bigint not null,
  begun_at bigint not null,
  delivered_at bigint,
  created_at bigint not null,
  unique (endpoint_id, event_type, subject_id)
);
create index webhook_delivery_listed on webhook_delivery (endpoint_id, id);
create index webhook_delivery_due on webhook_delivery (due_at) where state = 'waiting' or state = 'sending';
create index webhook_delivery_age on webhook_delivery (created_at);
`;
}
