/**
 * Writes the reply of an injection. Each complete chunk becomes a turn and is rendered while the rest is still being
 * written. A failed attempt is retried and continues after the chunks that are written; only the last failure ends the
 * reply in error. Replies of one conversation are written one after another; rendering overlaps.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { InjectionEntity, TurnEntity } from '../../../schema/entities/turns.ts';
import type { Tx } from '../../kernel/database.ts';
import { isRefusal, PlatformError } from '../../kernel/errors.ts';
import { refusalFields } from '../../kernel/log.ts';
import { countFailure } from '../../kernel/work-metrics.ts';
import { lockHolds, settleHold } from '../../ledger/holds.ts';
import { statedFacts } from '../../persona/stated-facts.ts';
import type { MemoryPort } from '../brain/memory.port.ts';
import { bumpVersion } from '../conversations/conversation-version.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Voices } from '../speech/voice.service.ts';
import { type Attempts, isFinal, isStopping, StaleAttemptError } from '../work/attempt-failure.rules.ts';
import { type Persona, rewriteUserText } from './chat-stream.service.ts';
import { claimInjection, endInjection, fenceInjection, type Injection } from './injection.repository.ts';
import { ReplyChunks } from './reply-chunk.service.ts';
import { ReplyText, readHistory, type WrittenChunk } from './reply-text.service.ts';
import { insertTurn, newTurnId } from './turn.repository.ts';
import { renderJob } from './turn-plan.rules.ts';
import { transitionTurn } from './turn-state.repository.ts';
import { type History, takeInjection } from './turn-work.queries.ts';

type Needs = Pick<Platform, 'db' | 'clock' | 'notifier' | 'engines' | 'jobs' | 'log'>;

/** How long the transaction that starts a reply waits for the first chunk: not much longer than a commit waits for the disk. */
const JOIN_MS = 10;

/** What a job says of the attempt it makes. */
export interface ReplyAttempt extends Attempts {
  /** An earlier attempt failed, died or was requeued: this one continues its work. */
  isRetry: boolean;
  signal?: AbortSignal;
  /** Ends the job in the transaction that ends the reply. */
  complete?(tx: Tx): void;
}

export class Replies {
  readonly #p: Needs;
  readonly #words: ReplyText;
  readonly #chunks: ReplyChunks;
  readonly #memory: MemoryPort;

  constructor(platform: Needs, voices: Voices, memory: MemoryPort) {
    this.#p = platform;
    this.#words = new ReplyText(platform, memory);
    this.#chunks = new ReplyChunks(platform, voices);
    this.#memory = memory;
  }

  /**
   * Writes the chunks that are still missing. Does nothing when another attempt works on the injection, or when an
   * earlier injection of the conversation is unfinished: when that ends, this one is enqueued again. Throws when another
   * attempt may succeed, or when the worker stops.
   */
  async write(injectionId: string, attempt: ReplyAttempt): Promise<void> {
    await this.#write(await claimInjection(this.#p, injectionId, attempt.isRetry), attempt);
  }

  /**
   * Claims a reply for its first attempt, in the transaction that starts its job; `run` then writes it as `write` does. The
   * embedded chat begins to write before the commit, and `join` adds its first chunk to that transaction.
   */
  async claim(
    tx: Pick<Tx, 'rows'>,
    given: { id: string; startedJob: string | null },
  ): Promise<{
    prepare(): void;
    join(tx: Tx): Promise<void>;
    drop(): void;
    run(attempt: ReplyAttempt): Promise<void>;
  }> {
    const [[injection], history] = await Promise.all([
      takeInjection(tx, { ...given, isRetry: false }),
      readHistory(tx, given),
    ]);
    const ending = new AbortController();
    const isChat = injection && injection.request.mode === 'chat' && injection.request.verbatim === null;
    let begun: Begun | undefined;
    return {
      prepare: () => {
        if (isChat && !waitsForRewrite(injection)) begun = this.#begin(injection, history, ending.signal);
      },
      join: async (joined) => {
        if (injection && begun) await this.#join(joined, injection, begun);
      },
      drop: () => {
        ending.abort(new Error('The reply was not taken.'));
        begun?.close();
      },
      run: (attempt) => {
        const end = (): void => ending.abort(attempt.signal?.reason);
        if (attempt.signal?.aborted) end();
        else attempt.signal?.addEventListener('abort', end, { once: true });
        return this.#write(injection, attempt, begun);
      },
    };
  }

