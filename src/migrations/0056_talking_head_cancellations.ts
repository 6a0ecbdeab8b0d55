import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Orders of talking heads whose work has ended without their video, deleted, failed or shown otherwise, in whatever way:
 * a worker notifies the provider, also when the worker that had the work is gone.
 */
export default class extends SqlMigration {
  override readonly sql = `
    create table talking_head_cancellation (
      id bigint generated always as identity primary key,
      talking_head_order jsonb not null,
      attempts int not null default 0,
      due_at bigint not null
    );
    create function cancel_talking_head() returns trigger language plpgsql as $$
    begin
      insert into talking_head_cancellation (talking_head_order, due_at)
      values (old.talking_head_order, 0);
      return null;
    end $$;
    create trigger turn_order_deleted after delete on turn for each row
      when (old.talking_head_order is not null and old.status in ('pending', 'audio'))
      execute function cancel_talking_head();
    create trigger turn_order_failed after update of status on turn for each row
      when (new.talking_head_order is not null and new.status = 'error')
      execute function cancel_talking_head();
    create trigger turn_order_given_up after update of talking_head_order on turn for each row
      when (old.talking_head_order is not null and new.talking_head_order is null)
      execute function cancel_talking_head();
    create trigger speech_order_deleted after delete on speech_generation for each row
      when (old.talking_head_order is not null and old.status in ('pending', 'audio'))
      execute function cancel_talking_head();
    create trigger speech_order_failed after update of status on speech_generation for each row
      when (new.talking_head_order is not null and new.status = 'error')
      execute function cancel_talking_head();
    create trigger speech_order_given_up after update of talking_head_order on speech_generation for each row
      when (old.talking_head_order is not null and new.talking_head_order is null)
      execute function cancel_talking_head()`;
}
