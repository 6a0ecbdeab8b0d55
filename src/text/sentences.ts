/**
 * The chunking rule of the documented API: a sentence ends at a period, exclamation or question mark followed by white space,
 * and abbreviations count as boundaries. It never repairs prose; what the rule says is what is cut.
 */

/** Most sentences of a turn, which is one chunk of a reply. */
const MAX_SENTENCES_PER_CHUNK = 3;

const BOUNDARY = /(?<=[.!?])\s+/u;
const NEXT_BOUNDARY = /[.!?]\s/gu;

/** The sentences of a text, trimmed, in order; [] for a blank text. */
export function sentences(text: string): string[] {
  return text
    .trim()
    .split(BOUNDARY)
    .filter((sentence) => sentence !== '');
}

/** Groups of at most `max` sentences with the author's white space kept between them; [] for a blank text. */
export function chunkSentences(text: string, max = MAX_SENTENCES_PER_CHUNK): string[] {
  const chunker = new SentenceChunker(max);
  const chunks = chunker.push(text);
  const rest = chunker.end();
  return rest === null ? chunks : [...chunks, rest];
}

/**
 * The same rule over a text that is still being written: `push` returns the groups that are complete, that is, whose
 * last terminator has been followed by white space; `end` returns what is left. However the text is cut into pieces,
 * the groups are those of `chunkSentences`.
 */
export class SentenceChunker {
  readonly #max: number;
  #open = '';
  /** Up to where `#open` has been searched, and how many boundaries were found there. */
  #searched = 0;
  #count = 0;

  constructor(max = MAX_SENTENCES_PER_CHUNK) {
    this.#max = max;
  }

  /** Takes the next piece of text; returns the groups it completed, trimmed, often none. */
  push(piece: string): string[] {
    this.#open = this.#open === '' ? piece.trimStart() : this.#open + piece;
    const complete: string[] = [];
    for (;;) {
      NEXT_BOUNDARY.lastIndex = this.#searched;
      const match = NEXT_BOUNDARY.exec(this.#open);
      if (!match) {
        // A terminator at the very end waits for the white space that may follow.
        this.#searched = Math.max(0, this.#open.length - 1);
        return complete;
      }
      this.#searched = match.index + 1;
      this.#count += 1;
      if (this.#count < this.#max) continue;
      complete.push(this.#open.slice(0, this.#searched));
      this.#open = this.#open.slice(this.#searched).trimStart();
      this.#searched = 0;
      this.#count = 0;
    }
  }

  /** The last group, or null when nothing but white space is left. The chunker is empty again afterwards. */
  end(): string | null {
    const rest = this.#open.trim();
    this.#open = '';
    this.#searched = 0;
    this.#count = 0;
    return rest === '' ? null : rest;
  }
}
