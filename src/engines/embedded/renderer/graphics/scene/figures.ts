/**
 * People of a scene as figures of the portraits' art: what they look like, by what the prompt says of each, and what they
 * do. It draws nothing.
 */
import { type Act, type Figure, lighter } from '../art/index.ts';
import { describePerson, lookOf } from '../portrait/index.ts';
import type { Subject } from '../prompt.ts';
import { hashText, pick, seeded } from '../random.ts';

/** Nouns that are drawn as figures, by their sprite. */
const FIGURES: Readonly<Record<string, { body?: Figure['body']; act?: Act }>> = {
  'man-standing': { body: 'man' },
  'woman-standing': { body: 'woman' },
  'person-walking': {},
  child: {},
  'person-biking': { act: 'cycle' },
  'person-surfing': { act: 'surf' },
  skier: { act: 'ski' },
  snowboarder: { act: 'snowboard' },
};
/** Several people in one word. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'woman-and-man-holding-hands': ['woman', 'man'],
  family: ['man', 'child', 'woman', 'child'],
};
const NUMBERS = ['two', 'three', 'four', 'five', 'six'];
const SPRITES: Readonly<Record<string, string>> = { man: 'man-standing', woman: 'woman-standing', child: 'child' };
const TALL: Readonly<Record<string, number>> = { man: 1.9, woman: 1.85, child: 1.25 };

const CHILD = /\b(child(?:ren)?|kids?|boys?|girls?|bab(?:y|ies)|toddlers?)\b/;
const WALKS =
  /\b(skat(?:es|ing|ers?)|walk(?:s|ing|er)?|stroll(?:s|ing)?|runs?|running|march(?:es|ing)?|hik(?:es|ing|ers?)|travel+ers?|wander(?:s|ing|ers?)|jog(?:s|ging|gers?)|cross(?:es|ing)|chas(?:es|ing)|explor(?:es|ing))\b/i;
const WAVES =
  /\b(wav(?:es|ing)|greet(?:s|ing)?|say(?:s|ing)? (?:hello|hi|goodbye)|cheer(?:s|ing)?|rais(?:es?|ing) (?:his|her|their|a) (?:hands?|arms?))\b/i;
const DANCES = /\b(?:danc(?:es|ing|ers?)|part(?:ies|ying)|celebrat(?:es|ing))\b/i;
/** Words that ask for a sport, which is done on or with a thing. */
const SPORTS: readonly (readonly [Act, RegExp])[] = [
  [
    'cycle',
    /\b(?:cycl(?:es|ing)|bik(?:es|ing)|(?:rid(?:es|ing)|on) (?:an?|his|her|their|the) (?:\p{L}+ )?(?:bike|bicycle)s?)\b/u,
  ],
  ['surf', /\b(?:surf(?:s|ing)?|riding (?:a|the) (?:\p{L}+ )?waves?)\b/u],
  ['snowboard', /\bsnowboard(?:s|ing)?\b/],
  ['ski', /\bski(?:s|ing)?\b/],
];
const DRESS = /\b(?:dress|skirt)\b/;
const ROBE =
  /\b(?:gown|robes?|kimono|sari|nun|wizard|mage|witch|sorcerer|monk|queen|princess|judge|angel)\b|:(?:gown|judge|princess|robe)/;
/** Clothes in one piece or of one cloth, so that the legs have their colour. */
const SUIT =
  /:(?:hero|villain|vampire|ninja|spacesuit|tuxedo|suit|police|pilot|guard|tunic|coat|firefighter|mechanic|overalls|prince)/;
const LAB_COAT = '#f3f6f8';
const TROUSERS = ['#56698f', '#8f8791', '#4d4a58', '#9a8468', '#3f5a52'];

/** True for a person who is drawn as a figure. */
export const isFigure = ({ sprite }: Subject): boolean => Object.hasOwn(FIGURES, sprite);

/** Sat on whatever is said; on a rock or a wall one sits where the words say so. */
const SEATS = new Set([
  'chair',
  'couch-and-lamp',
  'own:armchair',
  'own:rocking-chair',
  'own:bench',
  'own:swing',
  'bed',
  'toilet',
  'manual-wheelchair',
]);
const SITTING = '(?:meditat(?:es|ing)|sit(?:s|ting)?|sat|seated|relaxing|lounging|swinging)';
const sits = ({ phrase = '', word }: Subject): boolean =>
  new RegExp(`\\b${SITTING} ${word}\\b|\\b${word}\\b.*\\b${SITTING}\\b`).test(phrase);

