/**
 * Writing the reply of an injection: the chat engine's stream is cut into chunks of at most three sentences, and each
 * becomes a turn that is sent to render while the rest is still being written. Replies of one conversation are written
 * one after another (R4); rendering overlaps.
 */
import type { Tx } from '../kernel/database.ts';
import { PlatformError } from '../kernel/errors.ts';
import { type HistoryItem, personaPrompt } from '../kernel/persona/prompt.ts';
import { chunkSentences, SentenceChunker } from '../kernel/text/sentences.ts';
import { settleHold } from '../ledger/holds.ts';
import { StaleAttemptError } from './attempts.ts';
import { type Persona, rewriteLine, streamChat } from './chat-text.ts';
import type { Platform } from './platform.ts';
import { openRenderHolds } from './spending-cap.ts';
import { estimate, mediumOf, NO_VOICE, type TurnRequest } from './turn-plan.ts';
import { insertTurn, newTurnId } from './turn-rows.ts';
import { moveTurn } from './turn-states.ts';
import { touch } from './versions.ts';
import type { Voices } from './voices.ts';

/** Rows of history a chat engine is given at most; its prompt trims further by tokens. */
const HISTORY_ROWS = 80;

interface Injection extends Record<string, unknown> {
  id: string;
  conversationId: string;
  clientId: string | null;
  number: number;
  attempt: number;
  request: TurnRequest;
  avatarId: string;
  avatarOwnerUserId: string;
  name: string;
  personalityPrompt: string | null;
  ttsVoiceId: string | null;
}

type Needs = Pick<Platform, 'db' | 'clock' | 'hints' | 'engines' | 'jobs' | 'log'>;

/** What the avatar knows beside its persona when it answers: filled by the brain. */
export interface Recollection {
  knowledge: { text: string; source?: string }[];
  memories: { text: string; speakerName?: string }[];
}

/** What was said, to which avatar, and by whom. */
export interface Question {
  avatarId: string;
  text: string;
  userId: string;
  /** The app through which they speak. */
  clientId: string | null;
  /** The avatar as which they speak. */
  speakerAvatarId: string | null;
}

/** The memory behind a reply. Neither of its first two calls throws: an avatar also answers without its memory. */
export interface Mind {
  recollect(question: Question): Promise<Recollection>;
  /** Keeps what the speaker of an injection stated about themself, once however often it is called. */
  remember(injectionId: string): Promise<void>;
  /** Keeps what could not be kept when it was stated; how much. */
  catchUp(): Promise<number>;
}

export class Replies {
  readonly #p: Needs;
  readonly #voices: Voices;
  readonly #mind: Mind;

  constructor(platform: Needs, voices: Voices, mind: Mind) {
    this.#p = platform;
    this.#voices = voices;
    this.#mind = mind;
  }

  /**
   * Writes what the injection still lacks. `resumed` is true when an earlier attempt of the same job died. Does nothing
   * when another attempt has it, or when an earlier injection is unfinished: that one's end enqueues this one again.
   * Throws when the signal of a stopping worker ends it: the next attempt writes on.
   */
  async write(injectionId: string, resumed: boolean, signal?: AbortSignal): Promise<void> {
    const injection = await this.#claim(injectionId, resumed);
    if (!injection) return;
    try {
      await this.#rewriteUserRow(injection, signal);
      await this.#writeChunks(injection, signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      if (error instanceof StaleAttemptError) return;
      this.#p.log.error({ err: error, injectionId }, 'reply failed');
      await this.#fail(injection, error);
    }
    // Before the end is told, so that whoever waits for it finds what was said remembered.
    await this.#mind.remember(injection.id);
    await this.#finish(injection);
  }

  /** Ends a reply that nobody writes any more: its wordless turns end in error, the next reply is woken (R12). */
  async abandon(injectionId: string, message: string): Promise<void> {
    const injection = await this.#claim(injectionId, true);
    if (!injection) return;
    await this.#fail(injection, new PlatformError('UPSTREAM_FAILED', message));
    await this.#mind.remember(injection.id);
    await this.#finish(injection);
  }

