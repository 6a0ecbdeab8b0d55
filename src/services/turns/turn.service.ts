/**
 * Accepting a turn: one transaction writes the user's row, the pending turn of the reply, the holds and the jobs, or
 * nothing. `reply.service.ts` then writes the reply, `turn-render.service.ts` its media.
 */

import { AvatarEntity } from '../../../schema/entities/avatars.ts';
import type { InjectTurnInput } from '../../../schema/inputs/turn.ts';
import type { InjectedTurn } from '../../../schema/turn.ts';
import type { KeyedRequest, Principal } from '../../auth/principal.ts';
import type { VoiceSettings } from '../../engines/ports/index.ts';
import { isGone } from '../../kernel/constraint-errors.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { sent } from '../../kernel/prepared.ts';
import { currentOrigin } from '../../kernel/work-account.ts';
import { inPhase } from '../../kernel/work-metrics.ts';
import type { HoldRequest } from '../../ledger/holds.ts';
import { statedFacts } from '../../persona/stated-facts.ts';
import { chunkSentences } from '../../text/sentences.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkRoom } from '../accounts/quota.service.ts';
import { openRenderHolds, type Rendering } from '../accounts/spending-cap.service.ts';
import type { OpenConversation } from '../conversations/conversation.queries.ts';
import type { Conversations } from '../conversations/conversation.service.ts';
import { bumpVersion } from '../conversations/conversation-version.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Voices } from '../speech/voice.service.ts';
import { checkWaiting } from '../work/waiting-work.service.ts';
import { type ShownTurn, showTurn } from './turn.queries.ts';
import { type NewTurn, newTurnId, sendTurn } from './turn.repository.ts';
import {
  estimate,
  mediumOf,
  NO_VOICE,
  readTurnInput,
  renderJob,
  type TurnRequest,
  type TurnWords,
} from './turn-plan.rules.ts';
import { insertInjection } from './turn-work.queries.ts';

interface Voiced {
  id: string;
  ownerUserId: string;
  ttsVoiceId: string | null;
  publiclyRenderable: boolean;
}

/** A turn to be inserted, and the price to hold for it. */
interface PlannedTurn {
  row: Omit<NewTurn, 'conversationId' | 'injectionId' | 'createdAt' | 'holdId'>;
  id: string;
  hold: HoldRequest | null;
  /** Its text is known and it has a medium: the render can start. */
  render: boolean;
}

/** What is needed to know of the caller. */
type Caller = Pick<Principal, 'userId' | 'clientCredentials' | 'keyed'>;

export class Turns {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config' | 'links' | 'notifier' | 'engines' | 'jobs' | 'log'>;
  readonly #conversations: Conversations;
  readonly #voices: Voices;

  constructor(
    platform: Pick<Platform, 'db' | 'clock' | 'config' | 'links' | 'notifier' | 'engines' | 'jobs' | 'log'>,
    conversations: Conversations,
    voices: Voices,
  ) {
    this.#p = platform;
    this.#conversations = conversations;
    this.#voices = voices;
  }

  /** Accepts a turn. Throws 400, 402 (with both amounts), 403 or 404; then nothing is written and nothing is held. */
  async inject(principal: Principal, input: InjectTurnInput): Promise<InjectedTurn> {
    const conversation = await this.#conversations.own(principal, input.conversationId);
    if (conversation.avatarOwnerUserId !== principal.userId && !conversation.avatarIsRenderable) {
      throw new PlatformError('FORBIDDEN', 'This avatar is no longer publicly renderable.');
    }
    return this.#inject(principal, conversation, input);
  }

  /** The same for a visitor of the avatar's page whose visit is allowed: the avatar's owner pays, up to their caps. */
  injectOnPage(conversation: OpenConversation, input: TurnWords, keyed?: KeyedRequest): Promise<InjectedTurn> {
    return this.#inject({ userId: conversation.ownerUserId, ...(keyed ? { keyed } : {}) }, conversation, input);
  }

