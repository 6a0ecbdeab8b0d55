/**
 * The streaming platform as the rules see it: who subscribes to whom, and which name a user has there. Two sides
 * implement it: a table that operators fill (`local-streams.repository.ts`) and Twitch (`twitch.client.ts`).
 */

/** Someone's account at the platform, as it proved it. */
export interface ProvedAccount {
  platformUserId: string;
  streamUsername: string;
  accessToken: string;
  refreshToken: string;
}

/** A streaming platform whose subscribers join a creator's tribe. */
export interface StreamPlatform {
  /**
   * Whether the member has an active subscription to the creator. Throws UPSTREAM_FAILED when the platform does not
   * say: then no credits are charged.
   */
  isSubscribed(creatorUserId: string, memberUserId: string): Promise<boolean>;
  /** The platform's own sign-in, which proves a name; without it operators link names. */
  readonly signIn?: {
    /** Where to send the browser. */
    url(state: string): string;
    /** The account behind the code that came back. Throws BAD_INPUT for a code it does not know, or UPSTREAM_FAILED. */
    prove(code: string): Promise<ProvedAccount>;
  };
}
