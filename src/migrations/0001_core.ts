import { SqlMigration } from '../kernel/migrations.ts';

/**
 * The core: people and their credentials, credits, avatars, conversations and turns, work to do once. Times are epoch
 * milliseconds, credits are micro-credits, secrets are SHA-256 only.
 */
export default class extends SqlMigration {
  override readonly sql = `
create table app_user (
  id text primary key,
  email text unique,
  password_hash text,
  display_name text,
  stream_username text,
  -- An account that signs in at an external OIDC issuer.
  issuer text,
  subject text,
  created_at bigint not null,
  unique (issuer, subject)
);
create unique index app_user_stream_username on app_user (lower(stream_username));

create table session (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint
);

-- Keys the instance makes for itself at first start: media links, signing, encryption.
create table instance_secret (
  name text primary key,
  value text not null,
  created_at bigint not null
);

-- API keys, and access tokens of third-party apps: those carry a client, an avatar and scopes.
create table api_key (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  name text not null,
  token_hash text not null unique,
  client_id text,
  avatar_id text,
  scopes jsonb,
  client_credentials boolean not null default false,
  created_at bigint not null,
  revoked_at bigint
);
create index api_key_user on api_key (user_id, created_at);

-- Credits: double entry. Only src/ledger writes these tables.
create table ledger_account (
  id text primary key,
  kind text not null check (kind in ('global', 'locked', 'revenue', 'issuance')),
  user_id text references app_user,
  creator_user_id text references app_user,
  balance bigint not null default 0,
  held bigint not null default 0,
  check (held >= 0),
  check (kind in ('issuance') or balance >= held)
);
create unique index ledger_account_global on ledger_account (user_id) where kind = 'global';
create unique index ledger_account_locked on ledger_account (user_id, creator_user_id) where kind = 'locked';

create table ledger_transfer (
  id text primary key,
  -- What it paid for, e.g. 'turn:trn_...'; one transfer per source and leg, so a retry charges nothing.
  source text not null,
  leg text not null,
  kind text not null,
  memo text,
  created_at bigint not null,
  unique (source, leg)
);
create table ledger_entry (
  transfer_id text not null references ledger_transfer,
  account_id text not null references ledger_account,
  amount bigint not null check (amount <> 0),
  balance_before bigint not null,
  balance_after bigint not null,
  check (balance_after = balance_before + amount),
  primary key (transfer_id, account_id)
);
create index ledger_entry_account on ledger_entry (account_id, transfer_id);

create table ledger_hold (
  id text primary key,
  source text not null unique,
  user_id text not null references app_user,
  amount bigint not null check (amount > 0),
  captured bigint not null default 0 check (captured >= 0 and captured <= amount),
  state text not null default 'open' check (state in ('open', 'captured', 'released')),
  kind text not null,
  created_at bigint not null,
  settled_at bigint
);
create index ledger_hold_user on ledger_hold (user_id, created_at);
create index ledger_hold_open on ledger_hold (created_at) where state = 'open';
create table ledger_hold_part (
  hold_id text not null references ledger_hold,
  account_id text not null references ledger_account,
  amount bigint not null check (amount > 0),
  primary key (hold_id, account_id)
);

create table avatar_folder (
  id text primary key,
  owner_user_id text not null references app_user,
  name text not null,
  icon_key text,
  created_at bigint not null
);
create index avatar_folder_owner on avatar_folder (owner_user_id, created_at);

create table avatar (
  id text primary key,
  owner_user_id text not null references app_user,
  display_name text not null,
  personality_prompt text,
  tts_voice_id text,
  publicly_renderable boolean not null default false,
  folder_id text references avatar_folder on delete set null,
  name_locked boolean not null default false,
  knowledge_base_urls jsonb not null default '[]',
  gem_ref text,
  stranger_cap_per_day bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index avatar_owner on avatar (owner_user_id, created_at);
create index avatar_public on avatar (created_at) where publicly_renderable;

create table avatar_image (
  id text primary key,
  avatar_id text not null references avatar on delete cascade,
  media_key text not null unique,
  is_primary boolean not null default false,
  width int not null,
  height int not null,
  rig jsonb,
  rig_source text not null default 'none',
  created_at bigint not null
);
create unique index avatar_image_primary on avatar_image (avatar_id) where is_primary;
create index avatar_image_avatar on avatar_image (avatar_id, created_at);

create table custom_voice (
  id text primary key,
  owner_user_id text not null references app_user,
  avatar_id text not null references avatar on delete cascade,
  name text not null,
  settings jsonb not null,
  created_at bigint not null
);
create index custom_voice_owner on custom_voice (owner_user_id, created_at);

create table conversation (
  id text primary key,
  share_slug text not null unique,
  owner_user_id text not null references app_user,
  avatar_id text not null references avatar,
  image_id text references avatar_image,
  viewer_token text not null,
  is_public boolean not null default false,
  -- The third-party app that started it, if one did: it reads only its own.
  client_id text,
  -- Bumped by every visible change; the cursor of subscriptions and the base of the poll's ETag.
  version bigint not null default 0,
  injections int not null default 0,
  created_at bigint not null
);
create index conversation_owner on conversation (owner_user_id, created_at);

create table access_link (
  id text primary key,
  conversation_id text not null references conversation on delete cascade,
  key_hash text not null unique,
  created_at bigint not null,
  revoked_at bigint
);
create index access_link_conversation on access_link (conversation_id);

-- One accepted POST .../turn: what was asked for, and how far the writing of its reply has come.
create table injection (
  id text primary key,
  conversation_id text not null references conversation on delete cascade,
  -- Position in the conversation; written by the transaction's last statement.
  number int,
  state text not null check (state in ('waiting', 'writing', 'done')),
  attempt int not null default 0,
  request jsonb not null,
  created_at bigint not null,
  unique (conversation_id, number)
);
create index injection_waiting on injection (conversation_id, number) where state <> 'done';

create table turn (
  id text primary key,
  conversation_id text not null references conversation on delete cascade,
  injection_id text not null references injection on delete cascade,
  number int,
  -- 0 is the user row, 1.. the chunks of the reply.
  chunk int not null,
  role text not null check (role in ('user', 'avatar')),
  user_text text,
  avatar_text text,
  output text check (output in ('audio', 'video')),
  status text not null check (status in ('pending', 'audio', 'video', 'ready', 'error')),
  audio_key text,
  video_key text,
  stream_key text,
  share_slug text unique,
  error_message text,
  media_error text,
  -- The avatar whose face and voice it has: the conversation's, or the speaker's.
  voiced_by_avatar_id text not null references avatar,
  language text,
  marks jsonb,
  seconds double precision,
  hold_id text references ledger_hold,
  attempt int not null default 0,
  version bigint,
  created_at bigint not null,
  unique (conversation_id, version),
  unique (injection_id, chunk)
);
create index turn_order on turn (conversation_id, number, chunk);

-- Idempotency-Key of charging POSTs: the answer that is replayed.
create table idempotency_key (
  caller text not null,
  key text not null,
  request_hash text not null,
  status int,
  body jsonb,
  created_at bigint not null,
  primary key (caller, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- Which worker has which job, so that a dead worker's jobs are found by its lost advisory lock (src/jobs/lifeline.ts).
create table worker_job (
  job_id text primary key,
  queue text not null,
  worker bigint not null
);
`;
}
