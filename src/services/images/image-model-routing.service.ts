/**
 * Which image model draws a prompt whose caller named none: double-quoted words go to the lettering model,
 * and so does a prompt that clearly intends readable words. That reasoning pass asks the configured chat model one
 * short question; without one, or when it does not answer, the illustrator's rules over the wording decide.
 */
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { intendedWords, quotedWords } from '../../engines/embedded/renderer/graphics/intended-words.ts';
import type { Platform } from '../platform/platform.port.ts';

/** A caller waits for the image meanwhile. */
const REASONING_TIMEOUT_MS = 8_000;
const MAX_WORDS_CHARS = 200;

/** Whether the lettering model draws a prompt, and what it is given. */
export interface Lettering {
  /** The prompt wants words that can be read. */
  isWanted: boolean;
  /** The prompt for the lettering model: words to letter are quoted in it where its own wording does not mark them. */
  prompt: string;
}

const NONE: RegExp = /^\W*none\W*$/i;

/** Decides whether a prompt wants lettering. Never throws. */
export async function letteringOf(p: Pick<Platform, 'engines' | 'log'>, prompt: string): Promise<Lettering> {
  if (quotedWords(prompt).length > 0) return { isWanted: true, prompt };
  const byRule = intendedWords(prompt);
  if (byRule || p.engines.chatIsEmbedded) return { isWanted: byRule !== undefined, prompt };
  const words = await askModel(p, prompt);
  return words ? { isWanted: true, prompt: `${prompt}, with the words "${words}"` } : { isWanted: false, prompt };
}

const QUESTION = `You decide how an image is drawn. The user message is an image prompt. If it clearly asks for words
that must be readable in the image (on a sign, poster, label, logo), answer with exactly those words and nothing else.
If it asks for no readable words, answer NONE.`;

async function askModel({ engines, log }: Pick<Platform, 'engines' | 'log'>, prompt: string) {
  const messages: LanguageModelV4Prompt = [
    { role: 'system', content: QUESTION },
    { role: 'user', content: [{ type: 'text', text: prompt }] },
  ];
  try {
    const { content } = await engines.chat.doGenerate({
      prompt: messages,
      maxOutputTokens: 60,
      temperature: 0,
      abortSignal: AbortSignal.timeout(REASONING_TIMEOUT_MS),
    });
    const answer = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const words = answer
      .replace(/["“”„«»]/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    return words === '' || words.length > MAX_WORDS_CHARS || NONE.test(words) ? undefined : words;
  } catch (error) {
    // The image is drawn all the same, as its wording alone would have it.
    log.warn({ err: error }, 'image reasoning failed');
    return undefined;
  }
}
