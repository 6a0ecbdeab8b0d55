/** Finds in a text the things that can be drawn, with number, colour and size; whole words of the noun list only. */
import { COLOUR_WORDS, MATERIALS } from './colour.ts';
import { isOnSill, poseOf } from './doings.ts';
import { type Entry, LEXICON, type Noun } from './nouns.ts';
import { isHolder, relate, type Subject } from './relations.ts';
import { isOfLooks } from './sitter.ts';
import { isSmall, placeCalled, thingAt } from './thing-words.ts';

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
  class: 5,
  caravan: 4,
  row: 5,
  line: 5,
  pack: 4,
  pod: 4,
  trio: 3,
  parade: 5,
};
/** What a text names of the things that can be drawn, in its order. */
export const readSubjects = (text: string): Subject[] => readThings(text).subjects;

/** As `readSubjects`, and the first thing that it names and neither the list has nor anything near it. */
export function readThings(text: string): { subjects: Subject[]; unknown?: string } {
  const tokens = text.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*|[^\s\p{L}\p{N}]/gu) ?? [];
  const found: Subject[] = [];
  const joined = new Set<Subject>();
  let unknown: string | undefined;
  // Behind the last thing that was read.
  let end = 0;
  let told: { person: Subject; from: number; until: number } | undefined;
  for (let i = 0; i < tokens.length; ) {
    // The first noun of "a school of fish" only counts the second: no school is drawn.
    const isNumber = tokens[i + 1] === 'of' && Object.hasOwn(NUMBERS, tokens[i] as string);
    const span = isNumber ? undefined : spanAt(tokens, i);
    if (!span?.entry) {
      const isWorn = found.some(({ role }) => role === 'person') && isOfLooks(span?.word ?? '');
      if (span && !isWorn) unknown ??= phraseOf(tokens, i, span.word);
      i += span?.length ?? 1;
      continue;
    }
    const { entry, length, word } = span;
    const before = tokens.slice(Math.max(0, i - 4), i);
    const next = tokens[i + length] ?? '';
    if (
      isAdjective(entry, word, tokens, i + length) ||
      isVerbForm(entry, word, next) ||
      isVessel(word, tokens, i + 1) ||
      isPartOf(entry, found.at(-1), tokens.slice(end, i)) ||
      isAroundThem(entry, before, next)
    ) {
      i += length;
      continue;
    }
    if (
      !entry.isAmbiguous ||
      /^(an?|the|one|big|small|giant|tiny)$/.test(before.at(-1) ?? '') ||
      // A thing at the beginning, not a command: "Watch on a leather strap", not "Watch the sun".
      (i === 0 && !isColour(word) && /^(?:on|in|with|of|at|by|under|,|)$/.test(next)) ||
      isColour(before.at(-1) ?? '')
    ) {
      const added = addSubject({ found, joined }, entry.noun, word, entry.isPlural, before, tokens.slice(end, i));
      if (added?.role === 'person') {
        // What is said of one person is not said of the next.
        if (told && told.until > i) told.person.phrase = tokens.slice(told.from, i).join(' ');
        const clause = clauseOf(tokens, i, end);
        added.phrase = clause.phrase;
        told = { person: added, ...clause };
      }
      const behind = tokens.slice(i + length, i + length + 6).join(' ');
      const pose = added && poseOf(added, before.at(-1) ?? '', behind);
      if (added && pose) added.pose = pose;
      if (added && isOnSill(behind))
        for (const one of joined.has(added) ? found.slice(-2) : [added]) one.isOnSill = true;
      const isTame =
        PERCHED.test(behind) ||
        (added !== undefined && added.by === undefined && found.some(({ by }) => by === added.sprite));
      if (added?.role === 'flyer' && /^(?:bird|black-bird|eagle|dove)$/.test(added.sprite) && isTame)
        added.role = 'animal';
      const bearer = found.findIndex(isHolder);
      if (added?.role === 'animal' && ON_BODY.test(behind) && bearer >= 0 && found[bearer] !== added)
        Object.assign(added, { on: bearer, how: 'held' });
      if (added && ASTRIDE.test(behind) && bearer >= 0 && found[bearer] !== added && added.role !== 'building') {
        delete found[bearer]?.by;
        delete added.by;
        Object.assign(added, { on: bearer, how: 'on' });
      }
      // "A stack of books with a candle on top".
      const lower = found.at(-2);
      if (added && lower && added.on === undefined && ON_TOP.test(behind))
        Object.assign(added, { on: found.length - 2, how: 'on' });
      if (added && OF_COLOURS.test(behind)) added.isVaried = true;
      if (added && canFly(added) && isFlying(tokens, i, i + length)) added.role = 'flyer';
      if (added?.role === 'person' && SOARS.test(behind)) added.role = 'flyer';
      const madeOf = MADE_OF.exec(behind)?.[1];
      const paint = madeOf && (MATERIALS.get(madeOf) ?? COLOUR_WORDS.get(madeOf));
      if (added && paint && !added.colour) added.colour = paint;
      end = i + length;
    }
    i += length;
  }
  return { subjects: found.slice(0, 6), ...(unknown === undefined ? {} : { unknown }) };
}

