import { SqlMigration } from '../kernel/migrations.ts';

/**
 * What has changed of an account's things, for accounts that are watched: a row is written by trigger, in the
 * transaction that changes the thing, so that no writer can forget it; of an account that is not watched it costs one
 * look into an index. Rows are added without a number and lock nothing that another writer needs. The reader
 * numbers what has been committed by then (docs/decisions/0016-account-changes.md).
 */
export default class extends SqlMigration {
  override readonly sql = `
create table account_feed (
  user_id text primary key references app_user on delete cascade,
  version bigint not null,
  kept_from bigint not null,
  is_open boolean not null default false,
  watched_at bigint not null
) with (fillfactor = 50);

create table account_change (
  id bigint generated always as identity primary key,
  user_id text not null references account_feed on delete cascade,
  kind text not null check (kind in ('conversation', 'video', 'speech', 'image', 'balance', 'gift', 'training')),
  subject_id text not null,
  version bigint,
  changed_at bigint not null
);
create index account_change_new on account_change (user_id, id) where version is null;
create index account_change_version on account_change (user_id, version);
create index account_change_subject on account_change (user_id, subject_id);
create index account_change_age on account_change (changed_at);

-- The lock is for a feed that is being closed: its rows would belong to nothing.
create function record_change(owner text, what text, subject text) returns void language plpgsql as $$
begin
  insert into account_change (user_id, kind, subject_id, changed_at)
  select f.user_id, what, subject, now_ms()
  from account_feed f where f.user_id = owner for key share;
end
$$;

create function record_changed_row() returns trigger language plpgsql as $$
declare
  r record;
begin
  if tg_op = 'DELETE' then r := old; else r := new; end if;
  case tg_table_name
    when 'ledger_account' then perform record_change(r.user_id, 'balance', r.user_id);
    when 'conversation' then perform record_change(r.owner_user_id, 'conversation', r.id);
    when 'video_generation' then perform record_change(r.user_id, 'video', r.id);
    when 'speech_generation' then perform record_change(r.caller_user_id, 'speech', r.id);
    when 'image_generation' then perform record_change(r.user_id, 'image', r.id);
    when 'image_request' then perform record_change(r.user_id, 'image', r.id);
    when 'gift_intent' then
      perform record_change(r.from_user_id, 'gift', r.id);
      if r.status = 'confirmed' then perform record_change(r.to_user_id, 'gift', r.id); end if;
    when 'training' then
      perform record_change(a.owner_user_id, 'training', a.id) from avatar a where a.id = r.avatar_id;
  end case;
  return null;
end
$$;

create trigger changed after update of balance, held on ledger_account for each row
  when (new.user_id is not null) execute function record_changed_row();
create trigger changed after insert or delete or update of version, title, is_public, image_id on conversation
  for each row execute function record_changed_row();
create trigger changed after insert or delete or update of status, progress, is_public on video_generation
  for each row execute function record_changed_row();
create trigger changed after insert or delete or update of status on speech_generation
  for each row execute function record_changed_row();
create trigger changed after insert or delete on image_generation
  for each row execute function record_changed_row();
create trigger refused after update of state on image_request
  for each row when (new.state = 'refused') execute function record_changed_row();
create trigger changed after insert or delete or update of status on gift_intent
  for each row execute function record_changed_row();
create trigger changed after insert or update of status, done on training
  for each row execute function record_changed_row();
`;
}
