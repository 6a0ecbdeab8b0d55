import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Entries of the ledger, and changes of accounts, lie in partitions: by the time of their transfer, and by their number, which
 * follows the time (docs/decisions/0018-partitions.md). The tables that are there are attached as they are, nothing is copied;
 * further ones are made ahead by workers (src/services/maintenance/partition.service.ts). Each table has a default partition, so that
 * no write is refused where none was made. Statements of the release before work as they are.
 */
export default class extends SqlMigration {
  override readonly sql = `
select lock_soon('lock table ledger_account, ledger_transfer in share row exclusive mode;
  lock table ledger_entry, account_feed, account_change in access exclusive mode');
drop function lock_soon;

-- The ledger: the entries of before become the first partition, until the time that 0071 has had checked.
do $$
declare
  high text := (select substring(pg_get_constraintdef(oid) from '''(tfr_[^'']+)''') from pg_constraint where conname = 'ledger_entry_until');
  at timestamp := (select t from generate_series(
      date_trunc('year', now() at time zone 'UTC'), now() at time zone 'UTC' + interval '3 years', interval '1 month') t
    where id_from('tfr', (extract(epoch from t) * 1000)::bigint) = high);
  first text := 'ledger_entry_to_' || to_char(at, 'YYYYMMDDHH24');
begin
  execute format('alter table ledger_entry rename to %I', first);
  execute format('alter index ledger_entry_pkey rename to %I', first || '_pkey');
  execute format('alter index ledger_entry_account rename to %I', first || '_account');
  create table ledger_entry (
    transfer_id text not null constraint ledger_entry_transfer_id_fkey references ledger_transfer,
    account_id text not null constraint ledger_entry_account_id_fkey references ledger_account,
    amount bigint not null constraint ledger_entry_amount_check check (amount <> 0),
    balance_before bigint not null,
    balance_after bigint not null,
    constraint ledger_entry_check check (balance_after = balance_before + amount),
    primary key (transfer_id, account_id)
  ) partition by range (transfer_id);
  create index ledger_entry_account on ledger_entry (account_id, transfer_id);
  execute format('alter table ledger_entry attach partition %I for values from (minvalue) to (%L)', first, high);
  execute format('alter table %I drop constraint ledger_entry_until', first);
end
$$;
create table ledger_entry_other partition of ledger_entry default;

-- Changes: those of before, and those that have no number yet, are the default partition. What has a number lies in others.
drop index account_change_version, account_change_subject, account_change_age;
alter table account_change rename to account_change_waiting;
alter index account_change_pkey rename to account_change_waiting_pkey;
alter index account_change_new rename to account_change_waiting_new;
alter table account_change_waiting drop constraint account_change_user_id_fkey, alter id drop identity;
create table account_change (
  id bigint not null generated always as identity,
  user_id text not null,
  kind text not null constraint account_change_kind_check
    check (kind in ('conversation', 'video', 'speech', 'image', 'balance', 'gift', 'training')),
  subject_id text not null,
  version bigint,
  changed_at bigint not null
) partition by range (version);
create index account_change_version on account_change (user_id, version) where version is not null;
create index account_change_subject on account_change (user_id, subject_id) where version is not null;
alter table account_change attach partition account_change_waiting default;
select setval(pg_get_serial_sequence('account_change', 'id'), coalesce(max(id), 0) + 1, false) from account_change_waiting;

-- Instead of a foreign key: record_change looks whether there is a feed, under a lock, and a key would look again.
create function forget_changes() returns trigger language plpgsql as $$
begin
  delete from account_change where user_id = old.user_id and version is not null;
  delete from account_change_waiting where user_id = old.user_id and version is null;
  return null;
end
$$;
create trigger closed after delete on account_feed for each row execute function forget_changes();

-- Numbers changes that have been committed, at most so many: of one thing the last, and the ones before go. Numbers follow
-- the time, so that what was numbered before a time lies in few partitions. Returns how many there were. The waiting
-- partition is mostly small when a plan is made and may be large when it is used: hence no plan that reads it whole.
create function number_changes(of_user text, most int, now_at bigint) returns int
language plpgsql set enable_seqscan = off as $$
declare
  taken int;
begin
  -- One at a time numbers a feed; the next statement sees what the one before has numbered.
  perform from account_feed where user_id = of_user for no key update;
  with waiting as (
    select ctid as place, id, kind, subject_id, changed_at from account_change_waiting
    where user_id = of_user and version is null order by id limit most),
  moved as (delete from account_change_waiting where ctid = any (array(select place from waiting))),
  latest as (
    select kind, subject_id, max(changed_at) as changed_at, row_number() over (order by max(id)) as place
    from waiting group by kind, subject_id),
  gone as (
    delete from account_change c using latest l
    where c.user_id = of_user and c.kind = l.kind and c.subject_id = l.subject_id and c.version is not null),
  numbered as (
    insert into account_change (user_id, kind, subject_id, version, changed_at)
    select of_user, l.kind, l.subject_id, greatest(f.version, now_at) + l.place, l.changed_at
    from latest l, account_feed f where f.user_id = of_user)
  update account_feed set version = greatest(version, now_at) + (select count(*) from latest)
  where user_id = of_user and exists (select from waiting)
  returning (select count(*) from waiting) into taken;
  return coalesce(taken, 0);
end
$$;

-- The present versions of feeds; behind: changes wait for their number.
create function feed_versions(ids text[]) returns table (id text, version bigint, is_behind boolean)
language plpgsql stable set enable_seqscan = off as $$
begin
  return query select f.user_id, f.version,
    exists (select from account_change_waiting c where c.user_id = f.user_id and c.version is null)
  from account_feed f where f.user_id = any (ids);
end
$$;

-- Removes changes of before that are in no partition of their own, at most so many, and keeps in mind that cursors of then
-- lack them. One that has no number would have been behind every cursor that was given out: it takes one with it.
create function remove_waiting_changes(before_at bigint, most int) returns int
language plpgsql set enable_seqscan = off as $$
declare
  removed int;
begin
  with old as (
    select place, user_id, version from (
      select ctid as place, user_id, version, changed_at from account_change_waiting order by id limit most) oldest
    where changed_at < before_at),
  gone as (delete from account_change_waiting where ctid = any (array(select place from old))),
  kept as (
    update account_feed f set version = f.version + o.unnumbered,
      kept_from = greatest(f.kept_from, o.version, case o.unnumbered when 1 then f.version + 1 end)
    from (select user_id, max(version) as version, bool_or(version is null)::int as unnumbered from old group by user_id) o
    where f.user_id = o.user_id)
  select count(*) into removed from old;
  return removed;
end
$$;

-- The partitions of a table that are a range of times, by the end of their range; the name of each says it.
create function partitions_of(of_table text) returns table (name text, ends_at bigint, entries bigint)
language sql stable as $$
  select c.relname::text,
    (extract(epoch from to_timestamp(right(c.relname, 10), 'YYYYMMDDHH24')::timestamp at time zone 'UTC') * 1000)::bigint,
    greatest(c.reltuples, 0)::bigint
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = of_table::regclass and c.relname ~ '_to_\\d{10}$' order by 2
$$;

-- Makes a partition for a range of times. 'taken': there are rows or a partition in it; 'busy': others work on the table, and
-- are not kept waiting.
create function add_partition(of_table text, from_at bigint, to_at bigint) returns text
language plpgsql set lock_timeout = '200ms' as $$
declare
  name text := of_table || '_to_' || to_char(to_timestamp(to_at / 1000) at time zone 'UTC', 'YYYYMMDDHH24');
  bounds text[] := case of_table when 'ledger_entry' then array[id_from('tfr', from_at), id_from('tfr', to_at)]
    else array[from_at::text, to_at::text] end;
begin
  execute format('create table %I (like %I including defaults including constraints)', name, of_table);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, name, bounds[1], bounds[2]);
  return 'made';
exception
  when check_violation or invalid_object_definition or duplicate_table then return 'taken';
  when lock_not_available or deadlock_detected then return 'busy';
end
$$;

-- Drops the oldest partition of changes that ended before a time, and keeps in mind from which cursor on feeds lack nothing.
create function drop_change_partition(before_at bigint) returns text
language plpgsql set lock_timeout = '200ms' as $$
declare
  past text := (select p.name from partitions_of('account_change') p where p.ends_at <= before_at limit 1);
begin
  if past is null then
    return 'none';
  end if;
  execute format('update account_feed f set kept_from = greatest(f.kept_from, o.version)
    from (select user_id, max(version) as version from %I group by user_id) o where f.user_id = o.user_id', past);
  execute format('drop table %I', past);
  return 'dropped';
exception
  when lock_not_available or deadlock_detected then return 'busy';
end
$$;
`;
}
