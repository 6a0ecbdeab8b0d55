/**
 * Writes a chunk of a reply in one transaction, fenced by the attempt: its text goes into the pending turn or into a new
 * turn, its price is held, its render is enqueued, and the version is raised, which pushes it to viewers.
 */
import { TurnEntity } from '../../../schema/entities/turns.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { required } from '../../kernel/prepared.ts';
import { observeTurn } from '../../kernel/work-metrics.ts';
import { settleHold } from '../../ledger/holds.ts';
import { openRenderHolds } from '../accounts/spending-cap.service.ts';
import { bumpVersion } from '../conversations/conversation-version.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Voices } from '../speech/voice.service.ts';
import { fenceInjection, fenceLastChunk, type Injection, takenOver } from './injection.repository.ts';
import type { WrittenChunk } from './reply-text.service.ts';
import { insertTurn, newTurnId } from './turn.repository.ts';
import { estimate, mediumOf, NO_VOICE, renderJob } from './turn-plan.rules.ts';
import { fillPendingTurn, keepWritten, lockInjection } from './turn-work.queries.ts';

type Needs = Pick<Platform, 'db' | 'clock' | 'notifier' | 'engines' | 'jobs'>;

/** A chunk, and its place in the reply. */
interface NumberedChunk extends WrittenChunk {
  chunk: number;
}

export class ReplyChunks {
  readonly #p: Needs;
  readonly #voices: Voices;

  constructor(platform: Needs, voices: Voices) {
    this.#p = platform;
    this.#voices = voices;
  }

  /** The texts of the chunks that are written, in order. */
  async written(injection: Injection): Promise<string[]> {
    const written = await this.#p.db
      .em()
      .find(
        TurnEntity,
        { injection: injection.id, chunk: { $gt: 0 }, avatarText: { $ne: null } },
        { orderBy: { chunk: 'asc' }, fields: ['avatarText'] },
      );
    return written.flatMap(({ avatarText }) => avatarText ?? []);
  }

  /**
   * Adds the chunk with this number, from 1; the last one also records that the text is complete. Throws StaleAttemptError
   * when another attempt has the injection.
   */
  async add(injection: Injection, chunk: NumberedChunk): Promise<void> {
    await this.#p.db.transaction(await this.prepare(injection, chunk));
  }

  /** Reads all that is needed and returns what adds the chunk; inside its transaction that needs no second connection of the pool. */
  async prepare(injection: Injection, { chunk, text, isLast }: NumberedChunk): Promise<(tx: Tx) => Promise<void>> {
    const voice = injection.ttsVoiceId
      ? await this.#voices.settingsOf(injection.ttsVoiceId, injection.avatarOwnerUserId)
      : undefined;
    const medium = mediumOf(injection.request.output, voice);
    const price = medium && voice ? estimate(this.#p.engines.speech, medium, voice, text) : null;
    const nowMs = this.#p.clock.now();
    return async (tx) => {
      const id =
        chunk === 1
          ? await this.#fillPendingTurn(tx, injection, { text, isLast })
          : await this.#insert(tx, injection, { chunk, text, isLast, medium, price, isUnvoiced: !voice }, nowMs);
      if (id) bumpVersion(tx, this.#p, injection.conversationId, { turnIds: [id] });
      tx.afterCommit(() => {
        if (id && isLast) injection.request.isWritten = true;
        if (chunk === 1) observeTurn('words', injection.request.output, this.#p.clock.now() - injection.createdAt);
      });
    };
  }

  /**
   * Fills the pending turn and returns its id; its price was held when the turn was accepted. No statement is awaited: if
   * another attempt has taken over, the commit fails.
   */
  async #fillPendingTurn(tx: Tx, injection: Injection, { text, isLast }: WrittenChunk): Promise<string | undefined> {
    const { pendingTurnId: id, pendingTurnOutput } = injection;
    if (!id) return undefined;
    const fenced = required(tx, () => takenOver(injection));
    void (isLast ? keepWritten : lockInjection)(fenced, injection);
    void fillPendingTurn(fenced, { id, text });
    if (pendingTurnOutput)
      await this.#p.jobs.enqueue(tx, 'render', renderJob(id, pendingTurnOutput, injection.request));
    return id;
  }

  /** A later chunk: a turn of its own, with its own hold. */
  async #insert(
    tx: Tx,
    injection: Injection,
    chunk: NumberedChunk & {
      medium: 'audio' | 'video' | null;
      price: bigint | null;
      isUnvoiced: boolean;
    },
    nowMs: number,
  ): Promise<string | undefined> {
    const id = newTurnId(nowMs);
    const [holdId, error] =
      chunk.price === null ? [null, null] : await this.#hold(tx, injection, id, chunk.price, nowMs);
    await (chunk.isLast ? fenceLastChunk : fenceInjection)(tx, injection);
    const inserted = await insertTurn(tx, id, {
      conversationId: injection.conversationId,
      injectionId: injection.id,
      number: injection.number,
      chunk: chunk.chunk,
      role: 'avatar',
      text: chunk.text,
      output: chunk.medium,
      status: error ? 'error' : chunk.medium ? 'pending' : 'ready',
      voicedByAvatarId: injection.avatarId,
      holdId,
      mediaError: injection.request.output !== 'text' && chunk.isUnvoiced ? NO_VOICE : null,
      errorMessage: error,
      createdAt: nowMs,
    });
    if (!inserted) {
      if (holdId) await settleHold(tx, holdId, 0n, nowMs);
      return undefined;
    }
    if (chunk.medium && !error)
      await this.#p.jobs.enqueue(tx, 'render', renderJob(id, chunk.medium, injection.request));
    return id;
  }

  /** Each later chunk holds its own price or ends in error. */
  async #hold(
    tx: Tx,
    injection: Injection,
    turnId: string,
    amount: bigint,
    nowMs: number,
  ): Promise<[holdId: string | null, error: string | null]> {
    const { payerUserId, callerUserId, visitorId = null } = injection.request;
    const { avatarId, avatarOwnerUserId: ownerUserId } = injection;
    const hold = {
      source: `turn:${turnId}`,
      kind: 'turn',
      userId: payerUserId,
      amount,
      revealBalance: payerUserId === callerUserId,
      ...(payerUserId === ownerUserId ? {} : { creatorUserId: ownerUserId }),
    };
    try {
      const [holdId] = await openRenderHolds(tx, { avatarId, ownerUserId, callerUserId, visitorId }, [hold], nowMs);
      return [holdId!, null];
    } catch (error) {
      if (error instanceof PlatformError && error.code === 'INSUFFICIENT_CREDITS') return [null, error.message];
      // The visitor was blocked, or the page was closed, while the reply was being written.
      if (error instanceof PlatformError && visitorId !== null && error.code === 'FORBIDDEN') {
        return [null, error.message];
      }
      throw error;
    }
  }
}
