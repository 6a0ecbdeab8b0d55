/**
 * Reads a prompt into what can be painted: the kind of image, its place and light, its subjects with number and
 * colour, and the words to letter. By rule and whole word only; what it does not know it leaves out, never guesses.
 */
import { badInput } from '../../../ports/errors.ts';
import { backdropIn } from './backdrop.ts';
import { COLOUR_WORDS } from './colour.ts';
import { withTools } from './doings.ts';
import { intendedWords, quotedWords } from './intended-words.ts';
import { chooseKind, type ImageKind, PORTRAIT } from './kind.ts';
import { isEnglish } from './language.ts';
import { isCharacter, withoutNames } from './names.ts';
import { LEXICON, NOUNS } from './nouns.ts';
import { withShapes } from './own-shapes.ts';
import { NAMES } from './portrait/lexicon.ts';
import { isLightEnough, only, type Subject, WORN_WORDS } from './relations.ts';
import { inSingle, OCCASION, seenOf } from './rewordings.ts';
import { sightIn } from './sights.ts';
import { spelled } from './spelling.ts';
import { isColour, readThings } from './subjects.ts';
import { isHeardOf, isSmall, isThing, isUnseen, placeCalled } from './thing-words.ts';
import {
  ABSTRACT,
  firstMatch,
  LETTERINGS,
  type Lettering,
  MOODS,
  PLACES,
  PLATFORMS,
  type Place,
  type Platform,
  SEASONS,
  type Season,
  STYLES,
  TIMES,
  type Time,
  WEATHERS,
  type Weather,
} from './vocabulary.ts';

export type { Subject } from './relations.ts';
export { readSubjects } from './subjects.ts';

