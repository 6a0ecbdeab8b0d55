/** Rows that were deleted between being looked up and being referred to. */

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Whether PostgreSQL refused what was written because what it refers to by one of these foreign keys is gone. Asked by code and
 * constraint, which an error has as PostgreSQL's and as the ORM's alike.
 */
export function isGone(error: unknown, ...constraints: string[]): boolean {
  const { code, constraint = '' } = (error ?? {}) as { code?: unknown; constraint?: string };
  return code === FOREIGN_KEY_VIOLATION && constraints.includes(constraint);
}
