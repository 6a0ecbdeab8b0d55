import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Saving a memory pays less for what holds beside it. Its words were looked up in `brain` one by one, by a foreign key, where each
 * writer of words holds the row of their brain to its commit: they go with that row by a trigger now, as captions go with their turn.
 * And memories are counted by statements that are planned once a connection, as stored bytes are.
 */
export default class extends SqlMigration {
  override readonly sql = `
-- In the order in which a save takes them.
lock table brain, brain_entry, brain_term in access exclusive mode;
alter table brain_term drop constraint brain_term_scope_id_fkey;

create function forget_words() returns trigger language plpgsql as $$
begin
  delete from brain_term where scope_id = old.scope_id;
  return null;
end
$$;
create trigger words_forgotten after delete on brain for each row execute function forget_words();

create function count_memories() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into account_usage as u (user_id, kind, used)
      select r.saved_by, 'memories', count(*) from changed r where r.saved_by is not null group by 1 order by 1
    on conflict (user_id, kind) do update set used = u.used + excluded.used;
  else
    update account_usage u set used = greatest(0, u.used - g.n)
    from (select r.saved_by as owner, count(*) as n from changed r where r.saved_by is not null group by 1) g
    where u.user_id = g.owner and u.kind = 'memories';
  end if;
  return null;
end
$$;
create or replace trigger usage_added after insert on brain_entry referencing new table as changed for each statement
  execute function count_memories();
create or replace trigger usage_removed after delete on brain_entry referencing old table as changed for each statement
  execute function count_memories();
`;
}
