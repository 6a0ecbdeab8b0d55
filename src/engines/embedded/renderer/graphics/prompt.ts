/**
 * Reads a prompt into what can be painted: the kind of image, its place and light, its subjects with number and
 * colour, and the words to letter. By rule and whole word only; what it does not know it leaves out, never guesses.
 */
import { badInput } from '../../../ports/errors.ts';
import { COLOUR_WORDS } from './colour.ts';
import { intendedWords, quotedWords } from './intended-words.ts';
import { chooseKind, type ImageKind, PORTRAIT, WORN } from './kind.ts';
import { isEnglish } from './language.ts';
import { LEXICON } from './nouns.ts';
import { isColour, readThings, type Subject } from './subjects.ts';
import { isThing, isUnseen } from './thing-words.ts';
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

/** A person's head and shoulders: words go below them. */
export const isBust = ({ kind }: ImagePlan): boolean => kind === 'portrait' || kind === 'bust';

/** Reads a prompt. Never throws: what cannot be drawn is named in the plan (`checkDrawable`). */
export function readPrompt(prompt: string): ImagePlan {
  const words = quotedWords(prompt).length > 0 ? quotedWords(prompt) : (intendedWords(prompt) ?? []);
  const unlettered = withoutWords(prompt.replace(NAME, '$1 '), words);
  const text = seenOf(
    inSingle(
      unlettered
        .toLowerCase()
        .replace(/[’`]/g, "'")
        .replace(/\bcafé/g, 'cafe'),
    ),
  );
  const { subjects: things, unknown: unlisted } = readThings(text);
  const subjects = withoutClothes(things);
  const named = firstMatch(PLACES, text);
  const lettering = firstMatch(LETTERINGS, text) ?? 'caption';
  // Neon alone is a wall at night, not a landscape.
  const read = chooseKind(
    lettering === 'neon' && words.length > 0 ? text.replace(/\b(neon|night)\b/g, ' ') : text,
    subjects,
    named,
  );
  // A sign or a banner hangs somewhere: out of doors unless the prompt says otherwise.
  const isHung = words.length > 0 && (lettering === 'sign' || lettering === 'banner') && !ABSTRACT.test(text);
  const kind = read === 'abstract' && isHung ? 'scene' : read;
  const place = kind === 'portrait' ? named : kind === 'scene' ? (named ?? homeOf(subjects)) : undefined;
  const season = firstMatch(SEASONS, text);
  const plan: ImagePlan = {
    prompt,
    kind,
    time: firstMatch(TIMES, text) ?? 'day',
    weather: firstMatch(WEATHERS, text) ?? 'clear',
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
    (words.length === 0 && !named ? unknownIn(text, plan) : undefined) ?? (isPainted ? unlisted : undefined);
  if (unknown) plan.unknown = unknown;
  if (!PORTRAIT.test(text) && !isEnglish(unlettered, isThing)) plan.isForeign = true;
  return plan;
}

/** A thing that is named as one: behind an article or a number, up to what is said of it. */
const THING =
  /(?:^|[^\p{L}])(?:an?|the|two|three|four|five|several|some) ((?:[\p{L}'-]+ )*?[\p{L}'-]+)(?= (?:on|in|at|with|of|by|under|over|above|below|near|beside|behind|against|and|or|from|to|for|that|who|which|is|are|during)(?![\p{L}])|[^\p{L}' -]|$)/gu;
/** Undefined where something of the prompt can be drawn. */
function unknownIn(text: string, { kind, subjects }: ImagePlan): string | undefined {
  if (subjects.length > 0 || (kind !== 'abstract' && kind !== 'scene') || ABSTRACT.test(text)) return undefined;
  const occasion = kind === 'abstract' ? OCCASION.exec(text)?.[1] : undefined;
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
  [/\bwatering hole\b/g, 'waterhole'],
  [/\b(?:an? )?beds? (?=of \p{L}+s\b)/gu, 'many '],
  [
    /\b(two|three|four|five|six|seven|eight) ((?:(?!friends)\p{L}+ )?)(?:people|friends)\b(?! shaking hands)/gu,
    '$1 $2persons',
  ],
  [/(?<!\b(?:best|my|your|our|his|her|their) )\bfriends\b/g, 'persons'],
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

const seenOf = (text: string): string =>
  readThings(text).subjects.length > 0
    ? text
    : OCCASIONS.reduce((read, [pattern, things]) => read.replace(pattern, things), text);

function inSingle(text: string): string {
  return ASSORTMENTS.reduce((read, [pattern, things]) => read.replace(pattern, things), text);
}

/** What a person wears is part of them, where a person is to be seen. */
const withoutClothes = (subjects: Subject[]): Subject[] =>
  subjects.some(({ role }) => role === 'person') && subjects.every(({ on }) => on === undefined)
    ? subjects.filter(({ word }) => !WORN.test(word))
    : subjects;

function homeOf(subjects: Subject[]): Place {
  for (const subject of subjects) {
    const home = LEXICON.get(subject.word)?.noun.home;
    if (home) return home;
  }
  return 'field';
}

function readPalette(text: string): string[] {
  const tokens = text.match(/\p{L}+/gu) ?? [];
  return [...new Set(tokens.filter(isColour).map((word) => COLOUR_WORDS[word] as string))].slice(0, 6);
}
