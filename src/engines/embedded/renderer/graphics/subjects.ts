/** Finds in a text the things that can be drawn, with number, colour and size; whole words of the noun list only. */
import type { Act } from './art/index.ts';
import { COLOUR_WORDS } from './colour.ts';
import { LEXICON, type Noun, type Role } from './nouns.ts';
import { isSmall, thingAt } from './thing-words.ts';

/** Something that a text names and that is drawn. `height` is in metres. */
export interface Subject {
  /** The word of the prompt. */
  word: string;
  sprite: string;
  role: Role;
  height: number;
  /** How many of it, 1 to 12. */
  count: number;
  /** '#rrggbb' when the prompt colours it. */
  colour?: string;
  /** "colourful balloons": each of another colour. */
  isVaried?: boolean;
  size?: 'big' | 'small';
  /** Of a person: the words about it. */
  phrase?: string;
  /** Of a person in a scene. */
  act?: Act;
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
export const readSubjects = (text: string): Subject[] => readThings(text).subjects;

/** As `readSubjects`, and the first thing that it names and neither the list has nor anything near it. */
export function readThings(text: string): { subjects: Subject[]; unknown?: string } {
  const tokens = text.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*|[^\s\p{L}\p{N}]/gu) ?? [];
  const found: Subject[] = [];
  let unknown: string | undefined;
  for (let i = 0; i < tokens.length; ) {
    // The first noun of "a school of fish" only counts the second: no school is drawn.
    const isNumber = tokens[i + 1] === 'of' && Object.hasOwn(NUMBERS, tokens[i] as string);
    const span = isNumber ? undefined : (longest(tokens, i) ?? nearest(tokens, i));
    if (!span?.entry) {
      if (span) unknown ??= phraseOf(tokens, i, span.word);
      i += span?.length ?? 1;
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
      // A thing at the beginning, not a command: "Watch on a leather strap", not "Watch the sun".
      (i === 0 && !isColour(word) && /^(?:on|in|with|of|at|by|under|,|)$/.test(tokens[i + length] ?? '')) ||
      isColour(before.at(-1) ?? '')
    ) {
      addSubject(found, entry.noun, word, entry.isPlural, before);
      const added = found.at(-1);
      if (added?.role === 'person' && added.word === word) added.phrase = clauseOf(tokens, i);
    }
    i += length;
  }
  return { subjects: found.slice(0, 6), ...(unknown === undefined ? {} : { unknown }) };
}

/** The words about a thing: from the last conjunction or comma to the next. */
function clauseOf(tokens: string[], at: number): string {
  const isEnd = (token: string) => token === 'and' || /^[^\p{L}\p{N}]/u.test(token);
  const from = tokens.slice(0, at).findLastIndex(isEnd) + 1;
  const next = tokens.slice(at).findIndex(isEnd);
  return tokens.slice(from, next < 0 ? undefined : at + next).join(' ');
}

/** A thing with what is said of it before: "red washing machine". */
function phraseOf(tokens: string[], at: number, word: string): string {
  const before = tokens.slice(Math.max(0, at - 3), at);
  return [...before.slice(before.findLastIndex(isSmall) + 1), word].join(' ');
}

function nearest(tokens: string[], at: number) {
  const thing = thingAt(tokens, at);
  if (!thing) return undefined;
  const { near, isPlural, length, word } = thing;
  const listed = LEXICON.get(near);
  return { entry: listed && { ...listed, isPlural, isAmbiguous: false }, length, word };
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
  const cut = before.findLastIndex((token) =>
    /^(and|with|on|in|by|under|near|beside|at|to|from|over|[^\p{L}\p{N}].*)$/u.test(token),
  );
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
