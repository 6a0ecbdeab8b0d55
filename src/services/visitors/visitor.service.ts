/**
 * Talking with an avatar on its page. A visitor has one private conversation with it, pays nothing and sees nothing else:
 * signed-in users are known by their account, others by a token that the page keeps. Whether they may talk is
 * asked at every step, and again behind the owner's balance (`spending-cap.service.ts`).
 */
import { createHmac } from 'node:crypto';
import { AvatarEntity } from '../../../schema/entities/avatars.ts';
import { UserEntity } from '../../../schema/entities/users.ts';
import { VisitorEntity } from '../../../schema/entities/visitors.ts';
import type {
  BeginVisitInput,
  InterruptAvatarInput,
  SayToAvatarInput,
  TranscribeForAvatarInput,
} from '../../../schema/inputs/visitor.ts';
import type { Transcript } from '../../../schema/speech.ts';
import type { InterruptedTurn, Turn } from '../../../schema/turn.ts';
import type { BeginVisitPayload, TalkPage } from '../../../schema/visitor.ts';
import { addressKeys } from '../../auth/client-network.ts';
import type { KeyedRequest, Principal } from '../../auth/principal.ts';
import type { RateLimits, RateName } from '../../auth/rate-limits.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { isGone } from '../../kernel/constraint-errors.ts';
import { type ErrorCode, PlatformError } from '../../kernel/errors.ts';
import { newId, randomText, sha256 } from '../../kernel/ids.ts';
import { readTalkSlug } from '../../kernel/slugs.ts';
import { avatarImages } from '../avatars/avatar.repository.ts';
import { isVisitAllowed } from '../conversations/conversation.access.ts';
import { conversationOfVisitor, type OpenConversation } from '../conversations/conversation.queries.ts';
import type { Conversations } from '../conversations/conversation.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Transcriptions } from '../speech/transcription.service.ts';
import type { Turns } from '../turns/turn.service.ts';
import type { TurnInterruption } from '../turns/turn-interruption.service.ts';
import { checkNewVisitor } from './visitor-challenge.client.ts';

/** A time of the last visit that is this old is written anew. */
const SEEN_MS = 5 * MINUTE_MS;

/** What a visitor is answered where the cause is the owner's affair. */
const NOT_NOW = 'This avatar cannot answer aloud just now. Ask for text, or come back later.';
const OWNERS_AFFAIR: readonly ErrorCode[] = ['INSUFFICIENT_CREDITS', 'QUOTA_EXCEEDED'];

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'links' | 'remote' | 'log'> & {
  limits: Pick<RateLimits, 'count'>;
};

interface VisitorServices {
  conversations: Conversations;
  turns: Turns;
  interruption: TurnInterruption;
  transcriptions: Transcriptions;
}

/** Who comes: a person who is signed in, or a token, or neither yet. */
interface Comer {
  slug: string;
  visitorToken?: string | null;
}

export class Visitors {
  readonly #p: Needs;
  readonly #services: VisitorServices;
  readonly #addressKey: Buffer;

  /** @param addressKey keys the hashes of addresses, so that no network can be found from them */
  constructor(platform: Needs, services: VisitorServices, addressKey: Buffer) {
    this.#p = platform;
    this.#services = services;
    this.#addressKey = addressKey;
  }

