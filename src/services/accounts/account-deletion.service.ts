/**
 * Deleting an account: first what it made, thing by thing, then the account itself. What other accounts need stays without
 * what it said of a person: ledger entries, and a row without name and address that they point to. Broken off, it is
 * done again from where it stopped.
 */
import { LockMode } from '@mikro-orm/core';
import { AvatarEntity, AvatarFolderEntity } from '../../../schema/entities/avatars.ts';
import { AccountFeedEntity } from '../../../schema/entities/changes.ts';
import { ConversationEntity } from '../../../schema/entities/conversations.ts';
import {
  ImageGenerationEntity,
  ImageRequestEntity,
  SpeechGenerationEntity,
  VideoGenerationEntity,
} from '../../../schema/entities/generations.ts';
import { GiftIntentEntity } from '../../../schema/entities/gifts.ts';
import { OAuthChoiceEntity, OAuthClientEntity, OAuthCodeEntity } from '../../../schema/entities/oauth.ts';
import { IdempotencyKeyEntity } from '../../../schema/entities/platform.ts';
import {
  StreamAccountEntity,
  StreamSubscriptionEntity,
  TribeEntity,
  TribeMemberEntity,
} from '../../../schema/entities/tribes.ts';
import { UploadEntity } from '../../../schema/entities/uploads.ts';
import {
  AccountLinkEntity,
  ApiKeyEntity,
  EmailVerificationEntity,
  SessionEntity,
} from '../../../schema/entities/users.ts';
import { VisitorEntity } from '../../../schema/entities/visitors.ts';
import { WebhookEndpointEntity } from '../../../schema/entities/webhooks.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { busy, PlatformError } from '../../kernel/errors.ts';
import type { AvatarDeletion } from '../avatars/avatar-deletion.service.ts';
import type { ConversationDeletion } from '../conversations/conversation-deletion.service.ts';
import type { Images } from '../images/image.service.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { OAuthClients } from '../oauth/oauth-client.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Speeches } from '../speech/speech.service.ts';
import type { Videos } from '../videos/video.service.ts';
import type { AccountExports } from './account-export.service.ts';
import { requirePassword } from './account-settings.service.ts';
import { apiKeys, sessions, users } from './user.repository.ts';

/** What deletes each kind of thing. */
export interface Deletions {
  avatars: AvatarDeletion;
  conversations: ConversationDeletion;
  images: Pick<Images, 'delete' | 'endWaiting'>;
  videos: Pick<Videos, 'delete'>;
  speech: Pick<Speeches, 'delete'>;
  apps: Pick<OAuthClients, 'remove'>;
  exports: Pick<AccountExports, 'forget'>;
  removals: MediaRemovals;
}

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit' | 'log'>;

/** How many times it begins again because requests under way have made something. */
const ATTEMPTS = 8;

/** Another request may have deleted it. */
async function unlessGone(deleting: Promise<unknown>): Promise<void> {
  try {
    await deleting;
  } catch (error) {
    if (!(error instanceof PlatformError && error.code === 'NOT_FOUND')) throw error;
  }
}

export class AccountDeletion {
  readonly #p: Needs;
  readonly #deletions: Deletions;

  constructor(platform: Needs, deletions: Deletions) {
    this.#p = platform;
    this.#deletions = deletions;
  }

  /** Throws FORBIDDEN for a wrong password and for an operator, whom the configuration would make again. */
  async delete(principal: Principal, password: string): Promise<void> {
    const user = await users(this.#p.db.em()).withId(principal.userId);
    await requirePassword(user, password);
    if (this.#p.config.OPERATOR_EMAILS.some((email) => email.toLowerCase() === user.email)) {
      throw new PlatformError('FORBIDDEN', 'An operator is removed from OPERATOR_EMAILS first.');
    }
    for (let attempt = 1; ; attempt += 1) {
      await this.#things(principal);
      const isDone = await this.#p.db.transaction((tx) => this.#account(tx, principal));
      if (isDone) break;
      if (attempt === ATTEMPTS) throw busy('More is being made at this very moment: try again.', { seconds: 1 });
    }
    this.#p.log.info({ userId: principal.userId }, 'account deleted');
  }

  async #things(principal: Principal): Promise<void> {
    const { userId } = principal;
    const { avatars, conversations, images, videos, speech, apps } = this.#deletions;
    const em = this.#p.db.em();
    const ids = async (found: Promise<{ id: string }[]>): Promise<string[]> => (await found).map(({ id }) => id);
    await images.endWaiting(userId);
    for (const id of await ids(em.find(AvatarEntity, { owner: userId }, { fields: ['id'] })))
      await unlessGone(avatars.delete(principal, id));
    for (const id of await ids(em.find(ConversationEntity, { owner: userId }, { fields: ['id'] })))
      await unlessGone(conversations.delete(principal, id));
    for (const id of await ids(em.find(ImageGenerationEntity, { user: userId }, { fields: ['id'] })))
      await unlessGone(images.delete(principal, id));
    for (const id of await ids(em.find(VideoGenerationEntity, { user: userId }, { fields: ['id'] })))
      await unlessGone(videos.delete(principal, id));
    for (const id of await ids(em.find(SpeechGenerationEntity, { caller: userId }, { fields: ['id'] })))
      await unlessGone(speech.delete(principal, id));
    for (const id of await ids(em.find(OAuthClientEntity, { owner: userId }, { fields: ['id'] })))
      await unlessGone(apps.remove(principal, id));
  }

