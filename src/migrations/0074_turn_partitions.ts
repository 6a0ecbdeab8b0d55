import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Turns lie in partitions by the id of their conversation, which sorts by its age (docs/decisions/0023-partitions-of-turns-and-jobs.md). The table that is
 * there becomes the first partition as it is, under the name that it has: nothing is read or copied, and the release before goes on
 * writing to it. It takes whatever comes until it is large; then workers make the next
 * (src/services/maintenance/partition.service.ts).
 */
export default class extends SqlMigration {
  override readonly sql = `
-- Locks when no transaction is in the way for long: who waits for a lock keeps waiting whoever comes behind.
create function lock_soon(statements text) returns void language plpgsql set lock_timeout = '300ms' as $$
begin
  for attempt in 1..60 loop
    begin
      execute statements;
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise exception 'a transaction that does not end keeps this migration from a lock: start again when it has ended';
end
$$;
select lock_soon('lock table turn, translated_caption in access exclusive mode');
drop function lock_soon;

-- The whole. It has no key by id, slug or injection, which would have to name the conversation too: each partition keeps its own. Ids are random,
-- an injection is one conversation's, and slugs are looked at below. Foreign keys are each partition's too: one of the whole would have to lock
-- what it refers to, four tables at once that all work changes, whenever a partition comes or goes.
alter table turn rename constraint turn_role_check to conversation_turn_role_check;
alter table turn rename constraint turn_output_check to conversation_turn_output_check;
alter table turn rename constraint turn_status_check to conversation_turn_status_check;
create table conversation_turn (like turn including defaults including constraints) partition by range (conversation_id);
alter table conversation_turn add constraint conversation_turn_conversation_id_version_key unique (conversation_id, version);
create index conversation_turn_order on conversation_turn (conversation_id, number, chunk);
create index conversation_turn_voiced_by on conversation_turn (voiced_by_avatar_id);
create index conversation_turn_streamed on conversation_turn (created_at) where stream_key is not null;
create index conversation_turn_unfinished on conversation_turn (created_at)
  where status = 'pending' or (status = 'audio' and output = 'video');
alter table translated_caption drop constraint translated_caption_turn_id_fkey;
drop trigger turn_order_deleted on turn;
drop trigger turn_order_failed on turn;
drop trigger turn_order_given_up on turn;
alter table conversation_turn attach partition turn for values from (minvalue) to (maxvalue);

-- As before, of every partition.
create trigger turn_order_deleted after delete on conversation_turn for each row
  when (old.talking_head_order is not null and old.status in ('pending', 'audio'))
  execute function cancel_talking_head();
create trigger turn_order_failed after update of status on conversation_turn for each row
  when (new.talking_head_order is not null and new.status = 'error')
  execute function cancel_talking_head();
create trigger turn_order_given_up after update of talking_head_order on conversation_turn for each row
  when (old.talking_head_order is not null and new.talking_head_order is null)
  execute function cancel_talking_head();

-- Captions come to a turn that is there, and go with it: what the foreign key did.
create function find_captioned_turn() returns trigger language plpgsql as $$
begin
  perform from conversation_turn where id = new.turn_id for key share;
  if not found then
    raise foreign_key_violation using message = 'there is no turn ' || new.turn_id, table = 'translated_caption';
  end if;
  return new;
end
$$;
create trigger caption_of_turn before insert on translated_caption for each row execute function find_captioned_turn();
create function forget_captions() returns trigger language plpgsql as $$
begin
  delete from translated_caption where turn_id = old.id;
  return null;
end
$$;
create trigger turn_captions_deleted after delete on conversation_turn for each row execute function forget_captions();

-- The audit as it is, of all partitions.
do $$
begin
  execute replace(pg_get_functiondef('ledger_audit()'::regprocedure), 'from turn t ', 'from conversation_turn t ');
end
$$;

-- The partition that takes new conversations: it has no end.
create function newest_turns(out place regclass, out from_id text, out entries bigint) language sql stable as $$
  select c.oid::regclass, substring(bound from 'FROM \\(''([^'']+)'), greatest(c.reltuples, 0)::bigint
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) as bound
  where i.inhparent = 'conversation_turn'::regclass and bound like '%TO (MAXVALUE)'
$$;

-- The conversation behind which the newest partition is to take none, by id and time (ms), while there is no next one yet: a check says it.
create function turns_end(out id text, out ends_at bigint, out is_checked boolean) language sql stable as $$
  select e.id,
    (select sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(e.id, 5 + place, 1)) - 1) * 32::numeric ^ (9 - place))
      from generate_series(0, 9) place)::bigint,
    c.convalidated
  from newest_turns() n join pg_constraint c on c.conrelid = n.place and c.conname = 'turns_end',
    substring(pg_get_constraintdef(c.oid) from '< ''([^'']+)') as e (id)
$$;

create function turns_end_at() returns bigint language sql stable as $$ select ends_at from turns_end() $$;

-- A table like a partition, beside the others, or one foreign key more of it: each locks one table that work changes, and none while it waits
-- for another. True once nothing is missing.
create function make_turns(name text, alike regclass) returns boolean language plpgsql as $$
declare
  missing record;
begin
  if to_regclass(name) is null then
    execute format('create table %I (like %s including all)', name, alike);
    execute format('alter table %I drop constraint if exists turns_end', name);
    return false;
  end if;
  select conname, pg_get_constraintdef(oid) as def into missing from pg_constraint c
  where conrelid = alike and contype = 'f' and not exists (
    select from pg_constraint m where m.conrelid = to_regclass(name) and m.contype = 'f' and m.conkey = c.conkey) limit 1;
  if missing.conname is null then
    return true;
  end if;
  execute format('alter table %I add constraint %I %s', name, regexp_replace(missing.conname, '^turn_', 'conversation_turn_'), missing.def);
  return false;
end
$$;

-- A step towards a partition for conversations from a time on, once the newest has so many turns. A check lets the newest be given its end
-- without being read under lock. It would refuse later conversations: so it is far ahead, and dropped when that comes near.
-- 'none': nothing is to do; 'taken': there are conversations from that time on; 'unchecked': check_turns comes next; 'busy': others work on
-- the table, and are not kept waiting.
create function split_turns(most bigint, from_at bigint, near_at bigint) returns text
language plpgsql set lock_timeout = '200ms' as $$
declare
  newest record;
  ending record;
  is_taken boolean;
  name text;
begin
  select * into newest from newest_turns();
  select * into ending from turns_end();
  if ending.id is null then
    if newest.entries < most then
      return 'none';
    end if;
    execute format('select exists (select from %s where conversation_id >= $1)', newest.place)
      into is_taken using id_from('cnv', from_at);
    if is_taken then
      return 'taken';
    end if;
    execute format('alter table %s add constraint turns_end check (conversation_id >= %L and conversation_id < %L) not valid',
      newest.place, coalesce(newest.from_id, ''), id_from('cnv', from_at));
    return 'begun';
  elsif ending.ends_at < near_at then
    execute format('alter table %s drop constraint turns_end', newest.place);
    return 'moved';
  elsif not ending.is_checked then
    return 'unchecked';
  end if;
  name := 'conversation_turn_from_' || to_char(to_timestamp(ending.ends_at / 1000) at time zone 'UTC', 'YYYYMMDDHH24');
  if not make_turns(name, newest.place) then
    return 'begun';
  end if;
  lock table only conversation_turn in access exclusive mode;
  execute format('alter table conversation_turn detach partition %s', newest.place);
  execute format('alter table conversation_turn attach partition %s for values from (%s) to (%L)', newest.place,
    coalesce(quote_literal(newest.from_id), 'minvalue'), ending.id);
  execute format('alter table %s drop constraint turns_end', newest.place);
  execute format('alter table conversation_turn attach partition %I for values from (%L) to (maxvalue)', name, ending.id);
  -- In one partition its index keeps slugs unique.
  if not exists (select from pg_trigger where tgrelid = 'conversation_turn'::regclass and tgname = 'turn_slug_drawn') then
    create trigger turn_slug_drawn before update of share_slug on conversation_turn for each row
      when (new.share_slug is not null and new.share_slug is distinct from old.share_slug)
      execute function keep_slug_unique();
  end if;
  return 'made';
exception
  when lock_not_available or deadlock_detected then return 'busy';
end
$$;

-- A slug is drawn at random, and may be one that lies in another partition. Who draws the same at this moment waits.
create function keep_slug_unique() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4024, hashtext(new.share_slug));
  if exists (select from conversation_turn where share_slug = new.share_slug) then
    raise unique_violation using table = 'conversation_turn', constraint = 'conversation_turn_share_slug_key',
      message = 'duplicate key value violates unique constraint "conversation_turn_share_slug_key"';
  end if;
  return new;
end
$$;

-- Reads the newest partition beside those who write.
create function check_turns() returns void language plpgsql as $$
begin
  execute format('alter table %s validate constraint turns_end', (newest_turns()).place);
end
$$;

-- What a plan over all partitions is estimated by, which autovacuum does not gather of the whole.
create function analyze_turns(before_at bigint) returns void language plpgsql as $$
begin
  if coalesce(pg_stat_get_last_analyze_time('conversation_turn'::regclass) < to_timestamp(before_at / 1000), true) then
    execute case when current_setting('server_version_num')::int < 180000 then 'analyze conversation_turn'
      else 'analyze only conversation_turn' end;
  end if;
end
$$;

-- A step towards dropping a partition of before a time in which no turn is left: it is taken out, then loses its foreign keys one by one, each of which
-- locks one other table. What a conversation of then is told again goes to the default partition.
create function drop_empty_turns(before_at bigint) returns text language plpgsql set lock_timeout = '200ms' as $$
declare
  past regclass;
  key text;
  is_empty boolean;
begin
  -- Taken out before, or made and then not needed.
  select c.oid into past from pg_class c
  where c.relname ~ '^(turn|conversation_turn_from_\\d{10})$' and c.relkind = 'r' and not c.relispartition
    and c.relnamespace = (select relnamespace from pg_class where oid = 'conversation_turn'::regclass)
    and not exists (select from turns_end() where id is not null) limit 1;
  if past is not null then
    -- The release before writes to turn by its name.
    execute format('select not exists (select from %s)', past) into is_empty;
    if not is_empty then
      return 'none';
    end if;
    select conname into key from pg_constraint where conrelid = past and contype = 'f' limit 1;
    if key is not null then
      execute format('alter table %s drop constraint %I', past, key);
      return 'begun';
    end if;
    execute format('drop table %s', past);
    return 'dropped';
  end if;
  for past in select c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) as bound
    where i.inhparent = 'conversation_turn'::regclass and substring(bound from 'TO \\(''([^'']+)') <= id_from('cnv', before_at)
      -- Vacuumed: to look takes no time.
      and pg_relation_size(c.oid) < 1e7
  loop
    execute format('select not exists (select from %s)', past) into is_empty;
    continue when not is_empty;
    if not make_turns('conversation_turn_other', past) then
      return 'begun';
    end if;
    lock table only conversation_turn in access exclusive mode;
    execute format('lock table %s in access exclusive mode', past);
    execute format('select not exists (select from %s)', past) into is_empty;
    continue when not is_empty;
    if not (select relispartition from pg_class where oid = 'conversation_turn_other'::regclass) then
      alter table conversation_turn attach partition conversation_turn_other default;
    end if;
    execute format('alter table conversation_turn detach partition %s', past);
    return 'begun';
  end loop;
  return 'none';
exception
  when lock_not_available or deadlock_detected then return 'busy';
end
$$;
`;
}
