/**
 * Makes an image that was accepted: its reference images are fetched, the engine draws, the result is re-encoded and stored, and only
 * then charged and recorded. A failure is final and answers the waiting caller; when a worker stops or dies, another one makes the
 * image.
 */
import type { ImageModelV4File } from '@ai-sdk/provider';
import { ImageGenerationEntity, ImageRequestEntity } from '../../../schema/entities/generations.ts';
import type { ReencodedImage } from '../../engines/decoders/index.ts';
import type { Rig } from '../../engines/ports/index.ts';
import { isRefusal, PlatformError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { refusalFields } from '../../kernel/log.ts';
import { MATCH_INPUT } from '../../kernel/media-options.ts';
import { countFailure } from '../../kernel/work-metrics.ts';
import { settleHold } from '../../ledger/holds.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota } from '../accounts/quota.service.ts';
import { removeAttemptMedia, removeEarlierMedia } from '../media/attempt-media.service.ts';
import { recordMedia } from '../media/media.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { notifyWebhooks } from '../webhooks/webhook-events.queries.ts';
import { isStopping, StaleAttemptError } from '../work/attempt-failure.rules.ts';
import { type ClaimedRequest, claimRequest } from './image-request.queries.ts';
import {
  fileOf,
  filesOf,
  IMAGE_TIMEOUT_MS,
  madeImage,
  notMade,
  refuseOrphans,
  refuseRequest,
  tooManyImages,
} from './image-request.repository.ts';
import { knownOfOwnUrl } from './image-rig.queries.ts';

interface Drawn extends ReencodedImage {
  rig: Rig | undefined;
  /** How the embedded engine made it: plain data that only it reads. */
  drawing: object | undefined;
}

type Needs = Pick<
  Platform,
  'db' | 'clock' | 'config' | 'store' | 'links' | 'safeFetch' | 'engines' | 'decoders' | 'notifier' | 'log'
>;

export class ImageRenders {
  readonly #p: Needs;

  constructor(platform: Needs) {
    this.#p = platform;
  }

  /** Makes an image that waits for it; does nothing when it has ended. Throws when another attempt shall be made. */
  async render(id: string, signal: AbortSignal): Promise<void> {
    const [row] = await claimRequest(this.#p.db, { id });
    if (!row) return;
    await removeEarlierMedia(this.#p, row.attempt, (attempt) => filesOf(id, attempt));
    try {
      await this.#work(row, signal);
    } catch (error) {
      if (error instanceof StaleAttemptError) return;
      if (isStopping(signal)) throw error;
      const refusal = error instanceof PlatformError ? error : notMade(error);
      if (isRefusal(refusal)) this.#p.log.info({ imageId: id, ...refusalFields(refusal) }, 'image refused');
      else this.#p.log.warn({ err: error, imageId: id }, 'image not made');
      await refuseRequest(this.#p, row, refusal, true);
      if (!isRefusal(refusal)) countFailure();
    }
  }

  /** Refuses requests that no caller waits for any more; returns how many. Several workers may do so at once. */
  async refuseOrphans(): Promise<number> {
    const images = await refuseOrphans(this.#p);
    if (images > 0) this.#p.log.warn({ images }, 'orphaned images refused');
    return images;
  }

  async #work(row: ClaimedRequest, stopping: AbortSignal): Promise<void> {
    const startedAtMs = this.#p.clock.now();
    const leftMs = row.createdAt + IMAGE_TIMEOUT_MS - startedAtMs;
    if (leftMs <= 0) throw tooManyImages();
    const drawn = await this.#draw(row, AbortSignal.any([stopping, AbortSignal.timeout(leftMs)]));
    await this.#keep(row, drawn);
    const { width, height } = drawn;
    const ms = this.#p.clock.now() - startedAtMs;
    this.#p.log.info({ imageId: row.id, model: row.request.model, width, height, ms }, 'image made');
  }

  async #draw({ userId: owner, request }: ClaimedRequest, signal: AbortSignal): Promise<Drawn> {
    const files = await Promise.all(request.references.map((reference) => this.#fetch(owner, reference, signal)));
    const first = request.references[0];
    const known = first ? await knownOfOwnUrl(this.#p, first.url, owner) : {};
    const { aspectRatio } = request;
    const { images, providerMetadata } = await this.#p.engines.image(request.model).doGenerate({
      prompt: request.modelPrompt,
      n: 1,
      size: undefined,
      aspectRatio: aspectRatio === MATCH_INPUT ? undefined : (aspectRatio as `${number}:${number}`),
      seed: undefined,
      files: files.length > 0 ? files : undefined,
      mask: undefined,
      providerOptions: { embedded: JSON.parse(JSON.stringify(known)) },
      abortSignal: signal,
    });
    const image = images[0];
    if (!image) throw new Error('The image engine returned no image.');
    const bytes = typeof image === 'string' ? Buffer.from(image, 'base64') : image;
    const written = await this.#p.decoders.image(bytes, { field: 'image', owner, signal }).catch((cause: unknown) => {
      if (cause instanceof PlatformError && cause.code === 'UNAVAILABLE') throw cause;
      throw new Error('The image engine returned something that is not an image.', { cause });
    });
    const metadata = providerMetadata?.embedded?.images?.[0] as Partial<Pick<Drawn, 'rig' | 'drawing'>> | undefined;
    return { ...written, rig: metadata?.rig, drawing: metadata?.drawing };
  }

  async #fetch(
    owner: string,
    { field, url }: { field: string; url: string },
    signal: AbortSignal,
  ): Promise<ImageModelV4File> {
    const fetched = await this.#p.safeFetch(url, { field, accept: 'image', maxBytes: LIMITS.imageBytes, signal });
    const { bytes, contentType } = await this.#p.decoders.image(fetched.bytes, { field, owner, signal });
    return { type: 'file', mediaType: contentType, data: bytes };
  }

  /** Stores the image, then charges and records it in one transaction. */
  async #keep(row: ClaimedRequest, drawn: Drawn): Promise<void> {
    const mediaKey = fileOf(row.id, row.attempt, drawn.extension);
    await this.#p.store.put(mediaKey, drawn.bytes, { contentType: drawn.contentType });
    try {
      await this.#settle(row, drawn, mediaKey);
    } catch (error) {
      // The connection may have been lost after the commit: then the image is charged, and its file stays.
      if ((await this.#p.db.em().count(ImageGenerationEntity, { id: row.id, mediaKey })) > 0) return;
      await removeAttemptMedia(this.#p, [mediaKey]);
      throw error;
    }
  }

  async #settle(row: ClaimedRequest, drawn: Drawn, mediaKey: string): Promise<void> {
    const { id, userId, request } = row;
    const { operation, model, prompt, aspectRatio } = request;
    const creditCost = BigInt(row.creditCost);
    const nowMs = this.#p.clock.now();
    await this.#p.db.transaction(async (tx) => {
      const mine = { id, attempt: row.attempt, state: 'waiting' } as const;
      const ended = await tx.em.nativeUpdate(ImageRequestEntity, mine, { state: 'made', mediaKey });
      if (ended === 0) throw new StaleAttemptError(`Image ${id} has ended or was taken over.`);
      await settleHold(tx, row.holdId, creditCost, nowMs, `${operation} ${model}`);
      notifyWebhooks(tx, 'image', id, nowMs);
      tx.em.create(ImageGenerationEntity, {
        id,
        user: userId,
        clientId: row.clientId,
        operation,
        model,
        prompt,
        aspectRatio,
        mediaKey,
        width: drawn.width,
        height: drawn.height,
        rig: drawn.rig ?? null,
        drawing: drawn.drawing ?? null,
        creditCost,
        createdAt: nowMs,
      });
      await recordMedia(tx, userId, mediaKey, drawn.bytes.length);
      await checkQuota(tx, this.#p.config, userId, 'storageBytes');
      keepResult(tx, row.keyed ? { keyed: row.keyed } : {}, madeImage(this.#p, request, creditCost, mediaKey));
      tx.afterCommit(() => this.#p.notifier.emit('image', id));
    });
  }
}
