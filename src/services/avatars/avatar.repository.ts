/** Avatars, their folders and their images as they are stored. Every read says whose. */
import { LockMode, raw } from '@mikro-orm/core';
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import type { Avatar } from '../../../schema/avatar.ts';
import { AvatarEntity, AvatarFolderEntity, AvatarImageEntity } from '../../../schema/entities/avatars.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { byId, type Keyset } from '../../kernel/keyset.ts';
import { repositoryOf } from '../../kernel/repository.ts';

class AvatarRepository extends SqlEntityRepository<AvatarEntity> {
  ofOwner(ownerId: string): Promise<AvatarEntity[]> {
    return this.find({ owner: ownerId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  }

  /** Publicly renderable ones of everyone, by their ids. */
  publicPage(keyset: Keyset): Promise<AvatarEntity[]> {
    const [where, options] = byId(keyset);
    return this.find({ publiclyRenderable: true, ...where }, options);
  }

  /** Throws NOT_FOUND where this owner has no such avatar. */
  async owned(id: string, ownerId: string): Promise<AvatarEntity> {
    const avatar = await this.findOne({ id, owner: ownerId });
    if (!avatar) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    return avatar;
  }

  /** As `owned`, and held to the end of the transaction. */
  async lockOwned(id: string, ownerId: string): Promise<AvatarEntity> {
    const avatar = await this.findOne({ id, owner: ownerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!avatar) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    return avatar;
  }

  /** Keeps an avatar of this owner from being deleted until the transaction ends; false where there is none. */
  async holdOwned(id: string, ownerId: string): Promise<boolean> {
    return (await this.findOne({ id, owner: ownerId }, { lockMode: LockMode.PESSIMISTIC_READ })) !== null;
  }

  /** Locks the names of an owner's avatars that bear this one, in any case, and unlocks their others. */
  async lockNames(ownerId: string, name: string, nowMs: number): Promise<void> {
    for (const nameLocked of [true, false]) {
      const bears = raw('(lower(display_name) = lower(?))', [name]);
      const others = { owner: ownerId, nameLocked: !nameLocked, [bears]: nameLocked };
      await this.nativeUpdate(others, { nameLocked, updatedAt: nowMs });
    }
  }
}
/** Avatars of an entity manager. */
export const avatars = repositoryOf(AvatarEntity, AvatarRepository);

class AvatarFolderRepository extends SqlEntityRepository<AvatarFolderEntity> {
  ofOwner(ownerId: string): Promise<AvatarFolderEntity[]> {
    return this.find({ owner: ownerId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  }

  async isOwned(id: string, ownerId: string): Promise<boolean> {
    return (await this.count({ id, owner: ownerId })) > 0;
  }

  /** Keeps it from being deleted until the transaction ends; false where this owner has none. */
  async hold(id: string, ownerId: string): Promise<boolean> {
    return (await this.findOne({ id, owner: ownerId }, { lockMode: LockMode.PESSIMISTIC_READ })) !== null;
  }

  /** Deletes it; how many avatars became unfiled, and its icon's file. NOT_FOUND where this owner has no such folder. */
  async removeOwned(id: string, ownerId: string): Promise<{ unfiledAvatars: number; iconKey: string | null }> {
    const folder = await this.findOne({ id, owner: ownerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!folder) throw new PlatformError('NOT_FOUND', 'Folder not found.');
    const unfiledAvatars = await this.em.nativeUpdate(AvatarEntity, { folder: id }, { folder: null });
    this.em.remove(folder);
    return { unfiledAvatars, iconKey: folder.iconKey ?? null };
  }
}
/** Folders of avatars. */
export const avatarFolders = repositoryOf(AvatarFolderEntity, AvatarFolderRepository);

class AvatarImageRepository extends SqlEntityRepository<AvatarImageEntity> {
  /** The primary one first. */
  ofAvatar(avatarId: string): Promise<AvatarImageEntity[]> {
    return this.find({ avatar: avatarId }, { orderBy: { isPrimary: 'desc', createdAt: 'asc' } });
  }

  async hasPrimary(avatarId: string): Promise<boolean> {
    return (await this.count({ avatar: avatarId, isPrimary: true })) > 0;
  }

  /** What is shown of the images of several, the primary ones first; their faces, which are most of a row, stay unread. */
  async ofAvatars(avatarIds: readonly string[]) {
    return this.find(
      { avatar: { $in: [...avatarIds] } },
      { orderBy: { isPrimary: 'desc', createdAt: 'asc' }, fields: ['avatar', 'mediaKey', 'isPrimary', 'createdAt'] },
    );
  }

  /** Media keys of primary images by avatar id. */
  async primaryKeys(avatarIds: readonly string[]): Promise<Map<string, string>> {
    const images = await this.find(
      { isPrimary: true, avatar: { $in: [...avatarIds] } },
      { fields: ['mediaKey', 'avatar'] },
    );
    return new Map(images.map((image) => [image.avatar.id, image.mediaKey]));
  }
}
/** Images of avatars. */
export const avatarImages = repositoryOf(AvatarImageEntity, AvatarImageRepository);

/** An avatar as the API shows it. */
export function showAvatar(row: AvatarEntity): Avatar {
  return {
    avatarId: row.id,
    avatarOwnerUserId: row.owner.id,
    displayName: row.displayName,
    personalityPrompt: row.personalityPrompt,
    ttsVoiceId: row.ttsVoiceId,
    publiclyRenderable: row.publiclyRenderable,
    folderId: row.folder?.id,
    nameLocked: row.nameLocked,
    knowledgeBaseUrls: row.knowledgeBaseUrls,
    gemRef: row.gemRef,
    brainSystem: row.brainSystem,
    nonOwnerCapPerDay: row.nonOwnerCapPerDay,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
