/** The shapes the responder's tables are written in. Types only. */

/** How a kind of character talks. Openers end in a comma, exclamation mark or full stop; closers are sentences. */
export interface Manner {
  id: string;
  /** What in a persona calls for this manner. */
  words: RegExp;
  openers: string[];
  closers: string[];
  /** What it calls the one it talks with. */
  vocatives: string[];
  greetings: string[];
  goodbyes: string[];
  /** Answers to "how are you?". */
  fine: string[];
  jokes: string[];
  /** "I live ...", "I work ...": told when the persona itself does not say. */
  home: string[];
  work: string[];
  likes: string[];
  /** Values for the story skeletons; each slot has alternatives. */
  tale: Tale;
  /** Words exchanged in everything it says, lower case, whole words. */
  lexicon?: Record<string, string>;
}

export interface Tale {
  place: string[];
  hero: string[];
  want: string[];
  foe: string[];
  helper: string[];
  lesson: string[];
}

/** A temper on top of (or instead of) a manner. */
export interface Mood {
  id: string;
  words: RegExp;
  openers: string[];
  closers: string[];
  fine: string[];
}
