/**
 * The light of a scene, from its hour, weather and mood: sky colours, where the sun or moon stands, and the key and
 * ambient light everything else is painted in. One table, so that sky, land, water and subjects always agree.
 */
import { fromHsl, mapRgb, mix, type Rgb, rgb, scale, toHsl } from '../colour.ts';
import type { ImagePlan } from '../prompt.ts';
import { between, seeded } from '../random.ts';
import type { Time, Weather } from '../vocabulary.ts';

/** The light of one scene. Factors are 1 for paint as it is. */
export interface Light {
  time: Time;
  weather: Weather;
  top: Rgb;
  mid: Rgb;
  horizon: Rgb;
  /** Sun or moon, in fractions of the image; hidden behind thick weather when `visible` is 0. */
  sun: { x: number; y: number; radius: number; colour: Rgb; isMoon: boolean; visible: number };
  /** Light that comes from the sun, as factors on paint. */
  key: Rgb;
  /** Light that comes from the sky, as factors on paint. */
  ambient: Rgb;
  haze: Rgb;
  /** Extinction per metre. */
  hazeDensity: number;
  stars: number;
  /** Cloud cover 0..1; below: not a wisp. */
  cover: number;
  /** Unit vector towards the sun: right, up, away from the viewer. */
  direction: readonly [number, number, number];
}

interface Hour {
  top: string;
  mid: string;
  horizon: string;
  key: Rgb;
  ambient: Rgb;
  sun: string;
  /** Height of the sun above the horizon as a fraction of the sky. */
  height: number;
  stars: number;
}

const HOURS: Record<Time, Hour> = {
  dawn: {
    top: '#4a78bd',
    mid: '#e0a9b4',
    horizon: '#ffdfb4',
    key: [0.92, 0.64, 0.46],
    ambient: [0.44, 0.43, 0.54],
    sun: '#fff1d2',
    height: 0.1,
    stars: 0,
  },
  day: {
    top: '#2465b4',
    mid: '#6fabe2',
    horizon: '#d6e9f4',
    key: [0.74, 0.7, 0.6],
    ambient: [0.45, 0.5, 0.57],
    sun: '#fffbea',
    height: 0.62,
    stars: 0,
  },
  golden: {
    top: '#34427f',
    mid: '#d8747a',
    horizon: '#ffc46e',
    key: [1.0, 0.58, 0.27],
    ambient: [0.52, 0.43, 0.52],
    sun: '#fff0bd',
    height: 0.12,
    stars: 0,
  },
  dusk: {
    top: '#121a45',
    mid: '#4c4684',
    horizon: '#e58f7c',
    key: [0.4, 0.32, 0.4],
    ambient: [0.36, 0.37, 0.52],
    sun: '#ffe9d2',
    height: 0.5,
    stars: 0.45,
  },
  night: {
    top: '#060d2b',
    mid: '#122558',
    horizon: '#35588f',
    key: [0.34, 0.43, 0.62],
    ambient: [0.24, 0.3, 0.46],
    sun: '#f3f1e2',
    height: 0.66,
    stars: 1,
  },
};

interface Front {
  grey: string;
  amount: number;
  key: number;
  ambient: number;
  cover: number;
  density: number;
  sun: number;
}

const FRONTS: Record<Weather, Front> = {
  clear: { grey: '#b9c6d2', amount: 0, key: 1, ambient: 1, cover: 0.4, density: 1, sun: 1 },
  clouds: { grey: '#a9b4c0', amount: 0.25, key: 0.75, ambient: 1, cover: 0.66, density: 1.2, sun: 0.8 },
  rain: { grey: '#76828f', amount: 0.66, key: 0.3, ambient: 0.85, cover: 0.88, density: 3, sun: 0 },
  snow: { grey: '#c3ccd8', amount: 0.55, key: 0.5, ambient: 1.08, cover: 0.72, density: 2.2, sun: 0.25 },
  fog: { grey: '#c9d0d4', amount: 0.62, key: 0.4, ambient: 1.05, cover: 0.4, density: 9, sun: 0.5 },
  storm: { grey: '#3f4a58', amount: 0.78, key: 0.22, ambient: 0.66, cover: 0.97, density: 2.6, sun: 0 },
};

