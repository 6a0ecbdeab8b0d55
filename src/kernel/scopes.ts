/** The scopes of the documented API: what a third-party token may do. */
export const SCOPES = ['profile', 'avatars:read', 'generate', 'tribes', 'donations'] as const;

/** One of `SCOPES`. */
export type Scope = (typeof SCOPES)[number];

/** Beside them, where OAUTH_REFRESH_DAYS is set: that the app may stay signed in by refresh tokens. No token has it. */
export const OFFLINE_ACCESS = 'offline_access';
