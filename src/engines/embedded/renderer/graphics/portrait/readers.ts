/** One reader a trait: what the text says, else what a calling or name suggests, else the seed. */

import { pick } from '../random.ts';
import { BEARD_BY_AGE, HAIR_BY_GENDER, NATURAL_HAIR, SKIN_WEIGHTS, SKINS } from './chances.ts';
import * as lex from './lexicon.ts';
import { denied, hinted, type Notes, said } from './notes.ts';
import { weighted } from './random.ts';
import type { Age, Beard, Gender, Glasses, HairStyle, Hat } from './traits.ts';

/** By word, name, beard or clothes, in this order; else by chance. */
export function readGender(notes: Notes): Gender {
  const named = said(notes, lex.GENDERS) ?? said(notes, lex.NAMES);
  if (named) return named;
  const beard = said(notes, lex.BEARDS);
  if (beard && beard !== 'none') return 'male';
  const usual = said(notes, lex.USUAL_GENDERS);
  if (usual) return usual;
  const clothes = said(notes, lex.CLOTHES);
  if (clothes === 'dress' || notes.has.has('lipstick') || notes.has.has('makeup') || notes.has.has('hijab'))
    return 'female';
  return notes.random('gender')() < 0.5 ? 'female' : 'male';
}

/** "A hat" alone is that of the calling: a wizard's is no beanie. */
export function readHat(notes: Notes): Hat {
  const named = said(notes, lex.HATS);
  const hint = hinted(notes, 'hat');
  // Hair that is spoken of is to be seen: no beret is assumed over it.
  const isSpoken = notes.colours.has('hair') || notes.words.some((w) => !w.negated && lex.STYLES.has(w.text));
  const usual = hint === 'beret' && isSpoken ? undefined : hint;
  const isAny = named !== undefined && !notes.words.some((w) => w.text !== 'hat' && lex.HATS.get(w.text) === named);
  return (isAny ? (usual && !NO_HATS.has(usual) ? usual : named) : (named ?? usual)) ?? 'none';
}

/** On a head, and no hat. */
const NO_HATS = new Set<Hat>(['circlet', 'halo', 'horns', 'flowers', 'shell', 'tiara', 'crown', 'headphones', 'wig']);

/** By years ("a 40 year old"), word or calling; else by chance, without what the text denies. */
export function readAge(notes: Notes): Age {
  const years = notes.words
    .map((w, i) => (/^year/.test(notes.words[i + 1]?.text ?? '') ? Number(w.text) : Number.NaN))
    .find((n) => n > 0);
  if (years) return years < 13 ? 'child' : years < 25 ? 'young' : years < 42 ? 'adult' : years < 62 ? 'middle' : 'old';
  const denies = (age: Age) => [...notes.not].some((w) => lex.AGES.get(w) === age);
  const all = notes.words.filter((w) => !w.negated).map((w) => lex.AGES.get(w.text));
  const found = all.find((age) => age && age !== 'child') ?? all.find((age) => age);
  return (
    found ??
    hinted(notes, 'age') ??
    (denies('old')
      ? 'young'
      : weighted<Age>(notes.random('age'), { young: 4, adult: 5, middle: 1.2, old: denies('young') ? 3 : 0.3 }))
  );
}

/** '#rrggbb' of lit skin. */
export function readSkin(notes: Notes): string {
  const person = notes.colours.get('person') ?? notes.colours.get('skin');
  const species = said(notes, lex.SPECIES);
  if (species === 'robot') return lex.COLOURS.get(person ?? '') ?? '#b4bec8';
  if (species === 'clown') return '#f4efe9';
  if (species === 'alien') return lex.COLOURS.get(person ?? '') ?? '#86b48a';
  const spoken = said(notes, lex.SKINS);
  if (spoken) return spoken;
  const byColour: Record<string, string> = {
    black: '#6b4430',
    dark: '#6b4430',
    brown: '#8f5f42',
    white: '#eec3a2',
    fair: '#f3d3bb',
    olive: '#c29468',
    tan: '#c68d64',
  };
  if (person) return byColour[person] ?? lex.COLOURS.get(person) ?? '#e6b48f';
  const usual = hinted(notes, 'skin');
  if (usual) return usual;
  const hair = notes.colours.get('hair');
  const random = notes.random('skin');
  if (notes.has.has('afro')) return pick(random, SKINS.slice(5));
  return hair && ['blonde', 'blond', 'red', 'ginger', 'auburn', 'copper'].includes(hair)
    ? pick(random, SKINS.slice(0, 4))
    : weighted(random, SKIN_WEIGHTS);
}

