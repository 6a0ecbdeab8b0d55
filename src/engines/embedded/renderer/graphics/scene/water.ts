/** Water: what stands above it mirrored and broken by waves, darker and clearer towards the viewer, with the sun's path. */
import { type Canvas, emptyCanvas } from '../canvas.ts';
import { mapRgb, mix, type Rgb } from '../colour.ts';
import { fbm, noise } from '../noise.ts';
import { seeded } from '../random.ts';
import type { Light } from './light.ts';

/** Where the water of a scene is and how it moves. */
export interface WaterForm {
  /** Row where the water begins, as a fraction of the height. */
  topY: number;
  /** The left and right edge of the water in a row (fractions of the width); undefined: the whole row. */
  span?(y: number): readonly [number, number];
  /** Roughness 0 (mirror) to 1 (sea). */
  waves: number;
  deep: Rgb;
}

/** @param above everything already painted; it is what the water mirrors. */
export function drawWater(above: Canvas, form: WaterForm, light: Light, seed: number): Canvas {
  const { width, height } = above;
  const { canvas, ctx } = emptyCanvas(width, height);
  const top = Math.round(form.topY * height);
  const source = above.getContext('2d').getImageData(0, 0, width, Math.max(1, top)).data;
  const image = ctx.createImageData(width, height - top);
  const { data } = image;
  const [sunR, sunG, sunB] = light.sun.colour;
  const reflected = form.waves > 0.5 ? 1.25 : 1;
  const roughness = form.waves * 0.8 + 0.12;
  const swell = noise(seed, 'swell');
  const { across, along, phases, gains } = waveTrains(seed);
  // Along a row the phase of each train goes up by the same: whole numbers, of which 2^32 are one wave and the sign is of no account.
  const at = new Int32Array(TRAINS);
  const step = new Int32Array(TRAINS);
  const strength = Float64Array.from(gains, (gain) => gain * roughness);
  const [deepR, deepG, deepB] = depths(form.deep, light);
  const glitterX = light.sun.x * width;
  for (let y = top; y < height; y++) {
    const t = (y - top) / (height - top + 1);
    const depth = 1 / (t + 0.035);
    const [from, to] = form.span ? form.span(y / height) : [0, 1];
    const first = Math.max(0, Math.floor(from * width));
    const last = Math.min(width, Math.ceil(to * width));
    const fresnel = 0.9 - 0.62 * t ** (0.55 + form.waves * 0.1);
    const rowSwell = swell(1.7, depth * 1.2);
    for (let k = 0; k < TRAINS; k++) {
      const onward = ((across[k] as number) * depth) / width;
      const start = depth * (along[k] as number) + (phases[k] as number) + rowSwell * 2 + onward * (first - width / 2);
      at[k] = wavesOf(start);
      step[k] = wavesOf(onward);
    }
    for (let x = first; x < last; x++) {
      let slope = 0;
      for (let k = 0; k < TRAINS; k++) {
        const phase = at[k] as number;
        slope += (strength[k] as number) * (SINE[phase >>> SINE_SHIFT] as number);
        at[k] = phase + (step[k] as number);
      }
      const reach = (y - top) * (1 + slope * 0.42) + slope * 10 * (0.2 + t);
      const mirrorY = Math.max(0, Math.min(top - 1, Math.round(top - 1 - Math.abs(reach) * reflected)));
      const mirrorX = Math.max(0, Math.min(width - 1, Math.round(x + slope * (3 + 26 * t))));
      const from4 = (mirrorY * width + mirrorX) * 4;
      const to4 = ((y - top) * width + x) * 4;
      const share = Math.min(0.96, Math.max(0.12, fresnel - slope * 0.3));
      const glint = sparkle(slope, (x - glitterX) / width, t, light);
      data[to4] = deepR + ((source[from4] as number) * 0.94 - deepR) * share + glint * sunR;
      data[to4 + 1] = deepG + ((source[from4 + 1] as number) * 0.94 - deepG) * share + glint * sunG;
      data[to4 + 2] = deepB + ((source[from4 + 2] as number) * 0.94 - deepB) * share + glint * sunB;
      data[to4 + 3] = 255;
    }
  }
  ctx.putImageData(image, 0, top);
  return canvas;
}

