import { SqlMigration } from '../kernel/migrations.ts';

/**
 * What each account has of what is free to make, counted as it is made and unmade, so that a quota is one row to read.
 * A counter is locked from the statement that changes it to the end of its transaction: requests in parallel wait for
 * each other there, and none of them can pass a quota that another has just filled.
 */
export default class extends SqlMigration {
  override readonly sql = `
create table account_usage (
  user_id text not null references app_user on delete cascade,
  kind text not null,
  used bigint not null check (used >= 0),
  primary key (user_id, kind)
) with (fillfactor = 50);

-- Counts the rows of a statement. Arguments: the kind, whose a row r is, how much the rows of one owner are, and
-- which rows count. Owners are taken in order, so that two statements never wait for each other in a circle.
create function count_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    execute format(
      'insert into account_usage as u (user_id, kind, used)
         select g.owner, %L, g.n from (select %s as owner, %s as n from changed r where %s group by 1) g
         where g.owner is not null order by g.owner
       on conflict (user_id, kind) do update set used = u.used + excluded.used',
      tg_argv[0], tg_argv[1], tg_argv[2], tg_argv[3]);
  else
    execute format(
      'update account_usage u set used = greatest(0, u.used - g.n)
       from (select %s as owner, %s as n from changed r where %s group by 1) g
       where u.user_id = g.owner and u.kind = %L',
      tg_argv[1], tg_argv[2], tg_argv[3], tg_argv[0]);
  end if;
  return null;
end
$$;

-- The same for one row that was revoked, and so is kept but no longer counts.
create function uncount_revoked() returns trigger language plpgsql as $$
declare
  owner text;
begin
  execute format('select %s from (select ($1).*) r', tg_argv[1]) into owner using new;
  update account_usage u set used = greatest(0, u.used - 1) where u.user_id = owner and u.kind = tg_argv[0];
  return null;
end
$$;

-- Whose a stored file is. Files of before are not in it: their sizes were never written down.
create table media_object (
  key text primary key,
  user_id text not null references app_user,
  bytes bigint not null check (bytes >= 0)
);

-- Who saved a memory; null for knowledge, and for memories of before, which count for nobody.
alter table brain_page add column saved_by text;
alter table brain_external add column saved_by text;

create trigger usage_added after insert on api_key referencing new table as changed for each statement
  execute function count_usage('apiKeys', 'r.user_id', 'count(*)', 'r.client_id is null and r.revoked_at is null');
create trigger usage_removed after delete on api_key referencing old table as changed for each statement
  execute function count_usage('apiKeys', 'r.user_id', 'count(*)', 'r.client_id is null and r.revoked_at is null');
create trigger usage_revoked after update of revoked_at on api_key for each row
  when (old.revoked_at is null and new.revoked_at is not null and new.client_id is null)
  execute function uncount_revoked('apiKeys', 'r.user_id');

create trigger usage_added after insert on access_link referencing new table as changed for each statement
  execute function count_usage('accessLinks',
    '(select c.owner_user_id from conversation c where c.id = r.conversation_id)', 'count(*)', 'r.revoked_at is null');
create trigger usage_revoked after update of revoked_at on access_link for each row
  when (old.revoked_at is null and new.revoked_at is not null)
  execute function uncount_revoked('accessLinks',
    '(select c.owner_user_id from conversation c where c.id = r.conversation_id)');

create trigger usage_added after insert on avatar_folder referencing new table as changed for each statement
  execute function count_usage('folders', 'r.owner_user_id', 'count(*)', 'true');
create trigger usage_removed after delete on avatar_folder referencing old table as changed for each statement
  execute function count_usage('folders', 'r.owner_user_id', 'count(*)', 'true');

create trigger usage_added after insert on avatar referencing new table as changed for each statement
  execute function count_usage('avatars', 'r.owner_user_id', 'count(*)', 'true');
create trigger usage_removed after delete on avatar referencing old table as changed for each statement
  execute function count_usage('avatars', 'r.owner_user_id', 'count(*)', 'true');

create trigger usage_added after insert on conversation referencing new table as changed for each statement
  execute function count_usage('conversations', 'r.owner_user_id', 'count(*)', 'true');
create trigger usage_removed after delete on conversation referencing old table as changed for each statement
  execute function count_usage('conversations', 'r.owner_user_id', 'count(*)', 'true');

create trigger usage_added after insert on oauth_client referencing new table as changed for each statement
  execute function count_usage('apps', 'r.owner_user_id', 'count(*)', 'true');
create trigger usage_removed after delete on oauth_client referencing old table as changed for each statement
  execute function count_usage('apps', 'r.owner_user_id', 'count(*)', 'true');

create trigger usage_added after insert on brain_page referencing new table as changed for each statement
  execute function count_usage('memories', 'r.saved_by', 'count(*)', 'r.saved_by is not null');
create trigger usage_removed after delete on brain_page referencing old table as changed for each statement
  execute function count_usage('memories', 'r.saved_by', 'count(*)', 'r.saved_by is not null');
-- One memory may be several of the other system's.
create trigger usage_added after insert on brain_external referencing new table as changed for each statement
  execute function count_usage('memories', 'r.saved_by', 'count(distinct r.id)', 'r.saved_by is not null');
create trigger usage_removed after delete on brain_external referencing old table as changed for each statement
  execute function count_usage('memories', 'r.saved_by', 'count(distinct r.id)', 'r.saved_by is not null');

create trigger usage_added after insert on media_object referencing new table as changed for each statement
  execute function count_usage('storageBytes', 'r.user_id', 'sum(r.bytes)', 'true');
create trigger usage_removed after delete on media_object referencing old table as changed for each statement
  execute function count_usage('storageBytes', 'r.user_id', 'sum(r.bytes)', 'true');

insert into account_usage (user_id, kind, used)
  select user_id, 'apiKeys', count(*) from api_key where client_id is null and revoked_at is null group by 1
  union all
  select c.owner_user_id, 'accessLinks', count(*) from access_link l join conversation c on c.id = l.conversation_id
    where l.revoked_at is null group by 1
  union all select owner_user_id, 'folders', count(*) from avatar_folder group by 1
  union all select owner_user_id, 'avatars', count(*) from avatar group by 1
  union all select owner_user_id, 'conversations', count(*) from conversation group by 1
  union all select owner_user_id, 'apps', count(*) from oauth_client group by 1;
`;
}
