/**
 * Reads a prompt into what can be painted: the kind of picture, its place and light, its subjects with number and
 * colour, and the words to letter. By rule and whole word only; what it does not know it leaves out, never guesses.
 */
import { COLOUR_WORDS } from './colour.ts';
import { headOf } from './heads.ts';
import { intendedWords, quotedWords } from './intended.ts';
import { LEXICON, type Noun, type Role } from './nouns.ts';
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

export interface Picture {
  prompt: string;
  kind: 'portrait' | 'bust' | 'scene' | 'object' | 'abstract';
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
}

/** Somebody's head and shoulders: words go below them. */
export const isBust = ({ kind }: Picture): boolean => kind === 'portrait' || kind === 'bust';

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
const PERSON =
  /\b(man|woman|boy|girl|guy|lady|gentleman|person|king|queen|prince|princess|wizard|witch|knight|warrior|doctor|nurse|teacher|chef|scientist|pirate|detective|viking|soldier|businessman|businesswoman|grandmother|grandfather|grandma|grandpa|actor|actress|singer|elf|vampire|professor|streamer|gamer|model|punk|hipster|samurai|ninja|astronaut portrait|librarian|captain|sailor|monk|nun|teenager|human|character|avatar|engineer|programmer|fisherman|farmer|clown|vampire|dracula|zombie|judge|lawyer|vet|veterinarian|astronomer|pilot|fire ?fighter|fireman|police ?(man|woman|officer)|dancer|student|baker|butler|magician|mechanic|plumber|electrician|surgeon|dentist|philosopher|writer|author|historian|journalist|photographer|gardener|lumberjack|cowboy|cowgirl|bride|groom|emperor|empress|duke|duchess|priest|president|geisha|rapper|superhero(ine)?|santa( claus)?|artist|musician|poet|barista|athlete|sorcerer|mage|hero|heroine)\b/;
const PORTRAIT =
  /\b(portraits?|head ?shot|selfie|close-?up of (a|an|the|my)? ?\w* ?(face|man|woman)|face of|avatar|profile (picture|photo)|mugshot|bust of)\b/;
/** A person seen from afar: then the scene is the picture and the person a figure in it. */
const FIGURE =
  /\b(walk(s|ing)?|running|runs|surf(s|ing)?|sail(s|ing)?|climb(s|ing)?|cycling|biking|riding|rides|skiing|hiking|dancing|sitting|stand(s|ing) (on|in|by|near|under)|swimming|playing|silhouettes?|in the distance|lone|tiny|watching|fishing|crowd|jumping|meditating|strolling|holding hands)\b/;
const FACE =
  /\b(hair(ed)?|eyes|eyed|beard(ed)?|m(o)?ustache|glasses|smil(e|ing)|freckles|wearing|young|old|elderly|wise|face|skin|blonde?|brunette|redhead|ginger|bald)\b/;

const WORN =
  /^(crown|tiara|hat|top hat|cap|helmet|headphones?|glasses|sunglasses|spectacles|scarf|dress|gown|suit|shirt|jacket|coat|kimono|necklace|earrings?|ring|gloves?|watch|wristwatch|tie|necktie|bow|ribbon|mask|backpack|beard|moustache)s?$/;

