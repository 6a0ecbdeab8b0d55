/** What each open-air place is made of: how far one sees, what rises behind, what lies underfoot and what grows there. */
import type { ImagePlan } from '../prompt.ts';
import type { Place } from '../vocabulary.ts';
import type { TreeKind } from './trees.ts';

/** What lies underfoot. */
export type Surface = 'grass' | 'sand' | 'snow' | 'stone' | 'earth';

/** Trees of one kind between two distances in metres. */
export interface Grove {
  kind: TreeKind;
  count: number;
  near: number;
  far: number;
  /** Metres. */
  tall: number;
  /** Trees keep clear of the middle, where subjects stand, by this fraction of the width. */
  clear: number;
}

/** One place. `horizonY` and rows are fractions of the height, `eye` metres above the ground, colours '#rrggbb'. */
export interface Recipe {
  horizonY: number;
  eye: number;
  surface: Surface;
  /** A mountain range: height in metres; `snow` the height of the snow line. */
  range?: { amp: number; snow: number; rock: string };
  /** Rolling land in the middle distance: height in metres and what it is covered with. */
  hills?: { amp: number; wave: number; cover: string; cover2: string };
  /** Undulation of the near ground, metres. */
  ground: number;
  groves: Grove[];
  water?: { topY: number; bottomY: number; waves: number; deep: string; form: 'band' | 'river' | 'sea' | 'shore' };
  /** The water is ice that is stood on. */
  isFrozen?: boolean;
  /** Share of blades that are flowers; undefined: no grass. */
  flowers?: number;
  /** What colours they have; default: a meadow's mixture. */
  petals?: readonly string[];
  skyline?: boolean;
  houses?: number;
}

const grove = (kind: TreeKind, count: number, near: number, far: number, tall: number, clear = 0.3): Grove => ({
  kind,
  count,
  near,
  far,
  tall,
  clear,
});

type OpenPlace = Exclude<
  Place,
  'space' | 'underwater' | 'room' | 'street' | 'sky' | 'stage' | 'cave' | 'greenhouse' | 'studio'
>;