const spanAt = (tokens: string[], at: number) => longest(tokens, at) ?? nearest(tokens, at);

/** "A chess player", "a football team": what stands before another noun only says what kind that is. */
function isAdjective({ noun, isAmbiguous, isPlural }: Entry, word: string, tokens: string[], next: number): boolean {
  const behind = longest(tokens, next)?.entry.noun ?? nearest(tokens, next)?.entry?.noun;
  // "An oak tree", "a yoga teacher".
  if (behind && (behind.sprite === noun.sprite || (noun.role === 'person' && behind.role === 'person'))) return true;
  if (isAmbiguous) return longest(tokens, next) !== undefined;
  // "A hotel corridor", "a hotel receptionist".
  if (noun.role === 'building' && (INSIDE.test(tokens[next] ?? '') || behind?.role === 'person')) return true;
  // What a shop sells is not before it; on its logo it is what is seen.
  if (/^(?:shops?|stores?|stalls?|markets?)$/.test(tokens[next] ?? '') && !tokens.some((token) => PRINTED.test(token)))
    return true;
  if (noun.role !== 'thing' || isPlural || word.includes(' ') || noun.sprite === 'own:robot') return false;
  return FURNITURE.test(tokens[next] ?? '') || spanAt(tokens, next)?.entry !== undefined;
}
const PRINTED = /^(?:logos?|posters?|flyers?|banners?|cards?|icons?|labels?|stickers?|menus?|emblems?|thumbnails?)$/;
const INSIDE =
  /^(?:corridors?|rooms?|halls?|wards?|kitchens?|offices?|lobby|beds?|gates?|walls?|doors?|windows?|roofs?|interiors?|yards?|lawns?|grounds?)$/;
const FURNITURE =
  /^(?:tables?|desks?|shel(?:f|ves)|machines?|makers?|plantations?|terraces?|padd(?:y|ies)|fields?|holders?|covers?|tops?|shops?|stores?|stalls?|stands?|markets?|bubbles?)$/;
/** Who is in one of them sees its rooms. */
const ROOMY = new Set([
  'hospital',
  'school',
  'factory',
  'bank',
  'hotel',
  'church',
  'castle',
  'classical-building',
  'house',
  'hut',
]);
const isAroundThem = ({ noun }: Entry, before: string[], next: string): boolean =>
  !/^(?:gardens?|grounds?|courtyards?|yards?|parks?)$/.test(next) &&
  ((ROOMY.has(noun.sprite) &&
    /(?:^| )(?:in|inside) (?:an?|the|my|our|his|her|their)(?: \p{L}+)?$/u.test(before.join(' '))) ||
    (/^(?:hospital|school)$/.test(noun.sprite) && /(?:^| )(?:in|at)(?: the)?$/.test(before.join(' '))));

/** "His dog watches him": what looks like a plural is what is done to the next word. */
const isVerbForm = ({ isPlural, isAmbiguous }: Entry, word: string, next: string): boolean =>
  (isPlural || isAmbiguous) && word.endsWith('s') && /^(?:him|them|me|us|it|her|as)$/.test(next);

