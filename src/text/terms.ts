/**
 * From text to the terms that are indexed and compared: words of any script, folded, without function words, reduced
 * to stems. Memory recall and the embedded responder both stand on it, so that they agree on what matches.
 * It never looks at meaning: no synonyms, no embeddings.
 */
import { LRUCache } from 'lru-cache';
import { stem } from './stem.ts';
import { IRREGULAR, STOPWORDS } from './words.ts';

/** Longer "words" are noise (hashes, base64): they are cut here. */
const MAX_WORD_CHARS = 64;

/** Scripts that write words without spaces between them (and Korean, whose particles stick): indexed by bigrams. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー]/u;
const RUNS = /([\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー]+)/u;
const WORD = /\p{N}+(?:[.,]\p{N}+)+(?![\p{L}\p{M}])|[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{M}]+)*/gu;
/** What an English apostrophe adds to a word, and what a French or Italian one puts before it. */
const ENGLISH_TAIL = /(?:n't|'(?:s|t|re|ve|ll|d|m))$/;
const ROMANCE_HEAD = /^(?:[cdjlmnst]|qu|dell|all|un)'(?=[aeiouyh])/;

/** More accents on one letter than any language has: ordering them takes time by the square of their number. */
const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;
/** A letter of Korean becomes three on the way; one sign of Arabic eighteen, which a long text of it does not need. */
const MOST_GROWTH = 4;
const ROOM_CHARS = 64;

/** The text with at most thirty marks in a row (the Stream-Safe Text Format of Unicode), ready to be normalised. */
export const streamSafe = (text: string): string => text.replace(MANY_MARKS, '$1');

/** Lower case, without the accents of Latin, Greek and Cyrillic letters; ligatures and full-width forms resolved. */
export function fold(text: string): string {
  return streamSafe(text)
    .normalize('NFKD')
    .slice(0, MOST_GROWTH * text.length + ROOM_CHARS)
    .replace(/[\u0300-\u036f\u00ad\u200b-\u200d\ufeff]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘ʼ`´]/g, "'")
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('æ', 'ae');
}

function bigrams(run: string): string[] {
  const chars = [...run];
  if (chars.length < 2) return chars;
  return chars.slice(0, -1).map((char, i) => char + chars[i + 1]);
}

/** The folded words of a text in order, function words included, unstemmed; unspaced scripts as bigrams. */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const [match] of fold(text).matchAll(WORD)) {
    if (UNSPACED.test(match)) {
      for (const part of match.split(RUNS)) {
        if (UNSPACED.test(part)) found.push(...bigrams(part));
        else if (part) found.push(part.slice(0, MAX_WORD_CHARS));
      }
    } else if (/^\p{N}/u.test(match)) {
      found.push(match.replace(/,(?=\p{N}{3}(?:\D|$))/gu, '').slice(0, MAX_WORD_CHARS));
    } else {
      const bare = match.replace(ENGLISH_TAIL, '').replace(ROMANCE_HEAD, '').replaceAll("'", '');
      if (bare) found.push(bare.slice(0, MAX_WORD_CHARS));
    }
  }
  return found;
}

/** Stems already found. A recall tokenises some sixty pages, and words repeat: half of that time was stemming. */
const known = new LRUCache<string, string>({ max: 20_000 });

/** The term of one folded word: its base form, stemmed. */
export function termOf(word: string): string {
  let term = known.get(word);
  if (term === undefined) {
    term = stem(IRREGULAR.get(word) ?? word);
    known.set(word, term);
  }
  return term;
}

/** The content stems of a text, in order, repeats kept; [] when it holds nothing but function words. */
export function terms(text: string): string[] {
  return words(text)
    .filter((word) => !STOPWORDS.has(word))
    .map(termOf);
}

/** As `terms`, but a text of function words alone ("who are you?") is indexed by these, so that it can be found. */
export function indexTerms(text: string): string[] {
  const content = terms(text);
  return content.length > 0 ? content : words(text).map(termOf);
}

/**
 * A term as a signed 32-bit number (PostgreSQL int4): FNV-1a over UTF-16 units with a final mix. Among 100 000 distinct
 * terms about one pair collides, which costs a stray match and nothing else.
 */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}
