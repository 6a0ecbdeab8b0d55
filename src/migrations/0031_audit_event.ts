import { SqlMigration } from '../kernel/migrations.ts';

/** Who did what to an account and from where, written in the transaction of the action. No text of users, no secrets. */
export default class extends SqlMigration {
  override readonly sql = `
create table audit_event (
  id text primary key,
  -- The account it is about; null for what is about the instance, and for failed sign-ins at no account.
  user_id text,
  -- Who did it, and with what; null where nobody was signed in, and for the instance itself.
  actor_user_id text,
  credential_kind text,
  credential_id text,
  client_id text,
  action text not null,
  -- Id of what it was done to.
  subject text,
  -- One word or number more, e.g. public.
  detail text,
  address text,
  request_id text,
  created_at bigint not null
);
create index audit_event_user on audit_event (user_id, id);
create index audit_event_action on audit_event (action, id);

-- Append-only: a line is never changed, and removed only by the retention cleanup, which says so in its transaction.
create function audit_event_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('audit.retention', true) = 'on' then return old; end if;
  raise exception 'audit_event is append-only';
end $$;
create trigger audit_event_keep before update or delete on audit_event for each row execute function audit_event_keep();
create trigger audit_event_keep_all before truncate on audit_event execute function audit_event_keep();
`;
}
