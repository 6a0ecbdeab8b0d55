/**
 * Requests for images: the web process holds the price and waits, a worker makes the image. Either may die, so the row says what
 * is to be made and how that ended; ending it settles its hold, once.
 */
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { ImageRequestEntity } from '../../../schema/entities/generations.ts';
import type { MadeImage } from '../../../schema/image.ts';
import { busy, ERRORS, type ErrorCode, PlatformError } from '../../kernel/errors.ts';
import { repositoryOf } from '../../kernel/repository.ts';
import { settleHold } from '../../ledger/holds.ts';
import { forgetRefused } from '../accounts/idempotency.service.ts';
import { removeAttemptMedia } from '../media/attempt-media.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { notifyWebhooks } from '../webhooks/webhook-events.queries.ts';

/** The longest that a caller waits, waiting for a worker included. An image that is not made by then is refused, uncharged. */
export const IMAGE_TIMEOUT_MS = 120_000;
/** How often a web process records that it still waits. */
export const WAITED_EVERY_MS = 10_000;
/** A web process that has recorded nothing for so long is dead: no caller waits, and its images are refused. */
const ORPHANED_MS = 45_000;
/** At most so many are refused in a round, which the next one goes on with. */
const ORPHANS = 100;

/** UNAVAILABLE: too many images wait already, or no worker came to this one in its time. */
export const tooManyImages = (): PlatformError => busy('Too much is being made: try again later.');

/** UPSTREAM_FAILED: the image engine made no image. */
export const notMade = (cause: unknown): PlatformError =>
  new PlatformError('UPSTREAM_FAILED', 'The image could not be made.', { cause });

class ImageRequestRepository extends SqlEntityRepository<ImageRequestEntity> {
  /** Notes that a caller still waits for a request. */
  async stillWaiting(id: string, nowMs: number): Promise<void> {
    await this.nativeUpdate({ id }, { waitedAt: nowMs });
  }

  /** Requests that have not ended and that no caller has waited for since, the oldest first. */
  orphaned(sinceMs: number) {
    const orphans = { state: 'waiting', waitedAt: { $lt: sinceMs } } as const;
    return this.find(orphans, { fields: ['attempt', 'hold'], orderBy: { waitedAt: 'asc' }, limit: ORPHANS });
  }
}
/** Image requests of an entity manager. */
export const imageRequests = repositoryOf(ImageRequestEntity, ImageRequestRepository);

/** What the caller is answered. */
export function madeImage(
  { links }: Pick<Platform, 'links'>,
  { model, aspectRatio }: Pick<MadeImage, 'model' | 'aspectRatio'>,
  creditCost: bigint,
  mediaKey: string,
): MadeImage {
  return { imageUrl: links.signPublic(mediaKey), aspectRatio, creditCost, model };
}

/** Keys under which an attempt may have stored its image. */
export const filesOf = (id: string, attempt: number): string[] =>
  (['jpg', 'webp'] as const).map((extension) => fileOf(id, attempt, extension));

/** Key of the file that an attempt stores its image under. */
export const fileOf = (id: string, attempt: number, extension: 'jpg' | 'webp'): string =>
  `images/${id}-${attempt}.${extension}`;

type Needs = Pick<Platform, 'db' | 'clock' | 'notifier' | 'store' | 'log'>;

/**
 * Ends a request with an error, releases its hold and removes what its attempts stored. False when it has ended already or, with
 * `isOfAttempt`, another attempt has taken it over.
 */
export async function refuseRequest(
  p: Needs,
  { id, attempt, holdId }: { id: string; attempt: number; holdId: string },
  error: PlatformError,
  isOfAttempt: boolean,
): Promise<boolean> {
  const { code, message, details } = error;
  // PostgreSQL stores neither null characters nor half surrogate pairs, and an engine's message may have been cut anywhere.
  const text = message.replaceAll('\0', '').toWellFormed();
  const ended = await p.db.transaction(async (tx) => {
    const mine = { id, state: 'waiting', ...(isOfAttempt ? { attempt } : {}) } as const;
    const refused = { state: 'refused', error: { code, text, ...(details ? { details } : {}) } } as const;
    if ((await tx.em.nativeUpdate(ImageRequestEntity, mine, refused)) === 0) return false;
    await settleHold(tx, holdId, 0n, p.clock.now());
    const { keyed = null } = await tx.em.findOneOrFail(ImageRequestEntity, { id }, { fields: ['keyed'] });
    await forgetRefused(tx, keyed);
    notifyWebhooks(tx, 'image', id, p.clock.now());
    tx.afterCommit(() => p.notifier.emit('image', id));
    return true;
  });
  if (ended) await removeAttemptMedia(p, Array.from({ length: attempt }, (_, index) => filesOf(id, index + 1)).flat());
  return ended;
}

/** Refuses requests that no caller waits for any more, since the process that took them died; returns how many. */
export async function refuseOrphans(p: Needs): Promise<number> {
  const orphans = await imageRequests(p.db.em()).orphaned(p.clock.now() - ORPHANED_MS);
  const refused = orphans.map(({ id, attempt, hold }) =>
    refuseRequest(p, { id, attempt, holdId: hold.id }, tooManyImages(), false),
  );
  const ended = await Promise.all(refused);
  return ended.filter(Boolean).length;
}

/** The error that a request was refused with. */
export function refusalOf(error: ImageRequestEntity['error']): PlatformError {
  if (!error || !Object.hasOwn(ERRORS, error.code)) return notMade(error);
  return new PlatformError(error.code as ErrorCode, error.text, error.details ? { details: error.details } : {});
}
