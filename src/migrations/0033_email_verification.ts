import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Links that confirm e-mail addresses, as hashes. Accounts of before count as confirmed, and so do those that the release
 * before this one makes meanwhile, which sends no mail.
 */
export default class extends SqlMigration {
  override readonly sql = `
alter table app_user
  add column email_verified boolean not null default true,
  add column verification_asked_at bigint;

create table email_verification (
  token_hash text primary key,
  user_id text not null references app_user on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index email_verification_user on email_verification (user_id, created_at);
`;
}
