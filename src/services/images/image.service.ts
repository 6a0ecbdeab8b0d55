/**
 * Generating and editing images: the prompt is routed to a model, the price held, the image made, written
 * anew and stored under a public address, and only then charged. The caller waits for it; nothing is queued for later.
 */

import type { ImageModelV4File } from '@ai-sdk/provider';
import { ImageGenerationEntity } from '../../../schema/entities/generations.ts';
import type { KeptImage, MadeImage } from '../../../schema/image.ts';
import type { EditImageInput, GenerateImageInput } from '../../../schema/inputs/image.ts';
import type { Principal } from '../../auth/principal.ts';
import type { ReencodedImage } from '../../engines/decoders/index.ts';
import type { Rig } from '../../engines/ports.ts';
import { createBulkhead } from '../../kernel/bulkhead.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { type ImageModelId, MATCH_INPUT } from '../../kernel/media-options.ts';
import { PRICES } from '../../kernel/prices.ts';
import { openHolds, settleHold } from '../../ledger/holds.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota, checkRoom } from '../accounts/quotas.ts';
import { ownMedia } from '../media.repository.ts';
import type { MediaRemovals } from '../media-removal.service.ts';
import type { Platform } from '../platform.ts';
import { letteringOf } from './image-model-routing.ts';
import { rigOfOwnUrl } from './image-rig.queries.ts';

/** A request with its price, ready to be drawn. */
interface Order {
  operation: 'generate' | 'edit';
  /** As the caller wrote it, and as the model reads it. */
  prompt: string;
  modelPrompt: string;
  model: ImageModelId;
  aspectRatio: string;
  references: { field: string; url: string }[];
  price: bigint;
}

interface Drawn extends ReencodedImage {
  rig: Rig | undefined;
}

/** Images made at once in this process, and waiting: the embedded illustrator has one thread, others wait on a network. */
const AT_ONCE = 4;
const WAITING = 64;
/** Of one account: the others find room beside it. */
const WAITING_OF_ONE = 16;
/** Waiting included; whoever asked gets a 502 then, uncharged. */
const TIMEOUT_MS = 120_000;
/** What the ledger shows. */
const LABEL = 'svc-image';

const keyOf = (id: string, extension: Drawn['extension']): string => `images/${id}.${extension}`;

/** Where the image of an order may lie. */
export const imageFilesOf = (id: string): string[] => [keyOf(id, 'jpg'), keyOf(id, 'webp')];

type Needs = Pick<
  Platform,
  'db' | 'clock' | 'config' | 'store' | 'links' | 'safeFetch' | 'engines' | 'decoders' | 'log'
>;

