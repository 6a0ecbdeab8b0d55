/** Videos as their owners change them: cancelled, and found with what they hold. */
import { raw } from '@mikro-orm/core';
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { VideoGenerationEntity } from '../../../schema/entities/generations.ts';
import { repositoryOf } from '../../kernel/repository.ts';

class VideoRepository extends SqlEntityRepository<VideoGenerationEntity> {
  /** The hold of a video that has not ended. The video stays unlocked, and is read anew by what locks it: the ledger's rows come first. */
  async holdOfUnended(id: string): Promise<string | null> {
    const unended = { id, status: { $in: ['queued', 'rendering'] as const } };
    const video = await this.findOne(unended, { fields: ['hold'], disableIdentityMap: true });
    return video?.hold?.id ?? null;
  }

  /** Ends it uncharged; the next attempt's number makes the worker that renders it stop. Written at once: webhooks read it. */
  async cancel(id: string): Promise<void> {
    const ended = { status: 'error', errorMessage: 'Cancelled.', seconds: 0, creditCost: 0n } as const;
    await this.nativeUpdate({ id }, { ...ended, attempt: raw('attempt + 1') });
  }
}
/** Videos of an entity manager. */
export const videos = repositoryOf(VideoGenerationEntity, VideoRepository);
