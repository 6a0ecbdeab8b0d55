/**
 * A video's own sound where none is given: wind, waves, rain, a city, birds or crickets, as the scene has them, and a
 * soft pad of slow chords where there is no place to hear. Synthesised; the same video has the same sound.
 */
import type { ImagePlan } from '../graphics/prompt.ts';
import { between, type Random, seeded } from '../graphics/random.ts';
import type { AirKind } from './particles.ts';

/** Sample rate: one that AAC has, and enough, since nothing here sounds above 12 kHz. */
export const AMBIENCE_RATE = 32_000;
const FADE_S = 0.8;

/** Adds itself to `out`, mono, -1 to 1. */
type Source = (out: Float32Array, random: Random) => void;

/** Loudness of each source that is heard. */
export type Mix = Partial<Record<keyof typeof SOURCES, number>>;

const TAU = Math.PI * 2;

/** Noise through a low pass whose strength swells: the stuff of wind, sea and traffic. */
function noiseBed(low: number, high: number, swell: (t: number) => number): Source {
  const a = 1 - Math.exp((-TAU * low) / AMBIENCE_RATE);
  const b = 1 - Math.exp((-TAU * high) / AMBIENCE_RATE);
  // A low pass keeps little of white noise: its loudness is restored by this.
  const gain = 0.9 / Math.sqrt(b);
  return (out, random) => {
    let slow = 0;
    let fast = 0;
    let level = 0;
    for (let i = 0; i < out.length; i++) {
      if (i % 64 === 0) level = swell(i / AMBIENCE_RATE) * gain;
      const white = random() * 2 - 1;
      fast += (white - fast) * b;
      slow += (fast - slow) * a;
      out[i] = (out[i] as number) + (fast - slow) * level;
    }
  };
}

/** Short tones at chance moments: drops, chirps, crackles. */
function events(aSecond: number, one: (out: Float32Array, at: number, random: Random) => void): Source {
  return (out, random) => {
    const rate = AMBIENCE_RATE;
    for (let t = random() / aSecond; t * rate < out.length; t += -Math.log(1 - random() * 0.999) / aSecond)
      one(out, Math.floor(t * rate), random);
  };
}

function tone(out: Float32Array, at: number, seconds: number, gain: number, frequency: (s: number) => number): void {
  const length = Math.min(out.length - at, Math.floor(seconds * AMBIENCE_RATE));
  let phase = 0;
  for (let i = 0; i < length; i++) {
    const share = i / (seconds * AMBIENCE_RATE);
    phase += (TAU * frequency(share)) / AMBIENCE_RATE;
    out[at + i] = (out[at + i] as number) + Math.sin(phase) * Math.sin(Math.PI * share) ** 2 * gain;
  }
}

function crackle(out: Float32Array, at: number, random: Random): void {
  const length = Math.min(out.length - at, 40 + Math.floor(random() * 260));
  const gain = 0.5 * random() ** 2;
  for (let i = 0; i < length; i++)
    out[at + i] = (out[at + i] as number) + (random() * 2 - 1) * gain * (1 - i / length) ** 3;
}

function bird(out: Float32Array, at: number, random: Random): void {
  const base = between(random, 2400, 4200);
  const notes = 2 + Math.floor(random() * 4);
  const gain = between(random, 0.03, 0.1);
  for (let n = 0; n < notes; n++) {
    const bend = between(random, -700, 900);
    const start = at + Math.floor(n * between(random, 0.11, 0.16) * AMBIENCE_RATE);
    if (start < out.length) tone(out, start, 0.09, gain, (s) => base + bend * s + 180 * Math.sin(s * 9));
  }
}

function crickets(out: Float32Array, random: Random): void {
  for (let voice = 0; voice < 3; voice++) {
    const pitch = between(random, 3900, 4700);
    const every = between(random, 0.55, 0.8);
    for (let t = random(); t * AMBIENCE_RATE < out.length; t += every * between(random, 0.95, 1.05))
      for (let pulse = 0; pulse < 4; pulse++) {
        const at = Math.floor((t + pulse * 0.045) * AMBIENCE_RATE);
        if (at < out.length) tone(out, at, 0.035, 0.05, () => pitch);
      }
  }
}

/** Chords of a gentle progression, each note three soft partials, overlapping. */
const CHORDS = [
  [0, 7, 16, 23],
  [-3, 4, 12, 19],
  [-7, 5, 9, 16],
  [-5, 2, 11, 19],
] as const;
const CHORD_S = 4;

function pad(out: Float32Array, random: Random): void {
  const root = 130.8 * 2 ** (Math.floor(random() * 8) / 12);
  const first = Math.floor(random() * CHORDS.length);
  for (let k = 0; (k - 0.5) * CHORD_S * AMBIENCE_RATE < out.length; k++) {
    const chord = CHORDS[(first + k) % CHORDS.length] as readonly number[];
    for (const step of chord)
      voice(out, (k - 0.4) * CHORD_S, CHORD_S * 1.6, root * 2 ** (step / 12), 0.055, random() * TAU);
  }
}

