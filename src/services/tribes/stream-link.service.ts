/**
 * Names on the streaming platform: linked only when the platform proves them by its own sign-in or, on an
 * instance without a platform, when an operator says so. Also the operators' table of subscriptions.
 */
import type { User } from '../../../schema/user.ts';
import type { Principal } from '../../auth/principal.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { randomText, sha256 } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Accounts } from '../accounts/account.service.ts';
import type { Platform } from '../platform.ts';
import type { ProvedAccount, StreamPlatform } from './stream-platform.ts';
import type { Seal } from './twitch.ts';

/** How long a sign-in at the platform may take. */
const LINK_MS = 10 * MINUTE_MS;

type Needs = Pick<Platform, 'db' | 'clock'>;

export class StreamLinks {
  readonly #p: Needs;
  readonly #accounts: Accounts;
  readonly #platform: StreamPlatform;
  readonly #seal: Seal;

  constructor(platform: Needs, accounts: Accounts, streams: StreamPlatform, seal: Seal) {
    this.#p = platform;
    this.#accounts = accounts;
    this.#platform = streams;
    this.#seal = seal;
  }

  /** Begins the platform's sign-in for the caller; the state it carries is claimed once. 403 without a platform. */
  async start(principal: Principal): Promise<{ url: string }> {
    const { signIn } = this.#platform;
    if (!signIn) throw new PlatformError('FORBIDDEN', 'This instance has no streaming platform: operators link names.');
    const state = randomText(32);
    const nowMs = this.#p.clock.now();
    await this.#p.db.rows('delete from stream_link_state where expires_at <= $1', [nowMs]);
    await this.#p.db.rows('insert into stream_link_state (state_hash, user_id, expires_at) values ($1, $2, $3)', [
      sha256(state),
      principal.userId,
      nowMs + LINK_MS,
    ]);
    return { url: signIn.url(state) };
  }

  /** Ends the sign-in: the caller must be who began it, so that nobody links their account to another's sign-in. */
  async finish(principal: Principal, code: string, state: string): Promise<User> {
    const { signIn } = this.#platform;
    if (!signIn) throw new PlatformError('FORBIDDEN', 'This instance has no streaming platform: operators link names.');
    const claimed = await this.#p.db.rows(
      'delete from stream_link_state where state_hash = $1 and user_id = $2 and expires_at > $3 returning user_id',
      [sha256(state), principal.userId, this.#p.clock.now()],
    );
    if (claimed.length === 0) throw badInput('state', 'is unknown or has expired: start the sign-in again.');
    const account = await signIn.prove(code);
    await this.#p.db.transaction((tx) => this.#keep(tx, principal.userId, account));
    return this.#accounts.user(principal.userId);
  }

  /** Operators, on an instance without a platform: gives a user (default: the operator) a name. */
  async link(principal: Principal, userId: string | null | undefined, streamUsername: string): Promise<User> {
    const operator = await this.#operator(principal);
    const name = streamUsername.trim();
    if (!new RegExp(`^[A-Za-z0-9_]{1,${LIMITS.streamUsername}}$`).test(name)) {
      throw badInput('streamUsername', `must have 1 to ${LIMITS.streamUsername} letters, digits or underscores.`);
    }
    const user = userId ? await this.#accounts.user(userId) : operator;
    await this.#p.db.transaction(async (tx) => {
      const others = await tx.rows('select 1 from app_user where lower(stream_username) = lower($1) and id <> $2', [
        name,
        user.userId,
      ]);
      if (others.length > 0) throw badInput('streamUsername', 'is linked to another account.');
      await this.#name(tx, user.userId, name);
    });
    return this.#accounts.user(user.userId);
  }

  /** Operators, on an instance without a platform: says who subscribes to whom. Returns what it set. */
  async setSubscription(
    principal: Principal,
    request: { creatorUserId: string; memberUserId: string; active: boolean },
  ): Promise<boolean> {
    await this.#operator(principal);
    const { creatorUserId, memberUserId, active } = request;
    await this.#accounts.user(creatorUserId);
    await this.#accounts.user(memberUserId);
    await this.#p.db.rows(
      active
        ? `insert into stream_subscription (creator_user_id, member_user_id, created_at)
           values ($1, $2, now_ms()) on conflict do nothing`
        : 'delete from stream_subscription where creator_user_id = $1 and member_user_id = $2',
      [creatorUserId, memberUserId],
    );
    return active;
  }

  async #operator(principal: Principal): Promise<User> {
    const operator = await this.#accounts.requireOperator(principal);
    if (this.#platform.signIn) {
      throw new PlatformError('FORBIDDEN', 'The streaming platform proves names and subscriptions on this instance.');
    }
    return operator;
  }

  /** Keeps a proved account. An account belongs to one user; a name belongs to whom the platform says now. */
  async #keep(tx: Tx, userId: string, account: ProvedAccount): Promise<void> {
    const { seal } = this.#seal;
    const kept = await tx.rows(
      `insert into stream_account (user_id, platform_user_id, access_token, refresh_token, linked_at)
       select $1, $2, $3, $4, $5
       where not exists (select 1 from stream_account where platform_user_id = $2 and user_id <> $1)
       on conflict (user_id) do update set platform_user_id = excluded.platform_user_id,
         access_token = excluded.access_token, refresh_token = excluded.refresh_token, linked_at = excluded.linked_at
       returning user_id`,
      [
        userId,
        account.platformUserId,
        seal(account.accessToken, userId),
        seal(account.refreshToken, userId),
        this.#p.clock.now(),
      ],
    );
    if (kept.length === 0) throw new PlatformError('CONFLICT', 'This account is linked to another user.');
    // The name of somebody who was renamed there since may be borne by another now: gifts must reach the latter.
    await tx.rows('update app_user set stream_username = null where lower(stream_username) = lower($2) and id <> $1', [
      userId,
      account.streamUsername,
    ]);
    await this.#name(tx, userId, account.streamUsername);
  }

  async #name(tx: Tx, userId: string, streamUsername: string): Promise<void> {
    await tx.rows('update app_user set stream_username = $2 where id = $1', [userId, streamUsername]);
    await tx.rows(
      `update avatar set name_locked = lower(display_name) = lower($2), updated_at = $3
       where owner_user_id = $1 and name_locked <> (lower(display_name) = lower($2))`,
      [userId, streamUsername, this.#p.clock.now()],
    );
  }
}
