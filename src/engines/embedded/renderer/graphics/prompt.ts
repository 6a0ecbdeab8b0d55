/**
 * Reads a prompt into what can be painted: the kind of image, its place and light, its subjects with number and
 * colour, and the words to letter. By rule and whole word only; what it does not know it leaves out, never guesses.
 */
import { badInput } from '../../../ports/errors.ts';
import { COLOUR_WORDS } from './colour.ts';
import { intendedWords, quotedWords } from './intended-words.ts';
import { chooseKind, type ImageKind, PORTRAIT, WORN } from './kind.ts';
import { isEnglish } from './language.ts';
import { LEXICON, NOUNS } from './nouns.ts';
import { NAMES } from './portrait/lexicon.ts';
import { spelled } from './spelling.ts';
import { isColour, only, readThings, type Subject } from './subjects.ts';
import { isHeardOf, isSmall, isThing, isUnseen, placeCalled } from './thing-words.ts';
import {
  ABSTRACT,
  firstMatch,
  LETTERINGS,
  type Lettering,
  MOODS,
  PLACES,
  type Place,
  SEASONS,
  type Season,
  STYLES,
  TIMES,
  type Time,
  WEATHERS,
  type Weather,
} from './vocabulary.ts';

export { readSubjects, type Subject } from './subjects.ts';

/** What a prompt asks for, as far as it is understood: everything that is painted follows from it and the seed. */
export interface ImagePlan {
  prompt: string;
  kind: ImageKind;
  place?: Place;
  time: Time;
  weather: Weather;
  season?: Season;
  mood?: string;
  subjects: Subject[];
  /** '#rrggbb' of the colours the prompt names, in its order. */
  palette: string[];
  /** What is to be lettered, in order; empty for none. */
  words: string[];
  lettering: Lettering;
  style?: string;
  /** What it asks for and nothing here can draw, nor anything near it; absent where there is no such thing. */
  unknown?: string;
  /** It is in another language than English, of which nothing is understood. */
  isForeign?: true;
}

/** Throws badInput('prompt', ...) for what would not show what is asked for. */
export function checkDrawable({ unknown, isForeign }: ImagePlan): void {
  if (isForeign) throw badInput('prompt', 'is not in English: the embedded illustrator reads prompts in English only.');
  if (unknown)
    throw badInput('prompt', `asks for "${unknown.slice(0, 120)}", which the embedded illustrator cannot draw.`);
}

