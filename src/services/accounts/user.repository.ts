/** Finding a user by what the API accepts: a user id or a streamUsername, ids before names. */
import type { Database } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';

export interface FoundUser extends Record<string, unknown> {
  userId: string;
  displayName: string | null;
  streamUsername: string | null;
}

/** The user behind an id or a name on the streaming platform (any case). Throws NOT_FOUND with `missing`. */
export async function findUser(db: Pick<Database, 'rows'>, idOrName: string, missing: string): Promise<FoundUser> {
  const [user] = await db.rows<FoundUser>(
    `select id as "userId", display_name as "displayName", stream_username as "streamUsername" from app_user
     where id = $1 or lower(stream_username) = lower($1) order by id = $1 desc limit 1`,
    [idOrName],
  );
  if (!user) throw new PlatformError('NOT_FOUND', missing);
  return user;
}
