/** What a person of given traits looks like in the art of `../art`: which head, hair, clothes and hat. */

import type { Look, Motif, Worn } from '../art/index.ts';
import { lighter } from '../art/index.ts';
import { pick } from '../random.ts';
import { randomFrom } from './random.ts';
import type { Background, Beard, Clothes, Extra, Glasses, HairStyle, Hat, PersonTraits } from './traits.ts';

export function lookOf(traits: PersonTraits, seed: number): Look {
  const { species } = traits;
  if (species === 'robot' || species === 'alien' || species === 'ghost') return beingOf(traits, species, seed);
  const { gender, age, mood } = traits;
  const child = age === 'child';
  const old = age === 'old';
  return {
    art: 1,
    head: headOf(traits),
    skin: traits.skin,
    eyes: traits.eyes,
    ...(traits.eyeAtRight ? { eyeAtRight: traits.eyeAtRight } : {}),
    ...(traits.lipstick ? { lips: traits.lipstick } : {}),
    ...(gender === 'female' && !child ? { lashes: true } : {}),
    ...(traits.freckles ? { freckles: true } : {}),
    ...(old ? { wrinkles: true } : {}),
    ...(mood === 'serious' || mood === 'sad' || mood === 'angry' ? { expression: mood } : {}),
    hair: { ...traits.hair, style: styleOf(traits, seed) },
    body: bodyOf(traits),
    over: [...overBody(traits), ...onFace(traits), ...onHead(traits), ...extrasOf(traits)],
    backdrop: backdropOf(traits, seed),
  };
}

function headOf({ gender, age }: PersonTraits): string {
  if (age === 'child') return gender === 'female' ? 'girl' : 'boy';
  if (age === 'old') return gender === 'female' ? 'old-woman' : 'old-man';
  return gender === 'female' ? 'woman' : 'man';
}

/** Robots, aliens and ghosts wear clothes, and glasses if need be. */
function beingOf(traits: PersonTraits, head: string, seed: number): Look {
  const isUsual = head === 'ghost' || traits.skin === '#b4bec8' || traits.skin === '#86b48a';
  const usual = isUsual ? {} : { skin: traits.skin };
  const clothes: Worn =
    head === 'robot' && traits.clothes === 'armour'
      ? { part: 'body:spacesuit' }
      : bodyOf({ ...traits, species: 'human' });
  return {
    art: 1,
    head,
    ...usual,
    eyes: head === 'robot' ? traits.eyes : '#2a2228',
    body: clothes,
    over: [
      ...(head === 'robot' && traits.clothes === 'armour' ? [] : overBody(traits)),
      ...(traits.thirdEye ? [{ part: 'own:third-eye' }] : []),
      ...BEAST_GLASSES[traits.glasses].map((part) => ({ part })),
      ...hatsOf(traits),
      ...extrasOf(traits),
    ],
    backdrop: backdropOf(traits, seed),
  };
}

const STYLES: Record<HairStyle, Record<'female' | 'male' | 'child', readonly string[]>> = {
  bald: { female: ['bald-woman'], male: ['bald-man'], child: ['tuft'] },
  balding: { female: ['bun'], male: ['balding'], child: ['tousled'] },
  buzz: { female: ['buzz-woman'], male: ['buzz'], child: ['tousled'] },
  short: { female: ['quiff', 'bob'], male: ['short'], child: ['tousled'] },
  quiff: { female: ['quiff'], male: ['quiff'], child: ['tousled'] },
  pixie: { female: ['quiff'], male: ['quiff'], child: ['tousled'] },
  bob: { female: ['bob'], male: ['bob'], child: ['bob'] },
  wavy: { female: ['wavy'], male: ['wavy'], child: ['wavy'] },
  straight: { female: ['straight'], male: ['straight'], child: ['straight'] },
  curly: { female: ['curly-long'], male: ['curly-short'], child: ['curly-short'] },
  afro: { female: ['curly-long'], male: ['curly-short'], child: ['curly-short'] },
  ponytail: { female: ['ponytail'], male: ['topknot'], child: ['ponytail'] },
  bun: { female: ['bun'], male: ['topknot'], child: ['bun'] },
  braids: { female: ['plaits'], male: ['plaits'], child: ['plaits'] },
  pigtails: { female: ['pigtails'], male: ['pigtails'], child: ['pigtails'] },
  buns: { female: ['buns'], male: ['buns'], child: ['buns'] },
  mohawk: { female: ['mohawk'], male: ['mohawk'], child: ['mohawk'] },
};

