/**
 * Images, sound and videos that users send, and portraits drawn for them, before they are used: sent to an address that
 * is the permission, kept on disk on their way, decoded and written anew by decoder processes, and deleted a day later.
 * Using one copies it.
 */
import path from 'node:path';
import { UploadEntity } from '../../../schema/entities/uploads.ts';
import type { PendingUpload, UploadedImage } from '../../../schema/upload.ts';
import type { Principal } from '../../auth/principal.ts';
import type { MediaFile } from '../../engines/ports/index.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, isRefusal, PlatformError } from '../../kernel/errors.ts';
import { newId, randomText, sha256 } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { SpooledFile } from '../../storage/spooled-file.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota, checkRoom, takeOne } from '../accounts/quota.service.ts';
import { users } from '../accounts/user.repository.ts';
import type { AvatarImages } from '../avatars/avatar-image.service.ts';
import { recordMedia, removeFileOnError } from '../media/media.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { mostBytesOf, reencodeUpload, refuseLarge } from './upload-reencoding.service.ts';

/** What is not used by then is deleted. */
export const UPLOAD_MS = DAY_MS;
/** The bytes must be here by then. */
const SEND_MS = HOUR_MS;
const TOKEN_CHARS = 32;
/** Folder below DATA_DIR for files that are coming in. They have no name there, so what a killed process leaves is freed. */
const SPOOL_FOLDER = 'incoming';

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'store' | 'links' | 'decoders' | 'engines'>;

/** Takes uploads: an address first, then the bytes, which are encoded anew. */
export class Uploads {
  readonly #p: Needs;
  readonly #images: AvatarImages;

  constructor(platform: Needs, images: AvatarImages) {
    this.#p = platform;
    this.#images = images;
  }

  /** An address to send one file to. Throws QUOTA_EXCEEDED when the account's storage is full. */
  async create(principal: Principal): Promise<PendingUpload> {
    await checkRoom(this.#p.db, this.#p.config, principal.userId, 'storageBytes');
    const nowMs = this.#p.clock.now();
    const uploadId = newId('upl', nowMs);
    const token = randomText(TOKEN_CHARS);
    const uploadUrl = `${this.#p.config.BASE_URL}/uploads/${uploadId}?token=${token}`;
    const pending = { uploadId, uploadUrl, maxBytes: LIMITS.uploadBytes, expiresAt: nowMs + SEND_MS };
    await this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(principal.userId);
      tx.em.create(UploadEntity, {
        id: uploadId,
        owner: principal.userId,
        tokenHash: sha256(token),
        rig: null,
        createdAt: nowMs,
      });
      keepResult(tx, principal, pending);
    });
    return pending;
  }

  /** Whose address it is. Throws NOT_FOUND for one that is none, is too old or was used. */
  async ownerOf(uploadId: string, token: string): Promise<string> {
    const found = await this.#p.db.em().findOne(UploadEntity, { id: uploadId, tokenHash: sha256(token) });
    if (!found || found.createdAt + SEND_MS <= this.#p.clock.now()) throw new PlatformError('NOT_FOUND');
    return found.owner.id;
  }

  /**
   * Writes bytes to this machine's disk as they come; the caller closes it. Throws 400 or TOO_LARGE as soon as
   * there are more than their kind may have. @param announced how many there will be at least
   */
  spool(bytes: AsyncIterable<Uint8Array>, announced = 0): Promise<SpooledFile> {
    const folder = path.join(this.#p.config.DATA_DIR, SPOOL_FOLDER);
    return SpooledFile.take(folder, bytes, {
      mostBytes(head) {
        const most = mostBytesOf(head);
        return announced > most ? refuseLarge(most) : most;
      },
      refuse: refuseLarge,
    });
  }

  /**
   * Takes a file. Throws NOT_FOUND as `ownerOf` does; 400 for what cannot be read, which uses the address up as well.
   * @param signal ends the work; the address may then be used again
   */
  async receive(uploadId: string, token: string, file: MediaFile, signal?: AbortSignal): Promise<UploadedImage> {
    const owner = await this.ownerOf(uploadId, token);
    if (file.size === 0) throw badInput('file', 'is empty.');
    const tokenHash = sha256(token);
    // Before anything is decoded: of those who send to it at once, all but one find the address used.
    const taken = await this.#p.db.transaction((tx) =>
      tx.em.nativeUpdate(UploadEntity, { id: uploadId, tokenHash }, { tokenHash: null }),
    );
    if (taken === 0) throw new PlatformError('NOT_FOUND');
    try {
      return await this.#keepSent(uploadId, owner, file, signal);
    } catch (error) {
      await this.#p.db.transaction(async ({ em }) => {
        if (isRefusal(error)) await em.nativeDelete(UploadEntity, { id: uploadId });
        else await em.nativeUpdate(UploadEntity, { id: uploadId }, { tokenHash });
      });
      throw error;
    }
  }

  async #keepSent(id: string, owner: string, file: MediaFile, signal?: AbortSignal): Promise<UploadedImage> {
    const made = await reencodeUpload(this.#p, file, { owner, signal });
    signal?.throwIfAborted();
    const mediaKey = `uploads/${id}.${made.extension}`;
    await this.#p.store.put(mediaKey, made.bytes, { contentType: made.contentType });
    await removeFileOnError(this.#p, mediaKey, () =>
      this.#p.db.transaction(async (tx) => {
        // The account may have been deleted meanwhile.
        if ((await tx.em.nativeUpdate(UploadEntity, { id }, { mediaKey })) === 0) throw new PlatformError('NOT_FOUND');
        await this.#own(tx, owner, mediaKey, made.bytes.length);
      }),
    );
    return this.#show(mediaKey);
  }

  /** Draws a portrait from words; another `variation` is another face. Free, counted like the portraits of new avatars. */
  async drawPortrait(principal: Principal, description: string, variation?: number | null): Promise<UploadedImage> {
    const { userId } = principal;
    await checkRoom(this.#p.db, this.#p.config, userId, 'storageBytes');
    const release = await takeOne(this.#p.db, this.#p.config, userId, 'freePortraits');
    try {
      return await this.#keepDrawn(principal, description, variation ?? undefined);
    } catch (error) {
      await release();
      throw error;
    }
  }

  async #keepDrawn(principal: Principal, text: string, variation: number | undefined): Promise<UploadedImage> {
    const { userId: owner } = principal;
    const nowMs = this.#p.clock.now();
    const id = newId('upl', nowMs);
    const { image, rig } = await this.#images.paint(owner, text, variation);
    const mediaKey = `uploads/${id}.${image.extension}`;
    await this.#p.store.put(mediaKey, image.bytes, { contentType: image.contentType });
    const drawn = this.#show(mediaKey);
    await removeFileOnError(this.#p, mediaKey, () =>
      this.#p.db.transaction(async (tx) => {
        await users(tx.em).holdCaller(owner);
        tx.em.create(UploadEntity, { id, owner, mediaKey, rig: rig ?? null, createdAt: nowMs });
        await tx.em.flush();
        await this.#own(tx, owner, mediaKey, image.bytes.length);
        keepResult(tx, principal, drawn);
      }),
    );
    return drawn;
  }

  async #own(tx: Tx, owner: string, mediaKey: string, bytes: number): Promise<void> {
    await recordMedia(tx, owner, mediaKey, bytes);
    await checkQuota(tx, this.#p.config, owner, 'storageBytes');
  }

  #show(mediaKey: string): UploadedImage {
    return { url: this.#p.links.sign(mediaKey, UPLOAD_MS) };
  }
}
