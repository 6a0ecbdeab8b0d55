/** Names of columns, keys and constraints as PostgreSQL itself gives them, so that entities name only their indexes. */
import { UnderscoreNamingStrategy } from '@mikro-orm/core';

/** How PostgreSQL ends the name of a constraint that was given none. */
const ENDINGS: Record<string, string> = { foreign: 'fkey', unique: 'key' };

export class PostgresNames extends UnderscoreNamingStrategy {
  override indexName(...[table, columns, type]: Parameters<UnderscoreNamingStrategy['indexName']>): string {
    const ending = ENDINGS[type];
    return ending ? [table, ...columns, ending].join('_') : super.indexName(table, columns, type);
  }
}
