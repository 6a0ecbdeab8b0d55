import { SqlMigration } from '../kernel/migrations.ts';

/**
 * What speakers stated while the memory system of an avatar was down: kept until it is remembered, in the order in
 * which a speaker stated it. The words themselves stay in the injection.
 */
export default class extends SqlMigration {
  override readonly sql = `
create table brain_unremembered (
  injection_id text    primary key references injection on delete cascade,
  avatar_id    text    not null,
  speaker_ref  text    not null collate "C",
  stated_at    bigint  not null,            -- epoch milliseconds
  tries        integer not null default 0,
  due_at       bigint  not null
);
create index brain_unremembered_due on brain_unremembered (due_at);
create index brain_unremembered_order on brain_unremembered (avatar_id, speaker_ref, stated_at, injection_id);

-- Whether an external system has one of our memories already.
create index brain_external_id on brain_external (avatar_id, id);
`;
}
