/**
 * What PostgreSQL refused because another request was faster. Asked by code and constraint, which an error has as PostgreSQL's and as
 * the ORM's alike: `upsert` throws the former.
 */

const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';

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
