/**
 * How long a text will take to say, told from its characters alone, for holds taken before anything is rendered. The
 * figures are measured on this engine at 165 words a minute and rounded up a little; it never synthesises.
 */
import type { VoiceSettings } from '../../ports.ts';
import { languageOfSentence } from './languages.ts';
import { END_PAUSE_MS, NOTHING_SECONDS, REFERENCE_WORDS_PER_MINUTE, SENTENCE_PAUSE_MS } from './pace.ts';
import { sentencesOf } from './spoken.ts';
import { tune } from './voices.ts';

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
  bn: 136,
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
/** Final lengthening of a sentence, and the break of a comma or dash. */
const SENTENCE_MS = 180;
const COMMA_MS = 150;
/** A digit is most of a word; so is a sign that is read out ("slash", "percent"). */
const DIGIT_MS = 460;
const SIGN_MS = 360;
/** Letters of an acronym are named one by one. */
const ACRONYM_LETTER_MS = 90;

/** A kanji is read as 1.6 kana on average. */
const KANJI_EXTRA = 0.6;

const HAN = /\p{Script=Han}/gu;
const LETTER = /\p{L}/gu;
const ALPHABET = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
const DIGIT = /\p{N}/gu;
const COMMA = /[,;:—–…،，、；：](?!\S)|[，、；：]|\s[-–—]\s/gu;
const SIGN = /[%&@$€£¥₹+=#°§~*|\\]|(?<=\S)[/:.?_-](?=\S)/gu;
const ACRONYM = /(?<=\p{Lu})\p{Lu}/gu;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Seconds, within about a quarter of the truth for prose; errs upward on numbers and addresses. @throws BAD_INPUT. */
export function estimateSpeechSeconds(text: string, settings: VoiceSettings): number {
  const { voice, timbre } = tune(settings);
  return estimateSeconds(text, voice.espeak, timbre.wordsPerMinute);
}

/** The same for any pace. @param language the eSpeak language the text is read in where its script allows. */
export function estimateSeconds(text: string, language: string, wordsPerMinute: number): number {
  const sentences = sentencesOf(text);
  if (sentences.length === 0) return NOTHING_SECONDS;
  let ms = SENTENCE_PAUSE_MS * (sentences.length - 1);
  for (const { units } of sentences) {
    const said = units.map(({ say }) => (say === '&amp;' ? '&' : say)).join('');
    const readIn = languageOfSentence(said, language, text);
    const letters = count(said, LETTER) + (readIn === 'ja' ? KANJI_EXTRA * count(said, HAN) : 0);
    const perLetter = letterMs(readIn, said);
    ms += SENTENCE_MS + letters * perLetter + count(said, ACRONYM) * ACRONYM_LETTER_MS;
    ms += count(said, DIGIT) * DIGIT_MS + count(said, SIGN) * SIGN_MS + count(said, COMMA) * COMMA_MS;
  }
  return ((ms * REFERENCE_WORDS_PER_MINUTE) / wordsPerMinute + END_PAUSE_MS) / 1_000;
}

function letterMs(language: string, said: string): number {
  const known = LETTER_MS[language] ?? LETTER_MS[language.split('-')[0] as string];
  return known ?? (ALPHABET.test(said) ? ALPHABET_MS : OTHER_SCRIPT_MS);
}
