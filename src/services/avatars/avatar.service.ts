/** Avatars: made, renamed, opened to the public, given a voice. Images are `avatar-image.service.ts`. */

import type { Avatar, AvatarUsageLine, CreatedAvatar } from '../../../schema/avatar.ts';
import { AvatarEntity } from '../../../schema/entities/avatars.ts';
import type { CreateAvatarInput, UpdateAvatarInput } from '../../../schema/inputs/avatar.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import {
  type Connection,
  type Keyset,
  keysetOf,
  type Listing,
  type PageRequest,
  pageOf,
  readPage,
} from '../../kernel/keyset.ts';
import { usageOf } from '../../kernel/ledger-kinds.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota, checkRoom, takeOne } from '../accounts/quota.service.ts';
import { users } from '../accounts/user.repository.ts';
import { removeFileOnError } from '../media/media.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Voices } from '../speech/voice.service.ts';
import { visibleAvatarsOfUsers } from './avatar.queries.ts';
import { avatarFolders, avatars, showAvatar } from './avatar.repository.ts';
import type { AvatarImages, StoredImage } from './avatar-image.service.ts';
import { paidForAvatar } from './avatar-usage.queries.ts';

/** What `avatars:read` does not show: an app needs it neither to list avatars nor to let them speak. */
const UNSEEN_BY_APPS = { personalityPrompt: null, knowledgeBaseUrls: [], gemRef: null, nonOwnerCapPerDay: null };

/** What only the owner is shown of an avatar. */
const UNSEEN_BY_OTHERS = { ...UNSEEN_BY_APPS, folderId: null, brainSystem: null };

const NEWEST: Listing<{ id: string }> = { name: 'Avatar', order: 'desc', keyOf: ({ id }) => id };
const OLDEST: Listing<{ id: string }> = { ...NEWEST, order: 'asc' };

/** Whether the caller may list it among their own. */
const isOwn = (principal: Principal | undefined, row: AvatarEntity): boolean =>
  principal?.userId === row.owner.id && (!principal.scopes || principal.scopes.includes('avatars:read'));

function showAvatarTo(principal: Principal | undefined, row: AvatarEntity): Avatar {
  const avatar = showAvatar(row);
  if (!isOwn(principal, row)) return { ...avatar, ...UNSEEN_BY_OTHERS };
  return principal?.kind === 'token' ? { ...avatar, ...UNSEEN_BY_APPS } : avatar;
}

export class Avatars {
  readonly #p: Pick<Platform, 'db' | 'replicas' | 'clock' | 'config' | 'store' | 'notifier' | 'audit'>;
  readonly #images: AvatarImages;
  readonly #voices: Voices;

  constructor(
    platform: Pick<Platform, 'db' | 'replicas' | 'clock' | 'config' | 'store' | 'notifier' | 'audit'>,
    images: AvatarImages,
    voices: Voices,
  ) {
    this.#p = platform;
    this.#images = images;
    this.#voices = voices;
  }

  /** The caller's own, oldest first. An app's token reads no more of them than the consent page says. */
  async list(principal: Principal): Promise<Avatar[]> {
    const rows = await this.#p.replicas.read((on) => avatars(on.em()).ofOwner(principal.userId));
    return rows.map((row) => showAvatarTo(principal, row));
  }

  /** Publicly renderable avatars of everyone, newest first, a page at a time. */
  listPublic(page: PageRequest): Promise<Connection<Avatar>> {
    const read = (keyset: Keyset) => this.#p.replicas.read((on) => avatars(on.em()).publicPage(keyset));
    return readPage(page, NEWEST, read, (row) => showAvatarTo(undefined, row));
  }

