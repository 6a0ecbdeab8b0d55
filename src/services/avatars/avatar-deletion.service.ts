/**
 * Deleting an avatar: everything made of it goes with it, its owner's and other callers' conversations too, since its face
 * and voice are in them. What it cost stays in the ledger; what is being rendered ends uncharged.
 */
import { LockMode } from '@mikro-orm/core';
import {
  AvatarEntity,
  AvatarImageEntity,
  CustomVoiceEntity,
  NonOwnerSpendingEntity,
} from '../../../schema/entities/avatars.ts';
import { BrainEntity, BrainExternalEntity } from '../../../schema/entities/brain.ts';
import { ConversationEntity } from '../../../schema/entities/conversations.ts';
import { SpeechGenerationEntity } from '../../../schema/entities/generations.ts';
import { OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import type { Tables } from '../../../schema/entities/tables.ts';
import { TurnEntity } from '../../../schema/entities/turns.ts';
import { UserEntity } from '../../../schema/entities/users.ts';
import { VisitorEntity } from '../../../schema/entities/visitors.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { settleHold } from '../../ledger/holds.ts';
import { lockUsage } from '../accounts/quota.service.ts';
import type { ConversationDeletion } from '../conversations/conversation-deletion.service.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { speechFilesOf } from '../speech/speech-render.service.ts';
import { lockDeletion, type TurnDeletion } from '../turns/turn-deletion.service.ts';
import { lockedAnew, WrittenMeanwhileError } from '../turns/turn-locks.service.ts';
import { avatars } from './avatar.repository.ts';
import { idleKeyOf } from './idle-video.service.ts';

export class AvatarDeletion {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'notifier' | 'audit' | 'log'>;
  readonly #conversations: ConversationDeletion;
  readonly #turns: TurnDeletion;
  readonly #removals: MediaRemovals;

  constructor(
    platform: Pick<Platform, 'db' | 'clock' | 'notifier' | 'audit' | 'log'>,
    conversations: ConversationDeletion,
    turns: TurnDeletion,
    removals: MediaRemovals,
  ) {
    this.#p = platform;
    this.#conversations = conversations;
    this.#turns = turns;
    this.#removals = removals;
  }

  /** Deletes an avatar of the caller's. Throws 404 for any other. */
  async delete(principal: Principal, avatarId: string): Promise<void> {
    await lockedAnew(this.#p.db, async (tx) => {
      const avatar = await avatars(tx.em).owned(avatarId, principal.userId);
      const { id } = avatar;
      const nowMs = this.#p.clock.now();
      const conversations = (await tx.em.find(ConversationEntity, { avatar: id }, { fields: ['id'] })).map((c) => c.id);
      const speeches = await tx.em.find(SpeechGenerationEntity, { avatar: id });
      const speechHolds = speeches.flatMap(({ hold }) => hold?.id ?? []);
      // What it said in conversations with other avatars, as their speaker.
      const said = await tx.em.find(TurnEntity, { voicedBy: id }, { fields: ['id', 'injection'] });
      const injectionIds = said.map(({ injection }) => injection.id);
      const going = { conversationIds: conversations, injectionIds, holdIds: speechHolds };
      // All at once: a transaction that writes or renders meanwhile waits for one of these rows while it holds another.
      const locked = await lockDeletion(tx, going);
      // They go with it. Giving a voice to an avatar locks the voice first, so here too the avatar's row is locked behind them.
      const voices = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' }, fields: ['id'] } as const;
      await tx.em.find(CustomVoiceEntity, { avatar: id }, voices);
      // Apps that act as it are changed with it; what names an app's avatar locks the app first.
      await tx.em.find(OAuthClientEntity, { serviceAvatar: id }, voices);
      // From here on what would refer to it waits, and finds it gone. What came in between was not locked.
      await avatars(tx.em).lockOwned(id, principal.userId);
      const known = new Set([...conversations, ...speeches.map((one) => one.id), ...said.map((one) => one.id)]);
      if ((await this.#madeOf(tx, id)).some((one) => !known.has(one))) throw new WrittenMeanwhileError();
      const files = await tx.em.find(
        TurnEntity,
        { $or: [{ conversation: { $in: conversations } }, { voicedBy: id }] },
        { fields: ['audioKey', 'videoKey'] },
      );
      const mediaKeys = [...files, ...speeches].flatMap(({ audioKey, videoKey }) => [audioKey, videoKey]);
      const userIds = [principal.userId, ...(await this.#rememberedFor(tx, id))];
      await lockUsage(tx, { userIds, conversationIds: conversations, mediaKeys });
      await this.#conversations.drop(tx, conversations, { locked });
      for (const turn of said) await this.#turns.drop(tx, turn.id, locked);
      for (const holdId of speechHolds) await settleHold(tx, holdId, 0n, nowMs);
      const images = await tx.em.find(AvatarImageEntity, { avatar: id }, { fields: ['mediaKey'] });
      await this.#removals.add(tx, {
        owned: [
          ...images.flatMap(({ mediaKey }) => [mediaKey, idleKeyOf(mediaKey)]),
          ...speeches.flatMap(({ audioKey, videoKey }) => [audioKey ?? null, videoKey ?? null]),
        ],
        others: [
          `avatars/${id}/`,
          ...speeches.flatMap((row) =>
            Array.from({ length: row.attempt }, (_, index) => speechFilesOf({ id: row.id, attempt: index + 1 })).flat(),
          ),
        ],
      });
      await tx.em.nativeDelete(NonOwnerSpendingEntity, { avatar: id });
      await tx.em.nativeDelete(BrainEntity, { avatarId: id });
      await tx.em.nativeDelete(BrainExternalEntity, { avatarId: id });
      const guests = await tx.em.find(VisitorEntity, { avatar: id, tokenHash: { $ne: null } }, { fields: ['user'] });
      await tx.em.nativeDelete(AvatarEntity, { id });
      // The accounts of anonymous visitors were made for this avatar alone.
      await tx.em.nativeDelete(UserEntity, { id: { $in: guests.map(({ user }) => user.id) } });
      this.#p.audit.record(tx, principal, 'avatar_deleted', { userId: principal.userId, subject: id });
      tx.afterCommit(() => this.#p.notifier.emit('avatar', id));
    });
    this.#p.log.info({ avatarId }, 'avatar deleted');
  }

  /** What refers to an avatar and is deleted with it, thing by thing. */
  async #madeOf({ em }: Tx, avatarId: string): Promise<string[]> {
    const [ofIt, fields] = [{ avatar: avatarId }, { fields: ['id'] } as const];
    const conversations = await em.find(ConversationEntity, ofIt, fields);
    const speeches = await em.find(SpeechGenerationEntity, ofIt, fields);
    const said = await em.find(TurnEntity, { voicedBy: avatarId }, fields);
    return [...conversations, ...speeches, ...said].map(({ id }) => id);
  }

  /** Accounts whose memories it has: they count one less. */
  async #rememberedFor({ em }: Tx, avatarId: string): Promise<string[]> {
    const tables = em.getKysely<Tables>();
    const savers = await tables
      .selectFrom('brain_entry as e')
      .innerJoin('brain as b', 'b.scope_id', 'e.scope_id')
      .select('e.saved_by as userId')
      .where('b.avatar_id', '=', avatarId)
      .union(tables.selectFrom('brain_external').select('saved_by as userId').where('avatar_id', '=', avatarId))
      .execute();
    return savers.flatMap(({ userId }) => userId ?? []);
  }
}
