import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Partitions of the jobs of pg-boss (docs/decisions/0023-partitions-of-turns-and-jobs.md): functions that workers put the table of jobs under partitions
 * with, and make and drop those of the jobs of turns by their time. pg-boss makes its tables later than this at a first start, so
 * nothing is changed here.
 */
export default class extends SqlMigration {
  override readonly sql = `
-- The first id of a slot of time: jobs of the others are before the first, whatever made their ids (src/jobs/job-slots.ts).
create function job_slot(slot bigint) returns uuid language sql immutable as $$
  select ('ffffffff-0' || slot || '00-0000-0000-000000000000')::uuid
$$;

-- Puts pgboss.job_common under partitions, by a step a call; null once that is done, and 'unchecked' where check_jobs is next. It keeps its name, and all that names it works
-- as before; the table that is there becomes the partition of the jobs of before, and of those that are not of turns. The check says
-- so beforehand, while others write: with it nothing is read under lock.
create function partition_jobs() returns text
language plpgsql as $$
declare
  is_checked boolean := (
    select convalidated from pg_constraint where conrelid = 'pgboss.job_common'::regclass and conname = 'job_before');
begin
  if (select relkind from pg_class where oid = 'pgboss.job_common'::regclass) = 'p' then
    return null;
  elsif is_checked is null then
    execute format('alter table pgboss.job_common add constraint job_before check (id < %L) not valid', job_slot(0));
    return 'made';
  elsif not is_checked then
    return 'unchecked';
  end if;
  lock table pgboss.job in access exclusive mode;
  alter table pgboss.job detach partition pgboss.job_common;
  alter table pgboss.job_common rename to job_before;
  create table pgboss.job_common (like pgboss.job including defaults) partition by range (id);
  -- The others of pg-boss are for what nothing of ours does.
  create index job_fetch on pgboss.job_common (name, priority desc, created_on, start_after)
    where state < 'active' and not blocked;
  execute format('alter table pgboss.job_common attach partition pgboss.job_before for values from (minvalue) to (%L)', job_slot(0));
  alter table pgboss.job_before drop constraint job_before;
  create table pgboss.job_other partition of pgboss.job_common default;
  alter table pgboss.job attach partition pgboss.job_common default;
  return 'made';
end
$$;

-- Reads the table beside those who write.
create function check_jobs() returns void language plpgsql as $$
begin
  alter table pgboss.job_common validate constraint job_before;
end
$$;

-- As before; of jobs the range of a slot.
create or replace function add_partition(of_table text, from_at bigint, to_at bigint) returns text
language plpgsql set lock_timeout = '200ms' as $$
declare
  is_jobs boolean := of_table = 'pgboss.job_common';
  slot bigint := (from_at / (to_at - from_at)) % 8;
  suffix text := '_to_' || to_char(to_timestamp(to_at / 1000) at time zone 'UTC', 'YYYYMMDDHH24');
  name text := case when is_jobs then 'pgboss.' || quote_ident('job' || suffix) else quote_ident(of_table || suffix) end;
  bounds text[] := case
    when of_table = 'ledger_entry' then array[id_from('tfr', from_at), id_from('tfr', to_at)]
    when is_jobs then array[job_slot(slot)::text, job_slot(slot + 1)::text]
    else array[from_at::text, to_at::text] end;
  step text;
begin
  if is_jobs then
    step := partition_jobs();
    if step is not null then
      return step;
    end if;
  end if;
  execute format('create table %s (like %s including defaults including constraints)', name, of_table);
  execute format('alter table %s attach partition %s for values from (%L) to (%L)', of_table, name, bounds[1], bounds[2]);
  return 'made';
exception
  when check_violation or invalid_object_definition or duplicate_table then return 'taken';
  when lock_not_available or deadlock_detected then return 'busy';
end
$$;

-- Drops a partition of jobs that ended before a time, in which no job waits or runs. What failed for good stays, under another id.
create function drop_job_partition(before_at bigint) returns text
language plpgsql set lock_timeout = '200ms' as $$
declare
  past text;
  is_used boolean;
  in_use constant text := 'exists (select from pgboss.%1$I where state < ''active'' and not blocked)
    or exists (select from pgboss.%1$I where state = ''active'')';
begin
  for past in select p.name from partitions_of('pgboss.job_common') p where p.ends_at <= before_at loop
    -- Who looks for lost work asks what ended a moment ago (src/services/maintenance/orphan-reaper.service.ts).
    execute format('select ' || in_use || ' or exists (
      select from pgboss.%1$I where state = ''completed'' and completed_on > now() - interval ''20 minutes'')
      or 10000 < (select count(*) from pgboss.%1$I where state = ''failed'')', past) into is_used;
    continue when is_used;
    execute format('alter table pgboss.job_common detach partition pgboss.%I', past);
    execute format('select ' || in_use, past) into is_used;
    if is_used then
      raise lock_not_available;
    end if;
    execute format('update pgboss.%I set id = gen_random_uuid() where state = ''failed''', past);
    execute format('insert into pgboss.job select * from pgboss.%I where state = ''failed''', past);
    execute format('drop table pgboss.%I', past);
    return 'dropped';
  end loop;
  return 'none';
exception
  when lock_not_available or deadlock_detected then return 'busy';
  -- Another worker was faster.
  when undefined_table or object_not_in_prerequisite_state then return 'none';
end
$$;
`;
}
