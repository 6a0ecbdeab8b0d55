/** Avatar folders. Deleting one keeps its avatars and leaves them unfiled. */

import { AvatarFolder, type DeletedFolder } from '../../../schema/avatar.ts';
import type { Principal } from '../../auth/principal.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { reencodeImage } from '../../storage/images.ts';
import { httpUrl, requiredText } from '../input-fields.ts';
import type { Platform } from '../platform.ts';

const ICON_PIXELS = 256;

export class Folders {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'store' | 'links' | 'safeFetch'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'store' | 'links' | 'safeFetch'>) {
    this.#p = platform;
  }

  list(principal: Principal): Promise<AvatarFolder[]> {
    return this.#p.db.orm.em
      .fork()
      .find(AvatarFolder, { ownerUserId: principal.userId }, { orderBy: { createdAt: 'asc' } });
  }

  async create(principal: Principal, input: { name: string; icon?: string | null }): Promise<AvatarFolder> {
    const name = requiredText('name', input.name, LIMITS.folderName);
    const createdAt = this.#p.clock.now();
    const folderId = newId('fld', createdAt);
    const iconKey = input.icon ? await this.#hostIcon(folderId, input.icon) : null;
    return this.#p.db.transaction(async (tx) =>
      tx.em.create(AvatarFolder, { folderId, ownerUserId: principal.userId, name, iconKey, createdAt }),
    );
  }

  async remove(principal: Principal, folderId: string): Promise<DeletedFolder> {
    return this.#p.db.transaction(async (tx) => {
      const [owned] = await tx.rows('select 1 from avatar_folder where id = $1 and owner_user_id = $2 for update', [
        folderId,
        principal.userId,
      ]);
      if (!owned) throw new PlatformError('NOT_FOUND', 'Folder not found.');
      const unfiled = await tx.rows('update avatar set folder_id = null where folder_id = $1 returning id', [folderId]);
      await tx.rows('delete from avatar_folder where id = $1', [folderId]);
      return { ok: true, folderId, unfiledAvatars: unfiled.length };
    });
  }

  /** Address of a folder's icon. */
  iconUrl(folder: AvatarFolder): string | null {
    return folder.iconKey ? this.#p.links.signPublic(folder.iconKey) : null;
  }

  async #hostIcon(folderId: string, url: string): Promise<string> {
    const fetched = await this.#p.safeFetch(httpUrl('icon', url), {
      field: 'icon',
      accept: 'image',
      maxBytes: LIMITS.imageBytes,
    });
    const image = await reencodeImage(fetched.bytes, { field: 'icon', maxSide: ICON_PIXELS });
    const key = `folders/${folderId}.${image.extension}`;
    await this.#p.store.put(key, image.bytes, { contentType: image.contentType });
    return key;
  }
}
