/** What people look like where the prompt does not say: the tables the seed draws from. */
import type { Age, Beard, Clothes, Gender, HairStyle, Hat } from './traits.ts';

/** Light to dark, with how often each is drawn. */
export const SKIN_WEIGHTS: Record<string, number> = {
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
/** Colours of skin. */
export const SKINS: readonly string[] = Object.keys(SKIN_WEIGHTS);
/** Weights of hair colours, by skin. */
export const NATURAL_HAIR: Record<'light' | 'dark', Record<string, number>> = {
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
/** Weights of eye colours, by skin. */
export const EYES: Record<'light' | 'dark', Record<string, number>> = {
  light: { '#5e3a20': 3, '#4a86c4': 3, '#4f8f5a': 2, '#8a6a38': 2, '#7c8c9a': 2 },
  dark: { '#4a2c18': 5, '#5e3a20': 3, '#38220f': 3, '#8a6a38': 1 },
};
/** Colours of clothes. */
export const CLOTH_COLOURS: readonly string[] = [
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
/** Colours of backgrounds. */
export const WALLS: readonly string[] = [
  '#8f9bab',
  '#6f8fa8',
  '#a88f78',
  '#7f9a84',
  '#94809c',
  '#4f6478',
  '#b0a08a',
  '#5c6b64',
];

/** Weights of hair styles. */
export const HAIR_BY_GENDER: Record<Gender, Partial<Record<HairStyle, number>>> = {
  female: { wavy: 5, straight: 4, bob: 4, curly: 3, ponytail: 3, bun: 2, pixie: 2, braids: 1, afro: 0.6 },
  male: { short: 6, quiff: 4, buzz: 2, curly: 0.6, balding: 0.5, bald: 0.8, afro: 0.4 },
};
/** Weights of clothes. */
export const CLOTHES_BY_GENDER: Record<Gender, Partial<Record<Clothes, number>>> = {
  female: { tshirt: 2, vneck: 3, shirt: 2, sweater: 3, turtleneck: 2, dress: 3, jacket: 2, hoodie: 1 },
  male: { tshirt: 3, shirt: 3, suit: 2, hoodie: 2, sweater: 3, turtleneck: 1, jacket: 2, vneck: 1 },
};
/** Weights of beards. */
export const BEARD_BY_AGE: Record<Age, Partial<Record<Beard, number>>> = {
  child: { none: 1 },
  young: { none: 6, stubble: 3, short: 1 },
  adult: { none: 5, stubble: 3, short: 3, full: 1, goatee: 1 },
  middle: { none: 5, stubble: 2, short: 2, full: 2, moustache: 1 },
  old: { none: 4, full: 2, short: 2, moustache: 1 },
};

/** Colours some hats have by custom when the text gives none. */
export const HAT_COLOURS: Partial<Record<Hat, string>> = {
  wizard: '#4a2f86',
  tophat: '#2a282e',
  straw: '#dcb76e',
  fedora: '#5f5368',
  cap: '#2f6fd0',
  santa: '#d8342f',
  cowboy: '#8a5c34',
  pirate: '#2a2024',
  hardhat: '#e8b62c',
  helmet: '#8e98a6',
  headphones: '#2c2f38',
  beret: '#7c2438',
};