/** How hair is worn, at its length ("long curly"). */
export function readStyle(notes: Notes, gender: Gender, age: Age): HairStyle {
  const long = notes.words.some(
    (w, i) =>
      w.text === 'long' &&
      !w.negated &&
      notes.words.slice(i + 1, i + 5).some((n) => /^(hair|haired|locks|mane)$/.test(n.text)),
  );
  const spoken = notes.words
    .filter((w) => !w.negated)
    .map((w, i, all) => ({
      style: lex.STYLES.get(w.text),
      word: w.text,
      next: all.slice(i + 1, i + 5).map((n) => n.text),
    }));
  // "short" and "straight" are hairstyles only when they speak of hair.
  const found = spoken.find(
    ({ style, word, next }) =>
      style && (!['short', 'straight', 'shaved'].includes(word) || next.some((n) => /^(hair|haired|head)$/.test(n))),
  );
  const random = notes.random('style');
  if (found?.style === 'short' && gender === 'female') return pick(random, ['pixie', 'bob'] as const);
  if (found?.style) return found.style;
  if (long) return pick(random, ['straight', 'wavy'] as const);
  const hint = hinted(notes, 'style');
  if (hint && !(gender === 'male' && (hint === 'wavy' || hint === 'straight'))) return hint;
  if (
    ['robot', 'alien'].includes(said(notes, lex.SPECIES) ?? '') &&
    !notes.has.has('hair') &&
    !notes.colours.has('hair')
  )
    return 'bald';
  const table = { ...HAIR_BY_GENDER[gender] };
  if (age !== 'old' && age !== 'middle') delete table.balding;
  else if (gender === 'male') table.balding = 2;
  if (age === 'child' || notes.not.has('bald') || notes.not.has('hairless') || notes.colours.has('hair')) {
    delete table.bald;
    delete table.balding;
  }
  for (const word of notes.not) {
    const style = lex.STYLES.get(word);
    if (style) delete table[style];
  }
  return notes.not.has('hair') ? 'bald' : weighted(random, table);
}

/** A clown's hair has one of these colours, whatever the seed. */
const WIGS = ['#c4301c', '#e0701c', '#2c9a4c', '#2f6fd0', '#c8408c'];

/** '#rrggbb'. @param dark whether the skin is: then dark hair is more likely */
export function readHairColour(notes: Notes, age: Age, dark: boolean): string {
  const word = notes.colours.get('hair') ?? notes.colours.get('beard');
  if (word) return lex.HAIR_COLOURS.get(word) ?? lex.COLOURS.get(word)!;
  const random = notes.random('hair colour');
  if (said(notes, lex.SPECIES) === 'clown') return pick(random, WIGS);
  const usual = hinted(notes, 'hairColour');
  if (usual) return usual;
  if (age === 'old') return pick(random, ['#dcdad6', '#b4b4b8', '#98989c', '#e8e6e2']);
  if (age === 'middle' && random() < 0.35) return pick(random, ['#7c7876', '#5c5654', '#98989c']);
  return weighted(random, NATURAL_HAIR[dark ? 'dark' : 'light']);
}

/** Women and children have none unless it is said. */
export function readBeard(notes: Notes, gender: Gender, age: Age): Beard {
  const spoken = said(notes, lex.BEARDS);
  if (spoken === 'full') {
    const at = notes.words.findIndex((w) => /^beard/.test(w.text) && !w.negated);
    const before = notes.words.slice(Math.max(0, at - 4), at).map((w) => w.text);
    const mention = before.slice(before.findLastIndex((w) => /^(hair|haired|eyes|with|and)$/.test(w)) + 1);
    return mention.includes('long')
      ? 'long'
      : mention.some((w) => /^(short|trimmed|neat|light)$/.test(w))
        ? 'short'
        : 'full';
  }
  if (spoken) return spoken;
  if (gender === 'female' || age === 'child' || denied(notes, lex.BEARDS) || said(notes, lex.SPECIES)) return 'none';
  return hinted(notes, 'beard') ?? weighted(notes.random('beard'), BEARD_BY_AGE[age]);
}

/** No chance gives them glasses. */
const UNSIGHTED = new Set(['robot', 'alien', 'ghost']);

/** Old people wear them more often, where the text says nothing. */
export function readGlasses(notes: Notes, age: Age): Glasses {
  if (denied(notes, lex.GLASSES)) return 'none';
  const spoken = said(notes, lex.GLASSES);
  if (spoken === 'square') {
    const at = notes.words.findIndex((w) => lex.GLASSES.get(w.text) === 'square');
    const before = notes.words.slice(Math.max(0, at - 3), at).map((w) => w.text);
    if (before.includes('round')) return 'round';
    if (before.includes('cat')) return 'cat';
    return before.includes('aviator') ? 'aviator' : 'square';
  }
  const random = notes.random('glasses');
  return (
    spoken ??
    hinted(notes, 'glasses') ??
    (!UNSIGHTED.has(said(notes, lex.SPECIES) ?? 'human') && random() < (age === 'old' ? 0.3 : 0.12)
      ? pick(random, ['round', 'square'] as const)
      : 'none')
  );
}
