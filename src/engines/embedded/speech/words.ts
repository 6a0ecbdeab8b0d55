/**
 * Between a sentence of the caller's text and the synthesiser's idea of words. eSpeak counts code points, reports a
 * number as a dozen words and a Japanese clause as one; captions want the words a reader sees. So words are found in
 * the text itself, and eSpeak only tells when each begins.
 */
import type { Mark } from '../../ports.ts';
import type { Sentence, Unit } from './spoken.ts';

/** What the thread reports: a position is the 0-based code point in `Line.spoken`. */
export interface SpeechEvent {
  ms: number;
  kind: 'sentence' | 'word' | 'phoneme';
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
  return out;
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

/** Turns a line's events into marks of the caller's text; one word mark per word, at its first event. */
export function createMarker(line: Line): (event: SpeechEvent) => Mark | undefined {
  const { sentence, tokens } = line;
  let current = -1;
  return ({ ms, kind, position, ipa }) => {
    if (kind === 'sentence') return { ms, kind, at: sentence.at, len: sentence.len };
    if (kind === 'phoneme') return { ms, kind, at: tokens[current]?.at ?? sentence.at, len: 0, ipa: ipa ?? '' };
    const found = tokens.findIndex(({ from, to }) => position >= from && position < to);
    // Also an event between two words (eSpeak misplaces some after a number) says nothing new.
    if (found <= current) return undefined;
    current = found;
    const { at, len } = tokens[found] as Token;
    return { ms, kind, at, len };
  };
}
