/**
 * Decides what a person looks like: what the text says, then what a calling or a name suggests, then the seed. It draws
 * nothing.
 */

import { pick } from '../random.ts';
import { CLOTH_COLOURS, CLOTHES_BY_GENDER, EYES, HAT_COLOURS, SKINS, WALLS } from './chances.ts';
import * as lex from './lexicon.ts';
import { denied, hinted, type Notes, notesOf, said } from './notes.ts';
import { weighted } from './random.ts';
import {
  readAge,
  readBeard,
  readGender,
  readGlasses,
  readHairColour,
  readHat,
  readSkin,
  readStyle,
} from './readers.ts';
import type { Owner } from './reading.ts';
import type { Extra, PersonTraits } from './traits.ts';

/** Reads a prompt, or a name with a personality, into traits; whatever is not said comes from the seed. */
export function describePerson(text: string, seed: number): PersonTraits {
  const notes = notesOf(text, seed);
  const { random, colours, has } = notes;
  const gender = readGender(notes);
  const age = readAge(notes);
  const skin = readSkin(notes);
  const species = said(notes, lex.SPECIES) ?? 'human';
  const dark = SKINS.indexOf(skin) >= 4 || ['#6b4430', '#8f5f42', '#b57f58', '#e0b48c'].includes(skin);
  const colour = (owner: Owner) => lex.COLOURS.get(colours.get(owner) ?? '');
  const hat = denied(notes, lex.HATS) ? 'none' : readHat(notes);
  const eyeWord = colours.get('eyes');
  const wall = colour('background');
  const clothes =
    said(notes, lex.CLOTHES) ?? hinted(notes, 'clothes') ?? weighted(random('clothes'), CLOTHES_BY_GENDER[gender]);
  const red = ['red', 'ginger', 'copper'].includes(colours.get('hair') ?? '');
  const makeup = has.has('makeup') || has.has('lipstick') || has.has('glamorous') || colours.has('lips');
  const denies = (word: string) => notes.not.has(word);
  return {
    gender,
    age,
    species,
    skin,
    hair: {
      style: readStyle(notes, gender, age),
      colour: readHairColour(notes, age, dark),
      ...(colours.get('hair') === 'rainbow' ? { isRainbow: true } : {}),
    },
    beard: readBeard(notes, gender, age),
    glasses: readGlasses(notes, age),
    hat,
    hatSaid: colour('hat') !== undefined,
    hatColour:
      colour('hat') ?? hinted(notes, 'hatColour') ?? HAT_COLOURS[hat] ?? pick(random('hat colour'), CLOTH_COLOURS),
    eyes: eyeWord
      ? (lex.EYE_COLOURS.get(eyeWord) ?? lex.COLOURS.get(eyeWord)!)
      : species === 'robot'
        ? '#46c4ee'
        : (hinted(notes, 'eyes') ?? weighted(random('eyes'), EYES[dark ? 'dark' : 'light'])),
    ...eyePair(notes),
    extras: [...new Set(extrasIn(notes))],
    ...(colour('extra') ? { extraColour: colour('extra') as string } : {}),
    makeup:
      !denies('makeup') &&
      (makeup || (gender === 'female' && age !== 'child' && age !== 'old' && random('makeup')() < 0.4)),
    lipstick: colour('lips') ?? (has.has('lipstick') ? '#a8243a' : species === 'clown' ? '#8e1420' : undefined),
    freckles:
      !denies('freckles') && (has.has('freckles') || has.has('freckled') || random('freckles')() < (red ? 0.6 : 0.06)),
    earrings:
      !denies('earrings') &&
      (has.has('earrings') ||
        has.has('earring') ||
        (gender === 'female' && age !== 'child' && random('earrings')() < 0.35)),
    clothes,
    clothesSaid: colour('clothes') !== undefined || hinted(notes, 'clothesColour') !== undefined,
    clothesColour:
      colour('clothes') ??
      hinted(notes, 'clothesColour') ??
      (clothes === 'suit'
        ? pick(random('cloth'), ['#20304c', '#2c2f38', '#4a4f5a', '#3a2f2c'])
        : pick(random('cloth'), CLOTH_COLOURS)),
    accentColour:
      colour('tie') ??
      hinted(notes, 'accentColour') ??
      pick(random('accent'), ['#a02c3a', '#20305c', '#c99a3a', '#1f6a6e', '#e6e2da', '#5a3f7c']),
    stethoscope: !denies('stethoscope') && (has.has('stethoscope') || hinted(notes, 'stethoscope') === true),
    mask: hinted(notes, 'mask') ?? 'none',
    ...(colour('mask') ? { maskColour: colour('mask') as string } : {}),
    thirdEye: has.has('thirdeye'),
    tusks: hinted(notes, 'tusks') === true,
    tears: ['crying', 'weeping', 'tears', 'tearful'].some((word) => has.has(word)),
    mood:
      said(notes, lex.MOODS) ??
      hinted(notes, 'mood') ??
      weighted(random('mood'), { neutral: 3, smile: 5, cheerful: 1 }),
    background:
      said(notes, lex.BACKGROUNDS) ??
      (wall
        ? 'studio'
        : (hinted(notes, 'background') ??
          weighted(random('background'), { studio: 4, bokeh: 3, warm: 2, outdoors: 2, office: 1, city: 1, night: 1 }))),
    backgroundSaid: wall !== undefined && said(notes, lex.BACKGROUNDS) === undefined,
    backgroundColour: wall ?? pick(random('wall'), WALLS),
  };
}

/** What else is worn, in the order in which it is named. */
const extrasIn = ({ words }: Notes): Extra[] =>
  words.flatMap(({ text, negated }) => (negated ? [] : (lex.EXTRAS.get(text) ?? [])));

/** "One blue eye and one green eye": each its own colour. */
function eyePair({ words, has }: Notes): Pick<PersonTraits, 'eyes' | 'eyeAtRight'> | object {
  const eyes = words.flatMap(({ text }, i) => {
    const colour = lex.EYE_COLOURS.get(text);
    const isOne =
      /^(?:one|left|right|other)$/.test(words[i - 1]?.text ?? '') || /^(?:left|right)$/.test(words[i + 1]?.text ?? '');
    const isEye = words.slice(i + 1, i + 3).some((word) => word.text === 'eye') || words[i + 1]?.text === 'and';
    return colour && isOne && isEye ? [colour] : [];
  });
  const [one, other] = eyes.length > 1 ? eyes : has.has('heterochromia') ? ['#4a86c4', '#8a6a38'] : [];
  return one && other ? { eyes: one, eyeAtRight: other } : {};
}