/** "A bottle of wine", "a cup of black tea": what is in it is drawn in it. */
function isVessel(word: string, tokens: string[], of: number): boolean {
  if (tokens[of] !== 'of' || !VESSEL.test(word)) return false;
  const found = [1, 2, 3].map((step) => longest(tokens, of + step)).find((one) => one && !one.entry.isAmbiguous);
  return found !== undefined && SERVED.has(found.entry.noun.sprite);
}
const VESSEL = /^(?:bottles?|jars?|cups?|mugs?|glass(?:es)?|bowls?|plates?|pots?|pans?|jugs?|pitchers?)$/;
/** Drawn with the cup, bowl or plate that they are served in. */
const SERVED = new Set(
  'hot-beverage teapot wine-glass beer-mug cocktail-glass tropical-drink glass-of-milk bottle-with-popping-cork sake tumbler-glass bubble-tea cup-with-straw steaming-bowl spaghetti green-salad cooked-rice curry-rice pot-of-food bowl-with-spoon fondue shaved-ice custard shallow-pan-of-food honey-pot lotion-bottle own:perfume own:glass pancakes cooking'.split(
    ' ',
  ),
);

/** "A green car with yellow wheels": a car has them. */
const isPartOf = ({ noun }: Entry, whole: Subject | undefined, gap: string[]): boolean =>
  noun.sprite === 'wheel' && whole?.role === 'vehicle' && gap.includes('with');

/** "A parrot on his shoulder", "an eagle on a rock": it does not fly. */
const PERCHED = /^(?:(?:is |are )?(?:perched|sitting|standing|resting) )?on\b/;
const ASTRIDE = /^(?:sitting |riding |standing )?on (?:his|her|their|its|the) (?:shoulders|back|head)\b/;
const ON_TOP = /^(?:sitting |standing |resting |placed )?on (?:the )?top(?: of (?:it|them|each))?(?! of)(?!\p{L})/u;
const OF_COLOURS = /^(?:of|in) (?:different|various|many|all|several|assorted|rainbow) colou?rs\b/;
const ON_BODY = /^(?:sitting |perched )?on (?:his|her|their|its|my|the) (?:shoulder|arm|head|hand|lap|back)\b/;

const canFly = ({ role, sprite }: Subject): boolean =>
  role === 'animal' || role === 'vehicle' || sprite === 'superhero';
/** People fly where it is said on what or over what: who flies a kite or to Rome stands. */
const SOARS =
  /^(?:is |are )?(?:flying|flies|soaring|soars) (?:over|above|through|high|on (?:an?|the|his|her) (?:\p{L}+ )?(?:broom|carpet|dragon)|in the (?:\p{L}+ )?(?:sky|air|clouds))/u;
const FLIES = /^(?:fly(?:ing)?|flies|soar(?:ing|s)?|hover(?:ing|s)?)$/;
const isFlying = (tokens: string[], at: number, behind: number): boolean =>
  FLIES.test(tokens[at - 1] ?? '') ||
  tokens.slice(behind, behind + 3).some((token, i, all) => FLIES.test(token) && all.slice(0, i).every(isLink));
const isLink = (token: string): boolean => /^(?:is|are|that|which|who)$/.test(token);

/** The words about a thing: from the last conjunction, comma or thing to the next end. */
function clauseOf(tokens: string[], at: number, after: number): { phrase: string; from: number; until: number } {
  const isEnd = (token: string) => token === 'and' || /^[^\p{L}\p{N}]/u.test(token);
  const from = Math.max(after, tokens.slice(0, at).findLastIndex(isEnd) + 1);
  const next = tokens.slice(at).findIndex(isEnd);
  const until = next < 0 ? tokens.length : at + next;
  return { phrase: tokens.slice(from, until).join(' '), from, until };
}

/** A thing with what is said of it before: "red washing machine". */
function phraseOf(tokens: string[], at: number, word: string): string {
  const before = tokens.slice(Math.max(0, at - 3), at);
  return [...before.slice(before.findLastIndex(isSmall) + 1), word].join(' ');
}