  /** Whether something was made since the things of the account were deleted. */
  async #hasThings({ em }: Tx, userId: string): Promise<boolean> {
    const counts = [
      await em.count(AvatarEntity, { owner: userId }),
      await em.count(ConversationEntity, { owner: userId }),
      await em.count(ImageGenerationEntity, { user: userId }),
      await em.count(ImageRequestEntity, { user: userId, state: 'waiting' }),
      await em.count(VideoGenerationEntity, { user: userId }),
      await em.count(SpeechGenerationEntity, { caller: userId }),
      await em.count(OAuthClientEntity, { owner: userId }),
    ];
    return counts.some((count) => count > 0);
  }

  /** False, and nothing but codes is deleted, where something was made meanwhile. */
  async #account(tx: Tx, principal: Principal): Promise<boolean> {
    const { em } = tx;
    const { userId } = principal;
    const mine = { user: userId };
    // Codes before the account: a request that redeems a code locks in this order.
    await em.nativeDelete(OAuthCodeEntity, mine);
    // Transactions that make something for the account wait here, and then find it deleted.
    await users(em).lock(userId);
    if (await this.#hasThings(tx, userId)) return false;
    const uploads = await em.find(UploadEntity, { owner: userId }, { fields: ['mediaKey'] });
    const folders = await em.find(AvatarFolderEntity, { owner: userId }, { fields: ['iconKey'] });
    await this.#deletions.removals.add(tx, {
      owned: [...uploads.map(({ mediaKey }) => mediaKey ?? null), ...folders.map(({ iconKey }) => iconKey ?? null)],
    });
    await em.nativeDelete(UploadEntity, { owner: userId });
    await em.nativeDelete(AvatarFolderEntity, { owner: userId });
    await this.#deletions.exports.forget(tx, userId);
    await this.#leaveTribes(tx, userId);
    await em.nativeUpdate(
      GiftIntentEntity,
      { status: 'pending', $or: [{ from: userId }, { to: userId }] },
      { status: 'cancelled', resolvedAt: this.#p.clock.now() },
    );
    await em.nativeUpdate(GiftIntentEntity, { from: userId }, { note: null });
    const ended = [...(await sessions(em).standing(userId)), ...(await apiKeys(em).standing(userId))];
    // They hold texts of the user.
    await em.nativeDelete(ImageRequestEntity, mine);
    await em.nativeDelete(WebhookEndpointEntity, mine);
    await em.nativeDelete(OAuthCodeEntity, mine);
    await em.nativeDelete(OAuthChoiceEntity, mine);
    await em.nativeDelete(EmailVerificationEntity, mine);
    await em.nativeDelete(AccountLinkEntity, mine);
    await em.nativeDelete(StreamAccountEntity, mine);
    await em.nativeDelete(ApiKeyEntity, mine);
    await em.nativeDelete(SessionEntity, mine);
    // Keys are a user's, or an app's for the user.
    await em.nativeDelete(IdempotencyKeyEntity, { $or: [{ caller: userId }, { caller: { $like: `${userId} %` } }] });
    await em.nativeDelete(VisitorEntity, mine);
    await em.nativeDelete(AccountFeedEntity, mine);
    Object.assign(await users(em).withId(userId), {
      email: null,
      passwordHash: null,
      displayName: null,
      streamUsername: null,
      issuer: null,
      subject: null,
    });
    this.#p.audit.record(tx, principal, 'account_deleted', { userId });
    tx.afterCommit(() => {
      for (const { id } of ended) this.#p.notifier.emit('revoked', `credential ${id}`);
    });
    return true;
  }

  /** Their own tribe ends with them; those they were in count one less. */
  async #leaveTribes(tx: Tx, userId: string): Promise<void> {
    const { em } = tx;
    await em.nativeDelete(StreamSubscriptionEntity, { $or: [{ creator: userId }, { member: userId }] });
    // The tribe before its members: a user who joins locks in this order.
    await em.nativeDelete(TribeEntity, { creator: userId });
    await em.nativeDelete(TribeMemberEntity, { creator: userId });
    const joined = (await em.find(TribeMemberEntity, { member: userId })).map(({ creator }) => creator.id);
    // Counted with the locks held, since others join and leave meanwhile; in one order, so that two users who leave do not
    // deadlock.
    const inOrder = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { creator: 'asc' } } as const;
    const left = await em.find(TribeEntity, { creator: { $in: joined } }, inOrder);
    for (const tribe of left) tribe.memberCount -= 1;
    await em.nativeDelete(TribeMemberEntity, { member: userId });
  }
}
