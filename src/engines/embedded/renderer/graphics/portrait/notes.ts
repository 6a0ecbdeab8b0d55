/** A prompt as the readers of traits want it: words said and denied, colours by owner, callings, randomness by purpose. */

import type { Random } from '../random.ts';
import { PROFESSIONS, type Suggestion } from './professions.ts';
import { randomFrom } from './random.ts';
import { coloursOf, type Owner, type Word, wordsOf } from './reading.ts';

/**
 * Words in order; those said and those denied; a colour by what it belongs to; what callings suggest; and a stream of
 * chance for each purpose, so that one more draw for the hat changes no hair.
 */
export interface Notes {
  words: Word[];
  has: Set<string>;
  not: Set<string>;
  colours: Map<Owner, string>;
  hints: Suggestion[];
  random: (purpose: string) => Random;
}

/** Reads a text once, for all readers of traits. */
export function notesOf(text: string, seed: number): Notes {
  const words = wordsOf(text);
  const has = new Set(words.filter((w) => !w.negated).map((w) => w.text));
  const not = new Set(words.filter((w) => w.negated).map((w) => w.text));
  const hints = PROFESSIONS.filter((p) => p.words.split(' ').some((w) => has.has(w)));
  return { words, has, not, colours: coloursOf(words), hints, random: (purpose) => randomFrom(seed, purpose) };
}

/** The first value of a table that the text names. */
export function said<T>(notes: Notes, table: Map<string, T>): T | undefined {
  for (const { text, negated } of notes.words) {
    const value = negated ? undefined : table.get(text);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** True when the text rules the trait out: "no glasses". */
export function denied<T>(notes: Notes, table: Map<string, T>): boolean {
  return [...notes.not].some((word) => table.has(word));
}

/** What the first calling that says anything of it suggests. */
export function hinted<K extends keyof Suggestion>(notes: Notes, key: K): Suggestion[K] | undefined {
  return notes.hints.find((hint) => hint[key] !== undefined)?.[key];
}