/** Hats under which a knot on top of the head is not seen. */
const OVER_KNOTS = new Set<Hat>([
  'cap',
  'beanie',
  'tophat',
  'cowboy',
  'chef',
  'hardhat',
  'beret',
  'turban',
  'santa',
  'police',
  'pilot',
  'fedora',
  'straw',
  'bearskin',
  'firefighter',
  'sombrero',
  'horned',
  'pirate',
  'wizard',
]);

function styleOf({ hair, gender, age, hat }: PersonTraits, seed: number): string {
  if (hair.style === 'bun' && OVER_KNOTS.has(hat)) return 'ponytail';
  if (hair.style === 'buns' && OVER_KNOTS.has(hat)) return 'pigtails';
  const styles = STYLES[hair.style][age === 'child' ? 'child' : gender];
  // Cropped hair of children is a boy's in the art.
  if (age === 'child' && gender === 'female' && styles.includes('tousled')) return 'bob';
  return pick(randomFrom(seed, 'worn hair'), styles);
}

/** What each kind of clothes is made of: the art's body, our own pieces over it, and which of them are coloured. */
const CLOTHES: Record<Clothes, { body: string; over?: readonly string[]; fixed?: true; accent?: true }> = {
  tshirt: { body: 'body:tee' },
  vneck: { body: 'body:tee', over: ['own:vneck'] },
  shirt: { body: 'body:shirt' },
  suit: { body: 'body:suit', accent: true },
  hoodie: { body: 'body:tee', over: ['own:hood'] },
  sweater: { body: 'body:tee', over: ['own:sweater'] },
  turtleneck: { body: 'body:tee', over: ['own:turtleneck'] },
  dress: { body: 'body:princess' },
  labcoat: { body: 'body:labcoat', fixed: true, accent: true },
  robe: { body: 'body:gown' },
  armour: { body: 'body:tee', over: ['own:armour'], fixed: true },
  kimono: { body: 'body:tee', over: ['own:kimono'], accent: true },
  chef: { body: 'body:chef', fixed: true },
  spacesuit: { body: 'body:spacesuit', fixed: true },
  ruff: { body: 'body:tee', over: ['own:ruff'], accent: true },
  jacket: { body: 'body:coat', accent: true },
  police: { body: 'body:police', fixed: true },
  pilot: { body: 'body:pilot', fixed: true },
  vest: { body: 'body:vest', fixed: true },
  overalls: { body: 'body:overalls', fixed: true },
  mechanic: { body: 'body:mechanic', fixed: true },
  firefighter: { body: 'body:firefighter', fixed: true },
  gown: { body: 'body:gown', fixed: true },
  judge: { body: 'body:judge', fixed: true },
  hero: { body: 'body:hero', fixed: true },
  villain: { body: 'body:villain', fixed: true },
  vampire: { body: 'body:vampire', fixed: true },
  ninja: { body: 'body:ninja', fixed: true },
  prince: { body: 'body:prince', fixed: true },
  princess: { body: 'body:princess', fixed: true },
  tunic: { body: 'body:tunic' },
  singer: { body: 'body:singer', fixed: true },
  guard: { body: 'body:guard', fixed: true },
  smock: { body: 'body:smock', fixed: true },
  tuxedo: { body: 'body:tuxedo', fixed: true },
  changshan: { body: 'body:changshan', fixed: true },
};
const STEEL = '#98a2b3';

/** The colour of clothes: what is said; else what such clothes have by themselves. */
function clothColours({ clothes, clothesColour, accentColour, clothesSaid }: PersonTraits): Omit<Worn, 'part'> {
  const { fixed, accent } = CLOTHES[clothes];
  if (clothes === 'armour') return { colour: clothesSaid ? clothesColour : STEEL };
  if (clothes === 'labcoat') return { accent: clothesColour };
  return {
    ...(fixed && !clothesSaid ? {} : { colour: clothesColour }),
    ...(accent ? { accent: accentColour } : {}),
  };
}

function bodyOf(traits: PersonTraits): Worn {
  if (traits.hat === 'hijab') return { part: 'body:hijab', colour: traits.hatColour };
  return { part: CLOTHES[traits.clothes].body, ...clothColours(traits) };
}

