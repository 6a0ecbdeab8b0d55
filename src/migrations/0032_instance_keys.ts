import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Several keys of one name: the newest that is active makes, those before it still verify. Values are wrapped with
 * SECRETS_KEY; `wrapped_by` is the fingerprint of the key they are wrapped with, null for what an older version wrote.
 */
export default class extends SqlMigration {
  override readonly sql = `
alter table instance_secret drop constraint instance_secret_pkey;
alter table instance_secret
  add column generation int not null default 1,
  add column active_at bigint,
  add column verify_until bigint,
  add column wrapped_by text,
  add primary key (name, generation);
`;
}
