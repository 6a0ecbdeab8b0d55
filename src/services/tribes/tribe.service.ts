/**
 * Tribes: everyone has one; joining charges the member once, or nothing if they subscribe to the
 * creator on the streaming platform. Charging and membership are one transaction.
 */

import type { UpdateTribeInput } from '../../../schema/inputs/tribe.ts';
import type { JoinedTribe, OwnMembership, Tribe, TribeMember, TribeMembership } from '../../../schema/tribe.ts';
import type { Principal } from '../../auth/principal.ts';
import { fromMicro } from '../../kernel/credits.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { one } from '../../kernel/named-statements.ts';
import { lockPaymentAccounts, payCreator } from '../../ledger/transfers.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { type FoundUser, findUser, users } from '../accounts/user.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { StreamPlatform } from './stream-platform.port.ts';
import { countMember, membersOf, tribesOf, tribesOfMember } from './tribe.queries.ts';
import { tribeMembers, tribes } from './tribe.repository.ts';

const MEMBERS: Listing<{ member: string }> = { name: 'TribeMember', order: 'asc', keyOf: ({ member }) => member };
const JOINED: Listing<{ tribeOwner: string }> = {
  name: 'OwnMembership',
  order: 'asc',
  keyOf: ({ tribeOwner }) => tribeOwner,
};

type Needs = Pick<Platform, 'db' | 'clock' | 'log'>;
/** The pseudonym under which an app knows the user of its token. */
export type SubjectOf = (principal: Principal) => string;

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
    return {
      tribeOwner: named(principal, owner, user),
      member: principal.kind === 'token' ? (asked ?? subject) : memberId,
      joinedAt: await tribeMembers(this.#p.db.em()).joinedAt(owner.userId, memberId),
    };
  }

  /** Who belongs to the tribe, in the order of their accounts, for its owner. Throws 403 for other callers, and 404. */
  async members(principal: Principal, user: string, page: PageRequest): Promise<Connection<TribeMember>> {
    const owner = await findUser(this.#p.db, user, 'User not found.');
    if (owner.userId !== principal.userId) throw new PlatformError('FORBIDDEN', 'Only the owner of the tribe may ask.');
    const read = (keyset: Keyset) => membersOf(this.#p.db, { creatorId: owner.userId, ...keyset });
    return readPage(page, MEMBERS, read, ({ charged, ...row }) => ({ ...row, charged: BigInt(charged) }));
  }

  /** The tribes that the caller belongs to, in the order of their creators' accounts. */
  joined(principal: Principal, page: PageRequest): Promise<Connection<OwnMembership>> {
    const read = (keyset: Keyset) => tribesOfMember(this.#p.db, { memberId: principal.userId, ...keyset });
    return readPage(page, JOINED, read, ({ charged, ...row }) => ({ ...row, charged: BigInt(charged) }));
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
    const joinedAt = await tribeMembers(this.#p.db.em()).joinedAt(creator.userId, memberId);
    if (joinedAt !== null) throw new PlatformError('ALREADY_MEMBER');
    const isSubscriber = await this.#isSubscriber(creator.userId, memberId);
    const nowMs = this.#p.clock.now();
    return this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(memberId);
      // Credits of who joins would be lost with a creator who is deleted.
      if (!(await users(tx.em).hold(creator.userId))) throw new PlatformError('NOT_FOUND', 'Creator not found.');
      const payment = await lockPaymentAccounts(tx, memberId, creator.userId);
      const tribe = one(await countMember(tx, { creatorId: creator.userId }));
      const members = tribeMembers(tx.em);
      // Behind the lock of the tribe's row: one who joins at the same moment has joined by now, or waits.
      if ((await members.joinedAt(creator.userId, memberId)) !== null) throw new PlatformError('ALREADY_MEMBER');
      const charged = isSubscriber ? 0n : BigInt(tribe.joinCost);
      members.create({ creator: creator.userId, member: memberId, charged, isSubscriber, joinedAt: nowMs });
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
      const result = { success: true, isSubscriber, charged };
      keepResult(tx, principal, result);
      return result;
    });
  }

  /** Names the caller's tribe or sets what joining it costs; what is left out stays. */
  async update(principal: Principal, { tribeName: name, joinCost }: UpdateTribeInput): Promise<Tribe> {
    await this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(principal.userId);
      await tribes(tx.em).change(principal.userId, {
        ...(name === undefined ? {} : { name }),
        ...(joinCost == null ? {} : { joinCost }),
      });
    });
    return this.read(principal, principal.userId);
  }

  async #show(principal: Principal, owner: FoundUser, user: string): Promise<Tribe> {
    const tribe = one(await this.readAll(principal, [owner.userId]));
    if (!tribe) throw new PlatformError('NOT_FOUND', 'User not found.');
    return { ...tribe, user: named(principal, owner, user) };
  }

  /** The tribes of these creators, by their user ids; null where there is no such user. For loaders. */
  async readAll({ userId: askedBy }: Principal, creatorIds: readonly string[]): Promise<(Tribe | null)[]> {
    const rows = await tribesOf(this.#p.db, { creatorIds, askedBy });
    const byId = new Map(
      rows.map(({ creatorId, displayName, streamUsername, ...row }): [string, Tribe] => [
        creatorId,
        {
          user: creatorId,
          tribeName: row.tribeName ?? displayName ?? streamUsername,
          joinCost: BigInt(row.joinCost ?? 0),
          memberCount: row.memberCount ?? 0,
          isMember: Boolean(row.isMember),
          isOwner: creatorId === askedBy,
        },
      ]),
    );
    return creatorIds.map((id) => byId.get(id) ?? null);
  }

  /** A platform that does not answer stops a join, unless the tribe is free of charge. */
  async #isSubscriber(creatorUserId: string, memberUserId: string): Promise<boolean> {
    try {
      return await this.#streams.isSubscribed(creatorUserId, memberUserId);
    } catch (error) {
      if (await tribes(this.#p.db.em()).isPriced(creatorUserId)) throw error;
      this.#p.log.warn({ err: error }, 'streaming platform unavailable');
      return false;
    }
  }
}

/** How a user is named to a caller: by user id, or to an app by what it asked for. */
const named = (principal: Principal, user: FoundUser, asAsked: string): string =>
  principal.kind === 'token' ? asAsked : user.userId;
