import { SqlMigration } from '../kernel/migrations.ts';

/** Tables and columns are called as the code calls them: memory entries, and what is spent by others than the owner. */
export default class extends SqlMigration {
  /** Releases before ask for the old names, and cannot read the wrapped keys of 0032 either. */
  override readonly breaking = '1.3.0';

  override readonly sql = `
alter table avatar rename column stranger_cap_per_day to non_owner_cap_per_day;
alter table stranger_spending rename to non_owner_spending;
alter index stranger_spending_day rename to non_owner_spending_day;
alter table brain_page rename to brain_entry;
alter index brain_page_knowledge rename to brain_entry_knowledge;

-- Constraints and their indexes are named after their table.
do $$
declare
  named record;
begin
  for named in
    select c.conname as old, c.conrelid::regclass as place,
      replace(replace(c.conname, 'stranger_spending', 'non_owner_spending'), 'brain_page', 'brain_entry') as new
    from pg_constraint c
    where c.conrelid in ('non_owner_spending'::regclass, 'brain_entry'::regclass, 'avatar'::regclass)
  loop
    if named.old <> named.new then
      execute format('alter table %s rename constraint %I to %I', named.place, named.old, named.new);
    end if;
  end loop;
end $$;
`;
}
