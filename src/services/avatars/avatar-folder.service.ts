/** Avatar folders. Deleting one keeps its avatars and leaves them unfiled. */

import type { AvatarFolder, DeletedFolder } from '../../../schema/avatar.ts';
import { AvatarFolderEntity } from '../../../schema/entities/avatars.ts';
import type { CreateAvatarFolderInput } from '../../../schema/inputs/avatar.ts';
import type { Principal } from '../../auth/principal.ts';
import { newId } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota, checkRoom } from '../accounts/quota.service.ts';
import { users } from '../accounts/user.repository.ts';
import { forgetMedia, recordMedia, removeFileOnError } from '../media/media.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { avatarFolders } from './avatar.repository.ts';

const ICON_PIXELS = 256;

export class Folders {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config' | 'store' | 'links' | 'safeFetch' | 'decoders'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'config' | 'store' | 'links' | 'safeFetch' | 'decoders'>) {
    this.#p = platform;
  }

  async list(principal: Principal): Promise<AvatarFolder[]> {
    return (await avatarFolders(this.#p.db.em()).ofOwner(principal.userId)).map(showFolder);
  }

  /** The caller's own of these ids, in their order, else null. For the loader behind `Avatar.folder`. */
  async readAll(principal: Principal | undefined, ids: readonly string[]): Promise<(AvatarFolder | null)[]> {
    if (!principal) return ids.map(() => null);
    const rows = await avatarFolders(this.#p.db.em()).find({ id: { $in: [...ids] }, owner: principal.userId });
    const byId = new Map(rows.map((row) => [row.id, showFolder(row)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  async create(principal: Principal, input: CreateAvatarFolderInput): Promise<AvatarFolder> {
    const { name } = input;
    const createdAt = this.#p.clock.now();
    const folderId = newId('fld', createdAt);
    const { userId: ownerId } = principal;
    await checkRoom(this.#p.db, this.#p.config, ownerId, 'folders');
    const icon = input.icon ? await this.#hostIcon(ownerId, folderId, input.icon) : null;
    const iconKey = icon?.key ?? null;
    return removeFileOnError(this.#p, iconKey, () =>
      this.#p.db.transaction(async (tx) => {
        await users(tx.em).holdCaller(ownerId);
        const folder = tx.em.create(AvatarFolderEntity, { id: folderId, owner: ownerId, name, iconKey, createdAt });
        await checkQuota(tx, this.#p.config, ownerId, 'folders');
        const created = showFolder(folder);
        keepResult(tx, principal, created);
        if (!icon) return created;
        await recordMedia(tx, ownerId, icon.key, icon.bytes);
        await checkQuota(tx, this.#p.config, ownerId, 'storageBytes');
        return created;
      }),
    );
  }

  async remove(principal: Principal, folderId: string): Promise<DeletedFolder> {
    return this.#p.db.transaction(async (tx) => {
      const { unfiledAvatars, iconKey } = await avatarFolders(tx.em).removeOwned(folderId, principal.userId);
      if (iconKey) {
        await forgetMedia(tx, [iconKey]);
        tx.afterCommit(() => void this.#p.store.remove(iconKey).catch(() => {}));
      }
      return { ok: true, folderId, deletedId: folderId, unfiledAvatars };
    });
  }

  /** Address of a folder's icon. */
  iconUrl(folder: AvatarFolder): string | null {
    return folder.iconKey ? this.#p.links.signPublic(folder.iconKey) : null;
  }

  async #hostIcon(owner: string, folderId: string, url: string): Promise<{ key: string; bytes: number }> {
    const fetched = await this.#p.safeFetch(url, {
      field: 'icon',
      accept: 'image',
      maxBytes: LIMITS.imageBytes,
    });
    const image = await this.#p.decoders.image(fetched.bytes, { field: 'icon', owner, maxSide: ICON_PIXELS });
    const key = `folders/${folderId}.${image.extension}`;
    await this.#p.store.put(key, image.bytes, { contentType: image.contentType });
    return { key, bytes: image.bytes.length };
  }
}

const showFolder = ({ id, name, iconKey, createdAt }: AvatarFolderEntity): AvatarFolder => ({
  folderId: id,
  name,
  iconKey,
  createdAt,
});
