/**
 * Feeds of accounts: everything of one user's that changes, in one order. Triggers record the changes of accounts that
 * are watched; reading numbers them, once they are committed. So numbers follow commits without a lock that writers would
 * wait for, and a cursor misses nothing. Of several changes of one thing only the last is kept (docs/decisions/0016).
 */
import type { Principal } from '../../auth/principal.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import type { Platform } from '../platform/platform.port.ts';
import {
  type AccountChange,
  changesBehind,
  changingTransactions,
  feedState,
  feedVersions,
  markOpen,
  numberChanges,
  renewFeed,
  renewFeeds,
} from './account-changes.queries.ts';
import { FeedRegistry, type FeedViewer } from './feeds/feed.service.ts';
import { credentialKey, type LiveRevocation } from './live-revocation.service.ts';

/** Changes that one statement numbers. */
const BATCH = 2_000;
/** How often a first viewer looks whether the transactions of before have ended: they take milliseconds. */
const OPENING_MS = 5;
/** A feed is kept for a day after it was last watched. */
const RENEW_MS = HOUR_MS;

/** What a viewer of an account's changes asks for. */
export interface AccountViewer extends Omit<FeedViewer<AccountChange, AccountChange>, 'after' | 'encoder'> {
  /** Cursor of the last change that was seen; without it the viewer gets what changes from now on. */
  after?: string | null | undefined;
  /** The credential was revoked: it has left the feed. */
  revoked(): void;
}

const AS_IT_IS: FeedViewer<AccountChange, AccountChange>['encoder'] = { encode: (change) => change };

type Needs = Pick<Platform, 'db' | 'replicas' | 'clock' | 'notifier' | 'log'>;

export class AccountFeeds {
  readonly feeds: FeedRegistry<AccountChange>;
  readonly #p: Needs;
  readonly #revocation: LiveRevocation;
  #renewedMs = 0;

  constructor(platform: Needs, revocation: LiveRevocation, every: (ms: number, tick: () => void) => () => void) {
    this.#p = platform;
    this.#revocation = revocation;
    const { db, replicas, notifier, log } = platform;
    this.feeds = new FeedRegistry<AccountChange>({
      readChanged: async (userId, after, limit) => {
        await this.#number(userId);
        return replicas.read((on) => changesBehind(on, { userId, after, limit }));
      },
      latest: async (userId) => {
        await this.#number(userId);
        return (await feedState(db, { userId }))[0]?.version ?? 0;
      },
      versions: (ids) => this.#versions(ids),
      listen: (feeds) => [
        notifier.on('account', (userId) => feeds.wake(userId)),
        // A conversation's own notification names its owner too.
        notifier.on('turn', (payload) => {
          const [, , userId] = payload.split(' ');
          if (userId) feeds.wake(userId);
        }),
      ],
      gone: 'The account was deleted.',
      notifier,
      every,
      onError: (error) => log.warn({ err: error }, 'live updates waiting for database'),
    });
  }

  /** The cursor of now: a client that reads something after it and then follows behind it misses no change. */
  async cursor({ userId }: Principal): Promise<string> {
    await this.#open(userId);
    await this.#number(userId);
    const [state] = await feedState(this.#p.db, { userId });
    return String(state?.version ?? 0);
  }

  /** Follows the caller's account; throws BAD_INPUT for what is no cursor, EXPIRED for one that is too old. */
  async join(principal: Principal, { after, revoked, ...viewer }: AccountViewer): Promise<() => void> {
    const { userId } = principal;
    await this.#open(userId);
    const cursor = after == null ? undefined : await this.#readCursor(userId, after);
    let release = (): void => {};
    const leaveFeed = this.feeds.join<AccountChange>(userId, {
      ...viewer,
      encoder: AS_IT_IS,
      ...(cursor === undefined ? {} : { after: cursor }),
      dropped: () => release(),
      failed: (error) => {
        release();
        viewer.failed(error);
      },
    });
    const key = credentialKey(principal);
    if (key) {
      release = this.#revocation.hold([key], {
        revoked: () => {
          leaveFeed();
          revoked();
        },
      });
    }
    return () => {
      release();
      leaveFeed();
    };
  }

  close(): void {
    this.feeds.close();
  }

  async #readCursor(userId: string, after: string): Promise<number> {
    await this.#number(userId);
    const [state] = await feedState(this.#p.db, { userId });
    if (!/^\d{1,15}$/.test(after) || Number(after) > (state?.version ?? 0)) {
      throw badInput('after', 'is not a cursor of this account.');
    }
    if (Number(after) < (state?.keptFrom ?? 0)) {
      throw new PlatformError(
        'EXPIRED',
        'after is older than what is kept: read anew what you show, and follow from now.',
        {
          details: { field: 'after' },
        },
      );
    }
    return Number(after);
  }

  /**
   * From its end on every transaction records what it changes of this account: those that looked before the feed was
   * there have ended.
   */
  async #open(userId: string): Promise<void> {
    const { db, clock } = this.#p;
    const [feed] = await renewFeed(db, { userId, nowMs: clock.now() });
    if (feed?.isOpen) return;
    const before = new Set((await changingTransactions(db, {})).map(({ id }) => id));
    while (before.size > 0) {
      const still = (await changingTransactions(db, {})).filter(({ id }) => before.has(id));
      if (still.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, OPENING_MS));
    }
    await markOpen(db, { userId });
  }

  /** Gives a number to what was committed and has none. */
  async #number(userId: string): Promise<void> {
    const { db, clock } = this.#p;
    const [feed] = await feedVersions(db, { ids: [userId] });
    if (!feed?.isBehind) return;
    for (let taken = BATCH; taken === BATCH; ) {
      [{ taken } = { taken: 0 }] = await numberChanges(db, { userId, limit: BATCH, nowMs: clock.now() });
    }
  }

  async #versions(ids: string[]): Promise<{ id: string; version: number }[]> {
    const { db, clock } = this.#p;
    if (clock.now() - this.#renewedMs > RENEW_MS) {
      await renewFeeds(db, { ids, nowMs: clock.now() });
      this.#renewedMs = clock.now();
    }
    const feeds = await feedVersions(db, { ids });
    return feeds.map(({ id, version, isBehind }) => ({ id, version: version + Number(isBehind) }));
  }
}