export class Images {
  readonly #p: Needs;
  readonly #removals: MediaRemovals;
  readonly #bulkhead = createBulkhead({
    atOnce: AT_ONCE,
    atOnceOfOne: AT_ONCE - 1,
    waiting: WAITING,
    waitingOfOne: WAITING_OF_ONE,
  });

  constructor(platform: Needs, removals: MediaRemovals) {
    this.#p = platform;
    this.#removals = removals;
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
    return this.#make(principal, {
      operation: 'generate',
      prompt,
      modelPrompt,
      model,
      aspectRatio,
      references: [],
      price,
    });
  }

  /** Edits or joins one to five pictures. Throws as `generate` does; 400 also for what no edit can do. */
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
    return this.#make(principal, { operation: 'edit', prompt, modelPrompt, model, aspectRatio, references, price });
  }

  /** Deletes a picture of the caller's, and its file. Throws 404 for any other. */
  async delete(principal: Principal, imageId: string): Promise<boolean> {
    await this.#p.db.transaction(async (tx) => {
      const image = await tx.em.findOne(ImageGenerationEntity, { id: imageId, user: principal.userId });
      if (!image) throw new PlatformError('NOT_FOUND', 'Picture not found.');
      await this.#removals.add(tx, { owned: [image.mediaKey] });
      await tx.em.nativeDelete(ImageGenerationEntity, { id: image.id });
    });
    this.#p.log.info({ imageId }, 'image deleted');
    return true;
  }

  /** The caller's own, newest first, a page at a time; `after` is the imageId of the last one of the page before. */
  async list(principal: Principal, first?: number | null, after?: string | null): Promise<KeptImage[]> {
    const limit = first ?? LIMITS.pageSize;
    const rows = await this.#p.db
      .em()
      .find(
        ImageGenerationEntity,
        { user: principal.userId, ...(after == null ? {} : { id: { $lt: after } }) },
        { orderBy: { id: 'desc' }, limit },
      );
    return rows.map(({ id, mediaKey, prompt, operation, model, aspectRatio, creditCost, createdAt }) => ({
      imageId: id,
      imageUrl: this.#p.links.signPublic(mediaKey),
      prompt,
      operation,
      model,
      aspectRatio,
      creditCost,
      createdAt,
    }));
  }

  async #make(principal: Principal, order: Order): Promise<MadeImage> {
    const startedAtMs = this.#p.clock.now();
    const id = newId('pic', startedAtMs);
    const hold = {
      source: `image:${id}`,
      kind: LABEL,
      userId: principal.userId,
      amount: order.price,
      revealBalance: true,
    };
    await checkRoom(this.#p.db, this.#p.config, principal.userId, 'storageBytes');
    const [holdId] = await this.#p.db.transaction((tx) => openHolds(tx, [hold], startedAtMs));
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const asked = { account: principal.userId, signal };
      const drawn = await this.#bulkhead(asked, () => this.#draw(principal.userId, order, signal));
      const made = await this.#keep(principal, order, id, holdId!, drawn);
      const ms = this.#p.clock.now() - startedAtMs;
      this.#p.log.info({ imageId: id, model: order.model, width: drawn.width, height: drawn.height, ms }, 'image made');
      return made;
    } catch (error) {
      await this.#p.db.transaction((tx) => settleHold(tx, holdId!, 0n, this.#p.clock.now()));
      if (error instanceof PlatformError) throw error;
      throw new PlatformError('UPSTREAM_FAILED', 'The image could not be made.', { cause: error });
    }
  }

  async #draw(owner: string, order: Order, signal: AbortSignal): Promise<Drawn> {
    const files = await Promise.all(order.references.map((reference) => this.#fetch(owner, reference, signal)));
    const first = order.references[0];
    const known = first && (await rigOfOwnUrl(this.#p, first.url));
    const { images, providerMetadata } = await this.#p.engines.image(order.model).doGenerate({
      prompt: order.modelPrompt,
      n: 1,
      size: undefined,
      aspectRatio: order.aspectRatio === MATCH_INPUT ? undefined : (order.aspectRatio as `${number}:${number}`),
      seed: undefined,
      files: files.length > 0 ? files : undefined,
      mask: undefined,
      providerOptions: known ? { embedded: { rig: JSON.parse(JSON.stringify(known)) } } : {},
      abortSignal: signal,
    });
    const image = images[0];
    if (!image) throw new Error('The image engine returned no picture.');
    const bytes = typeof image === 'string' ? Buffer.from(image, 'base64') : image;
    const written = await this.#p.decoders.image(bytes, { field: 'image', owner, signal }).catch((cause: unknown) => {
      if (cause instanceof PlatformError && cause.code === 'UNAVAILABLE') throw cause;
      throw new Error('The image engine returned what is no picture.', { cause });
    });
    const told = providerMetadata?.embedded?.images?.[0] as { rig?: Rig } | undefined;
    return { ...written, rig: told?.rig };
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
  async #keep(principal: Principal, order: Order, id: string, holdId: string, drawn: Drawn): Promise<MadeImage> {
    const mediaKey = keyOf(id, drawn.extension);
    await this.#p.store.put(mediaKey, drawn.bytes, { contentType: drawn.contentType });
    const nowMs = this.#p.clock.now();
    const made = {
      imageUrl: this.#p.links.signPublic(mediaKey),
      aspectRatio: order.aspectRatio,
      creditCost: order.price,
      model: order.model,
    };
    try {
      await this.#p.db.transaction(async (tx) => {
        const captured = await settleHold(tx, holdId, order.price, nowMs, `${order.operation} ${order.model}`);
        if (captured === undefined) throw new Error(`The hold of image ${id} had ended before it was charged.`);
        tx.em.create(ImageGenerationEntity, {
          id,
          user: principal.userId,
          clientId: principal.clientId ?? null,
          operation: order.operation,
          model: order.model,
          prompt: order.prompt,
          aspectRatio: order.aspectRatio,
          mediaKey,
          width: drawn.width,
          height: drawn.height,
          rig: drawn.rig ?? null,
          creditCost: order.price,
          createdAt: nowMs,
        });
        await ownMedia(tx, principal.userId, mediaKey, drawn.bytes.length);
        await checkQuota(tx, this.#p.config, principal.userId, 'storageBytes');
        keepResult(tx, principal, made);
      });
      return made;
    } catch (error) {
      // The database may have gone away between the commit and its answer: then the image was charged, and stays.
      if ((await this.#p.db.em().count(ImageGenerationEntity, { id })) > 0) return made;
      await this.#p.store.remove(mediaKey);
      throw error;
    }
  }
}

/** The pictures of an edit: `imageUrl` or `images`, one of them. */
function readReferences({ imageUrl, images }: EditImageInput): Order['references'] {
  if (imageUrl != null && images != null) throw badInput('images', 'must not be given beside imageUrl.');
  if (images != null) return images.map((url) => ({ field: 'images', url }));
  if (imageUrl == null) throw badInput('imageUrl', 'or images is required.');
  return [{ field: 'imageUrl', url: imageUrl }];
}