  /** What any caller may see of an avatar with a page. 404 where there is none, or where no visitor may talk. */
  async page(slug: string): Promise<TalkPage> {
    const avatar = await this.#avatar(slug);
    const imageKey = (await avatarImages(this.#p.db.em()).primaryKeys([avatar.id])).get(avatar.id);
    return {
      displayName: avatar.displayName,
      imageUrl: imageKey ? this.#p.links.signPublic(imageKey) : null,
      greeting: avatar.talkGreeting ?? null,
      audience: avatar.talkAudience,
      hasVoice: avatar.ttsVoiceId != null,
      url: `${this.#p.config.SITE_URL}/a/${avatar.talkSlug}`,
    };
  }

  /**
   * The caller's conversation with the avatar, made when there is none. Throws 401 where one must be signed in, 403 for
   * who is blocked or is no person, 404, 429 where an address sends too many.
   */
  async begin(principal: Principal | undefined, input: BeginVisitInput, address: string): Promise<BeginVisitPayload> {
    const avatar = await this.#avatar(input.slug);
    const known = await this.#find(avatar, principal, input);
    const { visitor, token } = known
      ? { visitor: known, token: undefined }
      : await this.#add(avatar, principal, { address, slug: input.slug, answer: input.challenge ?? null }).catch(
          (error: unknown) => {
            // The avatar was deleted since it was looked up.
            throw isGone(error, 'visitor_avatar_id_fkey') ? nobody() : error;
          },
        );
    if (visitor.blockedAt != null) throw blocked(avatar);
    const conversation = (await this.#conversationOf(visitor)) ?? (await this.#start(avatar, visitor));
    await this.#seen(visitor);
    return {
      visitorToken: token ?? null,
      conversation: this.#services.conversations.show(conversation, { as: 'visitor', visitorId: visitor.id }),
      viewerToken: conversation.viewerToken,
    };
  }

  /** Throws 402 with a sentence for the visitor where a cap is reached; then nothing is written and nothing is held. */
  async say(
    principal: Principal | undefined,
    { userText, output, ...comer }: SayToAvatarInput,
    keyed?: KeyedRequest,
  ): Promise<Turn> {
    const conversation = await this.#open(principal, comer);
    await this.#count('turnOfVisitor', conversation.id, 'That was a lot at once. Please wait a moment.');
    try {
      const { turn } = await this.#services.turns.injectOnPage(
        conversation,
        { userText, output: output ?? 'video' },
        keyed,
      );
      return turn;
    } catch (error) {
      // Caps say so themselves, without figures; what the owner has is not disclosed.
      const isOwners = error instanceof PlatformError && OWNERS_AFFAIR.includes(error.code);
      if (isOwners && error.details) throw new PlatformError('INSUFFICIENT_CREDITS', NOT_NOW, { cause: error });
      throw error;
    }
  }

  async interrupt(
    principal: Principal | undefined,
    { turn, ...comer }: InterruptAvatarInput,
  ): Promise<InterruptedTurn> {
    const { id } = await this.#open(principal, comer);
    return this.#services.interruption.interruptIn(id, turn);
  }

  /** Nothing is kept and nothing is charged. */
  async transcribe(
    principal: Principal | undefined,
    { audio, language, ...comer }: TranscribeForAvatarInput,
  ): Promise<Transcript> {
    const { ownerUserId } = await this.#open(principal, comer);
    return this.#services.transcriptions.transcribe({ userId: ownerUserId }, { audio, language: language ?? null });
  }

  async #avatar(text: string): Promise<AvatarEntity> {
    const slug = readTalkSlug(text);
    const open = { talkSlug: slug ?? '', talkAudience: { $ne: 'nobody' as const } };
    const avatar = slug && (await this.#p.db.em().findOne(AvatarEntity, open));
    if (!avatar) throw nobody();
    return avatar;
  }

  /** The caller's conversation, of a visit that stands. */
  async #open(principal: Principal | undefined, comer: Comer): Promise<OpenConversation> {
    const avatar = await this.#avatar(comer.slug);
    const visitor = await this.#find(avatar, principal, comer);
    const conversation = visitor && (await this.#conversationOf(visitor));
    if (!conversation) throw new PlatformError('NOT_FOUND', 'This conversation has ended. Load the page again.');
    if (!isVisitAllowed(conversation)) throw blocked(avatar);
    return conversation;
  }

  /** Undefined for who has not come before; throws where the caller could not come at all. */
  async #find(
    avatar: AvatarEntity,
    principal: Principal | undefined,
    comer: Comer,
  ): Promise<VisitorEntity | undefined> {
    const em = this.#p.db.em();
    if (principal) {
      if (principal.scopes) throw new PlatformError('FORBIDDEN', 'An app cannot talk in the place of a person.');
      return (await em.findOne(VisitorEntity, { avatar: avatar.id, user: principal.userId })) ?? undefined;
    }
    if (avatar.talkAudience !== 'everyone') {
      throw new PlatformError('UNAUTHENTICATED', `Sign in to talk with ${avatar.displayName}.`);
    }
    if (!comer.visitorToken) return undefined;
    const tokenHash = sha256(comer.visitorToken);
    return (await em.findOne(VisitorEntity, { avatar: avatar.id, tokenHash })) ?? undefined;
  }