  /** An own avatar, or a publicly renderable one without what is its owner's alone. Else 404. */
  async read(principal: Principal | undefined, avatarId: string): Promise<Avatar> {
    const row = await avatars(this.#p.db.em()).findOne({ id: avatarId });
    if (!row || !(isOwn(principal, row) || row.publiclyRenderable)) {
      throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    }
    return showAvatarTo(principal, row);
  }

  /** Each as `read` shows it, in the order of the ids; null where that throws. For loaders. */
  readAll(principal: Principal | undefined, ids: readonly string[]): Promise<(Avatar | null)[]> {
    return this.#p.replicas.read((on) => this.#readAllOn(on, principal, ids));
  }

  async #readAllOn(
    on: Pick<Platform['db'], 'em'>,
    principal: Principal | undefined,
    ids: readonly string[],
  ): Promise<(Avatar | null)[]> {
    const rows = await avatars(on.em()).find({ id: { $in: [...ids] } });
    const seen = rows.filter((row) => isOwn(principal, row) || row.publiclyRenderable);
    const byId = new Map(seen.map((row) => [row.id, showAvatarTo(principal, row)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** Of each user those that this caller may see, oldest first. For loaders. */
  async ofUsers(
    principal: Principal | undefined,
    userIds: readonly string[],
    page: PageRequest,
  ): Promise<Connection<Avatar>[]> {
    const keyset = keysetOf(page, OLDEST);
    const seen = { userIds: [...userIds], callerId: principal?.userId ?? '', ...keyset };
    const found = await this.#p.replicas.read(async (on) => {
      const ids = (await visibleAvatarsOfUsers(on, seen)).map(({ id }) => id);
      return this.#readAllOn(on, principal, ids);
    });
    return userIds.map((userId) => {
      const own = found.flatMap((each) => (each?.avatarOwnerUserId === userId ? [each] : []));
      return pageOf(page, { ...OLDEST, keyOf: ({ avatarId }) => avatarId }, keyset, own, (each) => each);
    });
  }

  /** Makes an avatar. Its image is fetched and re-hosted, or drawn from its name and personality. */
  async create(principal: Principal, input: CreateAvatarInput): Promise<CreatedAvatar> {
    const { displayName, personalityPrompt = null } = input;
    const knowledgeBaseUrls = input.knowledgeBaseUrls ?? [];
    const ttsVoiceId =
      input.ttsVoiceId == null ? null : await this.#voices.check('ttsVoiceId', input.ttsVoiceId, principal.userId);
    if (input.folderId != null) await this.#checkFolder(principal, input.folderId);

    const nowMs = this.#p.clock.now();
    const avatarId = newId('avt', nowMs);
    await checkRoom(this.#p.db, this.#p.config, principal.userId, 'avatars');
    const image =
      input.imageUrl == null
        ? await this.#draw(principal, avatarId, `${displayName}. ${personalityPrompt ?? ''}`)
        : await this.#images.fetch(principal.userId, avatarId, 'imageUrl', input.imageUrl);
    const write = async (tx: Tx) => {
      await users(tx.em).holdCaller(principal.userId);
      if (ttsVoiceId !== null) await this.#voices.hold(tx, 'ttsVoiceId', ttsVoiceId, principal.userId);
      if (input.folderId != null) await this.#holdFolder(tx, principal, input.folderId);
      const avatar = tx.em.create(AvatarEntity, {
        id: avatarId,
        owner: principal.userId,
        displayName,
        personalityPrompt,
        ttsVoiceId,
        publiclyRenderable: input.publiclyRenderable ?? false,
        folder: input.folderId ?? null,
        knowledgeBaseUrls,
        createdAt: nowMs,
        updatedAt: nowMs,
      });
      await checkQuota(tx, this.#p.config, principal.userId, 'avatars');
      await this.#images.add(tx, principal.userId, image, true);
      await tx.em.flush();
      const created = { avatar: showAvatar(avatar), avatarId, avatarOwnerUserId: principal.userId };
      keepResult(tx, principal, created);
      return created;
    };
    return removeFileOnError(this.#p, image.row.mediaKey, () => this.#p.db.transaction(write));
  }

  /** A portrait costs nothing but our processor: it is counted before it is drawn, so that no burst outruns the count. */
  async #draw(principal: Principal, avatarId: string, text: string): Promise<StoredImage> {
    const release = await takeOne(this.#p.db, this.#p.config, principal.userId, 'freePortraits');
    try {
      return await this.#images.draw(principal.userId, avatarId, text);
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Changes only the name; 403 when the streaming platform manages it. */
  async rename(principal: Principal, avatarId: string, displayName: string): Promise<Avatar> {
    const renamed = await this.#change(principal, avatarId, (avatar) => {
      if (avatar.nameLocked) throw new PlatformError('NAME_LOCKED');
      avatar.displayName = displayName;
    });
    // Conversations show the name, and are kept in memory with it.
    this.#p.notifier.emit('avatar', avatarId);
    return renamed;
  }

  /**
   * Changes what is given, within the limits of `create`: all of it or nothing. null empties the personality, the pages
   * and the folder. New pages are learned by the next training; 403 for another name when it is locked.
   */
  async update(principal: Principal, input: UpdateAvatarInput): Promise<Avatar> {
    const { avatarId, displayName, personalityPrompt, knowledgeBaseUrls, folderId } = input;
    const changes: Partial<Pick<AvatarEntity, 'displayName' | 'personalityPrompt' | 'knowledgeBaseUrls'>> = {
      ...(displayName == null ? {} : { displayName }),
      ...(personalityPrompt === undefined ? {} : { personalityPrompt }),
      ...(knowledgeBaseUrls === undefined ? {} : { knowledgeBaseUrls: knowledgeBaseUrls ?? [] }),
    };
    const updated = await this.#change(principal, avatarId, async (avatar, tx) => {
      if (folderId != null) await this.#holdFolder(tx, principal, folderId);
      const renames = changes.displayName !== undefined && changes.displayName !== avatar.displayName;
      if (renames && avatar.nameLocked) throw new PlatformError('NAME_LOCKED');
      tx.em.assign(avatar, { ...changes, ...(folderId === undefined ? {} : { folder: folderId }) });
    });
    this.#p.notifier.emit('avatar', avatarId);
    return updated;
  }

  async setPublic(principal: Principal, avatarId: string, publiclyRenderable: boolean): Promise<Avatar> {
    return this.#change(principal, avatarId, (avatar, tx) => {
      avatar.publiclyRenderable = publiclyRenderable;
      const detail = publiclyRenderable ? 'public' : 'private';
      this.#p.audit.record(tx, principal, 'visibility_changed', {
        userId: principal.userId,
        subject: avatarId,
        detail,
      });
    });
  }

  async setVoice(principal: Principal, avatarId: string, voiceId: string): Promise<Avatar> {
    return this.#change(principal, avatarId, async (avatar, tx) => {
      await this.#voices.hold(tx, 'voiceId', voiceId, principal.userId);
      avatar.ttsVoiceId = voiceId;
    });
  }

  /** What the caller paid for an own avatar in the last days, without what was deleted. Throws NOT_FOUND. */
  async usage({ userId }: Principal, avatarId: string, days: number): Promise<AvatarUsageLine[]> {
    await avatars(this.#p.db.em()).owned(avatarId, userId);
    const nowMs = this.#p.clock.now();
    const sinceMs = nowMs - (nowMs % DAY_MS) - (days - 1) * DAY_MS;
    const rows = await paidForAvatar(this.#p.db, { userId, avatarId, sinceMs });
    return rows.flatMap(({ kind: label, count, credits, others }) => {
      const kind = usageOf(label);
      return kind ? [{ kind, count, credits: BigInt(credits), creditsOfOthers: BigInt(others) }] : [];
    });
  }

  async #change(
    principal: Principal,
    avatarId: string,
    change: (avatar: AvatarEntity, tx: Tx) => void | Promise<void>,
  ): Promise<Avatar> {
    return this.#p.db.transaction(async (tx) => {
      const avatar = await avatars(tx.em).owned(avatarId, principal.userId);
      await change(avatar, tx);
      avatar.updatedAt = this.#p.clock.now();
      return showAvatar(avatar);
    });
  }

  async #checkFolder(principal: Principal, folderId: string): Promise<void> {
    if (!(await avatarFolders(this.#p.db.em()).isOwned(folderId, principal.userId))) throw noFolder();
  }

  /** Again in the transaction, as it may have been deleted since. */
  async #holdFolder(tx: Tx, principal: Principal, folderId: string): Promise<void> {
    if (!(await avatarFolders(tx.em).hold(folderId, principal.userId))) throw noFolder();
  }
}

const noFolder = (): PlatformError => badInput('folderId', 'is not one of your folders.');
