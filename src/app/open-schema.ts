/** The schema of the database, for processes and for commands, which need no more of the platform. */
import { COVERING_KEYS, ENTITIES, UNDECLARED_KEYS, UNDECLARED_REFERENCES } from '../../schema/entities/index.ts';
import type { OrmOptions } from '../kernel/orm.ts';
import { MIGRATIONS } from '../migrations/index.ts';

/** How every process of an instance sees the database. */
export const openSchema = (url: string, poolSize?: number): OrmOptions => ({
  url,
  entities: ENTITIES,
  coveringKeys: COVERING_KEYS,
  undeclaredKeys: UNDECLARED_KEYS,
  undeclaredReferences: UNDECLARED_REFERENCES,
  migrations: MIGRATIONS,
  ...(poolSize ? { poolSize } : {}),
});
