/**
 * Going on with a reply that was broken off: how a language model is asked for the rest, and what of its answer was
 * spoken already. Pure: it reads and writes nothing.
 */
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { SentenceChunker, sentences } from '../../text/sentences.ts';

const GO_ON = '(Go on.)';
/** What a model writes when nothing is missing. */
const COMPLETE = '[complete]';

// In the system message, because the persona's rules instruct the model to take no orders from the speaker; and before a last
// message of the user, because some servers refuse a conversation that ends with the model's own.
const RULE =
  `Your last message is the beginning of your reply. It was spoken and heard; then the connection broke. To "${GO_ON}" answer ` +
  'with the rest of that reply and nothing else: begin right after its last word, repeat and sum up nothing of it, do not ' +
  `greet again, say nothing of the break. If it was complete as it stands, write only ${COMPLETE}`;

/** The prompt of a reply, asking for what follows the chunks that were spoken. */
export function continuationPrompt(prompt: LanguageModelV4Prompt, spoken: readonly string[]): LanguageModelV4Prompt {
  const [system, ...said] = prompt;
  if (system?.role !== 'system') throw new Error('A prompt begins with its system message.');
  return [
    { ...system, content: `${system.content}\n\n${RULE}` },
    ...said,
    { role: 'assistant', content: spoken.map((text) => ({ type: 'text' as const, text })) },
    { role: 'user', content: [{ type: 'text', text: GO_ON }] },
  ];
}

/** Leaves out of a stream each sentence that was spoken before, as often as it was. */
export class SpokenSentenceFilter {
  readonly #spoken = new Map<string, number>();
  readonly #sentences = new SentenceChunker(1);

  constructor(spoken: readonly string[]) {
    for (const sentence of spoken.flatMap((chunk) => sentences(chunk))) {
      const key = wordsOf(sentence);
      this.#spoken.set(key, (this.#spoken.get(key) ?? 0) + 1);
    }
  }

  /** Takes the next piece; returns the new sentences it completed, each with the white space that ends it. */
  push(piece: string): string {
    return this.#sentences
      .push(piece)
      .map((sentence) => this.#new(sentence))
      .join('');
  }

  /** What is left when the stream has ended. */
  end(): string {
    return this.#new(this.#sentences.end() ?? '');
  }

  #new(sentence: string): string {
    const text = sentence.replaceAll(COMPLETE, '').trim();
    const key = wordsOf(text);
    const left = this.#spoken.get(key) ?? 0;
    if (left > 0) this.#spoken.set(key, left - 1);
    return key === '' || left > 0 ? '' : `${text} `;
  }
}

/** A sentence's words, by which it is known again however its marks and capitals are set. */
const wordsOf = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
