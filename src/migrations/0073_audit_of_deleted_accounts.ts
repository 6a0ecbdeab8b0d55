import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Memberships go with an account that is deleted, what was paid for them stays in the ledger: the audit took that for a breach. And
 * links of a conversation that is deleted give their places in the quota back, those that were not revoked before.
 */
export default class extends SqlMigration {
  override readonly sql = `
-- As before; a charge without its member is no breach where the account of either was deleted.
create or replace function ledger_audit() returns table (invariant text, holds boolean, breaches bigint, example text)
language sql stable as $$
  with charge as (
    select t.source, sum(e.amount) as amount from ledger_transfer t join ledger_entry e on e.transfer_id = t.id
    where e.amount > 0 and t.leg like 'charge:%' group by t.source),
  joined as (
    select t.source, sum(e.amount) as amount from ledger_transfer t join ledger_entry e on e.transfer_id = t.id
    where e.amount > 0 and t.kind = 'tribe' group by t.source),
  breach (n, id) as (
    select 1, t.id from ledger_transfer t left join ledger_entry e on e.transfer_id = t.id
      group by t.id having count(e.amount) <> 2 or sum(e.amount) <> 0
    union all select 2, 'sum ' || sum(balance) from ledger_account having sum(balance) <> 0
    union all select 3, a.id from ledger_account a left join ledger_entry e on e.account_id = a.id
      group by a.id having a.balance <> coalesce(sum(e.amount), 0)
    union all select 4, account from (
        select account_id as account, balance_before as at, 1 as side from ledger_entry
        union all select id, balance, 1 from ledger_account
        union all select account_id, balance_after, -1 from ledger_entry
        union all select id, 0, -1 from ledger_account) chain
      group by account, at having sum(side) <> 0
    union all select 5, a.id from ledger_account a
      left join (select p.account_id, sum(p.amount) as amount from ledger_hold_part p
        join ledger_hold h on h.id = p.hold_id where h.state = 'open' group by 1) o on o.account_id = a.id
      where a.held <> coalesce(o.amount, 0)
    union all select 6, h.id from ledger_hold h left join ledger_hold_part p on p.hold_id = h.id
      group by h.id having h.amount <> coalesce(sum(p.amount), 0)
    union all select 7, id from ledger_account where held < 0 or kind <> 'issuance' and balance < held
    union all select 8, h.id from ledger_hold h left join charge c on c.source = h.source
      where h.captured > h.amount or h.captured <> coalesce(c.amount, 0)
    union all select 9, id from ledger_hold
      where (state = 'open') <> (settled_at is null) or (state = 'captured') <> (captured > 0)
    union all select 10, c.source from charge c
      where not exists (select 1 from ledger_hold h where h.source = c.source and h.state = 'captured')
    union all select 11, t.id from turn t left join ledger_hold h on h.id = t.hold_id
      where t.status = 'error' and h.captured > 0
        or h.state = 'open' and (t.status in ('video', 'ready', 'error') or t.status = 'audio' and t.output = 'audio')
    union all select 11, g.id from speech_generation g left join ledger_hold h on h.id = g.hold_id
      where g.status = 'error' and h.captured > 0
        or h.state = 'open' and (g.status in ('video', 'error') or g.status = 'audio' and g.output = 'audio')
    union all select 11, g.id from video_generation g left join ledger_hold h on h.id = g.hold_id
      where g.status = 'error' and h.captured > 0 or h.state = 'open' and g.status in ('ready', 'error')
    union all select 15, g.id from video_generation g left join ledger_hold h on h.id = g.hold_id
      where g.status = 'ready' and g.credit_cost <> coalesce(h.captured, 0)
    union all select 15, g.id from image_generation g left join ledger_hold h on h.source = 'image:' || g.id
      where g.credit_cost <> coalesce(h.captured, 0)
    union all select 12, g.id from gift_intent g left join ledger_transfer t on t.source = 'gift:' || g.id
      left join ledger_entry e on e.transfer_id = t.id and e.account_id = 'g:' || g.to_user_id
      where (g.status = 'confirmed') <> (t.id is not null) or e.amount <> g.amount
    union all select 12, t.id from ledger_transfer t
      where t.kind = 'gift' and not exists (select 1 from gift_intent g where 'gift:' || g.id = t.source)
    union all select 13, m.creator_user_id || ' ' || m.member_user_id from tribe_member m
      left join joined j on j.source = 'tribe:' || m.creator_user_id || ':' || m.member_user_id
      where m.charged <> coalesce(j.amount, 0) or m.is_subscriber and m.charged > 0
    union all select 13, j.source from joined j where not exists (
      select 1 from tribe_member m where 'tribe:' || m.creator_user_id || ':' || m.member_user_id = j.source)
      and not exists (select 1 from app_user u
        where u.id in (split_part(j.source, ':', 2), split_part(j.source, ':', 3)) and u.email is null and u.issuer is null)
    union all select 14, b.creator_user_id from tribe b
      left join tribe_member m on m.creator_user_id = b.creator_user_id
      group by b.creator_user_id having b.member_count <> count(m.member_user_id)
    union all select 16, t.id from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
      where e.account_id like 'w:%' and case when e.amount > 0 then t.leg <> 'grant' else t.leg not like 'charge:%' end)
  select i.invariant, count(b.id) = 0, count(b.id), min(b.id)
  from (values
    (1, 'each transfer takes from one account exactly what it gives to another'),
    (2, 'all balances sum to zero: what was issued is what is there'),
    (3, 'each balance is the sum of its entries'),
    (4, 'the entries of each account form one chain of balances'),
    (5, 'what is held is the sum of the open holds'),
    (6, 'each hold is the sum of its parts'),
    (7, 'nothing available is below zero'),
    (8, 'a hold captures at most what it held, and exactly what was transferred for it'),
    (9, 'each hold ends once, captured or released'),
    (10, 'nothing is charged without a captured hold'),
    (11, 'failed work costs nothing and ended work holds nothing'),
    (12, 'a gift is confirmed exactly when its credits moved, once'),
    (13, 'a member was charged once, or joined free of charge; memberships end with an account'),
    (14, 'each tribe counts its members'),
    (15, 'images and videos say they cost what was captured for them'),
    (16, 'welcome credits are granted, and leave for work alone')) as i (n, invariant)
  left join breach b on b.n = i.n group by i.n, i.invariant order by i.n
$$;

-- Before the conversation goes, for it says whose the links are.
create function remove_links() returns trigger language plpgsql as $$
begin
  delete from access_link where conversation_id = old.id;
  return old;
end
$$;
create trigger links_removed before delete on conversation for each row execute function remove_links();
create trigger usage_removed after delete on access_link referencing old table as changed for each statement
  execute function count_usage('accessLinks',
    '(select c.owner_user_id from conversation c where c.id = r.conversation_id)', 'count(*)', 'r.revoked_at is null');

-- What was counted of conversations that are gone.
lock table access_link in share row exclusive mode;
update account_usage u set used = (
  select count(*) from access_link l join conversation c on c.id = l.conversation_id
  where c.owner_user_id = u.user_id and l.revoked_at is null)
where u.kind = 'accessLinks';
`;
}
