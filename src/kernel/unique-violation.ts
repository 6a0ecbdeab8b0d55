/** Values that another row took first. */

const UNIQUE_VIOLATION = '23505';

/**
 * Whether a unique index refused what was written: another request took the value since it was looked up. Asked by the code, which
 * an error has as PostgreSQL's and as the ORM's alike (`upsert` throws the former).
 */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION;
}
