/**
 * How long a text will take to say, estimated from its characters alone, for holds taken before anything is rendered. The
 * figures are measured on this engine at 165 words a minute and are upper bounds; it never synthesises.
 */
import type { VoiceSettings } from '../../ports/index.ts';
import { foreignLetters, languageOfSentence, resolveLanguage } from './languages.ts';
import { END_PAUSE_MS, NOTHING_SECONDS, PARAGRAPH_PAUSE_MS, REFERENCE_WORDS_PER_MINUTE } from './pace.ts';
import { tune } from './preset-voices.ts';
import { sentencesOf } from './spoken-sentences.ts';

/** Milliseconds a letter takes, by eSpeak language; languages written alike share their neighbours' figure. */
const LETTER_MS: Record<string, number> = {
  en: 68,
  de: 62,
  fr: 54,
  es: 72,
  it: 72,
  pt: 80,
  nl: 70,
  sv: 75,
  pl: 79,
  ru: 64,
  uk: 84,
  be: 68,
  tr: 82,
  el: 64,
  vi: 72,
  ar: 120,
  fa: 105,
  he: 94,
  hi: 140,
  bn: 170,
  ta: 112,
  ka: 88,
  th: 148,
  cmn: 280,
  yue: 225,
  hak: 280,
  ja: 128,
  ko: 210,
};
const ALPHABET_MS = 80;
const OTHER_SCRIPT_MS = 140;
/** Final lengthening of a sentence, and the break of a comma, dash or stop within. */
const SENTENCE_MS = 210;
const BREAK_MS = 480;
/** The shortest word. */
const WORD_MS = 260;
/** A sign that is read out ("slash", "percent"); those that no keyboard has have longer names. */
const SIGN_MS = { ascii: 620, other: 900 };
/** A letter that is named, as those of acronyms and of words without a vowel; a W or Y has the longest name. */
const NAMED_LETTER_MS = 420;
const LONGEST_LETTER_MS = 700;
/** One that stands alone and is none of English ("e acute"). */
const LONE_LETTER_MS = 850;
/** A digit of a number of so many: seven of a long number are "seven million, seven hundred and seventy-seven ...". */
const DIGIT_MS = { alone: 620, short: 740, long: 1_120, foreign: 220 };
const LONG_NUMBER = 5;
/** How much longer prose takes, at most, than the letters of its language do on average. */
const SLOWEST = 1.25;

/** A kanji is read as 1.6 kana on average. */
const KANJI_EXTRA = 0.6;

/** A letter that the language does not write, by how eSpeak reads it: as it sounds, by a short name, by a long one. */
const FOREIGN: [RegExp, number][] = [
  [
    /[\p{Script=Greek}\p{Script=Hangul}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Tamil}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Georgian}\p{Script=Armenian}]/u,
    420,
  ],
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Telugu}]/u,
    1_250,
  ],
];
const LONG_NAMED_MS = 3_200;
/** Marks at letters that have none are read one by one. */
const LOOSE_MARK = /\p{Script=Inherited}/gu;
const LOOSE_MARK_MS = 60;

