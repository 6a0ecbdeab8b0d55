import { SqlMigration } from '../kernel/migrations.ts';

/** Apps that registered themselves (RFC 7591), and tokens that are for one resource alone (RFC 8707). */
export default class extends SqlMigration {
  override readonly sql = `
    -- Null: it registered itself, and nobody here knows who made it.
    alter table oauth_client alter column owner_user_id drop not null;
    -- Of an app that registered itself: the addresses that it may be answered at, and how it proves itself.
    alter table oauth_client add column redirect_uris jsonb;
    alter table oauth_client add column auth_method text;
    create index oauth_client_unowned on oauth_client (created_at) where owner_user_id is null;
    -- Null: for the whole API, as documented.
    alter table oauth_code add column resource text;
    alter table api_key add column audience text`;
}
