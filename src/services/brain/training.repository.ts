/** Trainings as they are stored. */
import { LockMode, raw } from '@mikro-orm/core';
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { TrainingEntity } from '../../../schema/entities/avatars.ts';
import { repositoryOf } from '../../kernel/repository.ts';

/** Rows of which a job may still take one up. */
const UNFINISHED = { $in: ['queued' as const, 'running' as const] };

class TrainingRepository extends SqlEntityRepository<TrainingEntity> {
  /** Null before the first. */
  latest(avatarId: string): Promise<TrainingEntity | null> {
    return this.findOne({ avatar: avatarId }, { orderBy: { requestedAt: 'desc', id: 'desc' } });
  }

  /**
   * Adds one that waits; false where one of its avatar waits already. The caller has locked the avatar, so that of two requests
   * the second sees the first. The waiting one is locked: where a job begins it at this moment it may have read the list of pages
   * before it was changed, and is none that waits.
   */
  async queue(training: { id: string; avatar: string; total: number; requestedAt: number }): Promise<boolean> {
    const waiting = { avatar: training.avatar, status: 'queued' } as const;
    if (await this.findOne(waiting, { lockMode: LockMode.PESSIMISTIC_WRITE })) return false;
    this.create({ ...training, status: 'queued' });
    return true;
  }

  /** One that has not ended, locked to the end of the transaction. */
  lockUnfinished(id: string): Promise<TrainingEntity | null> {
    return this.findOne({ id, status: UNFINISHED }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** One more page was looked at. Added up by the statement, for pages are read side by side. */
  async countPage(id: string, failures: TrainingEntity['failures']): Promise<void> {
    await this.nativeUpdate({ id, status: 'running' }, { done: raw('least(done + 1, total)'), failures });
  }

  /** Ends one that runs; false where it has ended. */
  async end(id: string, outcome: Partial<Omit<TrainingEntity, 'id' | 'avatar'>>): Promise<boolean> {
    return (await this.nativeUpdate({ id, status: 'running' }, outcome)) > 0;
  }

  /** Whether a later training of the avatar has ended well. */
  async hasNewer(avatarId: string, id: string): Promise<boolean> {
    return (await this.count({ avatar: avatarId, id: { $gt: id }, status: 'trained' })) > 0;
  }
}
/** Trainings of an entity manager. */
export const trainings = repositoryOf(TrainingEntity, TrainingRepository);
