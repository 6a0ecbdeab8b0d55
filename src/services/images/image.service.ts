/**
 * Generates and edits images: the prompt is routed to a model and the price held; then a worker makes the image
 * (`image-render.service.ts`) while the caller waits for it. Nothing is charged when a process dies meanwhile: another worker
 * continues for a dead one, and a request that no caller waits for any more is refused within a minute.
 */
import { ImageGenerationEntity, type ImageOrder, ImageRequestEntity } from '../../../schema/entities/generations.ts';
import type { KeptImage, MadeImage } from '../../../schema/image.ts';
import type { EditImageInput, GenerateImageInput } from '../../../schema/inputs/image.ts';
import type { Principal } from '../../auth/principal.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { byId, type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { MATCH_INPUT } from '../../kernel/media-options.ts';
import { PRICES } from '../../kernel/prices.ts';
import { openHolds } from '../../ledger/holds.ts';
import { outliveProcess } from '../accounts/idempotency.service.ts';
import { checkRoom } from '../accounts/quota.service.ts';
import { users } from '../accounts/user.repository.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { letteringOf } from './image-model-routing.service.ts';
import { requestState } from './image-request.queries.ts';
import {
  IMAGE_TIMEOUT_MS,
  imageRequests,
  madeImage,
  notMade,
  refusalOf,
  refuseRequest,
  tooManyImages,
  WAITED_EVERY_MS,
} from './image-request.repository.ts';

/** Images that one account may have under way: being made (3 in a worker) and waiting. */
const MOST_OF_ONE = 19;
/** Callers of this process that wait for an image. */
const MOST = 68;
/** A worker that ends an image at the last moment has this long to report it. */
const GRACE_MS = 2_000;
const LOOK_MS = 1_000;
/** Newest first. */
const IMAGES: Listing<{ id: string }> = { name: 'KeptImage', order: 'desc', keyOf: ({ id }) => id };
/** The kind of the ledger's entries. */
const LABEL = 'svc-image';

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'store' | 'links' | 'engines' | 'jobs' | 'notifier' | 'log'>;

export class Images {
  readonly #p: Needs;
  readonly #removals: MediaRemovals;
  /** What wakes each caller that waits for an image. */
  readonly #wakes = new Map<string, () => void>();
  /** Images of callers of this process that were accepted and have not ended. */
  readonly #accepted = new Set<string>();