function nearest(tokens: string[], at: number) {
  const thing = thingAt(tokens, at);
  // "Los Angeles" has no angels.
  const isNamed = at > 0 && placeCalled(`${tokens[at - 1]} ${tokens[at]}`) !== undefined;
  if (!thing || isNamed) return undefined;
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
export const isColour = (word: string): boolean => COLOUR_WORDS.has(word);

/** @param gap what stands between it and the thing before it */
function addSubject(
  { found, joined }: { found: Subject[]; joined: Set<Subject> },
  noun: Noun,
  word: string,
  isPlural: boolean,
  before: string[],
  gap: string[],
): Subject | undefined {
  // Adjectives belong to this noun only back to the last conjunction or preposition.
  const cut = before.findLastIndex((token) =>
    /^(and|with|on|in|by|under|near|beside|at|to|from|over|[^\p{L}\p{N}].*)$/u.test(token),
  );
  const own = before.slice(Math.max(cut + 1, before.length - gap.length));
  // A pair of glasses is one thing.
  const isOnePair = ONE_PAIR.test(noun.sprite);
  const number = own
    .filter((token) => !isOnePair || token !== 'pair')
    .map((token) => NUMBERS[token] ?? (/^\d{1,2}$/.test(token) ? Number(token) : 0))
    .find((n) => n > 0);
  // "A vase full of roses": the article is the vase's.
  const isOne = own.slice(own.lastIndexOf('of') + 1).some((token) => /^(an?|one|another)$/.test(token));
  const many = /(?:shoe|boot|glove|sock|skate|sandal|slipper|earring|sneaker|puddle)s$/.test(word)
    ? 2
    : noun.height < 1
      ? 5
      : 3;
  const subject: Subject = {
    word,
    sprite: noun.sprite,
    role: noun.role,
    height: noun.height,
    count: Math.min(12, Math.max(1, number ?? (isPlural && !isOne && !(isOnePair && own.includes('pair')) ? many : 1))),
  };
  if (noun.sprite === 'family') subject.count = 1;
  // Of two colours the first is what it is drawn in, but for what is drawn in both: "a black and white cow".
  const [first = '', and, second = ''] = before.slice(-3);
  const isPied = and === 'and' && isColour(first) && isColour(second);
  const pied = PIED.has(noun.sprite) ? undefined : first;
  const colour = isPied ? pied : own.findLast(isColour);
  const material = own.findLast((token) => MATERIALS.has(token));
  const paint = colour ? COLOUR_WORDS.get(colour) : material && MATERIALS.get(material);
  if (paint) subject.colour = paint;
  const isTraffic = subject.role === 'vehicle' && subject.count > 3;
  if (
    (isTraffic || own.some((token) => /^(colou?rful|multi-?colou?red|rainbow|bright|assorted)$/.test(token))) &&
    !colour
  )
    subject.isVaried = true;
  if (own.some((token) => /^(big|giant|huge|enormous|large|towering)$/.test(token))) subject.size = 'big';
  if (own.some((token) => /^(small|tiny|little|miniature)$/.test(token))) subject.size = 'small';
  const alike = found.find(({ sprite }) => sprite === subject.sprite);
  if (alike && !isAnother(subject, alike, own, gap)) return undefined;
  if (JOINS.test(gap.join(' '))) joined.add(subject);
  relate(found, subject, gap, joined);
  found.push(subject);
  return subject;
}

const ONE_PAIR =
  /^(?:headphone|glasses|sunglasses|goggles|scissors|jeans|shorts|chopsticks|gloves|socks|skis|ballet-shoes|maracas|boxing-glove)$/;

/** "A jellyfish made of glass". */
const MADE_OF =
  /^(?:\p{L}+ )?(?:made (?:entirely )?(?:out )?of|carved (?:from|out of)|built of) (?:\p{L}+ )??(\p{L}+)\b/u;

/** What stands between two that are named as one: "a boy and a little girl". */
const JOINS =
  /^(?:,|, and|and)(?: (?!(?:in|on|at|by|with|from|to|into|under|over|for|of)\b)\p{L}*(?<!ing)(?![\p{L}-])){0,3}$/u;

/** Black and white in the art itself. */
const PIED: ReadonlySet<string> = new Set([
  'cow',
  'panda',
  'penguin',
  'zebra',
  'badger',
  'skunk',
  'orca',
  'soccer-ball',
]);

/** Whether a thing that is drawn alike is one more, or the one that was named before. */
function isAnother({ word, colour, size }: Subject, alike: Subject, own: string[], gap: string[]): boolean {
  if (own.some((token) => /^(?:the|his|her|its|their|this|that|same)$/.test(token)) && word === alike.word)
    return false;
  // A baby elephant is not the elephant beside it.
  if (word !== alike.word || own.includes('another') || (size && size !== alike.size)) return true;
  if (colour && alike.colour && colour !== alike.colour && own.some((token) => token === 'a' || token === 'an'))
    return true;
  return gap.includes('and') && (colour !== alike.colour || own.some((token) => token === 'a' || token === 'an'));
}
