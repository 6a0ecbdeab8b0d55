/**
 * The images of an avatar: fetched through `safeFetch` and re-encoded, or drawn; each with where its face
 * is. The address in the list is long-lived and is what other endpoints take back as `avatarImageUrl`.
 */

import type { AvatarImage, AvatarImages as AvatarImageList } from '../../../schema/avatar.ts';
import { AvatarEntity, AvatarImageEntity } from '../../../schema/entities/avatars.ts';
import type { FaceInput } from '../../../schema/inputs/avatar.ts';
import type { Principal } from '../../auth/principal.ts';
import type { ReencodedImage } from '../../engines/decoders/index.ts';
import { rigFromLandmarks } from '../../engines/embedded/faces/landmarks.ts';
import type { Rig } from '../../engines/ports/index.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota } from '../accounts/quota.service.ts';
import { fitLater, knownOfOwnUrl } from '../images/image-rig.queries.ts';
import { recordMedia, removeFileOnError } from '../media/media.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { avatarImages, avatars } from './avatar.repository.ts';
import { PortraitQueue } from './portrait.queue.ts';

/** An image whose file is stored and whose row is not yet written. */
export interface StoredImage {
  row: Pick<AvatarImageEntity, 'id' | 'mediaKey' | 'width' | 'height' | 'rigSource' | 'createdAt'> & {
    avatar: string;
    rig: Rig | null;
  };
  bytes: number;
}

type Needs = Pick<
  Platform,
  'db' | 'clock' | 'config' | 'store' | 'links' | 'safeFetch' | 'engines' | 'decoders' | 'jobs'
>;

const DRAWN_PIXELS = '1024x1024';

export class AvatarImages {
  readonly #p: Needs;
  readonly #portraits: PortraitQueue;

  constructor(platform: Needs) {
    this.#p = platform;
    this.#portraits = new PortraitQueue(platform);
  }

