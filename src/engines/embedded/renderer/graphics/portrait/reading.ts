/**
 * Reads a prompt: splits it into words, marks what is negated ("no glasses", "not bald", "without a beard") and gives
 * every colour to the noun it belongs to ("a red-haired woman with a blue dress"). Whole words only; it never guesses.
 */
import {
  BEARDS,
  CLOTHES,
  COLOURS,
  EXTRAS,
  GLASSES,
  HAIR_NOUNS,
  HATS,
  PEOPLE,
  PHRASES,
  SPECIES,
  STYLES,
} from './lexicon.ts';

/** A word of a prompt in lower case; `negated` where the prompt denies it. */
export interface Word {
  text: string;
  negated: boolean;
  /** A comma or full stop follows. */
  ends: boolean;
}

const NEGATORS = new Set([
  'no',
  'not',
  'without',
  'never',
  'lacks',
  'lacking',
  'isnt',
  'doesnt',
  'hasnt',
  'minus',
  'sans',
]);
const RELEASES = new Set([
  'but',
  'with',
  'wearing',
  'wears',
  'has',
  'who',
  'in',
  'on',
  'just',
  'only',
  'plus',
  'having',
  'dressed',
  'at',
]);
const ARTICLES = new Set(['a', 'an', 'the', 'any', 'his', 'her', 'their', 'some']);

/** The words of a text, lower case, phrases joined, negation marked. */
export function wordsOf(text: string): Word[] {
  let joined = ` ${text.normalize('NFKC').toLowerCase().replace(/[’']/g, "'")} `;
  for (const [pattern, word] of PHRASES) joined = joined.replace(pattern, word);
  joined = joined.replace(/n't\b/g, ' not').replace(/'s\b/g, '');
  const words: Word[] = [];
  for (const match of joined.matchAll(/([\p{L}\p{N}]+)([^\p{L}\p{N}]*)/gu)) {
    words.push({ text: match[1]!, negated: false, ends: /[,.;:!?()\n]/.test(match[2]!) });
  }
  let left = 0;
  words.forEach((word, i) => {
    const afterAnd = words[i - 1]?.text === 'and' && ARTICLES.has(word.text);
    if (RELEASES.has(word.text) || afterAnd || words[i - 1]?.ends) left = 0;
    if (left > 0 && !ARTICLES.has(word.text)) left--;
    word.negated = left > 0 || (left === 0 && i > 0 && words[i - 1]!.negated && ARTICLES.has(words[i - 1]!.text));
    if (NEGATORS.has(word.text)) left = 5;
  });
  return words;
}

/** What a colour can belong to. */
export type Owner =
  | 'hair'
  | 'eyes'
  | 'clothes'
  | 'hat'
  | 'beard'
  | 'skin'
  | 'lips'
  | 'background'
  | 'tie'
  | 'extra'
  | 'mask'
  | 'person'
  | 'other';

const NOUNS = new Map<string, Owner>([
  ...[...CLOTHES.keys()].map((w) => [w, 'clothes'] as const),
  ...[...HATS.keys()].map((w) => [w, 'hat'] as const),
  ...[...BEARDS.keys()].map((w) => [w, 'beard'] as const),
  ...[...GLASSES.keys()].map((w) => [w, 'other'] as const),
  ...[...PEOPLE, ...SPECIES.keys()].map((w) => [w, 'person'] as const),
  ...'hair haired locks mane afro bob ponytail bun spacebuns braids pigtails mohawk curls quiff undercut'
    .split(' ')
    .map((w) => [w, 'hair'] as const),
  ...'eyes eye eyed'.split(' ').map((w) => [w, 'eyes'] as const),
  ...'lips lipstick'.split(' ').map((w) => [w, 'lips'] as const),
  ...'skin skinned face'.split(' ').map((w) => [w, 'skin'] as const),
  ...'background backdrop wall lights light'.split(' ').map((w) => [w, 'background'] as const),
  ...'outfit clothes uniform attire wardrobe scrubs vest'.split(' ').map((w) => [w, 'clothes'] as const),
  ['mask', 'mask'],
  ...'tie necktie trim'.split(' ').map((w) => [w, 'tie'] as const),
  ...[...EXTRAS.keys()].map((w) => [w, 'extra'] as const),
  ...'car house cat dog flower flowers sky sea bird horse book ring shoes boots bag sword moon'
    .split(' ')
    .map((w) => [w, 'other'] as const),
]);

const STOPS = new Set([
  'with',
  'in',
  'on',
  'who',
  'wearing',
  'has',
  'having',
  'is',
  'are',
  'at',
  'but',
  'from',
  'by',
  'near',
  'a',
  'an',
  'the',
]);
const LINKS = new Set([
  'is',
  'are',
  'dyed',
  'colored',
  'coloured',
  'painted',
  'was',
  'be',
  'looks',
  'bright',
  'very',
  'of',
  'in',
]);
const DRESSED = new Set(['in', 'wearing', 'wears', 'dressed']);

/** Colours by owner, as words of the table; the first mention of an owner wins. */
export function coloursOf(words: readonly Word[]): Map<Owner, string> {
  const out = new Map<Owner, string>();
  const give = (owner: Owner, colour: string) => {
    if (!out.has(owner)) out.set(owner, colour);
  };
  words.forEach((word, i) => {
    const known = COLOURS.has(word.text) || word.text === 'dark' || word.text === 'fair';
    const alone = HAIR_NOUNS.get(word.text);
    if (word.negated || (!known && !alone)) return;
    const owner = ahead(words, i) ?? behind(words, i);
    if (alone && (owner === undefined || owner === 'person' || owner === 'other')) give('hair', alone);
    else if (owner) give(owner, alone ?? word.text);
    else if (DRESSED.has(words[i - 1]?.text ?? '')) give('clothes', word.text);
  });
  return out;
}

function ahead(words: readonly Word[], at: number): Owner | undefined {
  for (let i = at; i < Math.min(words.length, at + 6); i++) {
    const { text, ends } = words[i]!;
    if (i > at) {
      const owner = NOUNS.get(text);
      // "long straight hair": a style word is no noun of its own; "white beard" is.
      if (owner && !(STYLES.has(text) && NOUNS.get(text) !== 'hair')) return owner;
      if (STOPS.has(text)) return undefined;
      if (text === 'and' && !COLOURS.has(words[i + 1]?.text ?? '')) return undefined;
    }
    if (ends) return undefined;
  }
  return undefined;
}

/** A colour behind its noun: "her hair is red", "a dress in blue", "hair dyed pink". */
function behind(words: readonly Word[], at: number): Owner | undefined {
  let linked = false;
  for (let i = at - 1; i >= Math.max(0, at - 4); i--) {
    const { text, ends } = words[i]!;
    if (ends) return undefined;
    if (LINKS.has(text)) linked = true;
    else if (linked) return NOUNS.get(text) === 'person' ? undefined : NOUNS.get(text);
    else if (text !== 'and' && !COLOURS.has(text)) return undefined;
  }
  return undefined;
}
