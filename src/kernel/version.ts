/** The release that this code is, as package.json has it. */
export const VERSION = '1.3.0';

/** What connections are called in `pg_stat_activity`, before their release: so it is seen which releases still run. */
export const APPLICATION = 'avatar-platform/';

/** Negative, zero or positive, as the first of two releases (`1.10.0`) is before, equal to or after the second. */
export const compareVersions = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