/** Whose portrait it is: a person called Daisy is no flower. */
const NAME = /^([Pp]ortrait of)(?: \p{Lu}[\p{L}'-]*)+(?=[.,]|$)/u;

/** Who it is, before what it is: "Max the dog". */
const CALLED = /^(?:\p{Lu}\p{L}+)(?= the (\p{L}+))/u;
const withoutName = (prompt: string): string =>
  prompt.replace(CALLED, (name: string, what: string) =>
    LEXICON.has(what.toLowerCase()) && !isSmall(name.toLowerCase()) ? '' : name,
  );

/** A person's head and shoulders: words go below them. */
export const isBust = ({ kind }: ImagePlan): boolean => kind === 'portrait' || kind === 'bust';

/** Reads a prompt. Never throws: what cannot be drawn is named in the plan (`checkDrawable`). */
export function readPrompt(prompt: string): ImagePlan {
  const words = quotedWords(prompt).length > 0 ? quotedWords(prompt) : (intendedWords(prompt) ?? []);
  const unlettered = withoutWords(withoutName(prompt.replace(NAME, '$1 ')), words);
  const text = seenOf(
    inSingle(
      spelled(
        unlettered
          .toLowerCase()
          .replace(/[’`]/g, "'")
          .replace(/\bcafé/g, 'cafe')
          .replace(MEDIUM, ' '),
      ),
    ),
  );
  const { subjects: things, unknown: unlisted } = readThings(text);
  const all = words.length > 0 ? only(withoutClothes(things), isNoFlag) : withoutClothes(things);
  // A still life lies on its table, a room has one that is named.
  const laid = all.length > 1 ? only(all, ({ sprite }) => sprite !== 'own:table') : all;
  const worded = placeIn(text, all);
  const named = worded ?? namedIn(text);
  const lettering = firstMatch(LETTERINGS, text) ?? 'caption';
  // Neon alone is a wall at night, not a landscape.
  const read = chooseKind(
    lettering === 'neon' && words.length > 0 ? text.replace(/\b(neon|night)\b/g, ' ') : text,
    laid,
    named,
  );
  const subjects = read === 'scene' ? all : laid;
  // A sign or a banner hangs somewhere: out of doors unless the prompt says otherwise.
  const isHung = words.length > 0 && (lettering === 'sign' || lettering === 'banner') && !ABSTRACT.test(text);
  const kind = read === 'abstract' && isHung ? 'scene' : read;
  const place = kind === 'portrait' ? named : kind === 'scene' ? (named ?? homeOf(subjects)) : undefined;
  const season = firstMatch(SEASONS, text);
  const plan: ImagePlan = {
    prompt,
    kind,
    time: firstMatch(TIMES, text) ?? 'day',
    weather: weatherIn(text, place),
    subjects,
    palette: readPalette(text),
    words,
    lettering,
  };
  if (place) plan.place = place;
  if (season) plan.season = season;
  const mood = firstMatch(MOODS, text);
  if (mood) plan.mood = mood;
  const style = firstMatch(STYLES, text);
  if (style) plan.style = style;
  const isPainted =
    !PORTRAIT.test(text) && (kind === 'scene' || kind === 'object' || (kind === 'abstract' && !ABSTRACT.test(text)));
  const unknown =
    (words.length === 0 && !worded ? unknownIn(text, plan) : undefined) ??
    (isPainted ? (unlisted ?? (words.length === 0 ? unheardOf(text, subjects) : undefined)) : undefined);
  if (unknown) plan.unknown = unknown;
  if (!PORTRAIT.test(text) && !isEnglish(unlettered, isThing)) plan.isForeign = true;
  return plan;
}

/** Pencils and brushes that an image is made with are not in it. */
const MEDIUM =
  /\b(?:(?:pencil|ink|pen|charcoal|crayon|chalk|oil|acrylic|paint ?brush)(?: and \w+)? (?=sketch|drawing|illustration|painting|art\b|portrait))/g;

/** Ground under their feet: the sky's wonders are seen from there. */
const GROUNDED = /^(?:building|plant|vehicle|boat|animal)$/;
const SKY_ONLY = /\b(?:milky way|galax(?:y|ies)|nebulae?|starfield|universe|cosmos)\b/g;

/** What is seen from a room is not where it is. */
const VIEW = /\b(?:views? (?:of|over|on|onto|to)|overlooking)(?: \p{L}+){1,3}/gu;

/** Where it is, by a word for such a place. */
function placeIn(text: string, subjects: Subject[]): Place | undefined {
  const inside = text.replace(VIEW, ' ');
  const isInside = inside !== text && firstMatch(PLACES, inside) === 'room';
  const place = isInside ? 'room' : firstMatch(PLACES, text);
  if (place === 'space' && subjects.some(({ role }) => GROUNDED.test(role))) {
    const below = text.replace(SKY_ONLY, ' ');
    if (below !== text) return firstMatch(PLACES, below);
  }
  // "Kids building a sandcastle, waves behind them": what lies on a beach is not in the waves.
  if (place === 'sea' && subjects.some((one) => one.role === 'thing' && homeOfOne(one) === 'beach')) return 'beach';
  return place;
}

/** "Sunset over Kyoto", "Venice in the rain". */
function namedIn(text: string): Place | undefined {
  for (const match of text.matchAll(
    /(?:^|\b(?:in|over|at|near|through|around|across|above|to|(?:photo|picture|image|painting|view|skyline|streets?|map|card|postcard) of|(?:poster|flyer|ad) for) )(?:the )?(?=(\p{L}[\p{L}'-]*(?: \p{L}[\p{L}'-]*){0,2}))/gu,
  )) {
    const words = (match[1] as string).split(' ');
    for (let length = words.length; length > 0; length--) {
      const place = placeCalled(words.slice(0, length).join(' '));
      if (place) return place;
    }
  }
  return undefined;
}

/** Snow lies on open land, where the recipe of the place has it; between houses it falls. */
function weatherIn(text: string, place: Place | undefined): Weather {
  const told = firstMatch(WEATHERS, text) ?? 'clear';
  const isBuilt = place === 'city' || place === 'street';
  return isBuilt && (told === 'clear' || told === 'clouds') && /\bsnowy?\b/.test(text) ? 'snow' : told;
}

/** A thing that is named as one: behind an article or a number, up to what is said of it. */
const THING =
  /(?:^|[^\p{L}])(?:an?|the|two|three|four|five|several|some) ((?:[\p{L}'-]+ )*?[\p{L}'-]+)(?= (?:on|in|at|with|of|by|under|over|above|below|near|beside|behind|against|and|or|from|to|for|that|who|which|is|are|during)(?![\p{L}])|[^\p{L}' -]|$)/gu;
/** Undefined where something of the prompt can be drawn. */
function unknownIn(text: string, { kind, subjects }: ImagePlan): string | undefined {
  if (subjects.length > 0 || (kind !== 'abstract' && kind !== 'scene') || ABSTRACT.test(text)) return undefined;
  const occasion = OCCASION.exec(text)?.[1];
  if (occasion) return occasion;
  for (const { 1: phrase = '', 0: whole, index } of text.matchAll(THING)) {
    // "An airy, open loft": what stands alone before a comma may be an adjective.
    if (/^\s*(?:,|and(?!\p{L}))/u.test(text.slice(index + whole.length))) continue;
    // Words behind a noun may say how it is ("a ruin overgrown") and are then no things themselves.
    const still = phrase.replace(/(?: \p{L}+(?:ed|grown|ly))+$/u, '');
    // They may say what it does, too: "a model walking down the runway".
    const idle = still.replace(/ \p{L}{2,}ing(?: .*)?$/u, '');
    const thing = isThing(idle.split(' ').at(-1) ?? '') ? idle : still;
    const head = thing.split(' ').at(-1) ?? '';
    return head === '' || isUnseen(head) ? undefined : thing;
  }
  return undefined;
}

/** Endings of words that say how something is or is done. */
const HOW = /(?:ing|ed|ly|ful|ous|ish|less|ive|ic|al|able|ible|est|y|en|wn|an|ese|some|ant|ent)$/;

/** What a prompt begins with, up to what is said of it: "pikachu" of "pikachu in a forest". */
const BEGINNING =
  /^\s*(?:an? |the |my |our )?((?:[\p{L}\p{N}'-]+ ?){1,6}?)(?= ?(?:[^\p{L}\p{N}' -]|(?:in|on|at|over|by|near|with|from|through|under|between|and|of|is|are|who|that|for|to)\b|$))/u;

const isNamed = (word: string): boolean => NAMES.has(word) || LEXICON.has(word);

/** A thing that the prompt begins with, or names behind an article, and that no list has as a word at all. */
function unheardOf(text: string, subjects: Subject[]): string | undefined {
  const beginning = BEGINNING.exec(text) ?? [''];
  const whole = beginning[0];
  const first = (beginning[1] ?? '').trim();
  // "A warm, golden evening", "a long and winding road": what stands alone there may be an adjective.
  const isListed = !first.includes(' ') && /^\s*(?:,|and\b)/.test(text.slice(whole.length));
  const words = isListed ? [] : first.split(' ').filter((word) => /^\p{L}{3}/u.test(word));
  const rest = words.filter((word) => !HOW.test(word) && !isSmall(word));
  const isShown = subjects.some(({ word }) => first.includes(word));
  if (!isShown && rest.length > 0 && !words.some((word) => isHeardOf(word) || isNamed(word))) return rest.join(' ');
  for (const { 1: phrase = '', 0: named, index } of text.matchAll(NEW)) {
    if (/^\s*(?:,|and(?!\p{L}))/u.test(text.slice(index + named.length))) continue;
    const head = phrase.split(' ').at(-1) ?? '';
    if (subjects.some(({ word }) => phrase.endsWith(word) || word.endsWith(phrase))) continue;
    if (/^\p{L}{3}/u.test(head) && !isHeardOf(head) && !HOW.test(head) && !isSmall(head)) return phrase;
  }
  return undefined;
}
const NEW =
  /(?:^|[^\p{L}])an? ((?:[\p{L}'-]+ ){0,2}?[\p{L}'-]+)(?= (?:on|in|at|with|of|by|under|over|above|below|near|beside|behind|against|and|or|from|to|for|that|who|which|is|are|during)(?![\p{L}])|[^\p{L}' -]|$)/gu;

/** What is lettered is not drawn: a sign that says "cat" has no cat beside it. */
function withoutWords(prompt: string, words: string[]): string {
  let text = prompt.replace(/["“„][^"”“]*["”“]/g, ' ');
  for (const word of words) {
    const at = text.toLowerCase().indexOf(word.toLowerCase());
    if (at >= 0) text = `${text.slice(0, at)} ${text.slice(at + word.length)}`;
  }
  // A book cover is no book; what shall not be there, or what a person looks into, is not to be seen.
  return text
    .replace(/\bbook cover\b/gi, 'cover of')
    .replace(/\b(?:no|without(?: any| an?)?) \p{L}[\p{L}-]*(?: (?:or|nor) [\p{L}-]+)?/giu, ' ')
    .replace(/\b(?:at|into|to|towards?|facing|for|before) the (?:camera|viewer|lens)\b/gi, ' ');
}

/** Words for several things at once, as what is seen of them. */
const ASSORTMENTS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:an? |the )?crowds?(?: of people| of fans|(?= (?:at|in|on|cheering|dancing|watching|waiting)\b))/g,
    'many persons',
  ],
  [/\b(tesla|bmw|audi|mercedes|toyota|porsche|ford) (?:model )?(?:\p{L}?\d\p{L}*|[a-z])(?!\p{L})/gu, '$1'],
  [/\bskateboarding\b/g, 'on a skateboard'],
  [/\bwatering hole\b/g, 'waterhole'],
  [/\b(?:an? )?beds? (?=of \p{L}+s\b)/gu, 'many '],
  [
    /\b(two|three|four|five|six|seven|eight) ((?:(?!friends)\p{L}+ )?)(?:people|friends)\b(?! shaking hands)/gu,
    '$1 $2persons',
  ],
  [/(?<!\bare (?:the )?(?:best |good |close )?)\bfriends\b/g, 'persons'],
  [/\b(?:best |good |close |old )?(?:friend|neighbou?r|colleague)\b(?! (?:of|to)\b)/g, 'person'],
  [/(?<=\b(?:and|with|of) )(?:me|myself)\b|\b(?:me|i)(?= (?:and|at|in|on|with|as)\b)/g, 'a person'],
  [/\b(?:\p{L}+ )?(?:team|crew|choir|band members|audience)\b(?! (?:logo|name|spirit|building))/gu, 'many persons'],
  [/\bmodel(?=s? (?:walking|posing|strutting|standing|sitting|wearing)\b)/g, 'person'],
  [
    /\b(?:woman|girl|lady|person|someone|people|women) (?:(?:doing|practi[cs]ing|teaching) yoga|in a yoga pose)\b/g,
    'yoga',
  ],
  [/\b(?:man|boy|guy) (?:(?:doing|practi[cs]ing|teaching) yoga|in a yoga pose)\b/g, 'yogi'],
  [/\b(?:(?:two |a pair of )?(?:people|men|women|persons|businessmen|hands) )?shaking hands\b/g, 'a handshake'],
  [/\b(?:(?:a |the )?bowls? of )?(?:fresh )?fruits?\b/g, 'an apple, a pear, grapes and a banana'],
  [/\b(?:fresh )?(?:vegetables|veggies)\b/g, 'a carrot, a tomato, a broccoli and corn'],
];

/** What is seen of an occasion, where nothing else is named. */
const OCCASIONS: readonly (readonly [RegExp, string])[] = [
  [/\bbreakfast in bed\b/g, 'someone in bed, a small coffee and a small croissant in a bedroom'],
  [
    /\bjazz(?: music)? (?:festivals?|concerts?|nights?|clubs?|bands?|gigs?|sessions?|trios?|quartets?)\b/g,
    'a saxophone, a trumpet and a drum',
  ],
  [
    /\b(?:rock|pop|music|folk|indie|metal)(?: music)? (?:festivals?|concerts?|nights?|bands?|gigs?)\b/g,
    'a guitar, a drum and a microphone',
  ],
  [/\b(?:classical|chamber)(?: music)? (?:festivals?|concerts?|evenings?)\b/g, 'a violin, a piano and a trumpet'],
  [/\b(?:film|movie) (?:festivals?|nights?|premieres?)\b/g, 'a movie camera and popcorn'],
  [/\bbirthday (?:part(?:y|ies)|celebrations?)\b/g, 'a birthday cake, a gift and three colourful balloons'],
  [/\b(?:graduation(?: day| part(?:y|ies)| ceremon(?:y|ies))?)\b/g, 'a graduation cap and a book'],
];
/** Occasions that nothing stands for: the words before them say which. */
const OCCASION =
  /(?:^|[^\p{L}])((?:(?!(?:an?|the|for|of|at|from|my|our|your)\b)\p{L}[\p{L}'-]* ){0,2}(?:festivals?|concerts?|part(?:y|ies)|gigs?|vacations?|holidays?|meetings?|conferences?|tournaments?|championships?|ceremon(?:y|ies)|parades?|carnivals?|exhibitions?|celebrations?|reunions?|interviews?|lectures?|workshops?|auctions?|funerals?|elections?|protests?|competitions?|breakfasts?|brunch(?:es)?|lunch(?:es)?|dinners?|suppers?|picnics?|recitals?|musicals?|operas?))(?!\p{L})/u;

/** What stands for a trade on its logo, flyer or card. */
const TRADES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:baker(?:y|ies)|pastry shop|patisserie)\b/g, 'a croissant and a bread'],
  [/\b(?:barber(?: ?shop)?|hair(?:dresser| salon))s?\b/g, 'scissors'],
  [/\b(?:florists?|flower shops?)\b/g, 'a bouquet'],
  [/\b(?:book ?(?:shop|store)s?|library|reading club|book club)\b/g, 'books'],
  [/\bpizzerias?\b/g, 'a pizza'],
  [/\b(?:restaurants?|bistros?|diners?|catering)\b/g, 'cutlery'],
  [/\b(?:cooking (?:channel|class|course|school|show)|food blog)\b/g, 'a stew'],
  [/\b(?:barbecues?|bbq|steak ?house)\b/g, 'a steak'],
  [/\btravel (?:agency|blog|company)\b/g, 'a globe'],
  [/\b(?:law (?:firm|office)|lawyers?)\b/g, 'a balance scale'],
  [/\b(?:garages?|car repair|repair shop|workshop)\b/g, 'a wrench'],
  [/\b(?:dentists?|dental (?:clinic|practice))\b/g, 'a toothbrush'],
  [/\b(?:photographers?|photo studio|photography)\b/g, 'a camera'],
  [/\b(?:sales?|boutique|fashion (?:store|shop|brand))\b/g, 'a shopping bag'],
  [/\b(?:music school|orchestra)\b/g, 'a violin'],
  [/\b(?:software|tech|it) (?:company|startup|firm)\b/g, 'a laptop'],
];
const PRINTED =
  /\b(?:logos?|posters?|flyers?|banners?|cards?|thumbnails?|icons?|menus?|invitations?|brochures?|covers?|labels?|stickers?|emblems?)\b/;

const seenOf = (text: string): string => {
  const standing = PRINTED.test(text) ? [...OCCASIONS, ...TRADES] : OCCASIONS;
  return readThings(text).subjects.length > 0
    ? text
    : standing.reduce((read, [pattern, things]) => read.replace(pattern, things), text);
};

function inSingle(text: string): string {
  return ASSORTMENTS.reduce((read, [pattern, things]) => read.replace(pattern, things), text);
}

/** What a person wears is part of them, where a person is to be seen. */
const withoutClothes = (subjects: Subject[]): Subject[] =>
  subjects.some(({ role }) => role === 'person')
    ? only(subjects, ({ word, sprite, on }) => !WORN.test(word) || (sprite === 'backpack' && on !== undefined))
    : subjects;

/** Words are lettered on a flag of their own. */
const isNoFlag = ({ sprite }: Subject): boolean => sprite !== 'own:flag';

/** Carried out of doors too. */
const OUTDOOR =
  /^(?:umbrella|balloon|backpack|handbag|guitar|soccer-ball|basketball|own:flag|scarf|sunglasses|american-football|volleyball|baseball|flying-disc|wrapped-gift|bouquet|fishing-pole|soft-ice-cream|basket|red-heart|camera|axe|crossed-swords|shield|bow-and-arrow|own:robot|carrot|shovel|luggage)$/;

/** What stands indoors. */
const FURNITURE = /^(?:couch-and-lamp|own:table|chair|bed|bathtub|own:lamp|television|toilet)$/;
/** Who works indoors. */
const INDOORS =
  /^(?:dentists?|surgeons?|barbers?|hairdressers?|cashiers?|wait(?:er|ress)(?:es|s)?|baristas?|bakers?|cooks?|chefs?|teachers?|students?|programmers?|gamers?|scientists?|librarians?|secretar(?:y|ies)|bartenders?|nurses?|patients?)$/;

/** Where its subjects are at home: outside, if one of them can be nowhere else; people with things of a house are in one. */
function homeOf(subjects: Subject[]): Place {
  const free = subjects.filter(({ on }) => on === undefined);
  const rooted = free.filter((one) => OUTSIDE.test(one.role) || (one.role === 'thing' && homeOfOne(one)));
  const carried = subjects.filter(({ role }) => role === 'animal' || role === 'person');
  const homes = [...rooted, ...free, ...carried].flatMap((subject) => homeOfOne(subject) ?? []);
  const [first = 'field'] = homes;
  const isIndoors = subjects.some(
    ({ role, word, sprite }) => FURNITURE.test(sprite) || (role === 'person' && INDOORS.test(word)),
  );
  if (rooted.length === 0 && isIndoors) return 'room';
  const isAtHome = subjects.every(
    (subject) =>
      subject.role === 'person' ||
      (subject.role === 'thing' && !OUTDOOR.test(subject.sprite) && homeOfOne(subject) === undefined),
  );
  return isAtHome && subjects.some(({ role }) => role === 'thing') ? 'room' : first;
}
const OUTSIDE = /^(?:building|vehicle|plant|boat)$/;
function homeOfOne({ word, sprite, role }: Subject): Place | undefined {
  const home = (LEXICON.get(word)?.noun ?? NOUNS.find((noun) => noun.sprite === sprite))?.home;
  // A bird that stands is not in the sky.
  return home === 'sky' && role === 'animal' ? 'field' : home;
}

function readPalette(text: string): string[] {
  const tokens = text.match(/\p{L}+/gu) ?? [];
  return [...new Set(tokens.filter(isColour).map((word) => COLOUR_WORDS[word] as string))].slice(0, 6);
}