  /** One statement, one round trip: it is a transaction of its own. */
  async #claim(injectionId: string, resumed: boolean): Promise<Injection | undefined> {
    const [row] = await this.#p.db.rows<Injection>(
      `update injection i set state = 'writing', attempt = attempt + 1
       from conversation c join avatar a on a.id = c.avatar_id
       where i.id = $1 and c.id = i.conversation_id and i.state = any($2)
         and not exists (select 1 from injection e where e.conversation_id = i.conversation_id
           and e.number < i.number and e.state <> 'done')
       returning i.id, i.conversation_id as "conversationId", c.client_id as "clientId", i.number, i.attempt, i.request,
         a.id as "avatarId", a.owner_user_id as "avatarOwnerUserId", a.display_name as "name",
         a.personality_prompt as "personalityPrompt", a.tts_voice_id as "ttsVoiceId"`,
      [injectionId, resumed ? ['waiting', 'writing'] : ['waiting']],
    );
    return row;
  }

  /** Chat mode with a speaker and `reinterpret`: the speaker's personality rewrites the line before it is voiced. */
  async #rewriteUserRow(injection: Injection, signal: AbortSignal | undefined): Promise<void> {
    const { request } = injection;
    if (!(request.mode === 'chat' && request.reinterpret && request.speakerAvatarId)) return;
    const [row] = await this.#p.db.rows<Persona & { id: string; output: string | null; status: string }>(
      `select t.id, t.output, t.status, a.display_name as "name", a.personality_prompt as "personalityPrompt"
       from turn t join avatar a on a.id = t.voiced_by_avatar_id where t.injection_id = $1 and t.chunk = 0`,
      [injection.id],
    );
    if (row?.status !== 'pending') return;
    const text = await rewriteLine(this.#p, row, request.userText, { task: 'reinterpret', signal });
    request.userText = text;
    await this.#p.db.transaction(async (tx) => {
      await tx.rows('update turn set user_text = $2 where id = $1', [row.id, text]);
      await tx.rows('update injection set request = $2 where id = $1', [injection.id, JSON.stringify(request)]);
      if (row.output) await this.#p.jobs.enqueue(tx, 'render', { id: row.id });
      else await moveTurn(tx, { id: row.id, attempt: 0 }, 'ready');
      touch(tx, this.#p.hints, injection.conversationId, { turnIds: [row.id] });
    });
  }

  async #writeChunks(injection: Injection, signal: AbortSignal | undefined): Promise<void> {
    const { request } = injection;
    if (request.verbatim !== null) return;
    let chunk = 0;
    // A resumed reply is written again from its start: chunks that exist are kept as they were spoken.
    for await (const text of this.#chunks(injection, signal)) {
      chunk += 1;
      await this.#addChunk(injection, chunk, text);
    }
    if (chunk === 0) throw new PlatformError('UPSTREAM_FAILED', 'The chat engine returned no words.');
  }

  async *#chunks(injection: Injection, signal: AbortSignal | undefined): AsyncGenerator<string> {
    const { request } = injection;
    if (request.mode === 'speak') {
      yield* chunkSentences(await rewriteLine(this.#p, injection, request.userText, { task: 'reinterpret', signal }));
      return;
    }
    const [recollection, history] = await Promise.all([
      this.#mind.recollect({
        avatarId: injection.avatarId,
        text: request.userText,
        userId: request.callerUserId,
        clientId: injection.clientId,
        speakerAvatarId: request.speakerAvatarId,
      }),
      this.#history(injection),
    ]);
    const prompt = personaPrompt({
      name: injection.name,
      ...(injection.personalityPrompt ? { personalityPrompt: injection.personalityPrompt } : {}),
      ...recollection,
      task: 'chat',
      history,
      userText: request.userText,
    });
    const chunker = new SentenceChunker();
    for await (const delta of streamChat(this.#p, prompt, signal)) yield* chunker.push(delta);
    const rest = chunker.end();
    if (rest) yield rest;
  }

  /** What was said before this injection, oldest first. */
  async #history(injection: Injection): Promise<HistoryItem[]> {
    const rows = await this.#p.db.rows<{ role: 'user' | 'avatar'; text: string | null }>(
      `select role, coalesce(user_text, avatar_text) as text from turn
       where conversation_id = $1 and number < $2 and status <> 'error'
       order by number desc, chunk desc limit $3`,
      [injection.conversationId, injection.number, HISTORY_ROWS],
    );
    return rows.reverse().flatMap(({ role, text }) => (text ? [{ role, text }] : []));
  }

  /** Gives a chunk its words: the shell for the first, a new turn for each later one. */
  async #addChunk(injection: Injection, chunk: number, text: string): Promise<void> {
    const { request } = injection;
    const voice = injection.ttsVoiceId
      ? await this.#voices.settingsOf(injection.ttsVoiceId, injection.avatarOwnerUserId)
      : undefined;
    const medium = mediumOf(request.output, voice);
    const nowMs = this.#p.clock.now();
    await this.#p.db.transaction(async (tx) => {
      const id = chunk === 1 ? await this.#fillShell(tx, injection, text) : newTurnId(nowMs);
      if (!id) return;
      let holdId: string | null = null;
      let error: string | null = null;
      if (chunk > 1 && medium && voice) {
        const amount = estimate(this.#p.engines.speech, medium, voice, text);
        [holdId, error] = await this.#holdLater(tx, injection, id, amount, nowMs);
      }
      await this.#fence(tx, injection);
      if (chunk > 1) {
        const inserted = await insertTurn(tx, id, {
          conversationId: injection.conversationId,
          injectionId: injection.id,
          number: injection.number,
          chunk,
          role: 'avatar',
          text,
          output: medium,
          status: error ? 'error' : medium ? 'pending' : 'ready',
          voicedByAvatarId: injection.avatarId,
          holdId,
          mediaError: request.output !== 'text' && !voice ? NO_VOICE : null,
          errorMessage: error,
          createdAt: nowMs,
        });
        if (!inserted) {
          if (holdId) await settleHold(tx, holdId, 0n, nowMs);
          return;
        }
      }
      if (medium && !error) await this.#p.jobs.enqueue(tx, 'render', { id });
      touch(tx, this.#p.hints, injection.conversationId, { turnIds: [id] });
    });
  }

  /** The shell's id once it has its words; undefined when an earlier attempt gave it its words. */
  async #fillShell(tx: Tx, injection: Injection, text: string): Promise<string | undefined> {
    const [shell] = await tx.rows<{ id: string; output: string | null }>(
      `update turn set avatar_text = $2 where injection_id = $1 and chunk = 1 and avatar_text is null
       returning id, output`,
      [injection.id, text],
    );
    if (shell && !shell.output) await moveTurn(tx, { id: shell.id, attempt: 0 }, 'ready');
    return shell?.id;
  }

  /** Each later chunk holds its own price or ends in error (R12). */
  async #holdLater(
    tx: Tx,
    injection: Injection,
    turnId: string,
    amount: bigint,
    nowMs: number,
  ): Promise<[string | null, string | null]> {
    const { payerUserId, callerUserId } = injection.request;
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
      const [holdId] = await openRenderHolds(tx, { avatarId, ownerUserId, callerUserId }, [hold], nowMs);
      return [holdId!, null];
    } catch (error) {
      if (error instanceof PlatformError && error.code === 'INSUFFICIENT_CREDITS') return [null, 'Not enough credits.'];
      throw error;
    }
  }

  async #fence(tx: Tx, injection: Injection): Promise<void> {
    const held = await tx.rows(
      `select 1 from injection where id = $1 and attempt = $2 and state = 'writing' for update`,
      [injection.id, injection.attempt],
    );
    if (held.length === 0) throw new StaleAttemptError(`Injection ${injection.id} was taken over.`);
  }

  /** Turns of this injection that wait for words will get none: they end in error, their holds go back. */
  async #fail(injection: Injection, cause: unknown): Promise<void> {
    const message = cause instanceof PlatformError ? cause.message : 'The reply could not be written.';
    const nowMs = this.#p.clock.now();
    await this.#p.db.transaction(async (tx) => {
      const wordless = await tx.rows<{ id: string; holdId: string | null; attempt: number }>(
        `select t.id, t.hold_id as "holdId", t.attempt from turn t where t.injection_id = $1 and t.status = 'pending'
           and (t.avatar_text is null and t.role = 'avatar'
             or t.chunk = 0 and not exists (select 1 from turn r where r.injection_id = $1 and r.chunk > 0 and r.avatar_text is not null))`,
        [injection.id],
      );
      for (const turn of wordless) {
        if (turn.holdId) await settleHold(tx, turn.holdId, 0n, nowMs);
        await moveTurn(tx, turn, 'error', { errorMessage: message });
      }
      if (wordless.length === 0) {
        const id = newTurnId(nowMs);
        const [last] = await tx.rows<{ chunk: number }>(
          'select max(chunk) as chunk from turn where injection_id = $1',
          [injection.id],
        );
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
        wordless.push({ id, holdId: null, attempt: 0 });
      }
      touch(tx, this.#p.hints, injection.conversationId, { turnIds: wordless.map((turn) => turn.id) });
    });
  }

  /** Ends the injection and wakes the next one of the conversation. */
  async #finish(injection: Injection): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      const ended = await tx.rows(
        `update injection set state = 'done' where id = $1 and attempt = $2 and state = 'writing' returning id`,
        [injection.id, injection.attempt],
      );
      if (ended.length === 0) return;
      // An injection that is being accepted commits before this lock or after this commit: in between, its job would
      // find this reply unfinished, and this look would not find it waiting.
      await tx.rows('select 1 from conversation where id = $1 for update', [injection.conversationId]);
      const [next] = await tx.rows<{ id: string }>(
        `select id from injection where conversation_id = $1 and state = 'waiting' and number > $2 order by number limit 1`,
        [injection.conversationId, injection.number],
      );
      if (next) await this.#p.jobs.enqueue(tx, 'reply', { id: next.id });
    });
  }
}
