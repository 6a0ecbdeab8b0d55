/** The scopes of the documented API: what a third-party token may do. */

export const SCOPES = ['profile', 'avatars:read', 'generate', 'tribes', 'donations'] as const;
/** One of `SCOPES`. */
export type Scope = (typeof SCOPES)[number];
