/** Tribes and their members as they are stored. */
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { TribeEntity, TribeMemberEntity } from '../../../schema/entities/tribes.ts';
import { repositoryOf } from '../../kernel/repository.ts';

/** What a creator may change; what is left out stays. `joinCost` in micro-credits. */
export type TribeChange = Partial<{ name: string | null; joinCost: bigint }>;

class TribeRepository extends SqlEntityRepository<TribeEntity> {
  async isPriced(creatorId: string): Promise<boolean> {
    return (await this.count({ creator: creatorId, joinCost: { $gt: 0n } })) > 0;
  }

  /** Makes or changes a tribe in one statement: two requests that change different things both hold. */
  async change(creatorId: string, change: TribeChange): Promise<void> {
    const changed = (['name', 'joinCost'] as const).filter((field) => field in change);
    await this.upsert(
      { creator: creatorId, ...change },
      changed.length > 0 ? { onConflictMergeFields: changed } : { onConflictAction: 'ignore' },
    );
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