/** How bright a grey sky is at each hour, so that rain at night stays dark. */
const GREY_LEVEL: Record<Time, number> = { dawn: 0.95, day: 1, golden: 0.85, dusk: 0.5, night: 0.22 };

const CLOUDLESS = /\b(?:no|without(?: any)?) clouds?\b|\bcloudless\b|\bclear (?:blue )?sk(?:y|ies)\b/i;

/** @param horizonY the horizon as a fraction of the image's height. */
export function lightOf(image: ImagePlan, horizonY: number, seed: number): Light {
  const random = seeded(seed, 'light');
  const hour = HOURS[image.time];
  const front = FRONTS[image.weather];
  const level = GREY_LEVEL[image.time];
  const grey = scale(rgb(front.grey), level);
  const veil = (colour: string, share: number) => tinted(mix(rgb(colour), grey, front.amount * share), image);
  const horizon = veil(hour.horizon, 0.85);
  const x = between(random, 0.2, 0.8);
  const height = hour.height * between(random, 0.85, 1.15);
  const isMoon = image.time === 'night' || image.time === 'dusk';
  const azimuth = (x - 0.5) * 1.4;
  const elevation = 0.16 + height * 0.95;
  // The light comes partly from the front even when the sun stands ahead: else the image would be black.
  const depth = image.time === 'day' ? -0.35 : 0.12;
  const length = Math.hypot(azimuth * 1.6, elevation, depth);
  return {
    time: image.time,
    weather: image.weather,
    top: veil(hour.top, 1),
    mid: veil(hour.mid, 1),
    horizon,
    sun: {
      x,
      y: horizonY * (1 - Math.min(0.86, height)),
      radius: isMoon ? 0.03 : image.time === 'day' ? 0.026 : 0.04,
      colour: rgb(hour.sun),
      isMoon,
      visible: front.sun,
    },
    key: mapRgb(hour.key, (v) => v * front.key),
    ambient: mapRgb(hour.ambient, (v) => v * front.ambient),
    haze: mix(horizon, veil(hour.mid, 1), 0.25),
    hazeDensity: front.density,
    stars: hour.stars * (1 - front.amount) ** 2,
    cover: image.weather === 'clear' && CLOUDLESS.test(image.prompt) ? -1 : front.cover,
    direction: [(azimuth * 1.6) / length, elevation / length, depth / length],
  };
}

/** A gloomy mood drains the sky; a cheerful one fills it. */
function tinted(colour: Rgb, image: ImagePlan): Rgb {
  if (!image.mood) return colour;
  const [h, s, l] = toHsl(colour);
  const gain = { gloomy: 0.55, cheerful: 1.15, dramatic: 1.1, calm: 0.92 }[image.mood] ?? 1;
  return fromHsl(h, Math.min(1, s * gain), image.mood === 'gloomy' ? l * 0.85 : l);
}

/** Paint under the scene's light, facing the sun by `facing` 0..1. */
export function lit(paint: Rgb, light: Light, facing: number): Rgb {
  return [
    Math.min(255, paint[0] * (light.ambient[0] + light.key[0] * facing)),
    Math.min(255, paint[1] * (light.ambient[1] + light.key[1] * facing)),
    Math.min(255, paint[2] * (light.ambient[2] + light.key[2] * facing)),
  ];
}

/** Paint seen through `metres` of air. `clearness` lengthens the view for scenes of kilometres. */
export function hazed(paint: Rgb, light: Light, metres: number, clearness = 9000): Rgb {
  return mix(paint, light.haze, 1 - Math.exp((-metres * light.hazeDensity) / clearness));
}
