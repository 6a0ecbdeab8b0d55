import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Who may talk with an avatar on its page, what that may cost its owner, and who has come. An anonymous visitor has an
 * account row without address or password, so that conversations, memories and jobs need no second kind of owner.
 */
export default class extends SqlMigration {
  override readonly sql = `
alter table avatar
  add column talk_audience text not null default 'nobody' check (talk_audience in ('nobody', 'signed_in', 'everyone')),
  add column talk_slug text unique,
  add column talk_cap_per_visitor bigint,
  add column talk_cap_per_day bigint,
  add column talk_greeting text;
create table visitor (
  id text primary key,
  avatar_id text not null references avatar on delete cascade,
  user_id text not null references app_user,
  token_hash text unique,
  address_hash text,
  created_at bigint not null,
  seen_at bigint not null,
  blocked_at bigint,
  unique (avatar_id, user_id)
);
create index visitor_listed on visitor (avatar_id, id);
create index visitor_user on visitor (user_id);
alter table conversation add column visitor_id text unique references visitor on delete cascade;
alter table non_owner_spending add column visitor_id text;
create index non_owner_spending_visitor on non_owner_spending (visitor_id, created_at) where visitor_id is not null;
`;
}