const HAN = /\p{Script=Han}/gu;
const LETTER = /\p{L}/gu;
const ALPHABET = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
const WORD = /\p{L}[\p{L}\p{M}'’]*/gu;
const NUMBER = /\p{N}+(?:[.,’' ]\p{N}{3}(?!\p{N}))*/gu;
const DIGIT = /\p{N}/gu;
const FOREIGN_DIGIT = /(?!\d)\p{N}/gu;
const ASCII = /^[\x20-\x7E]/u;
const BREAK = /[,;:.!?…—–،؛؟](?!\S)|[，、；：。！？]|\s[-–—]\s|[()[\]{}"]/gu;
const SIGN = /[^\p{L}\p{M}\p{N}\s,;:.!?…—–،؛؟，、；：。！？()[\]{}"'’-]|(?<=\S)[/:.,?!_'’-](?=\S)/gu;
/** Letters that make a word of what stands round them; without one, a word of an alphabet is spelt. */
const VOWEL = /[aeiouyаеёиоуыэюяіїєαεηιουωáéíóúàèìòùâêîôûäëïöüãõåæøąęœ]/iu;
/** Some capitals, or one within; more of them are a word that is shouted. */
const CAPITALS = /^\p{Lu}{2,4}$|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}.*\p{Ll}/u;
/** One of a letter that is drawn out ("aaaah"). */
const DRAWN_OUT = /(\p{L})(?=\1\1)/giu;
const DRAWN_OUT_MS = 80;
const LONG_NAME = /[wyWY]/gu;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/**
 * Seconds that a text takes at most: for prose about a third more than it does, for numbers, addresses and acronyms, whose
 * reading its characters do not show, up to three times as much. What is held is never too little. @throws BAD_INPUT.
 */
export function estimateSpeechSeconds(text: string, settings: VoiceSettings, language?: string): number {
  const { voice, timbre } = tune(settings);
  const wanted = (language && resolveLanguage(language, voice.espeak)) ?? voice.espeak;
  return estimateSeconds(text, wanted, timbre.wordsPerMinute);
}

/** The same for any pace. @param language the eSpeak language the text is read in where its script allows. */
export function estimateSeconds(text: string, language: string, wordsPerMinute: number): number {
  const sentences = sentencesOf(text);
  if (sentences.length === 0) return NOTHING_SECONDS;
  let ms = PARAGRAPH_PAUSE_MS * (sentences.length - 1);
  for (const { units } of sentences) {
    const said = units.map(({ say }) => (say === '&amp;' ? '&' : say)).join('');
    const readIn = languageOfSentence(said, language, text);
    ms += count(said, LOOSE_MARK) * LOOSE_MARK_MS;
    ms += SENTENCE_MS + lettersMs(said, readIn) + foreignMs(said, readIn) + numbersMs(said);
    ms += signsMs(said) + count(said, BREAK) * BREAK_MS;
  }
  return ((ms * REFERENCE_WORDS_PER_MINUTE) / wordsPerMinute + END_PAUSE_MS) / 1_000;
}

function lettersMs(said: string, language: string): number {
  const perLetter = letterMs(language, said) * SLOWEST;
  let ms = language === 'ja' ? KANJI_EXTRA * count(said, HAN) * perLetter : 0;
  for (const [word] of said.matchAll(WORD)) {
    const letters = count(word, LETTER);
    ms += count(word, DRAWN_OUT) * DRAWN_OUT_MS;
    const isNamed = ALPHABET.test(word) && (letters === 1 || CAPITALS.test(word) || !VOWEL.test(word));
    const names = count(word, LONG_NAME) * (LONGEST_LETTER_MS - NAMED_LETTER_MS) + letters * NAMED_LETTER_MS;
    const lone = letters === 1 && !ASCII.test(word) ? LONE_LETTER_MS : 0;
    ms += Math.max(WORD_MS, letters * perLetter, isNamed ? names : 0, lone);
  }
  return ms;
}

function foreignMs(said: string, language: string): number {
  const msOf = (char: string) => FOREIGN.find(([letters]) => letters.test(char))?.[1] ?? LONG_NAMED_MS;
  return foreignLetters(said, language).reduce((sum, char) => sum + msOf(char), 0);
}

function signsMs(said: string): number {
  const signs = said.match(SIGN) ?? [];
  return signs.reduce((sum, sign) => sum + (ASCII.test(sign) ? SIGN_MS.ascii : SIGN_MS.other), 0);
}

function numbersMs(said: string): number {
  let ms = 0;
  for (const [number] of said.matchAll(NUMBER)) {
    const length = count(number, DIGIT);
    ms += count(number, FOREIGN_DIGIT) * DIGIT_MS.foreign;
    ms += length * (length === 1 ? DIGIT_MS.alone : length < LONG_NUMBER ? DIGIT_MS.short : DIGIT_MS.long);
  }
  return ms;
}

function letterMs(language: string, said: string): number {
  const known = LETTER_MS[language] ?? LETTER_MS[language.split('-')[0] as string];
  return known ?? (ALPHABET.test(said) ? ALPHABET_MS : OTHER_SCRIPT_MS);
}