function voice(out: Float32Array, startS: number, lengthS: number, pitch: number, gain: number, phase: number): void {
  const length = lengthS * AMBIENCE_RATE;
  const start = Math.floor(startS * AMBIENCE_RATE);
  const step = (TAU * pitch) / AMBIENCE_RATE;
  for (let i = Math.max(0, -start); i < length && start + i < out.length; i++) {
    const swell = Math.sin((Math.PI * i) / length) ** 2 * gain;
    const x = phase + step * i;
    out[start + i] =
      (out[start + i] as number) + swell * (Math.sin(x) + 0.35 * Math.sin(x * 2.003) + 0.5 * Math.sin(x * 1.0035));
  }
}

const slowly = (low: number, seconds: number, phase: number) => (t: number) =>
  low +
  (1 - low) * (0.5 + 0.5 * Math.sin((t / seconds) * TAU + phase)) * (0.75 + 0.25 * Math.sin((t / seconds) * TAU * 2.7));

const SOURCES = {
  wind: noiseBed(120, 620, slowly(0.35, 7, 0)),
  breeze: noiseBed(400, 2200, slowly(0.25, 5.3, 1)),
  // Waves break fast and draw back slowly.
  waves: noiseBed(
    90,
    1500,
    (t) => 0.22 + 0.78 * ((1 - ((t / 5.2 + 0.35) % 1)) ** 2 * Math.min(1, ((t / 5.2 + 0.35) % 1) * 7)),
  ),
  stream: noiseBed(500, 3000, slowly(0.75, 1.7, 2)),
  rain: noiseBed(900, 7000, slowly(0.8, 6, 0)),
  drops: events(26, (out, at, random) => tone(out, at, 0.02, 0.12 * random() ** 2, () => between(random, 1800, 3800))),
  city: noiseBed(40, 240, slowly(0.7, 6.1, 0)),
  space: noiseBed(30, 110, slowly(0.6, 8, 0)),
  deep: noiseBed(40, 300, slowly(0.6, 4.7, 0)),
  bubbles: events(2.2, (out, at, random) => tone(out, at, 0.09, 0.12, (s) => 420 + 900 * s * (0.6 + random() * 0.1))),
  fire: events(20, crackle),
  birds: events(0.55, bird),
  crickets,
  pad,
} satisfies Record<string, Source>;

/** Loudness of each source by place. */
export function mixOf(image: ImagePlan | undefined, air: readonly AirKind[]): Mix {
  const heard: Mix = {};
  if (!image) return { pad: 1, ...weatherOf(air) };
  const { place, time, weather } = image;
  if (place === 'sea' || place === 'beach') heard.waves = 0.85;
  if (place === 'river') heard.stream = 0.4;
  if (place === 'lake') Object.assign(heard, { breeze: 0.16, waves: 0.2 });
  if (place === 'city' || place === 'street') heard.city = 0.75;
  if (place === 'space') Object.assign(heard, { space: 0.5, pad: 0.8 });
  if (place === 'underwater') Object.assign(heard, { deep: 0.5, bubbles: 0.7, pad: 0.35 });
  if (place === 'room') heard.pad = 0.7;
  if (place === 'mountains' || place === 'snow' || place === 'desert' || place === 'sky') heard.wind = 0.6;
  const isGreen =
    place === 'forest' ||
    place === 'meadow' ||
    place === 'garden' ||
    place === 'field' ||
    place === 'jungle' ||
    place === 'village';
  const isCalm = weather === 'clear' || weather === 'clouds';
  if (isGreen) heard.breeze = 0.28;
  if (isGreen && isCalm) Object.assign(heard, time === 'night' || time === 'dusk' ? { crickets: 0.8 } : { birds: 0.9 });
  if (weather === 'storm') Object.assign(heard, { wind: 0.8, rain: 0.5 });
  Object.assign(heard, weatherOf(air));
  return Object.keys(heard).length > 0 ? heard : { pad: 0.8, wind: 0.2 };
}

function weatherOf(air: readonly AirKind[]): Mix {
  return {
    ...(air.includes('rain') ? { rain: 0.45, drops: 0.6 } : {}),
    ...(air.includes('snow') ? { wind: 0.4 } : {}),
    ...(air.includes('sparks') ? { fire: 0.7 } : {}),
  };
}

/** Mono PCM at AMBIENCE_RATE of exactly this length, fading in and out. */
export function ambience(heard: Mix, seconds: number, seed: number): Int16Array {
  const length = Math.round(seconds * AMBIENCE_RATE);
  const sum = new Float32Array(length);
  const part = new Float32Array(length);
  for (const [name, level] of Object.entries(heard) as [keyof typeof SOURCES, number][]) {
    part.fill(0);
    SOURCES[name](part, seeded(seed, `sound:${name}`));
    for (let i = 0; i < length; i++) sum[i] = (sum[i] as number) + (part[i] as number) * level;
  }
  const fade = Math.min(FADE_S, seconds / 4) * AMBIENCE_RATE;
  const pcm = new Int16Array(length);
  for (let i = 0; i < length; i++) {
    const edge = Math.min(1, i / fade, (length - i) / fade);
    // tanh keeps the loudest moments of noise from clipping.
    pcm[i] = Math.tanh((sum[i] as number) * 0.55) * edge * edge * 17_000;
  }
  return pcm;
}
