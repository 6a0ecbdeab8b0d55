import { SqlMigration } from '../kernel/migrations.ts';

/** The table is called after what it holds, as the code and the log call it: memories that are still to be made. */
export default class extends SqlMigration {
  /** Releases before ask for the old name, as they do for those of 0037. */
  override readonly breaking = '1.3.0';

  override readonly sql = `
alter table brain_unremembered rename to pending_memory;
alter index brain_unremembered_due rename to pending_memory_due;
alter index brain_unremembered_order rename to pending_memory_order;

-- Constraints and their indexes are named after their table.
do $$
declare
  named record;
begin
  for named in
    select conname as old, replace(conname, 'brain_unremembered', 'pending_memory') as new
    from pg_constraint where conrelid = 'pending_memory'::regclass
  loop
    if named.old <> named.new then
      execute format('alter table pending_memory rename constraint %I to %I', named.old, named.new);
    end if;
  end loop;
end $$;
`;
}