/** By place; space, sky, rooms, streets and the world under water are painted otherwise. */
const RECIPES: Record<OpenPlace, Recipe> = {
  mountains: {
    horizonY: 0.66,
    eye: 3,
    surface: 'grass',
    range: { amp: 5400, snow: 1350, rock: '#85827f' },
    hills: { amp: 190, wave: 900, cover: '#4f7040', cover2: '#6d8a4c' },
    ground: 0.5,
    groves: [grove('conifer', 70, 130, 900, 17, 0.1), grove('conifer', 9, 18, 60, 9, 0.5)],
    flowers: 0.05,
  },
  lake: {
    horizonY: 0.5,
    eye: 3,
    surface: 'grass',
    range: { amp: 3300, snow: 1300, rock: '#7f8084' },
    hills: { amp: 150, wave: 800, cover: '#47683f', cover2: '#5f7d48' },
    ground: 0.4,
    groves: [grove('conifer', 90, 240, 700, 19, 0), grove('conifer', 5, 11, 17, 7.5, 0.62)],
    water: { topY: 0.515, bottomY: 0.86, waves: 0.2, deep: '#1f5663', form: 'band' },
    flowers: 0.03,
  },
  river: {
    horizonY: 0.48,
    eye: 3,
    surface: 'grass',
    range: { amp: 1500, snow: 1500, rock: '#7d8580' },
    hills: { amp: 120, wave: 500, cover: '#5d8347', cover2: '#779a55' },
    ground: 0.35,
    groves: [grove('broadleaf', 34, 60, 420, 11, 0.16), grove('broadleaf', 5, 17, 36, 6.5, 0.58)],
    water: { topY: 0.5, bottomY: 1, waves: 0.32, deep: '#2a6672', form: 'river' },
    flowers: 0.05,
  },
  sea: {
    horizonY: 0.5,
    eye: 4,
    surface: 'sand',
    ground: 0,
    groves: [],
    water: { topY: 0.5, bottomY: 1, waves: 0.85, deep: '#0f5f86', form: 'sea' },
  },
  beach: {
    horizonY: 0.47,
    eye: 3,
    surface: 'sand',
    ground: 0.1,
    groves: [grove('palm', 4, 9, 14, 6.5, 0.66)],
    water: { topY: 0.47, bottomY: 0.72, waves: 0.7, deep: '#1683a0', form: 'shore' },
  },
  city: {
    horizonY: 0.62,
    eye: 3,
    surface: 'stone',
    ground: 0,
    groves: [],
    skyline: true,
    water: { topY: 0.66, bottomY: 0.9, waves: 0.35, deep: '#22445c', form: 'band' },
  },
  forest: {
    horizonY: 0.5,
    eye: 2,
    surface: 'grass',
    hills: { amp: 26, wave: 160, cover: '#44663a', cover2: '#587a44' },
    ground: 0.3,
    groves: [
      grove('conifer', 60, 44, 150, 19, 0),
      grove('broadleaf', 36, 26, 70, 15, 0.06),
      grove('broadleaf', 9, 13, 21, 11, 0.5),
    ],
    flowers: 0.03,
  },
  jungle: {
    horizonY: 0.5,
    eye: 2,
    surface: 'grass',
    hills: { amp: 60, wave: 220, cover: '#2f6b3c', cover2: '#4a8a46' },
    ground: 0.3,
    groves: [
      grove('broadleaf', 46, 30, 130, 17, 0),
      grove('palm', 24, 16, 60, 10, 0.2),
      grove('palm', 6, 8, 12, 7, 0.66),
    ],
    flowers: 0.05,
  },
  desert: {
    horizonY: 0.5,
    eye: 4,
    surface: 'sand',
    range: { amp: 900, snow: 9e9, rock: '#a97e5b' },
    hills: { amp: 95, wave: 420, cover: '#d9a866', cover2: '#e3b878' },
    ground: 0.9,
    groves: [],
  },
  field: {
    horizonY: 0.5,
    eye: 3,
    surface: 'grass',
    hills: { amp: 60, wave: 420, cover: '#86a04e', cover2: '#c2b25c' },
    ground: 0.5,
    groves: [grove('broadleaf', 46, 90, 640, 12, 0), grove('broadleaf', 3, 20, 34, 8, 0.62)],
    flowers: 0.03,
  },
  meadow: {
    horizonY: 0.47,
    eye: 2.4,
    surface: 'grass',
    range: { amp: 1300, snow: 1400, rock: '#7f8a86' },
    hills: { amp: 62, wave: 420, cover: '#6f9a4a', cover2: '#8db25a' },
    ground: 0.4,
    groves: [grove('broadleaf', 42, 80, 560, 11, 0), grove('broadleaf', 3, 20, 34, 8, 0.62)],
    flowers: 0.15,
  },
  village: {
    horizonY: 0.5,
    eye: 4,
    surface: 'grass',
    range: { amp: 1500, snow: 1300, rock: '#7f8580' },
    hills: { amp: 80, wave: 420, cover: '#6b9149', cover2: '#86a655' },
    ground: 0.4,
    groves: [grove('broadleaf', 40, 60, 420, 10, 0.05), grove('broadleaf', 4, 18, 28, 7, 0.62)],
    houses: 13,
    flowers: 0.06,
  },
  snow: {
    horizonY: 0.52,
    eye: 3,
    surface: 'snow',
    range: { amp: 1900, snow: 300, rock: '#8b94a0' },
    hills: { amp: 90, wave: 460, cover: '#bbc6d3', cover2: '#aab9ca' },
    ground: 0.7,
    groves: [grove('conifer', 60, 70, 520, 15, 0.06), grove('conifer', 7, 14, 30, 8, 0.56)],
  },
  garden: {
    horizonY: 0.46,
    eye: 2.2,
    surface: 'grass',
    hills: { amp: 12, wave: 160, cover: '#548042', cover2: '#6c9a4e' },
    ground: 0.2,
    groves: [grove('broadleaf', 40, 30, 80, 7, 0), grove('broadleaf', 6, 15, 24, 6, 0.54)],
    flowers: 0.3,
  },
};

