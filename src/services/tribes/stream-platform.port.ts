/**
 * The streaming platform as the rules see it: who subscribes to whom, and which name somebody bears there. Two sides
 * speak it: a table that operators fill (`LocalStreams` below) and Twitch (`twitch.client.ts`).
 */
import { StreamSubscriptionEntity } from '../../../schema/entities/tribes.ts';
import type { Platform } from '../platform/platform.port.ts';

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
   * say: then nobody is charged.
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

/** Subscriptions kept in a table of ours, for an instance without a streaming platform. */
export class LocalStreams implements StreamPlatform {
  readonly #db: Platform['db'];

  constructor(db: Platform['db']) {
    this.#db = db;
  }

  async isSubscribed(creatorUserId: string, memberUserId: string): Promise<boolean> {
    const subscription = { creator: creatorUserId, member: memberUserId };
    return (await this.#db.em().count(StreamSubscriptionEntity, subscription)) > 0;
  }
}
