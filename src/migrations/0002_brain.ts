import { SqlMigration } from '../kernel/migrations.ts';

/**
 * Memory of the avatars. One `brain` row is one isolated brain: an avatar's own (sandbox_id '') or one of its
 * sandboxes. Its row lock orders the saves into it.
 */
export default class extends SqlMigration {
  override readonly sql = `
CREATE TABLE brain (
  scope_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  avatar_id  text    NOT NULL,
  sandbox_id text    NOT NULL DEFAULT '',
  n          integer NOT NULL DEFAULT 0 CHECK (n >= 0),          -- pages
  total_len  bigint  NOT NULL DEFAULT 0 CHECK (total_len >= 0),  -- terms in all pages
  next_seq   integer NOT NULL DEFAULT 0,
  UNIQUE (avatar_id, sandbox_id)
) WITH (fillfactor = 50);

-- Namespaces of a brain: 0 public, 1 private, 2 knowledge, 3 and up one per speakerRef.
CREATE TABLE brain_speaker (
  scope_id    bigint  NOT NULL REFERENCES brain ON DELETE CASCADE,
  speaker_ref text    NOT NULL COLLATE "C",
  ns          integer NOT NULL CHECK (ns >= 3),
  PRIMARY KEY (scope_id, speaker_ref),
  UNIQUE (scope_id, ns)
) WITH (fillfactor = 50);

-- \`seq\` runs across the namespaces of a brain, so that a memory's neighbours in time are its neighbours here.
CREATE TABLE brain_page (
  scope_id    bigint   NOT NULL REFERENCES brain ON DELETE CASCADE,
  seq         integer  NOT NULL,
  id          text     NOT NULL UNIQUE,
  ns          integer  NOT NULL,
  speaker_ref text,
  source      text,                 -- knowledge: the address of the page it was read from
  content     text     NOT NULL,
  len         smallint NOT NULL,    -- terms
  created_at  bigint   NOT NULL,    -- epoch milliseconds
  PRIMARY KEY (scope_id, seq)
);
CREATE INDEX brain_page_knowledge ON brain_page (scope_id) WHERE ns = 2;

-- The inverted index. The namespace follows the term, so a recall reads exactly the postings it may see, and an owner
-- who may see all reads one range instead of one per speaker.
CREATE TABLE brain_term (
  scope_id bigint   NOT NULL REFERENCES brain ON DELETE CASCADE,
  term     integer  NOT NULL,
  ns       integer  NOT NULL,
  seq      integer  NOT NULL,
  tf       smallint NOT NULL,
  len      smallint NOT NULL,
  PRIMARY KEY (scope_id, term, ns, seq) INCLUDE (tf, len)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000);

-- Memories kept by an external system: our id beside theirs, and who may read them. One of ours may be several of theirs.
CREATE TABLE brain_external (
  avatar_id   text   NOT NULL,
  system      text   NOT NULL,
  external_id text   NOT NULL,
  id          text   NOT NULL,
  sandbox_id  text   NOT NULL DEFAULT '',
  namespace   text   NOT NULL CHECK (namespace IN ('public', 'private', 'speaker')),
  speaker_ref text   COLLATE "C",
  created_at  bigint NOT NULL,
  CHECK ((namespace = 'speaker') = (speaker_ref IS NOT NULL)),
  PRIMARY KEY (avatar_id, system, external_id)
);
CREATE INDEX brain_external_place ON brain_external (avatar_id, sandbox_id, system, created_at);
`;
}