  /** Reads the prompt. The embedded chat also begins to write; a provider's model costs money and is asked after the commit. */
  #begin(injection: Injection, history: History, signal: AbortSignal): Begun {
    const prompt = this.#words.prompt(injection, history);
    const chunks = this.#p.engines.chatIsEmbedded ? this.#words.chunks(injection, [], signal, prompt) : undefined;
    const first = chunks?.next();
    for (const work of [prompt, first]) work?.catch(() => {});
    const close = (): void => void chunks?.return(undefined).catch(() => {});
    return { prompt, written: first && chunks && follow(first, chunks), first, isAdded: false, close };
  }

  /** Adds the first chunk to the transaction that starts the reply, if it is written in time: that saves a commit. */
  async #join(tx: Tx, injection: Injection, begun: Begun): Promise<void> {
    if (!begun.first) return;
    const late = pause(JOIN_MS, undefined, { ref: false });
    const adding = begun.first.then(({ value, done }) =>
      done ? undefined : this.#chunks.prepare(injection, { ...value, chunk: 1 }),
    );
    // A failure is reported by `#write`, which awaits the same chunk.
    const add = await Promise.race([late, adding]).catch(() => undefined);
    if (!add) return;
    await add(tx);
    tx.afterCommit(() => {
      begun.isAdded = true;
    });
  }

  async #write(
    injection: Injection | undefined,
    { signal, complete, ...attempts }: ReplyAttempt,
    begun?: Begun,
  ): Promise<void> {
    if (!injection) return;
    try {
      await this.#rewriteUserRow(injection, signal);
      await this.#writeChunks(injection, signal, begun);
    } catch (error) {
      if (isStopping(signal)) throw error;
      if (error instanceof StaleAttemptError) return;
      const ends = isFinal(error, attempts);
      const what = { injectionId: injection.id };
      if (isRefusal(error)) this.#p.log.info({ ...what, ...refusalFields(error) }, 'reply refused');
      else this.#p.log.error({ err: error, ...what, isFinal: ends }, 'reply failed');
      if (!ends) throw error;
      if (!(await this.#fail(injection, error))) return;
      if (!isRefusal(error)) countFailure();
    }
    // Before the reply is seen to end, so that the facts are stored when the next question comes.
    await this.#remember(injection);
    await endInjection(this.#p, injection, complete);
  }

  /** Ends a reply that no attempt works on: its turns without text end in error, the next reply is enqueued. */
  async failOrphan(injectionId: string, message: string): Promise<void> {
    const injection = await claimInjection(this.#p, injectionId, true);
    if (!injection) return;
    if (!(await this.#fail(injection, new PlatformError('UPSTREAM_FAILED', message)))) return;
    await this.#remember(injection);
    await endInjection(this.#p, injection);
  }

  /** Checks the words first: most turns state no fact, and need no query of the memory. */
  async #remember({ id, request }: Injection): Promise<void> {
    if (request.mode === 'chat' && statedFacts(request.userText).length > 0) await this.#memory.remember(id);
  }

  /** Chat mode with a speaker and `reinterpret`: the speaker's personality rewrites the line before it is voiced. */
  async #rewriteUserRow(injection: Injection, signal: AbortSignal | undefined): Promise<void> {
    const { request } = injection;
    if (!waitsForRewrite(injection)) return;
    const row = await this.#p.db
      .em()
      .findOne(TurnEntity, { injection: injection.id, chunk: 0 }, { populate: ['voicedBy'] });
    if (!row) return;
    const { displayName: name, personalityPrompt } = row.voicedBy.$;
    const persona: Persona = { name, personalityPrompt: personalityPrompt ?? null };
    const text = await rewriteUserText(this.#p, persona, request.userText, { task: 'reinterpret', signal });
    const rewritten = { ...request, userText: text, reinterpret: false };
    await this.#p.db.transaction(async (tx) => {
      await fenceInjection(tx, injection);
      await tx.em.nativeUpdate(TurnEntity, row.id, { userText: text });
      // Kept, so that a later attempt speaks the same line.
      await tx.em.nativeUpdate(InjectionEntity, injection.id, { request: rewritten });
      if (row.output) await this.#p.jobs.enqueue(tx, 'render', renderJob(row.id, row.output, request));
      else await transitionTurn(tx, { id: row.id, attempt: 0 }, 'ready');
      bumpVersion(tx, this.#p, injection.conversationId, { turnIds: [row.id] });
    });
    injection.request = rewritten;
  }

  async #writeChunks(injection: Injection, signal: AbortSignal | undefined, begun: Begun | undefined): Promise<void> {
    // The transaction that started the reply may have written its only chunk.
    if (injection.request.verbatim !== null || injection.request.isWritten) return;
    const spoken = injection.attempt > 1 ? await this.#chunks.written(injection) : [];
    let chunk = spoken.length;
    const written = begun?.written ?? this.#words.chunks(injection, spoken, signal, begun?.prompt);
    for await (const { text, isLast } of written) {
      chunk += 1;
      if (chunk > 1 || !begun?.isAdded) await this.#chunks.add(injection, { chunk, text, isLast });
    }
    if (chunk === 0) throw new PlatformError('UPSTREAM_FAILED', 'The chat engine returned no words.');
  }

  /**
   * Ends the turns of this injection that have no text in error and releases their holds. When all turns have text, adds
   * one that says the rest is missing. False when another attempt has the injection.
   */
  async #fail(injection: Injection, cause: unknown): Promise<boolean> {
    const message = cause instanceof PlatformError ? cause.message : 'The reply could not be written.';
    const nowMs = this.#p.clock.now();
    try {
      await this.#p.db.transaction(async (tx) => {
        const wordless = await wordlessTurns(tx, injection);
        const holds = wordless.flatMap(({ hold }) => hold?.id ?? []);
        await lockHolds(tx, holds);
        await fenceInjection(tx, injection);
        for (const holdId of holds) await settleHold(tx, holdId, 0n, nowMs);
        for (const turn of wordless) await transitionTurn(tx, turn, 'error', { errorMessage: message });
        const turnIds = wordless.map(({ id }) => id);
        if (turnIds.length === 0) turnIds.push(await insertError(tx, injection, message, nowMs));
        bumpVersion(tx, this.#p, injection.conversationId, { turnIds });
      });
      return true;
    } catch (error) {
      if (error instanceof StaleAttemptError) return false;
      throw error;
    }
  }
}

/** A reply whose writing began before the transaction that starts it was committed. */
interface Begun {
  prompt: Promise<LanguageModelV4Prompt>;
  /** All its chunks, and the first of them; absent where a provider's model writes them, which is asked after the commit. */
  written: AsyncIterable<WrittenChunk> | undefined;
  first: Promise<IteratorResult<WrittenChunk>> | undefined;
  /** The first is in the transaction that started the reply. */
  isAdded: boolean;
  /** Ends the writing of a reply that will not be read. */
  close(): void;
}

async function* follow(
  first: Promise<IteratorResult<WrittenChunk>>,
  rest: AsyncGenerator<WrittenChunk>,
): AsyncGenerator<WrittenChunk> {
  try {
    const { value, done } = await first;
    if (!done) yield value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Whether the user's row has no text yet, because it is to be rewritten in the speaker's personality. */
function waitsForRewrite({ request }: Injection): boolean {
  return request.mode === 'chat' && request.reinterpret && request.speakerAvatarId !== null;
}

/** The turns of an injection without text: of the reply, and the user's row where it is to be rewritten. */
function wordlessTurns(tx: Tx, injection: Injection): Promise<TurnEntity[]> {
  const ofReply = { role: 'avatar', avatarText: null } as const;
  const which = waitsForRewrite(injection) ? { $or: [ofReply, { chunk: 0 }] } : ofReply;
  return tx.em.find(TurnEntity, { injection: injection.id, status: 'pending', ...which });
}

/** Inserts a turn after the last chunk with the error message; returns its id. */
async function insertError(tx: Tx, injection: Injection, message: string, nowMs: number): Promise<string> {
  const id = newTurnId(nowMs);
  const last = await tx.em.findOne(TurnEntity, { injection: injection.id }, { orderBy: { chunk: 'desc' } });
  await insertTurn(tx, id, {
    conversationId: injection.conversationId,
    injectionId: injection.id,
    number: injection.number,
    chunk: (last?.chunk ?? 0) + 1,
    role: 'avatar',
    text: null,
    output: null,
    status: 'error',
    voicedByAvatarId: injection.avatarId,
    errorMessage: message,
    createdAt: nowMs,
  });
  return id;
}
