import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Memories by meaning: a vector for each, where an embedding model is configured. A save never waits for the model:
 * it marks the memory as due, and a worker embeds what is due in batches.
 */
export default class extends SqlMigration {
  override readonly sql = `
-- The model in use; no row: none, and nothing is marked.
create table brain_embedding (
  only_one boolean primary key default true check (only_one),
  model    text    not null,
  space    integer            -- model and dimensions, hashed; null until the memories from before were marked as due
);

-- Memories that wait for their vector. A worker that takes one moves \`due_at\` ahead, so that its death loses nothing.
create table brain_due (
  scope_id bigint  not null,
  seq      integer not null,
  due_at   bigint  not null,    -- epoch milliseconds
  primary key (scope_id, seq),
  foreign key (scope_id, seq) references brain_page on delete cascade
);
create index brain_due_at on brain_due (due_at);

create table brain_vector (
  scope_id bigint  not null,
  seq      integer not null,
  ns       integer not null,
  space    integer not null,    -- vectors of different models or lengths are never compared
  bits     varbit  not null,    -- the sign of each dimension: what a search scans
  exact    bytea   not null,    -- a byte per dimension behind their scale: what the best of the scan are ranked by
  primary key (scope_id, seq),
  foreign key (scope_id, seq) references brain_page on delete cascade
);
-- A search reads nothing but this index, and of it exactly the namespaces it may see.
create index brain_vector_scan on brain_vector (scope_id, ns, seq) include (space, bits);
alter table brain_vector set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 1000);
`;
}
