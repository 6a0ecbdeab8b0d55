/**
 * What an operator does not want kept for good (`KEEP_MEDIA_DAYS`, `KEEP_CONVERSATION_DAYS`) is deleted when it is that
 * old, as its owner would delete it: files leave the store, links die, memories go, the ledger stays. Done hourly by every
 * worker; what one has deleted the others do not find.
 */
import {
  ImageGenerationEntity,
  SpeechGenerationEntity,
  VideoGenerationEntity,
} from '../../../schema/entities/generations.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { idsFrom } from '../../kernel/ids.ts';
import type { ConversationDeletion } from '../conversations/conversation-deletion.service.ts';
import type { Images } from '../images/image.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Speeches } from '../speech/speech.service.ts';
import type { TurnDeletion } from '../turns/turn-deletion.service.ts';
import { lockedAnew } from '../turns/turn-locks.service.ts';
import type { Videos } from '../videos/video.service.ts';
import { emptyConversation, emptyConversations, oldTurns } from './retention.queries.ts';

/** Of each kind in one round; the next hour takes the rest. */
const BATCH = 1_000;

/** What deletes each kind of thing. */
export interface RetentionTargets {
  images: Pick<Images, 'delete'>;
  videos: Pick<Videos, 'delete'>;
  speech: Pick<Speeches, 'delete'>;
  turns: Pick<TurnDeletion, 'drop'>;
  conversations: Pick<ConversationDeletion, 'drop'>;
}

/** How many of each were deleted. */
export interface Deleted {
  images: number;
  videos: number;
  speech: number;
  turns: number;
  conversations: number;
}

export class Retention {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config' | 'log'>;
  readonly #things: RetentionTargets;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'config' | 'log'>, things: RetentionTargets) {
    this.#p = platform;
    this.#things = things;
  }

  /** Deletes what is too old; how much of each. */
  async run(): Promise<Deleted> {
    const { KEEP_MEDIA_DAYS, KEEP_CONVERSATION_DAYS } = this.#p.config;
    const deleted = { ...(await this.#media(KEEP_MEDIA_DAYS)), ...(await this.#said(KEEP_CONVERSATION_DAYS)) };
    if (Object.values(deleted).some((n) => n > 0)) this.#p.log.info(deleted, 'retention');
    return deleted;
  }

  async #media(days: number): Promise<Pick<Deleted, 'images' | 'videos' | 'speech'>> {
    if (days === 0) return { images: 0, videos: 0, speech: 0 };
    const { images, videos, speech } = this.#things;
    const em = this.#p.db.em();
    // Ids are sorted by time: their own index finds the oldest.
    const old = (prefix: string) => ({ id: { $lt: idsFrom(prefix, this.#p.clock.now() - days * DAY_MS) } });
    const page = { orderBy: { id: 'asc' }, limit: BATCH } as const;
    const madeImages = await em.find(ImageGenerationEntity, old('pic'), page);
    const madeVideos = await em.find(VideoGenerationEntity, old('vid'), page);
    const madeSpeech = await em.find(SpeechGenerationEntity, old('spk'), page);
    return {
      images: await this.#each(madeImages, ({ id, user }) => images.delete(asOwner(user.id), id)),
      videos: await this.#each(madeVideos, ({ id, user }) => videos.delete(asOwner(user.id), id)),
      speech: await this.#each(madeSpeech, ({ id, caller }) => speech.delete(asOwner(caller.id), id)),
    };
  }

  /** Turn by turn, for people go on in old conversations; one in which nothing is left goes too. */
  async #said(days: number): Promise<Pick<Deleted, 'turns' | 'conversations'>> {
    if (days === 0) return { turns: 0, conversations: 0 };
    const { turns, conversations } = this.#things;
    const { db, clock } = this.#p;
    const beforeMs = clock.now() - days * DAY_MS;
    const old = await oldTurns(db, { before: idsFrom('trn', beforeMs), limit: BATCH });
    const deleted = await this.#each(old, ({ id }) => lockedAnew(db, (tx) => turns.drop(tx, id)));
    const empty = await emptyConversations(db, { before: idsFrom('cnv', beforeMs), limit: BATCH });
    return {
      turns: deleted,
      conversations: await this.#each(empty, ({ id }) =>
        lockedAnew(db, async (tx) => {
          // Somebody may have spoken since: whoever says something is seen behind the locks.
          const isEmpty = async () => (await emptyConversation(tx, { id })).length > 0;
          if (!(await conversations.drop(tx, [id], { isMeant: isEmpty }))) throw new PlatformError('NOT_FOUND');
        }),
      ),
    };
  }

  /** Each by itself: one that cannot be deleted now keeps no other, and is met again in an hour. */
  async #each<T extends { id: string }>(rows: readonly T[], remove: (row: T) => Promise<unknown>): Promise<number> {
    let count = 0;
    for (const row of rows) {
      try {
        await remove(row);
        count += 1;
      } catch (error) {
        // Its owner, or another worker, was first; or it is used again.
        if (error instanceof PlatformError && error.code === 'NOT_FOUND') continue;
        this.#p.log.warn({ err: error, id: row.id }, 'retention failed');
      }
    }
    return count;
  }
}

/** The instance deletes in the name of whose it is. */
const asOwner = (userId: string): Principal => ({ kind: 'session', userId, credentialId: 'retention' });
