import { SqlMigration } from '../kernel/migrations.ts';

/**
 * The stored bytes of an account are counted by statements that are planned once a connection. Those of `count_usage` are put
 * together from the trigger's arguments and so planned for every file, which each turn in sound waits for.
 */
export default class extends SqlMigration {
  override readonly sql = `
create function count_storage() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into account_usage as u (user_id, kind, used)
      select r.user_id, 'storageBytes', sum(r.bytes) from changed r group by 1 order by 1
    on conflict (user_id, kind) do update set used = u.used + excluded.used;
  else
    update account_usage u set used = greatest(0, u.used - g.n)
    from (select r.user_id as owner, sum(r.bytes) as n from changed r group by 1) g
    where u.user_id = g.owner and u.kind = 'storageBytes';
  end if;
  return null;
end
$$;

create or replace trigger usage_added after insert on media_object referencing new table as changed for each statement
  execute function count_storage();
create or replace trigger usage_removed after delete on media_object referencing old table as changed for each statement
  execute function count_storage();
`;
}
