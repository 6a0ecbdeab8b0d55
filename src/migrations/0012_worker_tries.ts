import { SqlMigration } from '../kernel/migrations.ts';

/** Which worker has which try of a job: a note is of one try, so that an old one never says anything of a new one. */
export default class extends SqlMigration {
  override readonly sql = `
drop table worker_job;
create table worker_job (
  job_id uuid not null,
  -- pg-boss's retry_count.
  attempt int not null,
  queue text not null,
  worker bigint not null,
  primary key (job_id, attempt)
);
`;
}
