/** The schema of the database, for processes and for commands, which need no more of the platform. */
import { COVERING_KEYS, ENTITIES } from '../../schema/entities/index.ts';
import { loadMigrations } from '../kernel/migrations.ts';
import type { OrmOptions } from '../kernel/orm.ts';

/** How every process of an instance sees the database. */
export const openSchema = async (url: string, poolSize?: number): Promise<OrmOptions> => ({
  url,
  entities: ENTITIES,
  coveringKeys: COVERING_KEYS,
  migrations: await loadMigrations(new URL('../migrations/', import.meta.url)),
  ...(poolSize ? { poolSize } : {}),
});
