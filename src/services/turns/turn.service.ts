/**
 * Injecting a turn: one transaction writes the user row, the pending shell of the reply, the holds and the
 * jobs, or nothing. What the avatar will say is written by `reply.service.ts`, its media by `turn-render.service.ts`.
 */

import type { InjectedTurn } from '../../../schema/turn.ts';
import type { Principal } from '../../auth/principal.ts';
import type { VoiceSettings } from '../../engines/ports.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { HoldRequest } from '../../ledger/holds.ts';
import { statedFacts } from '../../persona/facts.ts';
import { chunkSentences } from '../../text/sentences.ts';
import { checkRoom } from '../accounts/quotas.ts';
import { openRenderHolds, type Rendering } from '../accounts/spending-cap.service.ts';
import type { OpenConversation } from '../conversations/conversation.repository.ts';
import type { Conversations } from '../conversations/conversation.service.ts';
import { bumpVersion } from '../conversations/conversation-version.ts';
import type { Platform } from '../platform.ts';
import type { Voices } from '../speech/voice.service.ts';
import { showTurn, TURN_COLUMNS, type TurnRow } from './turn.queries.ts';
import { type NewTurn, newTurnId, sendTurn } from './turn.repository.ts';
import {
  estimate,
  mediumOf,
  NO_VOICE,
  readTurnInput,
  renderJob,
  type TurnInput,
  type TurnRequest,
} from './turn-plan.ts';

interface Voiced extends Record<string, unknown> {
  id: string;
  ownerUserId: string;
  ttsVoiceId: string | null;
  publiclyRenderable: boolean;
}

/** A row to be written with the price to hold for it. */
interface PlannedTurn {
  row: Omit<NewTurn, 'conversationId' | 'injectionId' | 'createdAt' | 'holdId'>;
  id: string;
  hold: HoldRequest | null;
  /** Its text is known and it has a medium: the render can start. */
  render: boolean;
}

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
  async inject(principal: Principal, conversationIdOrSlug: string, input: TurnInput): Promise<InjectedTurn> {
    const read = readTurnInput(input);
    const conversation = await this.#conversations.own(principal, conversationIdOrSlug);
    const avatar = voicedOf(conversation);
    if (avatar.ownerUserId !== principal.userId && !avatar.publiclyRenderable) {
      throw new PlatformError('FORBIDDEN', 'This avatar is no longer publicly renderable.');
    }
    const speaker = read.speakerAvatarId === null ? undefined : await this.#ownAvatar(principal, read.speakerAvatarId);
    const request: TurnRequest = {
      ...read,
      payerUserId: principal.clientCredentials ? principal.userId : avatar.ownerUserId,
      callerUserId: principal.userId,
    };
    const nowMs = this.#p.clock.now();
    const reply = await this.#planReply(request, avatar, nowMs);
    const user = await this.#planUserRow(request, avatar, speaker, nowMs);
    const rendering = { avatarId: avatar.id, ownerUserId: avatar.ownerUserId, callerUserId: principal.userId };
    const planned = [...(user ? [user] : []), ...reply];
    const shell = await this.#accept(conversation, request, rendering, planned, reply[0]!.id, nowMs);
    this.#p.log.info({ turnId: shell.id, conversationId: conversation.id, output: request.output }, 'turn accepted');
    return {
      turn: showTurn(this.#p, shell),
      storePath: `conversations/${conversation.id}/turns/${shell.id}`,
      async: true,
    };
  }

  /** The chunks of a reply whose words are known, or the one pending shell of a reply that is still to be written. */
  async #planReply(request: TurnRequest, avatar: Voiced, nowMs: number): Promise<PlannedTurn[]> {
    const voice = await this.#voiceOf(avatar);
    const medium = mediumOf(request.output, voice);
    const mediaError = request.output !== 'text' && !voice ? NO_VOICE : null;
    const texts = request.verbatim === null ? [null] : chunkSentences(request.verbatim);
    return texts.map((text, index) => {
      const id = newTurnId(nowMs);
      // A rewritten line is about as long as the one that was given: the estimate is of the whole text.
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

  /** The caller’s own row: none in speak mode without a speaker; voiced by the speaker when there is one. */
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
    shellId: string,
    nowMs: number,
  ): Promise<TurnRow> {
    const injectionId = newId('inj', nowMs);
    const written =
      request.verbatim !== null && !(request.reinterpret && request.speakerAvatarId && request.mode === 'chat');
    let shell: TurnRow | undefined;
    const holding = planned.filter((turn) => turn.hold);
    const requests = holding.map((turn) => turn.hold!);
    for (const userId of new Set(requests.map((hold) => hold.userId))) {
      await checkRoom(this.#p.db, this.#p.config, userId, 'storageBytes');
    }
    await this.#p.db.transaction(async (tx) => {
      const holdIds = await openRenderHolds(tx, rendering, requests, nowMs);
      tx.send('insert into injection (id, conversation_id, state, request, created_at) values ($1, $2, $3, $4, $5)', [
        injectionId,
        conversation.id,
        written ? 'done' : 'waiting',
        JSON.stringify(request),
        nowMs,
      ]);
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
      // A reply remembers what its speaker stated; where none is written, nobody else would.
      if (written && request.mode === 'chat' && statedFacts(request.userText).length > 0) {
        await this.#p.jobs.enqueue(tx, 'remember', { id: injectionId, account: request.callerUserId });
      }
      bumpVersion(tx, this.#p.notifier, conversation.id, { turnIds: planned.map((turn) => turn.id), injectionId });
      tx.beforeCommit('shell', () => ({
        sql: `select ${TURN_COLUMNS} from turn t where t.id = $1`,
        values: [shellId],
        committed: ([row]) => {
          shell = row as TurnRow;
        },
      }));
    });
    return shell!;
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

  async #ownAvatar(principal: Principal, avatarId: string): Promise<Voiced> {
    const [avatar] = await this.#p.db.rows<Voiced>(
      `select id, owner_user_id as "ownerUserId", tts_voice_id as "ttsVoiceId",
         publicly_renderable as "publiclyRenderable" from avatar where id = $1 and owner_user_id = $2`,
      [avatarId, principal.userId],
    );
    if (!avatar) throw new PlatformError('NOT_FOUND', 'Speaker avatar not found.');
    return avatar;
  }
}

/** The avatar that a conversation is with. */
const voicedOf = (conversation: OpenConversation): Voiced => ({
  id: conversation.avatarId,
  ownerUserId: conversation.avatarOwnerUserId,
  ttsVoiceId: conversation.avatarVoiceId,
  publiclyRenderable: conversation.avatarIsRenderable,
});
