/**
 * The text of a reply: prompts the chat engine with persona, memories and history, and cuts its stream into chunks of at
 * most three sentences. A reply that was interrupted by an error continues after the chunks that were written, and
 * never repeats them. It writes no turn.
 */
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Tx } from '../../kernel/database.ts';
import { personaPrompt } from '../../persona/prompt.ts';
import { chunkSentences, SentenceChunker } from '../../text/sentences.ts';
import type { MemoryPort, RecalledContext } from '../brain/memory.port.ts';
import type { Platform } from '../platform/platform.port.ts';
import { rewriteUserText, streamChat } from './chat-stream.service.ts';
import { type Injection, takenOver } from './injection.repository.ts';
import { continuationPrompt, SpokenSentenceFilter } from './reply-continuation.rules.ts';
import { ReplyDraft } from './reply-draft.service.ts';
import { type History, historyBefore, keepRewritten } from './turn-work.queries.ts';

/** What an avatar without memories recalls. Its five reads are skipped: they take most of the time of a prompt. */
const NOTHING: RecalledContext = { knowledge: [], memories: [] };

/** Rows of history a chat engine is given at most; its prompt trims further by tokens. */
const HISTORY_ROWS = 80;

/** A chunk of a reply. `isLast` stays false where the reply ends with a full group of sentences: then its end is not known yet. */
export interface WrittenChunk {
  text: string;
  isLast: boolean;
}

const more = (text: string): WrittenChunk => ({ text, isLast: false });

/** Writes the text of replies. */
export class ReplyText {
  readonly #p: Pick<Platform, 'db' | 'engines' | 'notifier'>;
  readonly #memory: MemoryPort;

  constructor(platform: Pick<Platform, 'db' | 'engines' | 'notifier'>, memory: MemoryPort) {
    this.#p = platform;
    this.#memory = memory;
  }

  /**
   * The chunks that follow those in `spoken`, each as soon as it is complete. Throws what the chat engine throws.
   * @param prepared its prompt, where that was read already
   */
  async *chunks(
    injection: Injection,
    spoken: string[],
    signal: AbortSignal | undefined,
    prepared?: Promise<LanguageModelV4Prompt>,
  ): AsyncGenerator<WrittenChunk> {
    if (injection.request.mode === 'speak') {
      const texts = chunkSentences(await this.#line(injection, signal));
      const chunks = texts.map((text, index) => ({ text, isLast: index === texts.length - 1 }));
      yield* chunks.slice(spoken.length);
      return;
    }
    const prompt = await (prepared ?? this.prompt(injection));
    const chunker = new SentenceChunker();
    if (spoken.length === 0) {
      yield* this.#written(injection, chunker, streamChat(this.#p, prompt, signal));
    } else {
      // The embedded engine repeats the reply, and the written part is filtered out; a model is asked to continue.
      const asked = this.#p.engines.chatIsEmbedded ? prompt : continuationPrompt(prompt, spoken);
      const spokenFilter = new SpokenSentenceFilter(spoken);
      for await (const delta of streamChat(this.#p, asked, signal)) {
        yield* chunker.push(spokenFilter.push(delta)).map(more);
      }
      yield* chunker.push(spokenFilter.end()).map(more);
    }
    const rest = chunker.end();
    if (rest) yield { text: rest, isLast: true };
  }

  /** The chunks of a new reply; viewers see the first one grow word by word. */
  async *#written(
    { conversationId, pendingTurnId }: Injection,
    chunker: SentenceChunker,
    deltas: AsyncIterable<string>,
  ): AsyncGenerator<WrittenChunk> {
    const draft = pendingTurnId ? new ReplyDraft(this.#p.notifier, conversationId, pendingTurnId) : undefined;
    try {
      for await (const delta of deltas) {
        draft?.push(delta);
        for (const chunk of chunker.push(delta)) {
          draft?.end();
          yield more(chunk);
        }
      }
    } finally {
      draft?.end();
    }
  }

  /** The given line rewritten by the persona. It is stored before it is used, so that a later attempt continues the same. */
  async #line(injection: Injection, signal: AbortSignal | undefined): Promise<string> {
    const { request } = injection;
    if (request.rewritten !== undefined) return request.rewritten;
    const rewritten = await rewriteUserText(this.#p, injection, request.userText, { task: 'reinterpret', signal });
    const kept = await keepRewritten(this.#p.db, { id: injection.id, attempt: injection.attempt, rewritten });
    if (kept.length === 0) throw takenOver(injection);
    return rewritten;
  }

  /**
   * What a reply of chat mode is written from: persona, memories, history and what was said.
   * @param read the history, where that was read already
   */
  async prompt(injection: Injection, read?: History): Promise<LanguageModelV4Prompt> {
    const { request } = injection;
    const [recalled, history] = await Promise.all([
      injection.hasMemory
        ? this.#memory.recall({
            avatarId: injection.avatarId,
            text: request.userText,
            userId: request.callerUserId,
            clientId: injection.clientId,
            speakerAvatarId: request.speakerAvatarId,
          })
        : NOTHING,
      read ?? readHistory(this.#p.db, { id: injection.id, startedJob: null }),
    ]);
    return personaPrompt({
      name: injection.name,
      ...(injection.personalityPrompt ? { personalityPrompt: injection.personalityPrompt } : {}),
      ...recalled,
      task: 'chat',
      history: history.toReversed().flatMap(({ role, text }) => (text ? [{ role, text }] : [])),
      userText: request.userText,
    });
  }
}

/** What was said before an injection, newest first. */
export const readHistory = (db: Pick<Tx, 'rows'>, given: { id: string; startedJob: string | null }): Promise<History> =>
  historyBefore(db, { ...given, limit: HISTORY_ROWS });
