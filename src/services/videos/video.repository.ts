/** Videos as their owners list, share and change them: cancelled, and found with what they hold. */
import { raw } from '@mikro-orm/core';
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { VideoGenerationEntity } from '../../../schema/entities/generations.ts';
import { byId, type Keyset } from '../../kernel/keyset.ts';
import { repositoryOf } from '../../kernel/repository.ts';
import type { ShownVideo } from './video.queries.ts';
import type { KeptRequest } from './video-input.service.ts';

/** A video as it is shown. */
function shown(video: VideoGenerationEntity): ShownVideo {
  const { id, shareSlug, status, progress, model, referencedAvatars, isPublic, seconds, creditCost, createdAt } = video;
  const { mediaKey = null, stillKey = null, seed = null, errorMessage: error = null } = video;
  const { prompt } = video.request as Pick<KeptRequest, 'prompt'>;
  const always = {
    id,
    shareSlug,
    status,
    progress,
    model,
    referencedAvatars,
    isPublic,
    seconds,
    creditCost,
    createdAt,
  };
  return { ...always, userId: video.user.id, prompt, mediaKey, stillKey, seed, error };
}

class VideoRepository extends SqlEntityRepository<VideoGenerationEntity> {
  /** What a user had made, by ids. */
  async ofUser(user: string, keyset: Keyset): Promise<ShownVideo[]> {
    const [ids, page] = byId(keyset);
    return (await this.find({ user, ...ids }, page)).map(shown);
  }

  /** Undefined where there is none. */
  async withShareSlug(shareSlug: string): Promise<ShownVideo | undefined> {
    const video = await this.findOne({ shareSlug });
    return video ? shown(video) : undefined;
  }

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
