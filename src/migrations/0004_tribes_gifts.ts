import { SqlMigration } from '../kernel/migrations.ts';

/** Tribes, gifts, the streaming platform, what strangers spend; the ledger's movements as functions. */
export default class extends SqlMigration {
  override readonly sql = `
-- Expiry is read from the database's clock, one for all processes; it moves on inside a transaction, unlike now().
create function now_ms() returns bigint language sql volatile as $$
  select (extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

create table tribe (
  creator_user_id text primary key references app_user,
  name text,
  join_cost bigint not null default 0 check (join_cost >= 0),
  member_count bigint not null default 0 check (member_count >= 0)
);

create table tribe_member (
  creator_user_id text not null references app_user,
  member_user_id text not null references app_user,
  charged bigint not null check (charged >= 0),
  is_subscriber boolean not null,
  joined_at bigint not null,
  primary key (creator_user_id, member_user_id),
  check (creator_user_id <> member_user_id),
  check (not is_subscriber or charged = 0)
);

create table gift_intent (
  id text primary key,
  from_user_id text not null references app_user,
  to_user_id text not null references app_user,
  -- The recipient as the proposing app named it: an app is shown nothing else.
  to_as_sent text not null,
  amount bigint not null check (amount > 0),
  note text,
  -- The app that proposed it; null for a first-party caller.
  client_id text,
  -- 'expired' is never stored: a pending one past its time is that.
  status text not null default 'pending' check (status in ('pending', 'confirmed', 'cancelled')),
  created_at bigint not null,
  expires_at bigint not null,
  resolved_at bigint,
  check ((status = 'pending') = (resolved_at is null)),
  check (from_user_id <> to_user_id)
);
create index gift_intent_sent on gift_intent (from_user_id, to_user_id, created_at) where status = 'confirmed';

-- Local streaming platform: who subscribes to whom, as operators say.
create table stream_subscription (
  creator_user_id text not null references app_user on delete cascade,
  member_user_id text not null references app_user on delete cascade,
  created_at bigint not null,
  primary key (creator_user_id, member_user_id)
);

-- Accounts proved at the remote platform. Tokens are sealed; null once the platform refused to renew them.
create table stream_account (
  user_id text primary key references app_user on delete cascade,
  platform_user_id text not null unique,
  access_token text,
  refresh_token text,
  linked_at bigint not null
);

-- A sign-in at the platform that is under way; claimed once.
create table stream_link_state (
  state_hash text primary key,
  user_id text not null references app_user on delete cascade,
  expires_at bigint not null
);

-- Holds that strangers opened on someone's public avatar: what the owner's daily cap counts.
create table stranger_spending (
  hold_id text primary key references ledger_hold,
  avatar_id text not null references avatar,
  created_at bigint not null
);
create index stranger_spending_day on stranger_spending (avatar_id, created_at);

create index turn_unfinished on turn (created_at)
  where status = 'pending' or (status = 'audio' and output = 'video');

-- Locks accounts in the order of their ids, which every transaction keeps, so none waits in a circle. Those in \`making\`
-- are made when missing, in the same order; other missing ones are left out.
create function ledger_lock(ids text[], making text[]) returns table (id text, balance bigint, held bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  wanted text;
begin
  for wanted in select distinct w collate "C" from unnest(ids || making) w order by 1 loop
    return query select a.id, a.balance, a.held from ledger_account a where a.id = wanted for no key update;
    if not found and wanted = any (making) then
      insert into ledger_account (id, kind, user_id, creator_user_id)
      select wanted,
        case left(wanted, 1) when 'g' then 'global' when 'l' then 'locked' when 'r' then 'revenue' when 'i' then 'issuance' end,
        case when left(wanted, 1) in ('g', 'l') then split_part(wanted, ':', 2) end,
        case when left(wanted, 1) = 'l' then split_part(wanted, ':', 3) end
      on conflict do nothing;
      return query select a.id, a.balance, a.held from ledger_account a where a.id = wanted for no key update;
    end if;
  end loop;
end
$$;

-- One transfer between two locked accounts. False when this (source, leg) was moved before: nothing happens.
create function ledger_move(
  transfer_id text, source text, leg text, kind text, memo text, from_id text, to_id text, amount bigint, at bigint
) returns boolean language plpgsql as $$
#variable_conflict use_variable
declare
  written int;
begin
  insert into ledger_transfer as t (id, source, leg, kind, memo, created_at)
    values (transfer_id, source, leg, kind, memo, at)
    on conflict on constraint ledger_transfer_source_leg_key do nothing;
  if not found then
    return false;
  end if;
  with moved as (
    update ledger_account a set balance = a.balance + m.part
    from (values (from_id, -amount), (to_id, amount)) as m (account, part)
    where a.id = m.account returning a.id, m.part, a.balance)
  insert into ledger_entry as e (transfer_id, account_id, amount, balance_before, balance_after)
    select transfer_id, moved.id, moved.part, moved.balance - moved.part, moved.balance from moved;
  get diagnostics written = row_count;
  if written <> 2 then
    raise exception 'ledger: transfer % met % of 2 accounts', transfer_id, written;
  end if;
  return true;
end
$$;

-- Ends a hold: captures up to what was held (0 releases all), locked credits before global ones, and gives the rest
-- back. Null when the hold had ended before: nothing happens.
create function ledger_settle(
  the_hold text, wanted bigint, revenue text, memo text, at bigint, transfer_ids text[]
) returns bigint language plpgsql as $$
declare
  accounts text[];
  ended ledger_hold;
  part record;
  leg int := 0;
  rest bigint;
begin
  if wanted < 0 then
    raise exception 'ledger: cannot capture %', wanted;
  end if;
  select array_agg(p.account_id) into accounts from ledger_hold_part p where p.hold_id = the_hold;
  perform 1 from ledger_lock(accounts, case when wanted > 0 then array[revenue] else '{}'::text[] end);
  update ledger_hold h set state = case when wanted > 0 then 'captured' else 'released' end,
    captured = least(h.amount, wanted), settled_at = at
    where h.id = the_hold and h.state = 'open' returning * into ended;
  if not found then
    return null;
  end if;
  update ledger_account a set held = a.held - p.amount from ledger_hold_part p
    where p.hold_id = the_hold and a.id = p.account_id;
  rest := ended.captured;
  for part in
    select p.account_id as id, p.amount from ledger_hold_part p where p.hold_id = the_hold
    order by p.account_id collate "C" desc
  loop
    exit when rest = 0;
    leg := leg + 1;
    if not ledger_move(transfer_ids[leg], ended.source, 'charge:' || left(part.id, 1), ended.kind, memo,
        part.id, revenue, least(part.amount, rest), at) then
      raise exception 'ledger: % was charged before', ended.source;
    end if;
    rest := rest - least(part.amount, rest);
  end loop;
  return ended.captured;
end
$$;
`;
}
