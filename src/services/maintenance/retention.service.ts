/**
 * Deletes what is older than the operator keeps it (`KEEP_MEDIA_DAYS`, `KEEP_CONVERSATION_DAYS`), in the way its owner would:
 * files are removed, links end, memories are deleted, the ledger stays. Done hourly by the workers, in batches
 * (`retention-batches.service.ts`).
 */
import {
  ImageGenerationEntity,
  SpeechGenerationEntity,
  VideoGenerationEntity,
} from '../../../schema/entities/generations.ts';
import { TurnEntity } from '../../../schema/entities/turns.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { idsFrom } from '../../kernel/ids.ts';
import type { ConversationDeletion } from '../conversations/conversation-deletion.service.ts';
import type { Images } from '../images/image.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Speeches } from '../speech/speech.service.ts';
import type { TurnDeletion } from '../turns/turn-deletion.service.ts';
import { lockedAnew } from '../turns/turn-locks.service.ts';
import type { Videos } from '../videos/video.service.ts';
import { emptyConversation, emptyConversations } from './retention.queries.ts';
import { inBatches } from './retention-batches.service.ts';

/** Things of one kind that one statement finds. */
const BATCH = 100;
/** A batch ends after this time: the transaction that locks the step is idle while things are deleted. */
const BATCH_MS = SECOND_MS;

const PAGE = { orderBy: { id: 'asc' }, limit: BATCH } as const;

/** Ids after one and before a time: they are sorted by time, and their index finds the oldest. */
const between = (beforeMs: number) => (prefix: string, after: string) => ({
  id: { $gt: after, $lt: idsFrom(prefix, beforeMs) },
});

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

  /** Deletes what is too old, until `signal` aborts; how much of each. */
  async run(signal?: AbortSignal): Promise<Deleted> {
    const { KEEP_MEDIA_DAYS, KEEP_CONVERSATION_DAYS } = this.#p.config;
    const deleted = {
      ...(await this.#media(KEEP_MEDIA_DAYS, signal)),
      ...(await this.#said(KEEP_CONVERSATION_DAYS, signal)),
    };
    if (Object.values(deleted).some((n) => n > 0)) this.#p.log.info(deleted, 'retention');
    return deleted;
  }

  async #media(days: number, signal?: AbortSignal): Promise<Pick<Deleted, 'images' | 'videos' | 'speech'>> {
    if (days === 0) return { images: 0, videos: 0, speech: 0 };
    const { images, videos, speech } = this.#things;
    const { db, clock } = this.#p;
    const beforeMs = clock.now() - days * DAY_MS;
    const old = between(beforeMs);
    return {
      images: await this.#each('images', signal, {
        find: (after) => db.em().find(ImageGenerationEntity, old('pic', after), PAGE),
        remove: ({ id, user }) => images.delete(asOwner(user.id), id),
      }),
      videos: await this.#each('videos', signal, {
        find: (after) => db.em().find(VideoGenerationEntity, old('vid', after), PAGE),
        remove: ({ id, user }) => videos.delete(asOwner(user.id), id),
      }),
      speech: await this.#each('speech', signal, {
        find: (after) => db.em().find(SpeechGenerationEntity, old('spk', after), PAGE),
        remove: ({ id, caller }) => speech.delete(asOwner(caller.id), id),
      }),
    };
  }

  /** Deletes turn by turn, since users continue old conversations, and then conversations in which nothing is left. */
  async #said(days: number, signal?: AbortSignal): Promise<Pick<Deleted, 'turns' | 'conversations'>> {
    if (days === 0) return { turns: 0, conversations: 0 };
    const { turns, conversations } = this.#things;
    const { db, clock } = this.#p;
    const beforeMs = clock.now() - days * DAY_MS;
    const old = between(beforeMs);
    return {
      turns: await this.#each('turns', signal, {
        find: (after) => db.em().find(TurnEntity, old('trn', after), { ...PAGE, fields: ['id'] }),
        remove: ({ id }) => lockedAnew(db, (tx) => turns.drop(tx, id)),
      }),
      conversations: await this.#each('conversations', signal, {
        find: (after) => emptyConversations(db, { after, before: idsFrom('cnv', beforeMs), limit: BATCH }),
        remove: ({ id }) =>
          lockedAnew(db, async (tx) => {
            // A turn may have been added since: with the locks held it is seen.
            const isEmpty = async () => (await emptyConversation(tx, { id })).length > 0;
            if (!(await conversations.drop(tx, [id], { isMeant: isEmpty }))) throw new PlatformError('NOT_FOUND');
          }),
      }),
    };
  }

  /**
   * Deletes each by itself, the oldest first: one that cannot be deleted now does not stop the others, and is tried again in an
   * hour.
   */
  async #each<T extends { id: string }>(
    kind: keyof Deleted,
    signal: AbortSignal | undefined,
    { find, remove }: { find(after: string): Promise<T[]>; remove(row: T): Promise<unknown> },
  ): Promise<number> {
    let count = 0;
    let after = '';
    await inBatches(this.#p.db, { step: `old ${kind}`, signal }, async () => {
      const rows = await find(after);
      // The next search begins here: without progress a slow search would find the same things every time.
      const endsAtMs = performance.now() + BATCH_MS;
      for (const row of rows) {
        if (signal?.aborted || performance.now() > endsAtMs) return true;
        after = row.id;
        try {
          await remove(row);
          count += 1;
        } catch (error) {
          // Its owner has deleted it, or it is in use again.
          if (error instanceof PlatformError && error.code === 'NOT_FOUND') continue;
          this.#p.log.warn({ err: error, id: row.id }, 'retention failed');
        }
      }
      return rows.length >= BATCH;
    });
    return count;
  }
}

/** The instance deletes as the owner. */
const asOwner = (userId: string): Principal => ({ kind: 'session', userId, credentialId: 'retention' });