/** A subject with what it and those that it carries do; several in one word are apart. @param prompt the whole of it */
export function acting(subject: Subject, prompt: string, host?: Subject): Subject {
  const { load, ...alone } = subject;
  const act = !isFigure(subject) ? undefined : host ? actOn(subject, host) : actOf(subject, prompt);
  return {
    ...alone,
    ...(act ? { act } : {}),
    ...(load ? { load: load.flatMap(apart).map((one) => acting(one, prompt, subject)) } : {}),
  };
}

/** What a figure does on what carries it. */
function actOn(subject: Subject, host: Subject): Act | undefined {
  if (host.sprite === 'own:picnic') return 'sit-on-ground';
  const isSeat = SEATS.has(host.sprite) && !/\b(?:stand(?:s|ing)?|jump(?:s|ing)?)\b/.test(subject.phrase ?? '');
  const isSat = (host.role === 'thing' || host.role === 'plant') && sits(subject);
  return isSeat || isSat || (subject.how === 'at' && host.sprite === 'own:table') ? 'sit' : undefined;
}

/** What a figure does: the words next to it come first. */
function actOf(subject: Subject, prompt: string): Act {
  const { phrase = '', word, sprite } = subject;
  const told = FIGURES[sprite]?.act;
  if (told) return told;
  if (sits(subject) || subject.pose === 'asleep') return 'sit-on-ground';
  if (subject.pose === 'jumping') return 'dance';
  for (const text of [`${phrase} ${word}`, prompt]) {
    const sport = SPORTS.find(([, words]) => words.test(text.toLowerCase()));
    if (sport) return sport[0];
    if (DANCES.test(text)) return 'dance';
    if (WAVES.test(text)) return 'wave';
    if (WALKS.test(text)) return 'walk';
  }
  return 'stand';
}

/** What a figure is drawn with, so that it does not lie beside it too. */
const TAKEN: Readonly<Record<string, Act>> = {
  bicycle: 'cycle',
  skis: 'ski',
  snowboard: 'snowboard',
  'own:surfboard': 'surf',
};

/** True for a bicycle that a figure rides, and the like. */
export const isTakenAlong = (thing: Subject, all: readonly Subject[]): boolean =>
  all.some(({ act }) => act !== undefined && thing.act === undefined && TAKEN[thing.sprite] === act);

/** What a person looks like, by the words about them. @param nth which of several alike */
export function figureOf(subject: Subject, nth: number, seed: number): Figure {
  const { phrase = subject.word, word, sprite } = subject;
  const { body: told } = FIGURES[sprite] ?? {};
  const isChild = sprite === 'child' || CHILD.test(word);
  const sex = told === 'man' ? 'man' : told === 'woman' ? 'woman' : '';
  const own = (seed + nth * 7919 + hashText(word)) >>> 0;
  // "His girlfriend" is no man.
  const about = phrase.replace(new RegExp(`\\b(?:his|her|their|my) (?=(?:\\p{L}+ )?${word}\\b)`, 'u'), '');
  // Each of several firefighters is one.
  const single = word.replace(/men$/, 'man').replace(/(?<!s)s$/, '');
  const said = describePerson(`${about.replace(word, single)}. ${sex}`, own);
  const traits = isChild ? { ...said, age: 'child' as const, beard: 'none' as const } : said;
  const look = lookOf(traits, own);
  const skirt = DRESS.test(phrase) ? 'knee' : ROBE.test(`${phrase} ${look.body.part}`) ? 'ankle' : undefined;
  const cloth = subject.colour ?? look.body.colour ?? (look.body.part === 'body:labcoat' ? LAB_COAT : undefined);
  const isOne = SUIT.test(look.body.part) && cloth !== undefined;
  const legs = skirt ? look.skin : isOne ? lighter(cloth, -0.05) : pick(seeded(own, 'trousers'), TROUSERS);
  return {
    look,
    body: traits.gender === 'female' ? 'woman' : 'man',
    isChild,
    ...(cloth ? { cloth } : {}),
    ...(legs ? { legs } : {}),
    ...(skirt ? { skirt } : {}),
  };
}

/** "A couple" is two people, "a family" four. */
export function apart(subject: Subject): Subject[] {
  const group = Object.hasOwn(GROUPS, subject.sprite) ? GROUPS[subject.sprite] : undefined;
  if (!group) return [subject];
  const { colour: _all, phrase = '', ...rest } = subject;
  const told = subject.word === 'people' ? NUMBERS.findIndex((word) => phrase.split(' ').includes(word)) + 2 : 0;
  const members = told > 1 ? Array.from({ length: told }, (_, i) => (i % 2 ? 'man' : 'woman')) : group;
  return members.map((word) => ({
    ...rest,
    word,
    sprite: SPRITES[word] as string,
    height: TALL[word] as number,
    phrase: phrase.replace(/\b(couple|lovers|family|people)\b/g, word),
    count: 1,
  }));
}