  async #inject(principal: Caller, conversation: OpenConversation, input: TurnWords): Promise<InjectedTurn> {
    const read = readTurnInput(input);
    const avatar = voicedOf(conversation);
    const { visitorId } = conversation;
    const speaker = read.speakerAvatarId === null ? undefined : await this.#ownAvatar(principal, read.speakerAvatarId);
    const origin = currentOrigin();
    const request: TurnRequest = {
      ...read,
      ...(origin ? { origin } : {}),
      payerUserId: principal.clientCredentials ? principal.userId : avatar.ownerUserId,
      callerUserId: principal.userId,
      ...(visitorId === null ? {} : { visitorId }),
    };
    const nowMs = this.#p.clock.now();
    const reply = await this.#planReply(request, avatar, nowMs);
    const user = await this.#planUserRow(request, avatar, speaker, nowMs);
    const { id: avatarId, ownerUserId } = avatar;
    const rendering = { avatarId, ownerUserId, callerUserId: principal.userId, visitorId };
    const planned = [...(user ? [user] : []), ...reply];
    const { id } = reply[0]!;
    const injected = {
      turn: showTurn(this.#p, pendingTurnOf(reply[0]!, nowMs)),
      storePath: `conversations/${conversation.id}/turns/${id}`,
      async: true,
    };
    await inPhase('accept', request.output, () =>
      this.#accept(conversation, request, rendering, planned, nowMs, (tx) => keepResult(tx, principal, injected)),
    ).catch((error: unknown) => {
      throw deletedMeanwhile(error) ?? error;
    });
    this.#p.log.info({ turnId: id, conversationId: conversation.id, output: request.output }, 'turn accepted');
    return injected;
  }

