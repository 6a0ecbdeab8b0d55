/**
 * Names on the streaming platform: linked only when the platform proves them by its own sign-in or, on an
 * instance without a platform, when an operator says so. Also the operators' table of subscriptions.
 */
import { StreamLinkStateEntity, StreamSubscriptionEntity } from '../../../schema/entities/tribes.ts';
import type { User } from '../../../schema/user.ts';
import type { Principal } from '../../auth/principal.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { isUniqueViolation } from '../../kernel/constraint-errors.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { randomText, sha256 } from '../../kernel/ids.ts';
import type { Seal } from '../../kernel/sealing.ts';
import type { Accounts } from '../accounts/account.service.ts';
import { users } from '../accounts/user.repository.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { streamAccounts } from './stream-account.repository.ts';
import type { ProvedAccount, StreamPlatform } from './stream-platform.port.ts';

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
    const em = this.#p.db.em();
    await em.nativeDelete(StreamLinkStateEntity, { expiresAt: { $lte: nowMs } });
    await em.insert(StreamLinkStateEntity, {
      stateHash: sha256(state),
      user: principal.userId,
      expiresAt: nowMs + LINK_MS,
    });
    return { url: signIn.url(state) };
  }

  /** Ends the sign-in: only the user who began it may, so that no user links their account to another's sign-in. */
  async finish(principal: Principal, code: string, state: string): Promise<User> {
    const { signIn } = this.#platform;
    if (!signIn) throw new PlatformError('FORBIDDEN', 'This instance has no streaming platform: operators link names.');
    const claimed = await this.#p.db.em().nativeDelete(StreamLinkStateEntity, {
      stateHash: sha256(state),
      user: principal.userId,
      expiresAt: { $gt: this.#p.clock.now() },
    });
    if (claimed === 0) throw badInput('state', 'is unknown or has expired: start the sign-in again.');
    const account = await signIn.prove(code);
    const taken = new PlatformError('CONFLICT', 'This account is linked to another user.');
    await this.#linking(taken, (tx) => this.#keep(tx, principal.userId, account, taken));
    return this.#accounts.user(principal.userId);
  }

  /** Operators, on an instance without a platform: gives a user (default: the operator) a name. */
  async link(principal: Principal, userId: string | null | undefined, name: string): Promise<User> {
    const operator = await this.#operator(principal);
    const user = userId ? await this.#accounts.user(userId) : operator;
    const taken = badInput('streamUsername', 'is linked to another account.');
    await this.#linking(taken, async (tx) => {
      if (await users(tx.em).isStreamNameOfAnother(name, user.userId)) throw taken;
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
    const em = this.#p.db.em();
    const subscription = { creator: creatorUserId, member: memberUserId };
    if (active) {
      const created = { ...subscription, createdAt: this.#p.clock.now() };
      await em.upsert(StreamSubscriptionEntity, created, { onConflictAction: 'ignore' });
    } else await em.nativeDelete(StreamSubscriptionEntity, subscription);
    return active;
  }

  async #operator(principal: Principal): Promise<User> {
    const operator = await this.#accounts.requireOperator(principal);
    if (this.#platform.signIn) {
      throw new PlatformError('FORBIDDEN', 'The streaming platform proves names and subscriptions on this instance.');
    }
    return operator;
  }

  /** Another user may take the account or the name since it was looked up. */
  async #linking(taken: PlatformError, write: (tx: Tx) => Promise<void>): Promise<void> {
    try {
      await this.#p.db.transaction(write);
    } catch (error) {
      if (isUniqueViolation(error)) throw taken;
      throw error;
    }
  }

  /** Keeps a proved account. An account belongs to one user; a name belongs to whom the platform says now. */
  async #keep(tx: Tx, userId: string, account: ProvedAccount, taken: PlatformError): Promise<void> {
    await users(tx.em).holdCaller(userId);
    const { seal } = this.#seal;
    const isLinked = await streamAccounts(tx.em).link({
      userId,
      platformUserId: account.platformUserId,
      accessToken: seal(account.accessToken, userId),
      refreshToken: seal(account.refreshToken, userId),
      linkedAt: this.#p.clock.now(),
    });
    if (!isLinked) throw taken;
    // A user may have been renamed there since, and another have that name now: gifts must reach the latter.
    await users(tx.em).takeStreamName(account.streamUsername, userId);
    await this.#name(tx, userId, account.streamUsername);
  }

  async #name(tx: Tx, userId: string, streamUsername: string): Promise<void> {
    await users(tx.em).nativeUpdate({ id: userId }, { streamUsername });
    await avatars(tx.em).lockNames(userId, streamUsername, this.#p.clock.now());
  }
}
