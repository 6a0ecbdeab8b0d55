import { SqlMigration } from '../kernel/migrations.ts';

/** Captions in other languages: what the language model made of a turn's words, asked once for all viewers. */
export default class extends SqlMigration {
  override readonly sql = `
create table translated_caption (
  turn_id text not null references turn on delete cascade,
  language text not null,
  -- SHA-256 of the words it was made from.
  source_hash text not null,
  text text not null,
  created_at bigint not null,
  primary key (turn_id, language)
);
`;
}
