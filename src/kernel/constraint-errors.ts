/**
 * Recognises what PostgreSQL refused because another request was faster: by code and constraint, which errors of PostgreSQL and
 * of the ORM both have (`upsert` throws the former).
 */

const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';

/**
 * Codes of an object that exists or is gone; a unique violation too, of PostgreSQL's own catalogs, when two transactions make a
 * table of one name at once.
 */
const MADE_OR_GONE = [UNIQUE_VIOLATION, '42710', '42704'];

interface Refused {
  code?: unknown;
  constraint?: string;
}

/** Whether what is referred to by one of these foreign keys was deleted since it was looked up. */
export function isGone(error: unknown, ...constraints: string[]): boolean {
  const { code, constraint = '' } = (error ?? {}) as Refused;
  return code === FOREIGN_KEY_VIOLATION && constraints.includes(constraint);
}

/** Whether a unique index has the value already: another row took it since it was looked up. */
export function isUniqueViolation(error: unknown): boolean {
  return ((error ?? {}) as Refused).code === UNIQUE_VIOLATION;
}

/** Whether a table or a constraint was made, or taken away, by another transaction at this moment. */
export function isMadeMeanwhile(error: unknown): boolean {
  return MADE_OR_GONE.includes(((error ?? {}) as Refused).code as string);
}
