import { mix, rgb, toHsl } from '../colour.ts';
import { fbm, noise, ridged } from '../noise.ts';
import { smoothstep } from '../numbers.ts';
import type { ImagePlan } from '../prompt.ts';
import { type Recipe, type Surface } from './recipes.ts';
import { type Land } from './terrain.ts';

/** Two paints of each ground, between which noise mixes. */
export const SURFACES: Record<Surface, [string, string]> = {
  grass: ['#6f9147', '#8aa552'],
  sand: ['#e2c690', '#d3b077'],
  snow: ['#c6d0dc', '#b3c1d1'],
  stone: ['#99968f', '#87847e'],
  earth: ['#9a7a56', '#86694a'],
};

/** Far mountains with snow from a height on. The recipe must have a range. */
export function rangeLand(recipe: Recipe, image: ImagePlan, seed: number): Land {
  const { amp, snow, rock } = recipe.range as NonNullable<Recipe['range']>;
  const source = noise(seed, 'range');
  const grain = noise(seed, 'grain');
  const stone = rgb(rock);
  const isDesert = recipe.surface === 'sand';
  const green = isDesert ? rgb('#b98d5f') : rgb(image.season === 'autumn' ? '#8f7a44' : '#5a7148');
  return {
    near: 2600,
    far: 15000,
    steps: 120,
    clearness: isDesert ? 8000 : 13500,
    heightAt(x, z) {
      const rise = smoothstep(2600, 7600, z);
      const shape = ridged(source, x / 9500 + 3.1, z / 8200, 5);
      return (shape * 1.3 - 0.2) * amp * rise * (0.85 + 0.4 * source(x / 15000, z / 12000));
    },
    paint(x, z, h, slope, out) {
      // By height as well as place: on a steep face, noise of the ground plane alone would run down in stripes.
      const rough = grain(x / 260 + z / 500, h / 90) * 0.5 + grain(x / 900, h / 300) * 0.5;
      const alpine = smoothstep(amp * 0.1, amp * 0.32, h + rough * 160);
      const white =
        smoothstep(snow - 170, snow + 230, h + rough * 330) * (1 - smoothstep(0.55, 0.85, slope + rough * 0.14));
      const tone = 0.88 + rough * 0.24;
      for (let c = 0; c < 3; c++) {
        const base = ((green[c] as number) + ((stone[c] as number) - (green[c] as number)) * alpine) * tone;
        out[c] = base + (252 - base) * white;
      }
    },
  };
}

/** Hills or dunes of the middle distance. The recipe must have hills. */
export function hillsLand(recipe: Recipe, image: ImagePlan, seed: number): Land {
  const { amp, wave, cover, cover2 } = recipe.hills as NonNullable<Recipe['hills']>;
  const source = noise(seed, 'hills');
  const first = rgb(seasonal(cover, image));
  const second = rgb(seasonal(cover2, image));
  const isDune = recipe.surface === 'sand';
  const start = recipe.water?.form === 'band' || recipe.water?.form === 'sea' ? 230 : 60;
  return {
    near: start,
    far: 2700,
    steps: 84,
    clearness: 5200,
    heightAt(x, z) {
      const rise = smoothstep(start, start * 4 + 500, z);
      if (isDune) {
        // Dunes: long crests, gentle to windward and steep to leeward.
        const phase = z / (wave * 1.6) + source(x / (wave * 3.2), z / (wave * 5)) * 1.1 + x / (wave * 4.5);
        const saw = phase - Math.floor(phase);
        const crest = saw < 0.72 ? smoothstep(0, 0.72, saw) : 1 - smoothstep(0.72, 1, saw);
        return (crest * 0.8 + source(x / (wave * 1.5), z / (wave * 2)) * 0.3) * amp * (0.15 + rise);
      }
      return (fbm(source, x / wave, z / wave, 4) + 0.28) * amp * rise;
    },
    paint(x, z, _h, slope, out) {
      const patch = smoothstep(-0.25, 0.35, source(x / 130, z / 210)) * 0.7 + 0.3 * source(x / 17, z / 26);
      for (let c = 0; c < 3; c++)
        out[c] = ((first[c] as number) + ((second[c] as number) - (first[c] as number)) * patch) * (1 - slope * 0.2);
    },
  };
}

/** A road across the land: where it lies, in metres before the viewer, and how wide one side of it is. */
const ROAD = { at: 12, half: 3, bends: 1 };
const ASPHALT = rgb('#6f7076');
const EARTH = rgb('#a58a66');
const LINE = rgb('#e9e6da');

/** What of a road is at a place: its surface, a line on it, or nothing. @param away from its middle, in halves of it */
function roadAt(away: number, x: number, isEarth: boolean): readonly number[] | undefined {
  if (away > 1) return undefined;
  if (isEarth) return EARTH;
  const isLine = (away > 0.88 && away < 0.95) || (away < 0.045 && x / 3 - Math.floor(x / 3) < 0.55);
  return isLine ? LINE : ASPHALT;
}

/** The ground from under the viewer’s feet up to 90 metres. */
export function groundLand(recipe: Recipe, image: ImagePlan, seed: number): Land {
  const source = noise(seed, 'ground');
  const [a, b] = SURFACES[recipe.surface];
  const isField = recipe.surface === 'grass' && recipe.hills;
  const first = rgb(seasonal(isField ? (recipe.hills as NonNullable<Recipe['hills']>).cover : a, image));
  const second = rgb(seasonal(isField ? (recipe.hills as NonNullable<Recipe['hills']>).cover2 : b, image));
  const isRippled = recipe.surface === 'sand';
  const hasRoad = /\b(roads?|highways?)\b/i.test(image.prompt);
  const isEarth = /\b(dirt|gravel|dusty|sandy)\b/i.test(image.prompt);
  const near = 1.2;
  return {
    near,
    far: recipe.water && recipe.water.form !== 'river' ? 60 : 90,
    steps: 96,
    clearness: 6000,
    heightAt: (x, z) => fbm(source, x / 14, z / 14, 3) * Math.min(1, z / 12) * recipe.ground * (1 + z / 45),
    paint(x, z, _h, _slope, out) {
      const broad = smoothstep(-0.4, 0.5, source(x / 5, z / 7));
      const fine = source(x * 2.2, z * 2.6) * 0.08 + source(x * 9, z * 4) * 0.04;
      const ripple = isRippled
        ? Math.sin(z * 5 + source(x / 1.6, z / 1.6) * 4.2 + x * 1.3) * 0.05 * Math.exp(-z / 14)
        : 0;
      const away = hasRoad ? Math.abs(z - ROAD.at - ROAD.bends * source(x / 9, 3.7)) / ROAD.half : 2;
      const road = roadAt(away, x, isEarth);
      for (let c = 0; c < 3; c++)
        out[c] = road
          ? (road[c] as number) * (1 + fine)
          : ((first[c] as number) + ((second[c] as number) - (first[c] as number)) * broad) * (1 + fine + ripple);
    },
  };
}

function seasonal(hex: string, image: ImagePlan): string {
  const [hue, saturation] = toHsl(rgb(hex));
  if (image.season !== 'autumn' || hue < 60 || hue > 170 || saturation < 0.1) return hex;
  const [r, g, b] = mix(rgb(hex), rgb('#b08a3c'), 0.55).map((v) => Math.round(v).toString(16).padStart(2, '0'));
  return `#${r}${g}${b}`;
}
