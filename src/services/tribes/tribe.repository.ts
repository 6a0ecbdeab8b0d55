/** Tribes and their members as they are stored. */
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import { TribeEntity, TribeMemberEntity } from '../../../schema/entities/tribes.ts';
import type { Keyset } from '../../kernel/keyset.ts';
import { bothOrders, inKeyset, unplannedLimit } from '../../kernel/prepared.ts';
import { repositoryOf } from '../../kernel/repository.ts';

/** What a creator may change; what is left out stays. `join_cost` in micro-credits. */
export type TribeChange = Partial<{ name: string | null; join_cost: bigint }>;

class TribeRepository extends SqlEntityRepository<TribeEntity> {
  async isPriced(creatorId: string): Promise<boolean> {
    return (await this.count({ creator: creatorId, joinCost: { $gt: 0n } })) > 0;
  }

  /** Makes or changes a tribe in one statement: two requests that change different things both hold. */
  async change(creatorId: string, change: TribeChange): Promise<void> {
    await this.em
      .getKysely<Tables>()
      .insertInto('tribe')
      .values({ creator_user_id: creatorId, ...change })
      .onConflict((on) => {
        const existing = on.column('creator_user_id');
        return Object.keys(change).length > 0 ? existing.doUpdateSet(change) : existing.doNothing();
      })
      .execute();
  }
}
/** Tribes of an entity manager. */
export const tribes = repositoryOf(TribeEntity, TribeRepository);

class TribeMemberRepository extends SqlEntityRepository<TribeMemberEntity> {
  /** Since when, in epoch ms; null for who is no member. */
  async joinedAt(creatorId: string, memberId: string): Promise<number | null> {
    return (await this.findOne({ creator: creatorId, member: memberId }))?.joinedAt ?? null;
  }
}
/** Members of tribes. */
export const tribeMembers = repositoryOf(TribeMemberEntity, TribeMemberRepository);

/** Counts one more member, and locks the tribe's row to the end of the transaction: its price cannot change meanwhile. */
export const countMember = prepared((tables, given: { creatorId: string }) =>
  tables
    .insertInto('tribe')
    .values({ creator_user_id: given.creatorId, member_count: 1 })
    .onConflict((on) =>
      on.column('creator_user_id').doUpdateSet((tribe) => ({ member_count: tribe('tribe.member_count', '+', 1) })),
    )
    .returning('join_cost as joinCost'),
);

/** Nothing comes back for who is a member already. */
export const addMember = prepared(
  (tables, given: { creatorId: string; memberId: string; charged: bigint; isSubscriber: boolean; joinedAt: number }) =>
    tables
      .insertInto('tribe_member')
      .values({
        creator_user_id: given.creatorId,
        member_user_id: given.memberId,
        charged: given.charged,
        is_subscriber: given.isSubscriber,
        joined_at: given.joinedAt,
      })
      .onConflict((on) => on.doNothing())
      .returning('joined_at as joinedAt'),
);

/** Creators' tribes, also where no row of one was ever written, and whether `askedBy` belongs to them. */
export const tribesOf = prepared((tables, given: { creatorIds: readonly string[]; askedBy: string }) =>
  tables
    .selectFrom('app_user as u')
    .leftJoin('tribe as t', 't.creator_user_id', 'u.id')
    .select(['u.id as creatorId', 'u.display_name as displayName', 'u.stream_username as streamUsername'])
    .select(['t.name as tribeName', 't.join_cost as joinCost', 't.member_count as memberCount'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('tribe_member as m')
          .select('m.joined_at')
          .whereRef('m.creator_user_id', '=', 'u.id')
          .where('m.member_user_id', '=', given.askedBy),
      ).as('isMember'),
    )
    .where(sql<boolean>`u.id = any(${given.creatorIds}::text[])`),
);

/** Members of a creator's tribe, by their ids. */
export const membersOf = bothOrders((way) =>
  prepared((tables, given: { creatorId: string } & Keyset) =>
    tables
      .selectFrom('tribe_member as m')
      .innerJoin('app_user as u', 'u.id', 'm.member_user_id')
      .select([
        'm.member_user_id as member',
        'u.display_name as displayName',
        'u.stream_username as streamUsername',
        'm.joined_at as joinedAt',
        'm.charged',
      ])
      .where('m.creator_user_id', '=', given.creatorId)
      .where(inKeyset('m.member_user_id', given))
      .orderBy('m.member_user_id', way)
      .limit(unplannedLimit(given.limit)),
  ),
);

/** Tribes that somebody belongs to, by their creators' ids. */
export const tribesOfMember = bothOrders((way) =>
  prepared((tables, given: { memberId: string } & Keyset) =>
    tables
      .selectFrom('tribe_member as m')
      .innerJoin('app_user as u', 'u.id', 'm.creator_user_id')
      .innerJoin('tribe as t', 't.creator_user_id', 'm.creator_user_id')
      .select([
        'm.creator_user_id as tribeOwner',
        'u.display_name as ownerDisplayName',
        't.name as tribeName',
        'm.joined_at as joinedAt',
        'm.charged',
      ])
      .where('m.member_user_id', '=', given.memberId)
      .where(inKeyset('m.creator_user_id', given))
      .orderBy('m.creator_user_id', way)
      .limit(unplannedLimit(given.limit)),
  ),
);
