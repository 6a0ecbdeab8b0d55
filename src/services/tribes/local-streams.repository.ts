import { StreamSubscriptionEntity } from '../../../schema/entities/tribes.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { StreamPlatform } from './stream-platform.port.ts';

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
