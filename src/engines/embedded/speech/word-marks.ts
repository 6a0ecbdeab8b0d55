/**
 * Between a sentence of the caller's text and the synthesiser's idea of words. eSpeak counts code points, reports a
 * number as a dozen words and a Japanese clause as one; captions want the words a reader sees. So words are found in
 * the text itself, and eSpeak only reports when each begins.
 */
import type { Mark } from '../../ports/index.ts';
import { readKanji } from './japanese-readings.ts';
import type { Sentence, Unit } from './spoken-sentences.ts';

/** What the thread reports of a line: a position is the 0-based code point in `Line.spoken`; 'end' closes the line. */
export interface SpeechEvent {
  ms: number;
  kind: 'sentence' | 'word' | 'phoneme' | 'end';
  position: number;
  ipa?: string;
}

interface Token {
  /** Code points of the spoken line, half open. */
  from: number;
  to: number;
  at: number;
  len: number;
}

/** A sentence ready for the synthesiser. */
export interface Line {
  sentence: Sentence;
  spoken: string;
  tokens: Token[];
}

/** Scripts without spaces whose words eSpeak does not find: spaces are put in. Mandarin and Cantonese it cuts itself. */
const SPACED = new Set(['th', 'my', 'shn', 'km', 'lo']);
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Thai}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Lao}]/u;
/** In Japanese a phrase begins where kana gives way to another script; particles stay with the word before them. */
const JAPANESE_HEAD = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Latin}\p{N}]/u;
/** Particles and greetings written with one kana and said with another. */
const JAPANESE_SAID: Record<string, string> = {
  は: 'わ',
  へ: 'え',
  こんにちは: 'こんにちわ',
  こんばんは: 'こんばんわ',
};

const VOICED = /[\p{L}\p{M}\p{N}\p{S}%&@#]/u;
/** Marks that part words even without a space. */
const PARTING = /^[—–…、。，！？；：「」『』（）《》〈〉・।؟،]$/u;

const segmenters = new Map<string, Intl.Segmenter>();

function wordsOf(text: string, language: string): Intl.SegmentData[] {
  const locale = language === 'cmn' || language === 'yue' ? 'zh' : language;
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: 'word' });
  segmenters.set(locale, segmenter);
  return [...segmenter.segment(text)];
}

/** @param language the eSpeak language the sentence is read in. */
export function lineOf(sentence: Sentence, language: string): Line {
  const written = sentence.units.map(({ say }) => say).join('');
  let { units } = sentence;
  let starts = new Set<number>();
  if (language === 'ja') units = japanese(units, written);
  else if (UNSPACED_SCRIPT.test(written)) {
    starts = startsOf(units, written, language);
    if (SPACED.has(language)) {
      units = units.flatMap((unit, i) => (starts.has(i) && i > 0 ? [space(unit.at), unit] : [unit]));
      starts = new Set();
    }
  }
  return { sentence, spoken: units.map(({ say }) => say).join(''), tokens: tokensOf(units, starts) };
}

const space = (at: number): Unit => ({ say: ' ', at, end: at });

/** Indexes of the units that begin a word by the dictionary of ICU. */
function startsOf(units: Unit[], written: string, language: string): Set<number> {
  const byOffset = new Map<number, number>();
  let offset = 0;
  units.forEach(({ say }, i) => {
    byOffset.set(offset, i);
    offset += say.length;
  });
  const starts = new Set<number>();
  for (const { index, segment } of wordsOf(written, language)) {
    const unit = byOffset.get(index);
    if (unit !== undefined && UNSPACED_SCRIPT.test(segment)) starts.add(unit);
  }
  return starts;
}

function japanese(units: Unit[], written: string): Unit[] {
  const out: Unit[] = [];
  let index = 0;
  for (const { segment } of wordsOf(written, 'ja')) {
    const part: Unit[] = [];
    for (let length = 0; length < segment.length && index < units.length; index++) {
      const unit = units[index] as Unit;
      part.push(unit);
      length += unit.say.length;
    }
    const first = part[0];
    if (!first) continue;
    const before = out.at(-1);
    if (before && JAPANESE_HEAD.test(first.say) && !JAPANESE_HEAD.test(before.say)) out.push(space(first.at));
    const said = JAPANESE_SAID[segment];
    out.push(...(said ? part.map((unit, i) => ({ ...unit, say: said[i] ?? unit.say })) : part));
  }
  return readKanji(out);
}

function tokensOf(units: Unit[], starts: Set<number>): Token[] {
  const tokens: Token[] = [];
  let token: Token | undefined;
  let position = 0;
  units.forEach(({ say, at, end }, i) => {
    if (/^\s*$/.test(say) || PARTING.test(say) || starts.has(i)) token = undefined;
    const from = position;
    position += [...say].length;
    // Punctuation neither begins a word nor lengthens it, though it may stand inside ("don't", "1,234.56").
    if (!VOICED.test(say)) return;
    if (!token) {
      token = { from, to: position, at, len: end - at };
      tokens.push(token);
    }
    token.to = position;
    token.len = end - token.at;
  });
  return tokens;
}

/**
 * Turns a line's events into marks of the caller's text, one word mark for each word; a word's marks
 * come when the next one begins. eSpeak says "of the" in one
 * breath and reports only "of": words it passes over get their share of the sounds, by length.
 */
export function createMarker({ sentence, tokens }: Line): (event: SpeechEvent) => Mark[] {
  let first = 0;
  let heard: SpeechEvent[] = [];

  /** Settles the words from `first` up to `next` with the sounds heard since. */
  function settle(next: number): Mark[] {
    const words = tokens.slice(first, next);
    const sounds = heard.filter(({ ipa }) => ipa);
    const size = words.reduce((sum, { from, to }) => sum + to - from, 0);
    const begins = new Map<SpeechEvent | undefined, Token[]>();
    let before = 0;
    for (const word of words) {
      const sound = before === 0 ? heard[0] : sounds[Math.round((sounds.length * before) / size)];
      begins.set(sound ?? sounds.at(-1), [...(begins.get(sound ?? sounds.at(-1)) ?? []), word]);
      before += word.to - word.from;
    }
    const marks: Mark[] = [];
    let at = tokens[first]?.at ?? sentence.at;
    for (const event of heard) {
      for (const word of begins.get(event) ?? []) {
        at = word.at;
        marks.push({ ms: event.ms, kind: 'word', at, len: word.len });
      }
      if (event.kind === 'phoneme') marks.push({ ms: event.ms, kind: 'phoneme', at, len: 0, ipa: event.ipa ?? '' });
    }
    first = next;
    heard = [];
    return marks;
  }

  return (event) => {
    if (event.kind === 'sentence') return [{ ms: event.ms, kind: 'sentence', at: sentence.at, len: sentence.len }];
    if (event.kind === 'end') return settle(tokens.length);
    let marks: Mark[] = [];
    if (event.kind === 'word') {
      const found = tokens.findIndex(({ from, to }) => event.position >= from && event.position < to);
      // The second and later parts of a number, and what eSpeak misplaces after one, begin no new word.
      if (found > first || (found === first && !heard.some(({ ipa }) => ipa))) marks = settle(found);
    }
    heard.push(event);
    return marks;
  };
}