/** Fields of one flower, seen to the hills. */
const CROPS: readonly (readonly [RegExp, { petals: readonly string[]; cover: string; cover2: string }])[] = [
  [/\blavender\b/, { petals: ['#7a4fc0', '#9a72d8', '#6a3fae', '#b59ae6'], cover: '#7d63ad', cover2: '#6f8a58' }],
  [/\bpopp(y|ies)\b/, { petals: ['#d8281e', '#e8483a', '#b81a1a'], cover: '#a85a44', cover2: '#7d9450' }],
  [/\btulips?\b/, { petals: ['#e0364a', '#f0c33c', '#f2f0ea', '#d860a8'], cover: '#b0585e', cover2: '#7c9a50' }],
  [
    /\b(rapeseed|canola|buttercups?|dandelions?)\b/,
    { petals: ['#f2d02c', '#e6bc1e'], cover: '#d6bf3c', cover2: '#8aa04c' },
  ],
  [/\b(bluebells?|cornflowers?)\b/, { petals: ['#4a62d8', '#6c82ee', '#3a4cb8'], cover: '#5f74ae', cover2: '#6f9152' }],
];

const BESIDE_RIVER = /\b(?:by|at|on|near|beside|along|next to) (?:an?|the) (?:\w+ )?(?:rivers?|streams?|brook|creek)\b/;
const FROZEN =
  /\b(?:frozen|icy|iced) (?:over )?(?:\w+ )?(?:lakes?|ponds?|water)\b|\b(?:lakes?|ponds?)\b.*\b(?:frozen|ice[- ]skat\w+)|\bice[- ](?:skat\w+|rink)\b/;

/** The place's recipe bent to the image: winter whitens the ground, a mentioned range or lake joins. */
export function recipeFor(plan: ImagePlan): Recipe {
  const recipe = { ...RECIPES[(plan.place ?? 'field') as OpenPlace] };
  const text = plan.prompt.toLowerCase();
  const isWhite = plan.season === 'winter' || plan.weather === 'snow' || /\bsnow(y|s)?\b/.test(text);
  if (isWhite && recipe.surface === 'grass') {
    recipe.surface = 'snow';
    delete recipe.flowers;
    if (recipe.hills) recipe.hills = { ...recipe.hills, cover: '#bbc6d3', cover2: '#aab9ca' };
    if (recipe.range) recipe.range = { ...recipe.range, snow: 200 };
  }
  if (recipe.water?.form === 'band' && !recipe.skyline && FROZEN.test(text)) recipe.isFrozen = true;
  // A village by a river has that river.
  const { water } = RECIPES.river;
  if (!recipe.water && recipe.surface === 'grass' && water && BESIDE_RIVER.test(text))
    recipe.water = { ...water, topY: recipe.horizonY + 0.02 };
  if (!recipe.range && /\b(mountains?|alps|peaks?)\b/.test(text) && !recipe.skyline)
    recipe.range = { amp: 2300, snow: 1200, rock: '#83817f' };
  if (/\b(pines?|firs?|conifers?|evergreens?|spruces?)\b/.test(text))
    recipe.groves = recipe.groves.map((one) => ({ ...one, kind: 'conifer' as const }));
  if (/\b(birch(es)?)\b/.test(text)) recipe.groves = recipe.groves.map((one) => ({ ...one, kind: 'birch' as const }));
  if (/\b(dead|bare|spooky|haunted)\b/.test(text))
    recipe.groves = recipe.groves.map((one) => ({ ...one, kind: 'bare' as const }));
  if (/\b(wheat|golden field|barley|corn ?field|hay)\b/.test(text) && recipe.hills)
    recipe.hills = { ...recipe.hills, cover: '#d3b25a', cover2: '#c39c45' };
  const crop = CROPS.find(([pattern]) => pattern.test(text))?.[1];
  if (crop && recipe.flowers !== undefined) {
    recipe.flowers = 0.75;
    recipe.petals = crop.petals;
    if (recipe.hills && recipe.surface === 'grass')
      recipe.hills = { ...recipe.hills, cover: crop.cover, cover2: crop.cover2 };
  } else if (
    /\b(flowers?|wildflowers|tulips?|poppies|daisies|lavender|blossoms?)\b/.test(text) &&
    recipe.flowers !== undefined
  )
    recipe.flowers = 0.34;
  return recipe;
}