function overBody(traits: PersonTraits): Worn[] {
  if (traits.hat === 'hijab') return [];
  const over: Worn[] = (CLOTHES[traits.clothes].over ?? []).map((part) => ({ part, ...clothColours(traits) }));
  if (traits.stethoscope) over.push({ part: 'body:stethoscope' });
  if (traits.clothes === 'princess') over.push({ part: 'body:pearls' });
  return over;
}

const BEARDS: Record<Beard, readonly string[]> = {
  none: [],
  stubble: ['beard:stubble'],
  moustache: ['beard:handlebar'],
  goatee: ['beard:goatee'],
  short: ['beard:short'],
  full: ['beard:full'],
  long: ['beard:santa', 'beard:handlebar'],
};
const GLASSES: Record<Glasses, readonly string[]> = {
  none: [],
  round: ['own:round'],
  square: ['glasses:square'],
  cat: ['own:cat-eye'],
  aviator: ['own:aviator'],
  sun: ['glasses:sun'],
  patch: ['own:patch'],
  monocle: ['own:monocle'],
  goggles: ['glasses:goggles'],
};

function onFace({ beard, glasses, species, hair, mask, maskColour, tusks, tears, thirdEye }: PersonTraits): Worn[] {
  const parts: Worn[] = [...BEARDS[beard], ...GLASSES[glasses]].map((part) => ({ part }));
  if (species === 'elf') parts.unshift({ part: 'ears:elf' });
  if (species === 'vampire') parts.unshift({ part: 'ears:vampire' });
  if (species === 'clown') {
    parts.push({ part: 'clown:wig', colour: hair.colour }, { part: 'clown:paint' }, { part: 'clown:nose' });
  }
  if (species === 'mermaid') parts.push({ part: 'own:scales' });
  if (mask !== 'none') parts.push({ part: `mask:${mask}`, ...(maskColour ? { accent: maskColour } : {}) });
  if (tusks) parts.push({ part: 'own:tusks' });
  if (tears) parts.push({ part: 'own:tears' });
  if (thirdEye) parts.push({ part: 'own:third-eye' });
  return parts;
}

/** Without filters, so that they can be drawn at any size. */
const BEAST_GLASSES: Record<Glasses, readonly string[]> = {
  ...GLASSES,
  square: ['own:square'],
  sun: ['own:aviator'],
  goggles: ['own:aviator'],
};

/** What is drawn of it, and its colour where none is named. */
const EXTRAS: Record<Extra, { part: string; colour?: string }> = {
  'hair-flower': { part: 'own:hair-flower', colour: '#f2689c' },
  'hair-bow': { part: 'own:hair-bow', colour: '#e8588c' },
  'bow-tie': { part: 'own:bow-tie', colour: '#26242a' },
  collar: { part: 'own:collar', colour: '#b8302c' },
  chain: { part: 'own:chain' },
  necklace: { part: 'body:pearls' },
  scarf: { part: 'own:scarf', colour: '#b8302c' },
  whistle: { part: 'own:whistle' },
  vitiligo: { part: 'own:vitiligo' },
  bindi: { part: 'own:bindi' },
  'nose-ring': { part: 'own:nose-ring' },
  scar: { part: 'own:scar' },
  mole: { part: 'own:mole' },
  pipe: { part: 'own:pipe' },
  'animal-ears': { part: 'own:animal-ears', colour: 'hair' },
  'bunny-ears': { part: 'own:bunny-ears', colour: '#f4f1f4' },
};

function extrasOf({ extras, extraColour, hat, hair }: PersonTraits): Worn[] {
  return extras
    .map((extra) => {
      const { part, colour } = EXTRAS[extra];
      return { part, ...(colour ? { colour: extraColour ?? (colour === 'hair' ? hair.colour : colour) } : {}) };
    })
    .filter(({ part }) => hat !== 'hijab' || !/hair-/.test(part));
}

