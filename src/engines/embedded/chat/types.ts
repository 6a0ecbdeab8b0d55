/** The shapes the responder's tables are written in. Types only. */

/** How a character words what it says. */
export type Tone = 'formal' | 'warm' | 'terse' | 'playful';

/** Lines for one occasion, in each tone. */
export type Lines = Record<Tone, readonly string[]>;

/** A kind of character. */
export interface Manner {
  id: string;
  /** What in a persona calls for this manner. */
  words: RegExp;
  /** Its tone, where the persona names no other. */
  tone: Tone;
  /** How it addresses the one it talks with when it says a given line. */
  address: string;
  greetings: string[];
  goodbyes: string[];
  /** Answers to "how are you?". */
  fine: string[];
  jokes: string[];
  /** Values for the story skeletons; each slot has alternatives. */
  tale: Tale;
  /** Words it exchanges when it says a given line, lower case, whole words. */
  wording?: Record<string, string>;
}

/** Parts a story is put together from. */
export interface Tale {
  place: string[];
  hero: string[];
  want: string[];
  foe: string[];
  helper: string[];
  lesson: string[];
}
