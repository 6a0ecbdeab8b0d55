/**
 * Makes raw eSpeak audio pleasanter and evenly loud while it streams: removes DC, brings the long-term spectrum nearer
 * to that of people (eSpeak is 6-8 dB too strong round 1.2 and 3 kHz), brings every utterance to one level, and
 * bends peaks softly. It never changes the number of samples, so marks stay true.
 */

interface Biquad {
  b0: number;
  b1: number;
  b2: number;
  a1: number;
  a2: number;
  z1: number;
  z2: number;
}

type Kind = 'highpass' | 'peak' | 'lowshelf' | 'highshelf';

/** Filter shape, centre in Hz, gain in dB, Q. Measured against the long-term average speech spectrum of people. */
const CHAIN: [kind: Kind, hz: number, db: number, q: number][] = [
  ['highpass', 60, 0, 0.7],
  ['lowshelf', 190, 2, 0.7],
  ['peak', 1_100, -5.5, 0.8],
  ['peak', 3_600, -6.5, 0.7],
  ['highshelf', 6_500, -2, 0.7],
];

/** Level of the voiced parts of every utterance, whatever the timbre: -20 dBFS. */
const TARGET_RMS = 3_277;
/** Audio heard before the gain is set; eSpeak makes it in about 10 ms. */
const LISTEN_SECONDS = 2;
/** After that the gain follows what is heard, too slowly to be noticed: 1 dB a second. */
const GAIN_STEP = 10 ** (1 / 20);
const FRAME_SECONDS = 0.02;
/** Frames the meter remembers: 20 s. */
const METER_FRAMES = 1_000;
/** Frames this much quieter than the loudest are pauses and do not count. */
const GATE = 0.1;
const GAIN_LIMITS = [0.25, 5] as const;
/** Below the knee nothing is touched; above it peaks approach the ceiling (-1 dBFS) and never reach it. */
const KNEE = 20_000;
const CEILING = 29_200;
const FADE_SECONDS = 0.01;

export interface Polisher {
  /** Adds raw audio; returns what is ready, which may be nothing until the gain is known. */
  push(raw: Int16Array): Int16Array;
  /** The rest, faded out, followed by silence. @param silence samples appended. */
  finish(silence: number): Int16Array;
}

export function createPolisher(rate: number): Polisher {
  const filters = CHAIN.map((row) => biquad(rate, ...row));
  const fade = Math.round(FADE_SECONDS * rate);
  const meter = createMeter(rate);
  let waiting: Float32Array[] = [];
  let heard = 0;
  let gain: number | undefined;
  let out = 0;

  /** The last `fade` samples are kept back until it is known whether the end comes after them. */
  function release(keep: number): Float32Array {
    const joined = join(waiting);
    const kept = Math.min(keep, joined.length);
    waiting = kept > 0 ? [joined.subarray(joined.length - kept)] : [];
    return joined.subarray(0, joined.length - kept);
  }

  /** Moves from the last gain to the wanted one across the samples, at the permitted speed. */
  function leveled(samples: Float32Array): Int16Array {
    const wanted = meter.gain();
    const from = gain ?? wanted;
    const most = GAIN_STEP ** (samples.length / rate);
    const to = Math.min(from * most, Math.max(from / most, wanted));
    const pcm = new Int16Array(samples.length);
    for (let i = 0; i < samples.length; i++, out++) {
      const fadeIn = out < fade ? out / fade : 1;
      const level = from + ((to - from) * i) / samples.length;
      pcm[i] = Math.round(soften((samples[i] as number) * level * fadeIn));
    }
    gain = to;
    return pcm;
  }

  return {
    push(raw) {
      const samples = Float32Array.from(raw);
      for (const filter of filters) run(filter, samples);
      meter.hear(samples);
      waiting.push(samples);
      heard += samples.length;
      return heard < LISTEN_SECONDS * rate ? new Int16Array(0) : leveled(release(fade));
    },
    finish(silence) {
      const rest = release(0);
      const ramp = Math.min(fade, rest.length);
      for (let i = 0; i < ramp; i++) rest[rest.length - 1 - i] = ((rest[rest.length - 1 - i] as number) * i) / ramp;
      const pcm = new Int16Array(rest.length + silence);
      pcm.set(leveled(rest));
      return pcm;
    },
  };
}

function soften(sample: number): number {
  const size = Math.abs(sample);
  if (size <= KNEE) return sample;
  const room = CEILING - KNEE;
  return Math.sign(sample) * (KNEE + room * Math.tanh((size - KNEE) / room));
}

/** Hears the audio and tells the gain that brings its voiced frames to the target. */
function createMeter(rate: number): { hear(samples: Float32Array): void; gain(): number } {
  const frame = Math.round(FRAME_SECONDS * rate);
  const energies: number[] = [];
  let sum = 0;
  let filled = 0;
  return {
    hear(samples) {
      for (const sample of samples) {
        sum += sample * sample;
        if (++filled < frame) continue;
        energies.push(sum / frame);
        if (energies.length > METER_FRAMES) energies.shift();
        sum = 0;
        filled = 0;
      }
    },
    gain() {
      const loudest = energies.reduce((most, energy) => Math.max(most, energy), 0);
      const voiced = energies.filter((energy) => energy > loudest * GATE ** 2);
      if (voiced.length === 0) return 1;
      const rms = Math.sqrt(voiced.reduce((total, energy) => total + energy, 0) / voiced.length);
      return Math.min(GAIN_LIMITS[1], Math.max(GAIN_LIMITS[0], TARGET_RMS / rms));
    },
  };
}

function join(parts: Float32Array[]): Float32Array {
  if (parts.length === 1) return parts[0] as Float32Array;
  const joined = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Second-order sections of the Audio EQ Cookbook (R. Bristow-Johnson). */
function biquad(rate: number, kind: Kind, hz: number, db: number, q: number): Biquad {
  const w = (2 * Math.PI * hz) / rate;
  const cos = Math.cos(w);
  const alpha = Math.sin(w) / (2 * q);
  const a = 10 ** (db / 40);
  const root = 2 * Math.sqrt(a) * alpha;
  const sign = kind === 'lowshelf' ? 1 : -1;
  const [b0, b1, b2, a0, a1, a2] =
    kind === 'highpass'
      ? [(1 + cos) / 2, -(1 + cos), (1 + cos) / 2, 1 + alpha, -2 * cos, 1 - alpha]
      : kind === 'peak'
        ? [1 + alpha * a, -2 * cos, 1 - alpha * a, 1 + alpha / a, -2 * cos, 1 - alpha / a]
        : [
            a * (a + 1 - sign * (a - 1) * cos + root),
            sign * 2 * a * (a - 1 - sign * (a + 1) * cos),
            a * (a + 1 - sign * (a - 1) * cos - root),
            a + 1 + sign * (a - 1) * cos + root,
            sign * -2 * (a - 1 + sign * (a + 1) * cos),
            a + 1 + sign * (a - 1) * cos - root,
          ];
  return { b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0, z1: 0, z2: 0 };
}

/** Transposed direct form II, in place. */
function run(f: Biquad, samples: Float32Array): void {
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i] as number;
    const y = f.b0 * x + f.z1;
    f.z1 = f.b1 * x - f.a1 * y + f.z2;
    f.z2 = f.b2 * x - f.a2 * y;
    samples[i] = y;
  }
}