const HATS: Record<Hat, string | undefined> = {
  none: undefined,
  wizard: 'hat:wizard',
  cap: 'hat:cap',
  beanie: 'hat:beanie',
  crown: 'hat:crown',
  tophat: 'hat:tophat',
  cowboy: 'hat:cowboy',
  chef: 'hat:chef',
  hardhat: 'hat:hardhat',
  helmet: 'hat:hardhat',
  space: 'hat:space',
  pirate: 'hat:cowboy',
  beret: 'hat:beret',
  hijab: 'hat:hijab',
  turban: 'hat:turban',
  santa: 'hat:santa',
  headphones: 'own:headphones',
  flowers: 'own:flowers',
  police: 'hat:police',
  pilot: 'hat:pilot',
  fedora: 'hat:fedora',
  straw: 'hat:straw',
  graduation: 'hat:graduation',
  bearskin: 'hat:bearskin',
  firefighter: 'hat:firefighter',
  tiara: 'hat:tiara',
  halo: 'own:halo',
  circlet: 'hat:circlet',
  horns: 'own:horns',
  shell: 'own:shell',
  wig: 'own:wig',
  cowl: 'own:cowl',
  nemes: 'own:nemes',
  sombrero: 'own:sombrero',
  horned: 'own:horned-helmet',
  skullcap: 'own:skullcap',
};
/** Those whose own colour is what they are known by, unless the text names one. */
const OWN_COLOUR = new Set<Hat>([
  'crown',
  'chef',
  'space',
  'police',
  'pilot',
  'firefighter',
  'graduation',
  'bearskin',
  'cap',
]);

function hatsOf({ hat, hatColour, hatSaid }: PersonTraits): Worn[] {
  const part = HATS[hat];
  if (!part) return [];
  const plain = OWN_COLOUR.has(hat) && !hatSaid && hat !== 'cap';
  return [
    {
      part,
      ...(plain ? {} : { colour: hatColour }),
      ...(hat === 'beanie' ? { accent: lighter(hatColour, -0.08) } : {}),
    },
  ];
}

function onHead(traits: PersonTraits): Worn[] {
  return [...(traits.earrings && traits.hat !== 'hijab' ? [{ part: 'own:earrings' }] : []), ...hatsOf(traits)];
}

const WALLS: Record<Exclude<Background, 'studio' | 'bokeh'>, readonly [light: string, shade: string, motif: Motif]> = {
  warm: ['#ffe3b0', '#f2a65e', 'rays'],
  night: ['#8f86e8', '#33307a', 'stars'],
  office: ['#dbe8f4', '#93b1cf', 'plain'],
  outdoors: ['#d7f2b8', '#74bf7c', 'leaves'],
  sea: ['#c4f0f4', '#4aa9d6', 'waves'],
  city: ['#e2dcf4', '#9a93cc', 'dots'],
  library: ['#f2dcc0', '#bd8d62', 'plain'],
  space: ['#7c74d8', '#221f5c', 'stars'],
  kitchen: ['#ffe9d0', '#f0b184', 'bubbles'],
};
/** Soft walls for those of whom no place is known: by mood, and by the seed. */
const SOFT: Record<PersonTraits['mood'], readonly (readonly [string, string, Motif])[]> = {
  neutral: [
    ['#d4e6ff', '#88aeea', 'dots'],
    ['#ded6fa', '#a493e2', 'bubbles'],
    ['#cdeee2', '#79c3ac', 'leaves'],
    ['#f6d9e6', '#dd96b8', 'dots'],
  ],
  smile: [
    ['#ffe8b8', '#f5bb62', 'dots'],
    ['#ffd9d2', '#f39a94', 'hearts'],
    ['#d5f3c9', '#86c98d', 'leaves'],
    ['#d0ecff', '#79b9ee', 'bubbles'],
    ['#eadcff', '#b596ea', 'stars'],
  ],
  cheerful: [
    ['#fff0a8', '#fbc14e', 'dots'],
    ['#ffd3e4', '#f783b2', 'hearts'],
    ['#c2f5e6', '#52c7ac', 'notes'],
  ],
  serious: [
    ['#cfd8e8', '#7d8fb3', 'plain'],
    ['#d8d3ea', '#8178ac', 'plain'],
    ['#c9dedb', '#6f9c98', 'plain'],
  ],
  sad: [['#c4d4ec', '#6c86b8', 'waves']],
  angry: [['#ffcdb8', '#d8604e', 'rays']],
};

function backdropOf(
  { background, backgroundColour, backgroundSaid, mood }: PersonTraits,
  seed: number,
): Look['backdrop'] {
  if (backgroundSaid) {
    return { light: lighter(backgroundColour, 0.2), shade: lighter(backgroundColour, -0.03), motif: 'plain' };
  }
  const [light, shade, motif] =
    background === 'studio' || background === 'bokeh'
      ? pick(randomFrom(seed, 'soft wall'), SOFT[mood])
      : WALLS[background];
  return { light, shade, motif };
}
