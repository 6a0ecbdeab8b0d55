/**
 * Tribes: everyone has one; joining charges the member once, or nothing if they subscribe to the
 * creator on the streaming platform. Somebody is a member exactly when they were charged or joined free: one transaction.
 */
import type { JoinedTribe, Tribe, TribeMembership } from '../../../schema/tribe.ts';
import type { Principal } from '../../auth/principal.ts';
import { fromMicro, MICRO } from '../../kernel/credits.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { openPayment, payCreator } from '../../ledger/transfers.ts';
import { type FoundUser, findUser } from '../accounts/user.repository.ts';
import { optionalText } from '../input-fields.ts';
import type { Platform } from '../platform.ts';
import type { StreamPlatform } from './stream-platform.ts';

const MAX_JOIN_COST = 10_000n * MICRO;

type Needs = Pick<Platform, 'db' | 'clock' | 'log'>;
/** The pseudonym under which an app knows the user of its token. */
export type SubjectOf = (principal: Principal) => string;

interface TribeRow extends Record<string, unknown> {
  tribeName: string | null;
  joinCost: string;
  memberCount: number;
}

export class Tribes {
  readonly #p: Needs;
  readonly #streams: StreamPlatform;
  readonly #subjectOf: SubjectOf;

  constructor(platform: Needs, streams: StreamPlatform, subjectOf: SubjectOf) {
    this.#p = platform;
    this.#streams = streams;
    this.#subjectOf = subjectOf;
  }

  /** A creator's tribe as the caller sees it. 404 for an unknown user. */
  async read(principal: Principal, user: string): Promise<Tribe> {
    return this.#show(principal, await findUser(this.#p.db, user, 'User not found.'), user);
  }

