/** Whether a text is about one person and what they look like: then their portrait is asked for, by the words portraits are read by. */
import { BEARDS, CLOTHES, EXTRAS, GENDERS, GLASSES, HAIR_NOUNS, HATS, PEOPLE, STYLES } from './portrait/lexicon.ts';
import { PROFESSIONS } from './portrait/professions.ts';
import { wordsOf } from './portrait/reading.ts';

/** Callings that are beings too, of whom the whole figure is seen unless their looks are said. */
const FIGURES = /^(?:robot|android|astronaut|cosmonaut|spaceman|ghost|skeleton)$/;
/** What callings are known by and no person is called: "a road under construction". */
const QUALITIES = /^(?:construction|police|goth|gothic|emo|elven|elvish|kungfu)$/;
const CALLINGS = new Set(
  PROFESSIONS.flatMap(({ words }) => words.split(' ')).filter((word) => !FIGURES.test(word) && !QUALITIES.test(word)),
);

/** Words of looks that mean something else as often: "on top of", "a straight road", "a short bridge". */
const OTHER =
  /^(?:top|short|straight|waves|wavy|shades|shaved|chain|chains|pipe|cap|crown|crowned|halo|horns|mole|whistle|wreath|garland)$/;
const LOOKS = new Set(
  [STYLES, BEARDS, GLASSES, HATS, CLOTHES, EXTRAS, HAIR_NOUNS].flatMap((table) => [...table.keys()]),
);
/** Of a head or worn too, seen in portraits or too small for them. */
const DETAILS =
  'lipstick makeup eyeliner earring freckle stethoscope tattoo suspenders braces badge tag antenna fang tusk piercing'.split(
    ' ',
  );
const FIRM_LOOKS = [...LOOKS].filter((word) => !OTHER.test(word));

/** True for what is worn or is part of a head. @param word a noun, of several words too ("pearl necklace") */
export const isOfLooks = (word: string): boolean => {
  const last = wordsOf(word).at(-1)?.text ?? '';
  const isOne = (one: string): boolean => LOOKS.has(one) || DETAILS.includes(one);
  return isOne(last) || isOne(last.replace(/s$/, '')) || isOne(last.replace(/es$/, ''));
};

/** True for a calling that portraits know. */
export const isCalling = (word: string): boolean => CALLINGS.has(word);

/** True for a phrase that ends in a person or a calling that portraits know. @param phrase up to what is said of them */
export function namesPerson(phrase: string): boolean {
  const last = wordsOf(phrase).at(-1)?.text ?? '';
  return CALLINGS.has(last) || PEOPLE.has(last) || GENDERS.has(last);
}

const SHOWN = new RegExp(
  `\\b(?:with|in|wearing|has|and|an?|his|her) (?:\\p{L}+[ -]){0,3}(?:${FIRM_LOOKS.join('|')})\\b`,
  'u',
);
/** True where a text says what is worn or how the hair is. */
export const saysLooks = (text: string): boolean => SHOWN.test(joined(text));

const ON_BODY = [...[...CLOTHES.keys()].filter((word) => !OTHER.test(word)), 'monocle', 'eyepatch'];
const DRESSED = new RegExp(
  `\\b(?:in|wearing|dressed in|with) (?:an?|his|her|its|the) (?:\\p{L}+[ -]){0,3}(?:${ON_BODY.join('|')})\\b`,
  'u',
);
/** True where a text says what is worn on the body, more than a hat or a scarf. */
export const isDressed = (text: string): boolean =>
  /\bdressed (?:up )?(?:as|like) /.test(text) || DRESSED.test(joined(text));

const joined = (text: string): string =>
  wordsOf(text)
    .map(({ text: word }) => word)
    .join(' ');
