import { SqlMigration } from '../kernel/migrations.ts';

/** Images, one-shot speech and videos. */
export default class extends SqlMigration {
  override readonly sql = `
-- A picture that was made and paid. Its address is public; the rig is where its face is, when the engine knew.
create table image_generation (
  id text primary key,
  user_id text not null references app_user,
  -- The third-party app that asked for it, if one did.
  client_id text,
  operation text not null check (operation in ('generate', 'edit')),
  model text not null,
  prompt text not null,
  aspect_ratio text not null,
  media_key text not null unique,
  width int not null,
  height int not null,
  rig jsonb,
  credit_cost bigint not null,
  created_at bigint not null
);
create index image_generation_user on image_generation (user_id, created_at);

create table speech_generation (
  id text primary key,
  -- Who asked, and who pays: the avatar's owner, or the owner of the app whose own token asked.
  caller_user_id text not null references app_user,
  payer_user_id text not null references app_user,
  client_id text,
  avatar_id text not null references avatar on delete cascade,
  image_id text references avatar_image on delete set null,
  voice_id text not null,
  -- SHA-256 of everything that makes two requests the same.
  dedup_key text not null,
  text text not null,
  text_mode text not null check (text_mode in ('literal', 'personality')),
  -- What is said: the text, or the persona's rewriting of it once it is written.
  spoken_text text,
  output text not null check (output in ('audio', 'video')),
  language text,
  status text not null default 'pending' check (status in ('pending', 'audio', 'video', 'error')),
  audio_key text,
  video_key text,
  share_slug text unique,
  error_message text,
  marks jsonb,
  seconds double precision,
  hold_id text references ledger_hold,
  attempt int not null default 0,
  created_at bigint not null
);
-- Pending and finished requests are found again; failed ones may be tried anew.
create unique index speech_generation_dedup on speech_generation (dedup_key) where status <> 'error';

create table video_generation (
  id text primary key,
  share_slug text not null unique,
  user_id text not null references app_user,
  client_id text,
  -- The request as it was checked; what it names was fetched into \`videos/<id>/\`.
  request jsonb not null,
  model text not null,
  referenced_avatars jsonb not null,
  status text not null default 'queued' check (status in ('queued', 'rendering', 'ready', 'error')),
  -- Share done, 0 to 1.
  progress double precision not null default 0,
  is_public boolean not null,
  -- Estimates until it is ready, then what was billed.
  seconds double precision not null,
  credit_cost bigint not null,
  media_key text,
  width int,
  height int,
  seed double precision,
  error_message text,
  hold_id text references ledger_hold,
  attempt int not null default 0,
  created_at bigint not null
);
create index video_generation_user on video_generation (user_id, created_at);
`;
}
