import { SqlMigration } from '../kernel/migrations.ts';

/** Which memory system an avatar uses, and what it learns by training (4.2). */
export default class extends SqlMigration {
  override readonly sql = `
-- The address and key of an external system are one sealed text that opens for that avatar alone.
alter table avatar
  add column brain_system text not null default 'managed',
  add column brain_settings text;

-- One row is one training: queued by its owner, done by a worker, superseded by a newer one.
create table training (
  id           text    primary key,
  avatar_id    text    not null references avatar on delete cascade,
  status       text    not null check (status in ('queued', 'running', 'trained', 'failed', 'superseded')),
  done         integer not null default 0 check (done between 0 and total),   -- pages looked at
  total        integer not null,
  passages     integer not null default 0,
  failures     jsonb   not null default '[]',                                 -- [{url, reason}]
  error        text,
  requested_at bigint  not null,
  finished_at  bigint
);
create index training_avatar on training (avatar_id, requested_at);
-- A second request while one waits is the same request.
create unique index training_waiting on training (avatar_id) where status = 'queued';

-- What the speaker stated in it was remembered: once per injection, whatever is retried.
alter table injection add column remembered boolean not null default false;
`;
}
