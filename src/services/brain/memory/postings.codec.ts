/**
 * What the index keeps of a text: which terms, how often, and how long the text is. Nothing here knows of tables.
 */
import { indexTerms, termHash } from '../../../text/terms.ts';

const SMALLINT_MAX = 32_767;

/** Index terms and how often an entry has each. */
export interface Postings {
  /** Hashed terms, each once. */
  terms: number[];
  /** Occurrences, parallel to `terms`. */
  counts: number[];
  /** Terms in the text, repeats counted. */
  length: number;
}

/** The postings of one text. */
export function postingsOf(text: string): Postings {
  const counts = new Map<number, number>();
  const all = indexTerms(text);
  for (const term of all) {
    const hash = termHash(term);
    counts.set(hash, Math.min(SMALLINT_MAX, (counts.get(hash) ?? 0) + 1));
  }
  return { terms: [...counts.keys()], counts: [...counts.values()], length: Math.min(SMALLINT_MAX, all.length) };
}

/** Text that PostgreSQL can hold: without NUL characters. */
export function storable(text: string): string {
  return text.replaceAll('\0', '');
}