  constructor(platform: Needs, removals: MediaRemovals) {
    this.#p = platform;
    this.#removals = removals;
    platform.notifier.on('image', (id) => this.#wakes.get(id)?.());
  }

  /** Text to image. Throws 400 naming the field, 402 with both amounts, 502 when the engine fails; then nothing is charged. */
  async generate(principal: Principal, input: GenerateImageInput): Promise<MadeImage> {
    const { prompt } = input;
    const aspectRatio = input.aspectRatio ?? '1:1';
    const asked = input.model ?? undefined;
    const lettering = asked === 'default' ? undefined : await letteringOf(this.#p, prompt);
    const model = asked ?? (lettering?.isWanted ? 'typo_gen' : 'default');
    const modelPrompt = lettering?.prompt ?? prompt;
    const price = PRICES.imageGenerate[model];
    return this.#make(
      principal,
      { operation: 'generate', prompt, modelPrompt, model, aspectRatio, references: [] },
      price,
    );
  }

  /** Edits or joins one to five images. Throws as `generate` does; 400 also for what no edit can do. */
  async edit(principal: Principal, input: EditImageInput): Promise<MadeImage> {
    const { prompt } = input;
    const references = readReferences(input);
    const aspectRatio = input.aspectRatio ?? MATCH_INPUT;
    const asked = input.model ?? undefined;
    const mayLetter = references.length <= LIMITS.typoEditReferences;
    if (asked === 'typo_edit' && !mayLetter) {
      throw badInput('images', `must have at most ${LIMITS.typoEditReferences} items for typo_edit.`);
    }
    const lettering = asked === 'default' || !mayLetter ? undefined : await letteringOf(this.#p, prompt);
    const model = asked ?? (lettering?.isWanted ? 'typo_edit' : 'default');
    const modelPrompt = lettering?.prompt ?? prompt;
    const price = PRICES.imageEdit[model];
    return this.#make(principal, { operation: 'edit', prompt, modelPrompt, model, aspectRatio, references }, price);
  }

  /** Deletes an image of the caller's, and its file. Throws 404 for any other. */
  async delete(principal: Principal, imageId: string): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      const image = await tx.em.findOne(ImageGenerationEntity, { id: imageId, user: principal.userId });
      if (!image) throw new PlatformError('NOT_FOUND', 'Image not found.');
      await this.#removals.add(tx, { owned: [image.mediaKey] });
      await tx.em.nativeDelete(ImageGenerationEntity, { id: image.id });
      // The request holds the prompt too, so it goes with the image.
      await tx.em.nativeDelete(ImageRequestEntity, { id: image.id });
    });
    this.#p.log.info({ imageId }, 'image deleted');
  }

  /** Refuses the images that an account waits for, uncharged, while the account is being deleted. */
  async endWaiting(userId: string): Promise<void> {
    const waiting = { user: userId, state: 'waiting' } as const;
    const rows = await this.#p.db.em().find(ImageRequestEntity, waiting, { fields: ['attempt', 'hold'] });
    const deleted = new PlatformError('UNAUTHENTICATED', 'This account was deleted.');
    for (const { id, attempt, hold } of rows) {
      await refuseRequest(this.#p, { id, attempt, holdId: hold.id }, deleted, false);
    }
  }

  /** The caller's own, newest first. */
  list(principal: Principal, page: PageRequest): Promise<Connection<KeptImage>> {
    const read = (keyset: Keyset) => {
      const [where, options] = byId(keyset);
      return this.#p.db.em().find(ImageGenerationEntity, { user: principal.userId, ...where }, options);
    };
    return readPage(page, IMAGES, read, (row) => this.#show(row));
  }

  /** The caller's own of these; null for any other. For loaders. */
  async readAll(principal: Principal, ids: readonly string[]): Promise<(KeptImage | null)[]> {
    const own = { id: { $in: [...ids] }, user: principal.userId };
    const rows = await this.#p.db.em().find(ImageGenerationEntity, own);
    const byId = new Map(rows.map((row) => [row.id, this.#show(row)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** One of the caller's own; else 404. */
  async read(principal: Principal, imageId: string): Promise<KeptImage> {
    const row = await this.#p.db.em().findOne(ImageGenerationEntity, { id: imageId, user: principal.userId });
    if (!row) throw new PlatformError('NOT_FOUND', 'Image not found.');
    return this.#show(row);
  }

  #show({
    id,
    mediaKey,
    prompt,
    operation,
    model,
    aspectRatio,
    creditCost,
    createdAt,
  }: ImageGenerationEntity): KeptImage {
    const imageUrl = this.#p.links.signPublic(mediaKey);
    return { imageId: id, imageUrl, prompt, operation, model, aspectRatio, creditCost, createdAt };
  }

  /** Holds the price and asks a worker for the image, then waits for it. */
  async #make(principal: Principal, order: ImageOrder, price: bigint): Promise<MadeImage> {
    const id = newId('pic', this.#p.clock.now());
    await checkRoom(this.#p.db, this.#p.config, principal.userId, 'storageBytes');
    try {
      const notified = this.#next(id);
      await this.#accept(principal, id, order, price);
      const mediaKey = await this.#ended(id, notified);
      return madeImage(this.#p, order, price, mediaKey);
    } finally {
      this.#wakes.get(id)?.();
      this.#wakes.delete(id);
      this.#accepted.delete(id);
    }
  }

  async #accept(principal: Principal, id: string, order: ImageOrder, price: bigint): Promise<void> {
    const { userId, clientId = null, keyed = null } = principal;
    const nowMs = this.#p.clock.now();
    const hold = { source: `image:${id}`, kind: LABEL, userId, amount: price, revealBalance: true };
    await this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(userId);
      // Locks the account: no other transaction counts its images meanwhile.
      const [holdId] = await openHolds(tx, [hold], nowMs);
      const ofAccount = await tx.em.count(ImageRequestEntity, { user: userId, state: 'waiting' });
      if (ofAccount >= MOST_OF_ONE || this.#accepted.size >= MOST) throw tooManyImages();
      this.#accepted.add(id);
      tx.em.create(ImageRequestEntity, {
        id,
        user: userId,
        clientId,
        request: order,
        keyed,
        creditCost: price,
        hold: holdId!,
        mediaKey: null,
        error: null,
        createdAt: nowMs,
        waitedAt: nowMs,
      });
      await tx.em.flush();
      outliveProcess(tx, principal);
      await this.#p.jobs.enqueue(tx, 'image', { id, account: userId });
    });
  }

  /** The stored image. Throws what the request was refused with, and refuses it when it takes too long. */
  async #ended(id: string, notified: Promise<void>): Promise<string> {
    const endsAtMs = performance.now() + IMAGE_TIMEOUT_MS + GRACE_MS;
    let saidAtMs = performance.now();
    for (let next = notified; ; ) {
      await next;
      // Before the row is read: an image that ends in between still wakes this.
      next = this.#next(id);
      // The database may be away for a moment; the worker goes on meanwhile.
      const [row] = await requestState(this.#p.db, { id }).catch(() => []);
      if (row?.state === 'made' && row.mediaKey) return row.mediaKey;
      if (row?.state === 'refused') throw refusalOf(row.error);
      if (performance.now() - saidAtMs > WAITED_EVERY_MS) {
        saidAtMs = performance.now();
        await imageRequests(this.#p.db.em())
          .stillWaiting(id, this.#p.clock.now())
          .catch(() => {});
      }
      if (performance.now() < endsAtMs) continue;
      const late = row?.attempt === 0 ? tooManyImages() : notMade(new Error('The image took too long.'));
      if (!row || (await refuseRequest(this.#p, row, late, false))) throw late;
    }
  }

  /** Resolves when the image is reported to have ended, and after a moment in any case: a notification may be lost. */
  #next(id: string): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      // The caller's connection keeps the process alive; without one this need not.
      timer.unref();
      this.#wakes.set(id, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** The images of an edit: `imageUrl` or `images`, one of them. */
function readReferences({ imageUrl, images }: EditImageInput): ImageOrder['references'] {
  if (imageUrl != null && images != null) throw badInput('images', 'must not be given beside imageUrl.');
  if (images != null) return images.map((url, at) => ({ field: `images[${at}]`, url }));
  if (imageUrl == null) throw badInput('imageUrl', 'or images is required.');
  return [{ field: 'imageUrl', url: imageUrl }];
}