  /** Fetches, re-encodes and stores a public image, with the rig of one of ours; throws 400 naming `field`. */
  async fetch(owner: string, avatarId: string, field: string, url: string): Promise<StoredImage> {
    const fetched = await this.#p.safeFetch(url, {
      field,
      accept: 'image',
      maxBytes: LIMITS.imageBytes,
    });
    const { rig: known } = await knownOfOwnUrl(this.#p, url, owner);
    return this.#store(avatarId, await this.#p.decoders.image(fetched.bytes, { field, owner }), known);
  }

  /** Draws a portrait from a text and stores it. */
  async draw(owner: string, avatarId: string, text: string): Promise<StoredImage> {
    const { image, rig } = await this.paint(owner, text);
    return this.#store(avatarId, image, rig);
  }

  /**
   * A portrait from a text, its rig with it, stored nowhere; the same text and variation give the same face. Paid work
   * goes first; UNAVAILABLE when too many portraits wait.
   */
  async paint(owner: string, text: string, variation?: number): Promise<{ image: ReencodedImage; rig?: Rig }> {
    return this.#portraits.run(owner, async () => {
      const { images, providerMetadata } = await this.#p.engines.portrait.doGenerate({
        prompt: `Portrait of ${text}`.slice(0, LIMITS.imagePrompt),
        n: 1,
        size: DRAWN_PIXELS,
        aspectRatio: undefined,
        seed: variation,
        files: undefined,
        mask: undefined,
        providerOptions: {},
      });
      const drawn = images[0];
      if (!drawn) throw new PlatformError('UPSTREAM_FAILED', 'The image engine returned no image.');
      const bytes = typeof drawn === 'string' ? Buffer.from(drawn, 'base64') : drawn;
      const known = providerMetadata?.embedded?.images?.[0] as { rig?: Rig } | undefined;
      const image = await this.#p.decoders.image(bytes, { field: 'portrait', owner });
      return { image, ...(known?.rig ? { rig: known.rig } : {}) };
    });
  }

  /** Writes the row of a stored image in the caller's transaction; throws when the owner's storage is full. */
  async add(tx: Tx, ownerId: string, { row, bytes }: StoredImage, isPrimary: boolean): Promise<AvatarImageEntity> {
    const added = tx.em.create(AvatarImageEntity, { ...row, isPrimary });
    await fitLater(this.#p, tx, { imageKey: row.mediaKey, rig: row.rig, ownerUserId: ownerId });
    await recordMedia(tx, ownerId, row.mediaKey, bytes);
    await checkQuota(tx, this.#p.config, ownerId, 'storageBytes');
    return added;
  }

  /** Adds an image to one of the caller's avatars; the first one becomes its primary. */
  async addImage(principal: Principal, avatarId: string, imageUrl: string): Promise<AvatarImage> {
    await avatars(this.#p.db.em()).owned(avatarId, principal.userId);
    const stored = await this.fetch(principal.userId, avatarId, 'imageUrl', imageUrl);
    return removeFileOnError(this.#p, stored.row.mediaKey, () =>
      this.#p.db.transaction(async (tx) => {
        await avatars(tx.em).lockOwned(avatarId, principal.userId);
        const isPrimary = !(await avatarImages(tx.em).hasPrimary(avatarId));
        const added = this.#show(await this.add(tx, principal.userId, stored, isPrimary));
        keepResult(tx, principal, added);
        return added;
      }),
    );
  }

  /** Shows another of the avatar's images from now on; conversations keep the one they began with. */
  async setPrimary(principal: Principal, avatarId: string, assetId: string): Promise<AvatarImage> {
    return this.#p.db.transaction(async (tx) => {
      await avatars(tx.em).lockOwned(avatarId, principal.userId);
      const images = avatarImages(tx.em);
      const chosen = await images.findOne({ id: assetId, avatar: avatarId });
      if (!chosen) throw badInput('assetId', 'is not an image of this avatar.');
      // Written at once: the index of primary images takes no two, not even within a transaction.
      await images.nativeUpdate({ avatar: avatarId, isPrimary: true }, { isPrimary: false });
      await images.nativeUpdate({ id: assetId }, { isPrimary: true });
      return { ...this.#show(chosen), assetId: null, isPrimary: true };
    });
  }

  /** Own avatars always; others only when publicly renderable (403), named with their owner. */
  async list(principal: Principal, avatarId: string, avatarOwnerUserId?: string | null): Promise<AvatarImageList> {
    const avatar = await avatars(this.#p.db.em()).owned(avatarId, avatarOwnerUserId ?? principal.userId);
    requireVisible(principal, avatar);
    const rows = await avatarImages(this.#p.db.em()).ofAvatar(avatarId);
    const images = rows.map((row) => this.#show(row));
    const primary = images.find((image) => image.isPrimary)?.url ?? null;
    return { avatarId, avatarOwnerUserId: avatar.owner.id, primary, images };
  }

  /** The owner says where the face is, for stills in which it is not found by itself. */
  async setFace(principal: Principal, avatarId: string, imageUrl: string, face: FaceInput): Promise<AvatarImage> {
    await avatars(this.#p.db.em()).owned(avatarId, principal.userId);
    const found = await this.byUrl(avatarId, 'imageUrl', imageUrl);
    const rig = rigFromLandmarks({
      aspect: found.width / found.height,
      leftEye: face.leftEye,
      rightEye: face.rightEye,
      mouth: face.mouth,
      ...(face.chin ? { chin: face.chin } : {}),
      ...(face.mouthWidth == null ? {} : { mouthWidth: face.mouthWidth }),
    });
    const image = await this.#p.store.readBytes(found.mediaKey);
    const { rig: known = rig } = image ? await this.#p.engines.talkingHead.analyse(image, rig) : {};
    return this.#p.db.transaction(async (tx) => {
      const row = await avatarImages(tx.em).findOne({ id: found.id });
      if (!row) throw notListed('imageUrl');
      row.rig = known;
      row.rigSource = rig.source;
      await fitLater(this.#p, tx, { imageKey: found.mediaKey, rig: known, ownerUserId: principal.userId });
      return this.#show(row);
    });
  }

  /** The image of this avatar that an address names; 400 when it names none. */
  async byUrl(avatarId: string, field: string, url: string): Promise<AvatarImageEntity> {
    const key = this.#p.links.parseOwnUrl(url)?.key;
    const row = key && (await avatarImages(this.#p.db.em()).findOne({ avatar: avatarId, mediaKey: key }));
    if (!row) throw notListed(field);
    return row;
  }

  /** Addresses of primary images by avatar id, for the loader behind `Avatar.avatarImageUrl`. */
  async primaryUrls(avatarIds: readonly string[], em = this.#p.db.em()): Promise<(string | null)[]> {
    const keys = await avatarImages(em).primaryKeys(avatarIds);
    return avatarIds.map((id) => (keys.has(id) ? this.#p.links.signPublic(keys.get(id)!) : null));
  }

  /**
   * Images of each avatar, the primary one first, at most a page of them; none for who has no credential, as the list of
   * one avatar asks for one. For the loader behind `Avatar.images`.
   */
  async ofAvatars(principal: Principal | undefined, avatarIds: readonly string[]): Promise<AvatarImage[][]> {
    if (!principal) return avatarIds.map(() => []);
    const rows = await avatarImages(this.#p.db.em()).ofAvatars(avatarIds);
    const byAvatar = Map.groupBy(rows, ({ avatar }) => avatar.id);
    return avatarIds.map((id) => (byAvatar.get(id) ?? []).slice(0, LIMITS.pageSize).map((row) => this.#show(row)));
  }

  /** One image, of an avatar that the caller may see; else 404, or 403. */
  async read(principal: Principal, id: string): Promise<AvatarImage> {
    const em = this.#p.db.em();
    const row = await avatarImages(em).findOne({ id });
    const avatar = row && (await em.findOne(AvatarEntity, { id: row.avatar.id }));
    if (!avatar) throw new PlatformError('NOT_FOUND', 'Image not found.');
    requireVisible(principal, avatar);
    return this.#show(row);
  }

  #show(row: Pick<AvatarImageEntity, 'id' | 'mediaKey' | 'isPrimary' | 'createdAt'>): AvatarImage {
    return {
      id: row.id,
      url: this.#p.links.signPublic(row.mediaKey),
      assetId: row.isPrimary ? null : row.id,
      isPrimary: row.isPrimary,
      createdAt: row.createdAt,
    };
  }

  async #store(avatarId: string, image: ReencodedImage, knownRig?: Rig): Promise<StoredImage> {
    const face = await this.#p.engines.talkingHead.analyse(image.bytes, knownRig);
    const createdAt = this.#p.clock.now();
    const id = newId('img', createdAt);
    const mediaKey = `avatars/${avatarId}/${id}.${image.extension}`;
    await this.#p.store.put(mediaKey, image.bytes, { contentType: image.contentType });
    const { width, height } = image;
    const found = { rig: face.rig ?? null, rigSource: face.source };
    return { row: { id, avatar: avatarId, mediaKey, width, height, ...found, createdAt }, bytes: image.bytes.length };
  }
}

const notListed = (field: string): PlatformError => badInput(field, 'is not in the image list of this avatar.');

function requireVisible(principal: Principal, { owner, publiclyRenderable }: AvatarEntity): void {
  if (owner.id === principal.userId || publiclyRenderable) return;
  throw new PlatformError('FORBIDDEN', 'This avatar is not publicly renderable.');
}
