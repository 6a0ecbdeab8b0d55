/** One-shot speech as its caller lists it, and as a recording is shared. */
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { SpeechGenerationEntity } from '../../../schema/entities/generations.ts';
import { byId, type Keyset } from '../../kernel/keyset.ts';
import { repositoryOf } from '../../kernel/repository.ts';

/** What is read to show one. */
const SHOWN = ['status', 'audioKey', 'videoKey', 'shareSlug', 'errorMessage', 'text', 'createdAt'] as const;

class SpeechRepository extends SqlEntityRepository<SpeechGenerationEntity> {
  /** What an account asked for, by ids. */
  askedBy(caller: string, keyset: Keyset) {
    const [ids, page] = byId(keyset);
    return this.find({ caller, ...ids }, { ...page, fields: SHOWN });
  }

  /** The recording of a slug, with whose it is and how that looks; null where there is none. */
  withShareSlug(shareSlug: string) {
    const whose = ['spokenText', 'marks', 'avatar.displayName', 'image.mediaKey'] as const;
    return this.findOne({ shareSlug }, { populate: ['avatar', 'image'], fields: [...SHOWN, ...whose] });
  }
}
/** One-shot speech of an entity manager. */
export const speeches = repositoryOf(SpeechGenerationEntity, SpeechRepository);
