import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Until when entries of the ledger go to the table that is there, which 0072 makes the first partition: the end of a year, of a large
 * ledger that of a month, forty days away at least. A check says it, which PostgreSQL looks through while others write. So
 * none of this is in a transaction, and one that was broken off goes on; with the check the table is attached without being read.
 */
export default class extends SqlMigration {
  readonly #statements = [
    `
-- The first id of a time, as newId (src/kernel/ids.ts) makes them.
create or replace function id_from(prefix text, at bigint) returns text language sql immutable as $$
  select prefix || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', ((at >> (5 * place)) & 31)::int + 1, 1), '' order by place desc)
  from generate_series(0, 9) place
$$`,
    `
-- Locks when no transaction is in the way for long: who waits for a lock keeps waiting whoever comes behind.
create or replace function lock_soon(statements text) returns void language plpgsql set lock_timeout = '300ms' as $$
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
$$`,
    `
do $$
declare
  unit text := (select case when reltuples > 5e7 then 'month' else 'year' end from pg_class where oid = 'ledger_entry'::regclass);
  bound timestamp := date_trunc(unit, now() at time zone 'UTC' + interval '40 days') + ('1 ' || unit)::interval;
begin
  if not exists (select from pg_constraint where conname = 'ledger_entry_until') then
    perform lock_soon('lock table ledger_entry in access exclusive mode');
    execute format('alter table ledger_entry add constraint ledger_entry_until check (transfer_id < %L) not valid',
      id_from('tfr', (extract(epoch from bound) * 1000)::bigint));
  end if;
end
$$`,
    `
alter table ledger_entry validate constraint ledger_entry_until`,
  ];

  override readonly sql = this.#statements.join(';\n');

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of this.#statements) this.addSql(statement);
  }
}
