/**
 * Decides what a person looks like: what the text says, then what a calling or a name suggests, then the seed. It draws
 * nothing. The seed also shapes the face itself, so that two people of the same description are two people.
 */
import * as lex from './lexicon.ts';
import { PROFESSIONS, type Suggestion } from './professions.ts';
import { bell, pick, type Random, randomFrom, weighted } from './random.ts';
import { coloursOf, type Owner, type Word, wordsOf } from './reading.ts';
import type { Age, Beard, Clothes, FaceFeatures, Gender, Glasses, HairStyle, PersonTraits } from './traits.ts';

const FEATURES: readonly (keyof FaceFeatures)[] = [
  'width',
  'length',
  'jaw',
  'chin',
  'cheek',
  'eyeGap',
  'eyeSize',
  'eyeOpen',
  'eyeTilt',
  'crease',
  'browThick',
  'browArch',
  'browHeight',
  'noseWidth',
  'noseLength',
  'noseTip',
  'mouthWidth',
  'upperLip',
  'lowerLip',
  'ears',
  'neck',
  'hairline',
];

/** Light to dark, with how often each is drawn. */
const SKIN_WEIGHTS: Record<string, number> = {
  '#f3d3bb': 1.4,
  '#eec3a2': 1.6,
  '#e6b48f': 1.6,
  '#dba57c': 1.5,
  '#c68d64': 1.3,
  '#a9734e': 1.2,
  '#8a5a3f': 1.1,
  '#6b4430': 0.9,
  '#54352a': 0.4,
};
const SKINS: readonly string[] = Object.keys(SKIN_WEIGHTS);
const NATURAL_HAIR: Record<'light' | 'dark', Record<string, number>> = {
  light: {
    '#2a1d1a': 3,
    '#4c2e1e': 4,
    '#6e4628': 4,
    '#94683e': 2,
    '#c79a52': 3,
    '#dcb873': 2,
    '#9c431f': 2,
    '#6e2c1a': 1,
  },
  dark: { '#16120f': 5, '#1f1714': 4, '#2e1f18': 3, '#46291a': 1 },
};
const EYES: Record<'light' | 'dark', Record<string, number>> = {
  light: { '#5e3a20': 3, '#4a86c4': 3, '#4f8f5a': 2, '#8a6a38': 2, '#7c8c9a': 2 },
  dark: { '#4a2c18': 5, '#5e3a20': 3, '#38220f': 3, '#8a6a38': 1 },
};
const CLOTH_COLOURS: readonly string[] = [
  '#2f5fb4',
  '#1f6a6e',
  '#8a2f3a',
  '#3a4250',
  '#d0a03c',
  '#5a7a4c',
  '#7a4c86',
  '#b85c3c',
  '#e2ddd2',
  '#20305c',
  '#c2708c',
  '#4a4a52',
];
const WALLS: readonly string[] = [
  '#8f9bab',
  '#6f8fa8',
  '#a88f78',
  '#7f9a84',
  '#94809c',
  '#4f6478',
  '#b0a08a',
  '#5c6b64',
];

const HAIR_BY_GENDER: Record<Gender, Partial<Record<HairStyle, number>>> = {
  female: { wavy: 5, straight: 4, bob: 4, curly: 3, ponytail: 3, bun: 2, pixie: 2, braids: 1, afro: 0.6 },
  male: { short: 6, quiff: 4, buzz: 2, curly: 0.6, balding: 0.5, bald: 0.8, afro: 0.4 },
};
const CLOTHES_BY_GENDER: Record<Gender, Partial<Record<Clothes, number>>> = {
  female: { tshirt: 2, vneck: 3, shirt: 2, sweater: 3, turtleneck: 2, dress: 3, jacket: 2, hoodie: 1 },
  male: { tshirt: 3, shirt: 3, suit: 2, hoodie: 2, sweater: 3, turtleneck: 1, jacket: 2, vneck: 1 },
};
const BEARD_BY_AGE: Record<Age, Partial<Record<Beard, number>>> = {
  child: { none: 1 },
  young: { none: 6, stubble: 3, short: 1 },
  adult: { none: 5, stubble: 3, short: 3, full: 1, goatee: 1 },
  middle: { none: 5, stubble: 2, short: 2, full: 2, moustache: 1 },
  old: { none: 4, full: 2, short: 2, moustache: 1 },
};

interface Notes {
  words: Word[];
  has: Set<string>;
  not: Set<string>;
  colours: Map<Owner, string>;
  hints: Suggestion[];
  random: (purpose: string) => Random;
}

function notesOf(text: string, seed: number): Notes {
  const words = wordsOf(text);
  const has = new Set(words.filter((w) => !w.negated).map((w) => w.text));
  const not = new Set(words.filter((w) => w.negated).map((w) => w.text));
  const hints = PROFESSIONS.filter((p) => p.words.split(' ').some((w) => has.has(w)));
  return { words, has, not, colours: coloursOf(words), hints, random: (purpose) => randomFrom(seed, purpose) };
}