function depths(deep: Rgb, light: Light): Rgb {
  const paint = mix(deep, light.mid, 0.18);
  return mapRgb(paint, (v, c) => v * (light.ambient[c] + light.key[c] * 0.5));
}

const TRAINS = 7;
/** Of a phase of 32 bits the highest twelve are its place in the table. */
const SINE_SHIFT = 20;
const SINE_STEP = 4096 / (Math.PI * 2);
/** Half a megapixel of water takes 3.5 million sines: the table made a sea 90 ms cheaper. */
const SINE = Float32Array.from({ length: 4096 }, (_, i) => Math.sin(i / SINE_STEP));

/** Radians as a share of a wave, in 1/2^32; whole waves fall away. */
const wavesOf = (radians: number): number => {
  const waves = radians / (2 * Math.PI);
  return Math.round((waves - Math.floor(waves)) * 2 ** 32) | 0;
};

/** Trains of waves in perspective. Dearer noise showed no difference in water. */
function waveTrains(seed: number): Record<'across' | 'along' | 'phases' | 'gains', number[]> {
  const random = seeded(seed, 'waves');
  const trains = { across: [] as number[], along: [] as number[], phases: [] as number[], gains: [] as number[] };
  for (let i = 0; i < TRAINS; i++) {
    trains.across.push((random() - 0.5) * 26 * (i + 1));
    trains.along.push(9 + 13 * i * (0.6 + random()));
    trains.phases.push(random() * 6.3);
    trains.gains.push(0.5 / (1 + i * 0.45));
  }
  return trains;
}

/** The path of light under sun or moon: waves that happen to face it. */
function sparkle(slope: number, across: number, t: number, light: Light): number {
  if (light.sun.visible < 0.2) return 0;
  const aside = across / (0.05 + 0.1 * t);
  if (Math.abs(aside) > 2) return 0;
  const lane = Math.exp(-(aside ** 2));
  if (lane < 0.02) return 0;
  const low = light.time === 'golden' || light.time === 'dawn' ? 1 : light.sun.isMoon ? 0.75 : 0.35;
  return Math.max(0, slope * 1.6 - 0.12) * lane * low * light.sun.visible * 1.5;
}

/** Foam along a shore line: broken, in two or three lips. */
export function drawFoam(
  width: number,
  height: number,
  shore: (x: number) => number,
  light: Light,
  seed: number,
): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const source = noise(seed, 'foam');
  const image = ctx.createImageData(width, height);
  const white = [0, 1, 2].map((c) =>
    Math.min(255, 250 * ((light.ambient[c] as number) + (light.key[c] as number) * 0.75)),
  );
  for (let x = 0; x < width; x++) {
    const line = shore(x / width) * height;
    for (let y = Math.max(0, Math.floor(line - height * 0.075)); y < Math.min(height, line + height * 0.012); y++) {
      const away = (line - y) / height;
      const lips =
        Math.exp(-((away / 0.006) ** 2)) +
        0.7 * Math.exp(-(((away - 0.026) / 0.006) ** 2)) +
        0.5 * Math.exp(-(((away - 0.056) / 0.005) ** 2));
      const lace = fbm(source, (x / width) * 34, (y / height) * 80, 3);
      const alpha = lips * Math.min(1, Math.max(0, 0.75 + lace * 1.6));
      if (alpha < 0.03) continue;
      const at = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) image.data[at + c] = white[c] as number;
      image.data[at + 3] = Math.min(235, alpha * 235);
    }
  }
  ctx.putImageData(image, 0, 0);
  return canvas;
}