  /** The chunks of a reply whose words are known, or the one pending turn of a reply that is still to be written. */
  async #planReply(request: TurnRequest, avatar: Voiced, nowMs: number): Promise<PlannedTurn[]> {
    const voice = await this.#voiceOf(avatar);
    const medium = mediumOf(request.output, voice);
    const mediaError = request.output !== 'text' && !voice ? NO_VOICE : null;
    const texts = request.verbatim === null ? [null] : chunkSentences(request.verbatim);
    return texts.map((text, index) => {
      const id = newTurnId(nowMs);
      // The price is estimated from the given text: a rewritten line is about as long.
      const estimated = text ?? (request.mode === 'speak' ? request.userText : null);
      return {
        id,
        row: {
          chunk: index + 1,
          role: 'avatar',
          text,
          output: medium,
          status: medium === null && text !== null ? 'ready' : 'pending',
          voicedByAvatarId: avatar.id,
          mediaError,
        },
        hold:
          medium && voice
            ? this.#hold(request, id, avatar, estimate(this.#p.engines.speech, medium, voice, estimated))
            : null,
        render: medium !== null && text !== null,
      };
    });
  }

  /** The user's row, voiced by the speaking avatar if there is one. In speak mode without a speaker there is no such row. */
  async #planUserRow(
    request: TurnRequest,
    avatar: Voiced,
    speaker: Voiced | undefined,
    nowMs: number,
  ): Promise<PlannedTurn | undefined> {
    if (request.mode === 'speak' && !speaker) return undefined;
    const voice = speaker && (await this.#voiceOf(speaker));
    const medium = speaker ? mediumOf(request.userOutput, voice) : null;
    const rewritten = speaker !== undefined && request.mode === 'chat' && request.reinterpret;
    const id = newTurnId(nowMs);
    const price = medium && voice ? estimate(this.#p.engines.speech, medium, voice, request.userText) : null;
    return {
      id,
      row: {
        chunk: 0,
        role: 'user',
        text: request.userText,
        output: medium,
        status: medium === null && !rewritten ? 'ready' : 'pending',
        voicedByAvatarId: speaker?.id ?? avatar.id,
        mediaError: speaker && request.userOutput !== 'text' && !voice ? NO_VOICE : null,
      },
      hold: price === null ? null : this.#hold({ ...request, payerUserId: request.callerUserId }, id, speaker!, price),
      render: medium !== null && !rewritten,
    };
  }

  async #accept(
    conversation: OpenConversation,
    request: TurnRequest,
    rendering: Rendering,
    planned: PlannedTurn[],
    nowMs: number,
    keep: (tx: Tx) => void,
  ): Promise<void> {
    const injectionId = newId('inj', nowMs);
    const written =
      request.verbatim !== null && !(request.reinterpret && request.speakerAvatarId && request.mode === 'chat');
    const holding = planned.filter((turn) => turn.hold);
    const requests = holding.map((turn) => turn.hold!);
    const waiting = {
      account: request.callerUserId,
      kinds: [
        ...(planned.some(({ render }) => render) ? ['render' as const] : []),
        ...(written ? [] : ['reply' as const]),
      ],
      ...(written ? {} : { conversationId: conversation.id }),
    };
    await this.#p.db.transaction(async (tx) => {
      // Pipelined with the ledger's locks, which saves a round trip.
      const room = Promise.all([this.#checkRooms(tx, requests), checkWaiting(tx, waiting)]);
      room.catch(() => {});
      const holdIds = await openRenderHolds(tx, rendering, requests, nowMs);
      await room;
      void insertInjection(sent(tx), {
        id: injectionId,
        conversationId: conversation.id,
        state: written ? 'done' : 'waiting',
        request,
        createdAt: nowMs,
      });
      for (const turn of planned) {
        const holdId = holdIds[holding.indexOf(turn)] ?? null;
        sendTurn(tx, turn.id, {
          ...turn.row,
          conversationId: conversation.id,
          injectionId,
          holdId,
          createdAt: nowMs,
        });
      }
      await this.#enqueue(tx, request, planned, written ? undefined : injectionId);
      // Stated facts are stored when a reply is written. This turn gets no written reply, so they are queued here.
      if (written && request.mode === 'chat' && statedFacts(request.userText).length > 0) {
        await this.#p.jobs.enqueue(tx, 'remember', { id: injectionId, account: request.callerUserId });
      }
      bumpVersion(tx, this.#p, conversation.id, { turnIds: planned.map((turn) => turn.id), injectionId });
      keep(tx);
    });
  }

  async #enqueue(tx: Tx, request: TurnRequest, planned: PlannedTurn[], injectionId: string | undefined): Promise<void> {
    for (const { id, row, render } of planned)
      if (render) await this.#p.jobs.enqueue(tx, 'render', renderJob(id, row.output, request));
    if (injectionId) await this.#p.jobs.enqueue(tx, 'reply', { id: injectionId, account: request.callerUserId });
  }

  #hold(request: TurnRequest, turnId: string, avatar: Voiced, amount: bigint): HoldRequest {
    return {
      source: `turn:${turnId}`,
      kind: 'turn',
      userId: request.payerUserId,
      amount,
      revealBalance: request.payerUserId === request.callerUserId,
      ...(avatar.ownerUserId === request.payerUserId ? {} : { creatorUserId: avatar.ownerUserId }),
    };
  }

  async #voiceOf(avatar: Voiced): Promise<VoiceSettings | undefined> {
    return avatar.ttsVoiceId ? this.#voices.settingsOf(avatar.ttsVoiceId, avatar.ownerUserId) : undefined;
  }

  async #ownAvatar(principal: Caller, avatarId: string): Promise<Voiced> {
    const avatar = await this.#p.db.em().findOne(AvatarEntity, { id: avatarId, owner: principal.userId });
    if (!avatar) throw new PlatformError('NOT_FOUND', 'Speaker avatar not found.');
    const { id, ttsVoiceId, publiclyRenderable } = avatar;
    return { id, ownerUserId: principal.userId, ttsVoiceId: ttsVoiceId ?? null, publiclyRenderable };
  }

  /** Throws unless every payer has storage left for the media. */
  async #checkRooms(tx: Tx, requests: readonly HoldRequest[]): Promise<void> {
    const payers = [...new Set(requests.map(({ userId }) => userId))];
    await Promise.all(payers.map((userId) => checkRoom(tx, this.#p.config, userId, 'storageBytes')));
  }
}

/** The first turn of a reply, as it is written. */
const pendingTurnOf = ({ id, row }: PlannedTurn, createdAt: number): ShownTurn => ({
  id,
  role: row.role,
  userText: null,
  avatarText: row.text,
  output: row.output,
  status: row.status,
  audioKey: null,
  videoKey: null,
  streamKey: null,
  shareSlug: null,
  errorMessage: null,
  mediaError: row.mediaError ?? null,
  words: null,
  seconds: null,
  heardText: null,
  createdAt,
});

/** The avatar that a conversation is with. */
const voicedOf = (conversation: OpenConversation): Voiced => ({
  id: conversation.avatarId,
  ownerUserId: conversation.avatarOwnerUserId,
  ttsVoiceId: conversation.avatarVoiceId,
  publiclyRenderable: conversation.avatarIsRenderable,
});

/** What a turn is answered whose conversation, or the avatar that speaks in it, was deleted after it was read. */
function deletedMeanwhile(error: unknown): PlatformError | undefined {
  if (
    isGone(
      error,
      'injection_conversation_id_fkey',
      'turn_conversation_id_fkey',
      'conversation_turn_conversation_id_fkey',
      'non_owner_spending_avatar_id_fkey',
    )
  ) {
    return new PlatformError('NOT_FOUND', 'Conversation not found.');
  }
  const isSpeakerGone = isGone(error, 'turn_voiced_by_avatar_id_fkey', 'conversation_turn_voiced_by_avatar_id_fkey');
  return isSpeakerGone ? new PlatformError('NOT_FOUND', 'Speaker avatar not found.') : undefined;
}
