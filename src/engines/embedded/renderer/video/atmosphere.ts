/**
 * What is in the air of a video: what the prompt names, and, unless it is to be taken verbatim, what the place would
 * have by itself.
 */
import type { ImagePlan } from '../graphics/prompt.ts';
import type { AirKind } from './particles.ts';

const NAMED: readonly [AirKind, RegExp][] = [
  ['rain', /\b(rain(s|y|ing|drops?|storm)?|drizzle|downpour|showers|thunder ?storm)\b/],
  [
    'snow',
    /\b(snowing|snow ?fall(ing|s)?|snow ?flakes?|falling snow|snow (is )?falling|blizzard|snow ?storm|christmas)\b/,
  ],
  [
    'leaves',
    /\b(falling leaves|leaves (are )?(falling|blowing|drifting|swirling)|swirling leaves|autumn leaves|blowing leaves)\b/,
  ],
  ['petals', /\b(petals?|cherry blossoms?|sakura)\b/],
  ['dust', /\b(dust( motes?)?|dusty|sand ?storm|pollen|motes|floating particles|particles)\b/],
  ['sparks', /\b(sparks?|embers?|camp ?fire|bonfire|lava|volcano|fire ?place|forge|flames?|burning|on fire|dragon)\b/],
  ['bubbles', /\b(bubbles?)\b/],
  ['fireflies', /\b(fireflies|firefly|fairy lights|will-o'-the-wisps?|magical lights)\b/],
  ['stars', /\b(stars|starry|twinkling|star ?light|star ?field)\b/],
  ['meteors', /\b(shooting stars?|meteors?|meteor shower|falling stars?|comets?)\b/],
  ['confetti', /\b(confetti|party|celebrat(e|ion|ing)|new year)\b/],
];

/** @param upsample false: only what the prompt names */
export function airOf(prompt: string, image: ImagePlan, isScene: boolean, upsample: boolean): AirKind[] {
  const text = prompt.toLowerCase();
  const found = new Set(NAMED.filter(([, pattern]) => pattern.test(text)).map(([kind]) => kind));
  if (isScene) {
    if (image.weather === 'rain' || image.weather === 'storm') found.add('rain');
    if (image.weather === 'snow') found.add('snow');
    if (image.place === 'underwater') found.add('bubbles');
  }
  if (upsample && isScene) for (const kind of ownAir(image)) if (found.size < 2) found.add(kind);
  if (image.place === 'room') for (const kind of ['rain', 'snow', 'stars', 'meteors'] as const) found.delete(kind);
  return [...found];
}

function ownAir({ place, time, weather, season }: ImagePlan): AirKind[] {
  const isDark = time === 'night';
  if (place === 'space') return ['stars'];
  if (place === 'underwater') return ['bubbles', 'dust'];
  if (weather === 'rain' || weather === 'storm' || weather === 'snow') return [];
  if (place === 'snow') return ['snow'];
  if (isDark && weather === 'clear')
    return place === 'meadow' || place === 'forest' || place === 'garden'
      ? ['stars', 'fireflies']
      : place === 'room'
        ? []
        : ['stars'];
  if (season === 'autumn' && (place === 'forest' || place === 'field' || place === 'garden' || place === 'meadow'))
    return ['leaves'];
  if (season === 'spring' && (place === 'garden' || place === 'meadow')) return ['petals'];
  if (place === 'forest' || place === 'jungle' || place === 'room' || place === 'desert' || place === 'meadow')
    return ['dust'];
  return [];
}