  /** Since when `member` (default: the caller) belongs to the tribe. Only its owner and that member may ask. */
  async membership(principal: Principal, user: string, member?: string | null): Promise<TribeMembership> {
    const owner = await findUser(this.#p.db, user, 'User not found.');
    const subject = principal.kind === 'token' ? this.#subjectOf(principal) : principal.userId;
    const asked = member && member !== subject ? member : undefined;
    const memberId = asked ? (await findUser(this.#p.db, asked, 'User not found.')).userId : principal.userId;
    if (principal.userId !== owner.userId && principal.userId !== memberId) {
      throw new PlatformError('FORBIDDEN', 'Only the owner of the tribe and the member may ask.');
    }
    const [row] = await this.#p.db.rows<{ joinedAt: number }>(
      `select joined_at::float8 as "joinedAt" from tribe_member where creator_user_id = $1 and member_user_id = $2`,
      [owner.userId, memberId],
    );
    return {
      tribeOwner: named(principal, owner, user),
      member: principal.kind === 'token' ? (asked ?? subject) : memberId,
      joinedAt: row?.joinedAt ?? null,
    };
  }

  /**
   * Joins a creator's tribe: credits locked to that creator are spent first, then global ones; the creator receives
   * global credits. Throws 400 (member already, own tribe, balance), 404, or 502 when the platform does not say who
   * subscribes; then nothing is charged.
   */
  async join(principal: Principal, user: string): Promise<JoinedTribe> {
    const creator = await findUser(this.#p.db, user, 'Creator not found.');
    const memberId = principal.userId;
    if (creator.userId === memberId) throw new PlatformError('OWN_TRIBE');
    const ids = [creator.userId, memberId];
    const known = await this.#p.db.rows(
      'select 1 from tribe_member where creator_user_id = $1 and member_user_id = $2',
      ids,
    );
    if (known.length > 0) throw new PlatformError('ALREADY_MEMBER');
    const isSubscriber = await this.#isSubscriber(creator.userId, memberId);
    const nowMs = this.#p.clock.now();
    return this.#p.db.transaction(async (tx) => {
      const payment = await openPayment(tx, memberId, creator.userId);
      // The row is this tribe's queue: the price cannot change between here and the commit.
      const [tribe] = await tx.rows<{ joinCost: string }>(
        `insert into tribe as t (creator_user_id, member_count) values ($1, 1)
         on conflict (creator_user_id) do update set member_count = t.member_count + 1
         returning join_cost::text as "joinCost"`,
        [creator.userId],
      );
      const charged = isSubscriber ? 0n : BigInt(tribe!.joinCost);
      const joined = await tx.rows(
        `insert into tribe_member (creator_user_id, member_user_id, charged, is_subscriber, joined_at)
         values ($1, $2, $3, $4, $5) on conflict do nothing returning joined_at`,
        [...ids, String(charged), isSubscriber, nowMs],
      );
      if (joined.length === 0) throw new PlatformError('ALREADY_MEMBER');
      if (charged > payment.balance) {
        throw new PlatformError('INSUFFICIENT_BALANCE', undefined, {
          details: { balance: fromMicro(payment.balance), required: fromMicro(charged) },
        });
      }
      if (charged > 0n) {
        const source = `tribe:${creator.userId}:${memberId}`;
        await payCreator(tx, payment, { source, kind: 'tribe', amount: charged }, nowMs);
      }
      tx.afterCommit(() => this.#p.log.info({ creatorUserId: creator.userId, isSubscriber }, 'tribe joined'));
      return { success: true, isSubscriber, charged };
    });
  }

  /** Names the caller's tribe or sets what joining it costs; what is left out stays. */
  async update(principal: Principal, change: { tribeName?: string | null; joinCost?: bigint | null }): Promise<Tribe> {
    const { joinCost } = change;
    const name = optionalText('tribeName', change.tribeName, LIMITS.tribeName);
    if (joinCost != null && (joinCost < 0n || joinCost > MAX_JOIN_COST)) {
      throw badInput('joinCost', `must be from 0 to ${fromMicro(MAX_JOIN_COST)} credits.`);
    }
    await this.#p.db.rows(
      `insert into tribe as t (creator_user_id, name, join_cost) values ($1, $2, coalesce($3, 0))
       on conflict (creator_user_id) do update set
         name = case when $4 then excluded.name else t.name end, join_cost = coalesce($3, t.join_cost)`,
      [principal.userId, name, joinCost == null ? null : String(joinCost), change.tribeName !== undefined],
    );
    return this.read(principal, principal.userId);
  }

  async #show(principal: Principal, owner: FoundUser, user: string): Promise<Tribe> {
    const [row] = await this.#p.db.rows<TribeRow & { isMember: boolean }>(
      `select t.name as "tribeName", coalesce(t.join_cost, 0)::text as "joinCost",
         coalesce(t.member_count, 0)::int as "memberCount",
         exists (select 1 from tribe_member m where m.creator_user_id = u.id and m.member_user_id = $2) as "isMember"
       from app_user u left join tribe t on t.creator_user_id = u.id where u.id = $1`,
      [owner.userId, principal.userId],
    );
    return {
      user: named(principal, owner, user),
      tribeName: row!.tribeName ?? owner.displayName ?? owner.streamUsername,
      joinCost: BigInt(row!.joinCost),
      memberCount: row!.memberCount,
      isMember: row!.isMember,
      isOwner: owner.userId === principal.userId,
    };
  }

  /** A platform that does not answer stops a join, unless it is free of charge for everybody. */
  async #isSubscriber(creatorUserId: string, memberUserId: string): Promise<boolean> {
    try {
      return await this.#streams.isSubscribed(creatorUserId, memberUserId);
    } catch (error) {
      const [priced] = await this.#p.db.rows('select 1 from tribe where creator_user_id = $1 and join_cost > 0', [
        creatorUserId,
      ]);
      if (priced) throw error;
      this.#p.log.warn({ err: error }, 'tribe joined free: streaming platform unavailable');
      return false;
    }
  }
}

/** How a caller sees somebody: a user id, or to an app what it asked for. */
const named = (principal: Principal, user: FoundUser, asAsked: string): string =>
  principal.kind === 'token' ? asAsked : user.userId;
