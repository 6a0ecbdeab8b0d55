/** Finds in a text the things that can be drawn, with number, colour and size; whole words of the noun list only. */
import { COLOUR_WORDS } from './colour.ts';
import { LEXICON, type Noun, type Role } from './nouns.ts';

export interface Subject {
  /** The word of the prompt. */
  word: string;
  sprite: string;
  role: Role;
  height: number;
  /** 1..12. */
  count: number;
  /** '#rrggbb' when the prompt colours it. */
  colour?: string;
  /** "colourful balloons": each of another colour. */
  isVaried?: boolean;
  size?: 'big' | 'small';
  /** "a cat on a horse": index of the subject it stands on or in. */
  on?: number;
}

const NUMBERS: Record<string, number> = {
  two: 2,
  pair: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  dozen: 12,
  several: 4,
  some: 3,
  many: 7,
  few: 3,
  flock: 7,
  herd: 5,
  fleet: 4,
  group: 4,
  bunch: 5,
  swarm: 9,
  couple: 2,
  school: 8,
  family: 4,
};
/** What a text names of the things that can be drawn, in its order. */
export function readSubjects(text: string): Subject[] {
  const tokens = text.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
  const found: Subject[] = [];
  for (let i = 0; i < tokens.length; ) {
    const span = longest(tokens, i);
    if (!span) {
      i++;
      continue;
    }
    const { entry, length, word } = span;
    const before = tokens.slice(Math.max(0, i - 4), i);
    const isAdjective = entry.isAmbiguous && longest(tokens, i + length) !== undefined;
    if (isAdjective) {
      i += length;
      continue;
    }
    if (
      !entry.isAmbiguous ||
      /^(an?|the|one|big|small|giant|tiny)$/.test(before.at(-1) ?? '') ||
      isColour(before.at(-1) ?? '')
    ) {
      addSubject(found, entry.noun, word, entry.isPlural, before);
    }
    i += length;
  }
  return found.slice(0, 6);
}

function longest(tokens: string[], at: number) {
  for (let length = 3; length > 0; length--) {
    const word = tokens.slice(at, at + length).join(' ');
    const entry = tokens.length >= at + length ? LEXICON.get(word) : undefined;
    if (entry) return { entry, length, word };
  }
  return undefined;
}

/** True for a word that names a colour. */
export const isColour = (word: string): boolean => word in COLOUR_WORDS;

function addSubject(found: Subject[], noun: Noun, word: string, isPlural: boolean, before: string[]): void {
  // Adjectives belong to this noun only back to the last conjunction or preposition.
  const cut = before.findLastIndex((token) => /^(and|with|on|in|by|under|near|beside|at|to|from|over)$/.test(token));
  const own = before.slice(cut + 1);
  const number = own.map((token) => NUMBERS[token] ?? (/^\d{1,2}$/.test(token) ? Number(token) : 0)).find((n) => n > 0);
  const subject: Subject = {
    word,
    sprite: noun.sprite,
    role: noun.role,
    height: noun.height,
    count: Math.min(12, Math.max(1, number ?? (isPlural ? (noun.height < 1 ? 5 : 3) : 1))),
  };
  if (noun.sprite === 'family') subject.count = 1;
  const colour = own.findLast(isColour);
  if (colour) subject.colour = COLOUR_WORDS[colour] as string;
  if (own.some((token) => /^(colou?rful|multi-?colou?red|rainbow|bright|assorted)$/.test(token)) && !colour)
    subject.isVaried = true;
  if (own.some((token) => /^(big|giant|huge|enormous|large|towering)$/.test(token))) subject.size = 'big';
  if (own.some((token) => /^(small|tiny|little|miniature)$/.test(token))) subject.size = 'small';
  const previous = found.length - 1;
  if (previous >= 0 && before.some((t) => /^(on|riding|in)$/.test(t)) && RIDEABLE.has(noun.sprite)) {
    const rider = found[previous] as Subject;
    if (rider.role !== 'building' && rider.role !== 'plant' && rider.sprite !== noun.sprite) rider.on = found.length;
  }
  if (!found.some((other) => other.sprite === subject.sprite)) found.push(subject);
}

const RIDEABLE = new Set([
  'horse',
  'own:unicorn',
  'elephant',
  'camel',
  'sailboat',
  'canoe',
  'dragon',
  'ship',
  'chair',
  'couch-and-lamp',
]);