  async #add(
    avatar: AvatarEntity,
    principal: Principal | undefined,
    challenged: { address: string; slug: string; answer: string | null },
  ): Promise<{ visitor: VisitorEntity; token: string | undefined }> {
    if (principal) return { visitor: await this.#addUser(avatar, principal.userId), token: undefined };
    const addressHash = createHmac('sha256', this.#addressKey)
      .update(addressKeys(challenged.address).narrow)
      .digest('hex');
    await this.#checkAddress(avatar, addressHash);
    const key = sha256(`${avatar.id} ${addressHash}`);
    await this.#count('newVisitor', key, 'Too many visitors have come from your network. Try again later.');
    await checkNewVisitor(this.#p, challenged);
    const token = randomText(32);
    const createdAt = this.#p.clock.now();
    const visitor = await this.#p.db.transaction(async ({ em }) => {
      const user = em.create(UserEntity, { id: newId('usr', createdAt), createdAt });
      return em.create(VisitorEntity, {
        id: newId('vis', createdAt),
        avatar: avatar.id,
        user,
        tokenHash: sha256(token),
        addressHash,
        createdAt,
        seenAt: createdAt,
      });
    });
    this.#p.log.info({ avatarId: avatar.id, visitorId: visitor.id }, 'visitor came');
    return { visitor, token };
  }

  /** Two pages that a person opens at once make one visitor. */
  async #addUser(avatar: AvatarEntity, userId: string): Promise<VisitorEntity> {
    const createdAt = this.#p.clock.now();
    const made = { id: newId('vis', createdAt), avatar: avatar.id, user: userId, createdAt, seenAt: createdAt };
    return this.#p.db
      .em()
      .upsert(VisitorEntity, made, { onConflictFields: ['avatar', 'user'], onConflictMergeFields: ['seenAt'] });
  }

  /** Throws 403 where the owner has blocked a visitor of that network. */
  async #checkAddress(avatar: AvatarEntity, addressHash: string): Promise<void> {
    const fromThere = { avatar: avatar.id, addressHash, blockedAt: { $ne: null } };
    if ((await this.#p.db.em().count(VisitorEntity, fromThere)) > 0) throw blocked(avatar);
  }

  /** Counted in one step, so that requests at once do not pass together; throws 429 with a sentence for the visitor. */
  async #count(rate: RateName, key: string, sentence: string): Promise<void> {
    try {
      await this.#p.limits.count(rate, key);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      throw new PlatformError(error.code, sentence, { cause: error, ...(error.details && { details: error.details }) });
    }
  }

  async #conversationOf({ id }: VisitorEntity): Promise<OpenConversation | undefined> {
    const [row] = await conversationOfVisitor(this.#p.db, { visitorId: id });
    return row;
  }

  async #start(avatar: AvatarEntity, visitor: VisitorEntity): Promise<OpenConversation> {
    const made = { ownerId: visitor.user.id, avatarId: avatar.id, visitorId: visitor.id };
    let conversation: OpenConversation;
    try {
      conversation = await this.#services.conversations.startVisit(made);
    } catch (error) {
      // Two pages that open at once: the other one was first.
      const first = await this.#conversationOf(visitor);
      if (first) return first;
      throw error;
    }
    if (avatar.talkGreeting) {
      // Words alone are free: a greeting costs its owner nothing, however many come.
      const greeting = { userText: avatar.talkGreeting, mode: 'speak', output: 'text' } as const;
      await this.#services.turns.injectOnPage(conversation, greeting);
    }
    return conversation;
  }

  async #seen(visitor: VisitorEntity): Promise<void> {
    const nowMs = this.#p.clock.now();
    if (visitor.seenAt > nowMs - SEEN_MS) return;
    await this.#p.db.em().nativeUpdate(VisitorEntity, { id: visitor.id }, { seenAt: nowMs });
  }
}

const nobody = (): PlatformError => new PlatformError('NOT_FOUND', 'There is no avatar to talk with here.');

const blocked = ({ displayName }: AvatarEntity): PlatformError =>
  new PlatformError('FORBIDDEN', `You can no longer talk with ${displayName}.`);
