/**
 * Turns the pieces of a completion into text and reasoning parts. What models think in `<think>` tags is separated
 * from the text: it must never be spoken.
 */
import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';

const OPEN = '<think>';
const CLOSE = '</think>';

type Kind = 'text' | 'reasoning';

/** Splits a reply into thoughts and text. */
export class TextParts {
  #open: Kind | null = null;
  #blocks = 0;
  /** Where in the reply we are: its very beginning (which may be `<think>`), inside thoughts, or the spoken text. */
  #phase: 'start' | 'thinking' | 'text' = 'start';
  /** Held back: it may be the beginning of a tag, or white space before the first word. */
  #held = '';

  *push(
    content: string | null | undefined,
    reasoning: string | null | undefined,
  ): Generator<LanguageModelV4StreamPart> {
    if (reasoning) yield* this.#emit('reasoning', reasoning);
    if (content) yield* this.#content(content);
  }

  /** Ends the open part, first giving what was held back. Harmless when called twice. */
  *end(): Generator<LanguageModelV4StreamPart> {
    const rest = this.#held;
    this.#held = '';
    if (rest.trim()) yield* this.#emit(this.#phase === 'thinking' ? 'reasoning' : 'text', rest);
    if (this.#open) yield { type: `${this.#open}-end`, id: this.#id() };
    this.#open = null;
  }

  *#content(piece: string): Generator<LanguageModelV4StreamPart> {
    this.#held += piece;
    if (this.#phase === 'start') {
      this.#held = this.#held.trimStart();
      if (OPEN.startsWith(this.#held)) return;
      const thinks = this.#held.startsWith(OPEN);
      this.#phase = thinks ? 'thinking' : 'text';
      if (thinks) this.#held = this.#held.slice(OPEN.length);
    }
    if (this.#phase === 'thinking') {
      const at = this.#held.indexOf(CLOSE);
      if (at < 0) {
        const keep = Math.max(0, this.#held.length - CLOSE.length + 1);
        yield* this.#take('reasoning', keep);
        return;
      }
      yield* this.#take('reasoning', at);
      this.#held = this.#held.slice(CLOSE.length).trimStart();
      // White space may still follow in the next piece.
      this.#phase = this.#held === '' ? 'start' : 'text';
    }
    if (this.#phase === 'text') yield* this.#take('text', this.#held.length);
  }

  *#take(kind: Kind, count: number): Generator<LanguageModelV4StreamPart> {
    const text = this.#held.slice(0, count);
    this.#held = this.#held.slice(count);
    if (text) yield* this.#emit(kind, text);
  }

  *#emit(kind: Kind, delta: string): Generator<LanguageModelV4StreamPart> {
    if (this.#open !== kind) {
      if (this.#open) yield { type: `${this.#open}-end`, id: this.#id() };
      this.#open = kind;
      this.#blocks++;
      yield { type: `${kind}-start`, id: this.#id() };
    }
    yield { type: `${kind}-delta`, id: this.#id(), delta };
  }

  #id(): string {
    return String(this.#blocks);
  }
}

/** Of a reply that a server does not count. */
export const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** A whole result from a stream; throws what the stream reports. */
export async function collect(result: LanguageModelV4StreamResult): Promise<LanguageModelV4GenerateResult> {
  const collected = { text: '', reasoning: '' };
  const gathered: Omit<LanguageModelV4GenerateResult, 'content'> = {
    finishReason: { unified: 'other', raw: undefined },
    usage: NO_USAGE,
    warnings: [],
    request: result.request,
  };
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') collected.text += part.delta;
    if (part.type === 'reasoning-delta') collected.reasoning += part.delta;
    if (part.type === 'stream-start') gathered.warnings = part.warnings;
    if (part.type === 'response-metadata') gathered.response = { ...part, ...result.response };
    if (part.type === 'finish') Object.assign(gathered, { usage: part.usage, finishReason: part.finishReason });
  }
  const content: LanguageModelV4Content[] = [];
  if (collected.reasoning) content.push({ type: 'reasoning', text: collected.reasoning });
  if (collected.text) content.push({ type: 'text', text: collected.text });
  return { content, ...gathered };
}

/** A stream of what a generator gives. @param leave ends what it waits for when the reader goes away. */
export function streamOf(
  parts: AsyncGenerator<LanguageModelV4StreamPart, void>,
  leave: () => void,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      leave();
      await parts.return(undefined);
    },
  });
}