/** The first value of a table that the text names. */
function said<T>(notes: Notes, table: Map<string, T>): T | undefined {
  for (const { text, negated } of notes.words) {
    const value = negated ? undefined : table.get(text);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** True when the text rules the trait out: "no glasses". */
function denied<T>(notes: Notes, table: Map<string, T>): boolean {
  return [...notes.not].some((word) => table.has(word));
}

function hinted<K extends keyof Suggestion>(notes: Notes, key: K): Suggestion[K] | undefined {
  return notes.hints.find((hint) => hint[key] !== undefined)?.[key];
}

function readGender(notes: Notes): Gender {
  const named = said(notes, lex.GENDERS) ?? said(notes, lex.NAMES);
  if (named) return named;
  const beard = said(notes, lex.BEARDS);
  if (beard && beard !== 'none') return 'male';
  const clothes = said(notes, lex.CLOTHES);
  if (clothes === 'dress' || notes.has.has('lipstick') || notes.has.has('makeup') || notes.has.has('hijab'))
    return 'female';
  return notes.random('gender')() < 0.5 ? 'female' : 'male';
}

function readAge(notes: Notes): Age {
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

function readSkin(notes: Notes): string {
  const person = notes.colours.get('person') ?? notes.colours.get('skin');
  const species = said(notes, lex.SPECIES);
  if (species === 'robot') return '#b4bec8';
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
  const hair = notes.colours.get('hair');
  const random = notes.random('skin');
  if (notes.has.has('afro')) return pick(random, SKINS.slice(5));
  return hair && ['blonde', 'blond', 'red', 'ginger', 'auburn', 'copper'].includes(hair)
    ? pick(random, SKINS.slice(0, 4))
    : weighted(random, SKIN_WEIGHTS);
}

function readStyle(notes: Notes, gender: Gender, age: Age): HairStyle {
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
  if (hint && !(gender === 'male' && hint === 'wavy')) return hint;
  if (said(notes, lex.SPECIES) === 'robot' && !notes.has.has('hair') && !notes.colours.has('hair')) return 'bald';
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

function readHairColour(notes: Notes, age: Age, dark: boolean): string {
  const word = notes.colours.get('hair') ?? notes.colours.get('beard');
  if (word) return lex.HAIR_COLOURS.get(word) ?? lex.COLOURS.get(word)!;
  const random = notes.random('hair colour');
  if (age === 'old') return pick(random, ['#dcdad6', '#b4b4b8', '#98989c', '#e8e6e2']);
  if (age === 'middle' && random() < 0.35) return pick(random, ['#7c7876', '#5c5654', '#98989c']);
  return weighted(random, NATURAL_HAIR[dark ? 'dark' : 'light']);
}

function readBeard(notes: Notes, gender: Gender, age: Age): Beard {
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

function readGlasses(notes: Notes, age: Age): Glasses {
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
    (random() < (age === 'old' ? 0.3 : 0.12) ? pick(random, ['round', 'square'] as const) : 'none')
  );
}

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
  const hat = denied(notes, lex.HATS) ? 'none' : (said(notes, lex.HATS) ?? hinted(notes, 'hat') ?? 'none');
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
      fringe:
        has.has('fringe') || has.has('bangs') || (!denies('fringe') && !denies('bangs') && random('fringe')() < 0.25),
      part: bell(random('part')),
    },
    beard: readBeard(notes, gender, age),
    glasses: readGlasses(notes, age),
    hat,
    hatColour: colour('hat') ?? hinted(notes, 'hatColour') ?? pick(random('hat colour'), CLOTH_COLOURS),
    eyes: eyeWord
      ? (lex.EYE_COLOURS.get(eyeWord) ?? lex.COLOURS.get(eyeWord)!)
      : species === 'robot'
        ? '#46c4ee'
        : weighted(random('eyes'), EYES[dark ? 'dark' : 'light']),
    makeup:
      !denies('makeup') &&
      (makeup || (gender === 'female' && age !== 'child' && age !== 'old' && random('makeup')() < 0.4)),
    lipstick: colour('lips') ?? (has.has('lipstick') ? '#a8243a' : undefined),
    freckles:
      !denies('freckles') && (has.has('freckles') || has.has('freckled') || random('freckles')() < (red ? 0.6 : 0.06)),
    earrings:
      !denies('earrings') &&
      (has.has('earrings') ||
        has.has('earring') ||
        (gender === 'female' && age !== 'child' && random('earrings')() < 0.35)),
    clothes,
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
    mood:
      said(notes, lex.MOODS) ??
      hinted(notes, 'mood') ??
      weighted(random('mood'), { neutral: 3, smile: 4, serious: 1, cheerful: 1 }),
    background:
      said(notes, lex.BACKGROUNDS) ??
      (wall
        ? 'studio'
        : (hinted(notes, 'background') ??
          weighted(random('background'), { studio: 4, bokeh: 3, warm: 2, outdoors: 2, office: 1, city: 1, night: 1 }))),
    backgroundColour: wall ?? pick(random('wall'), WALLS),
    features: Object.fromEntries(
      FEATURES.map((name) => [name, Math.max(-1.2, Math.min(1.2, bell(random(name)) * 2.1))]),
    ) as unknown as FaceFeatures,
  };
}
