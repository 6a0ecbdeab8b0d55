/** Finding a person by what api.md 4.10 and 4.11 accept: a user id or a streamUsername, ids before names. */
import type { Database } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';

export interface Person extends Record<string, unknown> {
  userId: string;
  displayName: string | null;
  streamUsername: string | null;
}

/** The person behind an id or a name on the streaming platform (any case). Throws NOT_FOUND with `missing`. */
export async function findPerson(db: Pick<Database, 'rows'>, idOrName: string, missing: string): Promise<Person> {
  const [person] = await db.rows<Person>(
    `select id as "userId", display_name as "displayName", stream_username as "streamUsername" from app_user
     where id = $1 or lower(stream_username) = lower($1) order by id = $1 desc limit 1`,
    [idOrName],
  );
  if (!person) throw new PlatformError('NOT_FOUND', missing);
  return person;
}