/** What a prompt asks for, as far as it is understood: everything that is painted follows from it and the seed. */
export interface ImagePlan {
  prompt: string;
  kind: ImageKind;
  place?: Place;
  /** What is stood on there. */
  platform?: Platform;
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

/** A person's head and shoulders: words go below them. */
export const isBust = ({ kind }: ImagePlan): boolean => kind === 'portrait' || kind === 'bust';

/** Reads a prompt. Never throws: what cannot be drawn is named in the plan (`checkDrawable`). */
export function readPrompt(prompt: string): ImagePlan {
  const words = quotedWords(prompt).length > 0 ? quotedWords(prompt) : (intendedWords(prompt) ?? []);
  const unlettered = withoutWords(withoutNames(prompt), words);
  const plain = unlettered
    .toLowerCase()
    .replace(/[’`]/g, "'")
    .replace(/\bcafé/g, 'cafe')
    .replace(ENDLESS, '$1')
    .replace(MEDIUM, ' ');
  const text = seenOf(inSingle(withShapes(spelled(plain), COLOUR_WORDS)));
  const { subjects: things, unknown: unlisted } = readThings(text);
  const isWalled = backdropIn(text)?.isBrick ?? false;
  const seen = withoutClothes(isWalled ? only(things, ({ sprite }) => sprite !== 'own:brick-wall') : things);
  const all = words.length > 0 ? only(seen, isNoFlag) : seen;
  // A still life lies on its table, a room has one that is named.
  const isAtTable = all.some(({ how }) => how === 'at');
  const laid = all.length > 1 && !isAtTable ? only(all, ({ sprite }) => sprite !== 'own:table') : all;
  const worded = placeIn(text, all);
  const platform = firstMatch(PLATFORMS, text);
  const named = worded ?? namedIn(text) ?? (platform && VIEWS[platform]);
  const lettering = firstMatch(LETTERINGS, text) ?? 'caption';
  // Neon alone is a wall at night, not a landscape.
  const read = chooseKind(
    lettering === 'neon' && words.length > 0 ? text.replace(/\b(neon|night)\b/g, ' ') : text,
    laid,
    named,
  );
  const subjects = read === 'scene' ? withTools(all, !named || named === 'room') : laid;
  // A sign or a banner hangs somewhere: out of doors unless the prompt says otherwise.
  const isHung = words.length > 0 && (lettering === 'sign' || lettering === 'banner') && !ABSTRACT.test(text);
  const kind = read === 'abstract' && isHung ? 'scene' : read;
  const home = (): Place => (backdropIn(text) ? 'studio' : openTo(text, homeOf(subjects)));
  const place = kind === 'portrait' ? named : kind === 'scene' ? (named ?? home()) : undefined;
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
  if (platform && kind === 'scene') Object.assign(plan, { platform, subjects: onTable(subjects, platform) });
  else if (place === 'room' && kind === 'scene') plan.subjects = onOwnTable(subjects);
  else if (place === 'city' || place === 'street') plan.subjects = withSight(subjects, text);
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

/** The moon is not seen between trees, nor fireworks in a room. */
const openTo = (text: string, home: Place): Place =>
  (home === 'forest' || home === 'jungle') && /\bmoon\b/.test(text)
    ? 'meadow'
    : home === 'room' && /\bfireworks\b/.test(text)
      ? 'street'
      : home;

/** What is seen from there, where nothing else is said. */
const VIEWS = { balcony: 'city', porch: 'garden', roof: 'city', pier: 'sea' } as const satisfies Record<
  Platform,
  Place
>;

/** Cups and books on a balcony are on a table there. */
function onTable(subjects: Subject[], platform: Platform): Subject[] {
  const isSmallThing = ({ role, word }: Subject) => role === 'thing' && LEXICON.get(word)?.noun.home === undefined;
  if (
    platform === 'roof' ||
    platform === 'pier' ||
    !subjects.some(isSmallThing) ||
    subjects.some(({ role }) => role !== 'thing')
  )
    return subjects;
  const table = readThings('a table').subjects[0] as Subject;
  const at = subjects.findIndex(({ sprite }) => sprite === table.sprite);
  const all = at < 0 ? [...subjects, table] : subjects;
  const on = at < 0 ? subjects.length : at;
  return all.map((one) =>
    isSmallThing(one) && one.on === undefined && one !== all[on] ? { ...one, on, how: 'on' } : one,
  );
}

/** Beside people and animals in a room, cups and microscopes are on a table, not on the floor. */
function onOwnTable(subjects: Subject[]): Subject[] {
  const isOnFloor = ({ sprite }: Subject) =>
    OUTDOOR.test(sprite) ||
    FURNITURE.test(sprite) ||
    ON_FLOOR.test(sprite) ||
    subjects.some((one) => one.role === 'animal' && one.by === sprite);
  const isLaid = (one: Subject, i: number) =>
    (ON_TABLE.test(one.sprite) || (isLightEnough(one) && one.role === 'thing' && homeOfOne(one) === undefined)) &&
    one.on === undefined &&
    !isOnFloor(one) &&
    !subjects.some(({ on, how }) => on === i && how !== 'in');
  const isLived = subjects.some(
    ({ role, on, sprite }) => ((role === 'person' || role === 'animal') && on === undefined) || sprite === 'own:table',
  );
  if (!isLived && !subjects.some(({ how }) => how === 'at')) return subjects;
  if (!subjects.some(isLaid)) return subjects;
  const at = subjects.findIndex(({ sprite }) => sprite === 'own:table');
  const all = at < 0 ? [...subjects, ...readThings('a table').subjects] : subjects;
  const on = at < 0 ? subjects.length : at;
  return all.map((one, i) => (i !== on && isLaid(one, i) ? { ...one, on, how: 'on' } : one));
}
const ON_TABLE = /^(?:microscope|chess-pawn|television|desktop-computer|printer|own:coffee-machine)$/;
const ON_FLOOR =
  /^(?:drum|long-drum|accordion|saxophone|trombone|violin|banjo|teddy-bear|shopping-bags|briefcase|pinata|mirror-ball|framed-picture|calendar|world-map|bow-and-arrow|yarn|bone|own:box|wrapped-gift|potted-plant|jack-o-lantern|spider-web|running-shoe|broom|bucket|megaphone|loudspeaker|boxing-glove|own:skateboard|ring-buoy|mirror)$/;

/** A city that is known by something built has it, where nothing else built is named. */
function withSight(subjects: Subject[], text: string): Subject[] {
  const word = sightIn(text);
  const isBuilt = subjects.some(({ role }) => role === 'building');
  return word && !isBuilt && subjects.length < 6 ? [...subjects, ...readThings(`a big ${word}`).subjects] : subjects;
}

/** No word is as long, and reading one takes the square of its length. */
const ENDLESS = /(\S{200})\S+/gu;

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
  // Houses above the sea are on its shore.
  const isBuilt = ({ role, sprite }: Subject) =>
    role === 'building' && sprite !== 'lighthouse' && sprite !== 'own:suspension';
  if (place === 'sea' && subjects.length > 0 && subjects.every(isBuilt)) return 'beach';
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
    const doer = idle.split(' ').at(-1) ?? '';
    const isDoer = isThing(doer) || (idle !== still && !isHeardOf(doer) && !HOW.test(doer));
    const thing = isDoer ? idle : still;
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
  const character = words.find(isCharacter);
  if (!isShown && character) return character;
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

/** What a person wears is part of them, where a person is to be seen. */
const withoutClothes = (subjects: Subject[]): Subject[] =>
  subjects.some(({ role }) => role === 'person')
    ? only(subjects, ({ word, sprite, on }) => !WORN_WORDS.test(word) || (sprite === 'backpack' && on !== undefined))
    : subjects;

/** Words are lettered on a flag or a front of their own. */
const isNoFlag = ({ sprite }: Subject): boolean => !/^own:(?:flag|shop|blackboard)$/.test(sprite);

/** Carried out of doors too. */
const OUTDOOR =
  /^(?:umbrella|balloon|backpack|handbag|guitar|soccer-ball|basketball|own:flag|scarf|sunglasses|american-football|volleyball|baseball|flying-disc|wrapped-gift|bouquet|fishing-pole|soft-ice-cream|basket|red-heart|camera|axe|crossed-swords|shield|bow-and-arrow|own:robot|carrot|shovel|luggage|rock|wood)$/;

/** What stands indoors. */
const FURNITURE = /^(?:couch-and-lamp|own:table|chair|bed|bathtub|own:lamp|toilet)$/;
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
  return [...new Set(tokens.filter(isColour).map((word) => COLOUR_WORDS.get(word) as string))].slice(0, 6);
}
