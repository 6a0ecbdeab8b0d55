/** The pace of the built-in voices: what speaking and estimating must agree on. Figures only. */

/** eSpeak's rate at pace 1: a little below its default of 175, which sounds hurried. */
export const REFERENCE_WORDS_PER_MINUTE = 165;
/** The breath after a sentence and after a paragraph, at pace 1. */
export const SENTENCE_PAUSE_MS = 290;
/** The breath after a paragraph, at pace 1. */
export const PARAGRAPH_PAUSE_MS = 450;
/** Quiet at the very end, at any pace, so that a player does not clip the last sound. */
export const END_PAUSE_MS = 120;
/** What a text without anything to say sounds like. */
export const NOTHING_SECONDS = 0.4;
