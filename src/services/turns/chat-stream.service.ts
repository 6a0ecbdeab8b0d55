/** Text from the chat engine: streamed, with a limit on its silence, or one line rewritten in a persona's manner. */
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { PlatformError } from '../../kernel/errors.ts';
import { personaPrompt } from '../../persona/prompt.ts';
import type { Platform } from '../platform/platform.port.ts';

/** A chat engine that says nothing for this long has failed. */
const CHAT_TIMEOUT_MS = 120_000;

/** A stream that was cut off behind a whole sentence is taken as complete; anywhere else its server went away. */
const SENTENCE_END = /[.!?…。！？]["'”’»)\]*]*\s*$/u;

/** How much of the end of a stream is kept to look for `SENTENCE_END`. */
const TAIL_CHARS = 16;

/** What a rewrite needs of an avatar. */
export interface Persona {
  name: string;
  personalityPrompt: string | null;
}

/** Text deltas of the chat engine; throws when it fails or falls silent, and the signal's reason when it aborts. */
export async function* streamChat(
  { engines }: Pick<Platform, 'engines'>,
  prompt: LanguageModelV4Prompt,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  signal?.throwIfAborted();
  const silence = new AbortController();
  const abortSignal = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  let tail = '';
  let timer = setTimeout(() => silence.abort(), CHAT_TIMEOUT_MS);
  try {
    const { stream } = await engines.chat.doStream({ prompt, abortSignal });
    for await (const part of stream) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), CHAT_TIMEOUT_MS);
      if (part.type === 'text-delta') {
        // PostgreSQL refuses null characters, which small models sometimes produce: the whole reply would fail.
        const delta = part.delta.replaceAll('\0', '');
        tail = (tail + delta).slice(-TAIL_CHARS);
        yield delta;
      }
      if (part.type === 'error') throw part.error;
      if (part.type === 'finish' && part.finishReason.unified === 'interrupted' && !SENTENCE_END.test(tail)) {
        throw new PlatformError('UPSTREAM_FAILED', 'The chat engine broke off its reply.');
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** A line rewritten: `reinterpret` for turns, `personality` for one-shot speech. Throws when the engine has no words. */
export async function rewriteUserText(
  p: Pick<Platform, 'engines'>,
  persona: Persona,
  text: string,
  how: { task: 'reinterpret' | 'personality'; language?: string | null; signal?: AbortSignal | undefined },
): Promise<string> {
  const prompt = personaPrompt({
    name: persona.name,
    ...(persona.personalityPrompt ? { personalityPrompt: persona.personalityPrompt } : {}),
    ...(how.language ? { language: how.language } : {}),
    knowledge: [],
    memories: [],
    task: how.task,
    text,
    history: [],
    userText: text,
  });
  let written = '';
  for await (const delta of streamChat(p, prompt, how.signal)) written += delta;
  if (!written.trim()) throw new PlatformError('UPSTREAM_FAILED', 'The chat engine returned no words.');
  // JSON in PostgreSQL refuses half a surrogate pair.
  return written.trim().toWellFormed();
}