export function readPrompt(prompt: string): Picture {
  const words = quotedWords(prompt).length > 0 ? quotedWords(prompt) : (intendedWords(prompt) ?? []);
  const text = inSingle(withoutWords(prompt, words).toLowerCase().replace(/[’`]/g, "'"));
  const subjects = readSubjects(text);
  const named = firstMatch(PLACES, text);
  const lettering = firstMatch(LETTERINGS, text) ?? 'caption';
  // Neon alone is a wall at night, not a landscape.
  const read = chooseKind(
    lettering === 'neon' && words.length > 0 ? text.replace(/\b(neon|night)\b/g, ' ') : text,
    subjects,
    named,
  );
  // A sign or a banner hangs somewhere: out of doors unless told otherwise.
  const isHung = words.length > 0 && (lettering === 'sign' || lettering === 'banner') && !ABSTRACT.test(text);
  const kind = read === 'abstract' && isHung ? 'scene' : read;
  const place = kind === 'portrait' ? named : kind === 'scene' ? (named ?? homeOf(subjects)) : undefined;
  const season = firstMatch(SEASONS, text);
  const picture: Picture = {
    prompt,
    kind,
    time: firstMatch(TIMES, text) ?? 'day',
    weather: firstMatch(WEATHERS, text) ?? 'clear',
    subjects,
    palette: readPalette(text),
    words,
    lettering,
  };
  if (place) picture.place = place;
  if (season) picture.season = season;
  const mood = firstMatch(MOODS, text);
  if (mood) picture.mood = mood;
  const style = firstMatch(STYLES, text);
  if (style) picture.style = style;
  return picture;
}

/** What is lettered is not drawn: a sign that says "cat" has no cat beside it. */
function withoutWords(prompt: string, words: string[]): string {
  let text = prompt.replace(/["“„][^"”“]*["”“]/g, ' ');
  for (const word of words) {
    const at = text.toLowerCase().indexOf(word.toLowerCase());
    if (at >= 0) text = `${text.slice(0, at)} ${text.slice(at + word.length)}`;
  }
  // A book cover is no book: the carrier of the words is not a subject.
  return text.replace(/\bbook cover\b/gi, 'cover of');
}

/** Words for many things at once, as what is seen of them. */
const ASSORTMENTS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:(?:a |the )?bowls? of )?(?:fresh )?fruits?\b/g, 'an apple, a pear, grapes and a banana'],
  [/\b(?:fresh )?(?:vegetables|veggies)\b/g, 'a carrot, a tomato, a broccoli and corn'],
];

function inSingle(text: string): string {
  return ASSORTMENTS.reduce((read, [pattern, things]) => read.replace(pattern, things), text);
}

/** Then it is a still life, whatever grows out of doors. */
const ON_TABLE = /\b(on|in) (a|the|my) (\w+ )?(table|desk|plate|shelf|counter|pedestal|vase|bowl)\b/;

/** What a portrait is of: the nouns next to the word itself. What its text goes on to tell is not its sitter. */
function sitterOf(text: string): string {
  const of = /\b(?:portraits?|photo|selfie|close-?up|face|avatar|picture|mugshot|bust)s? of ([^.,;:!?\n]*)/.exec(
    text,
  )?.[1];
  const phrase = of ?? (/^[^.,;:!?\n]*/.exec(text)?.[0] as string);
  return phrase.split(/\b(?:with|in|on|who|that|at|by|and|near|beside|wearing|holding|against|before)\b/)[0] as string;
}

function kindOfPortrait(text: string): Picture['kind'] {
  const sitter = sitterOf(text);
  if (PERSON.test(text.replace(/\bavatar\b/g, ' ')) || BEINGS.test(sitter)) return 'portrait';
  const [subject] = readSubjects(sitter).filter(({ role }) => role !== 'person');
  if (!subject) return 'portrait';
  return headOf(subject.sprite) ? 'bust' : 'scene';
}

/** They have a face of their own where one is asked for; elsewhere they are figures. */
const BEINGS =
  /\b(robots?|androids?|cyborgs?|droids?|aliens?|extraterrestrials?|martians?|astronauts?|cosmonauts?|spaceman)\b/;

function chooseKind(text: string, subjects: Subject[], place: Place | undefined): Picture['kind'] {
  if (PORTRAIT.test(text)) return kindOfPortrait(text);
  if (ABSTRACT.test(text) && subjects.length === 0) return 'abstract';
  const isPerson = PERSON.test(text) && !subjects.some((s) => s.role === 'person' && s.count > 1);
  // What a person wears is part of the portrait.
  const others = subjects.filter(({ role, word }) => role !== 'person' && !(isPerson && WORN.test(word)));
  if (isPerson && !FIGURE.test(text) && (others.length === 0 || FACE.test(text)) && (!place || FACE.test(text))) {
    return 'portrait';
  }
  if (ON_TABLE.test(text) && subjects.length > 0 && others.every(({ role }) => role === 'thing' || role === 'plant'))
    return 'object';
  if (place) return 'scene';
  if (subjects.length > 0) return subjects.every((subject) => subject.role === 'thing') ? 'object' : 'scene';
  if (TIMES.some(([, p]) => p.test(text)) || WEATHERS.some(([, p]) => p.test(text))) return 'scene';
  return 'abstract';
}

function homeOf(subjects: Subject[]): Place {
  for (const subject of subjects) {
    const home = LEXICON.get(subject.word)?.noun.home;
    if (home) return home;
  }
  return 'field';
}

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

const isColour = (word: string): boolean => word in COLOUR_WORDS;

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

function readPalette(text: string): string[] {
  const tokens = text.match(/\p{L}+/gu) ?? [];
  return [...new Set(tokens.filter(isColour).map((word) => COLOUR_WORDS[word] as string))].slice(0, 6);
}
