/**
 * Brings speech to one loudness while it streams: -16 LUFS (ITU-R BS.1770, mono) with no true peak above -1 dBTP, what
 * podcasts and phones expect of a voice. It never changes the number of samples, so times of the audio stay true.
 */
import type { Biquad } from './biquad.ts';

const TARGET_LUFS = -16;
/** Below the -1 dBTP that is promised: the lossy codecs behind it overshoot, measured by up to 1.2 dB. */
const CEILING = 32_768 * 10 ** (-2.8 / 20);

/** Audio heard before the first gain is set, unless more comes at once. */
const LISTEN_SECONDS = 2;
/** Afterwards the gain follows what is heard too slowly to be noticed. */
const GAIN_DB_PER_SECOND = 1.5;
const GAIN_LIMITS_DB = [-24, 30] as const;
const FADE_SECONDS = 0.01;
const MAKEUP_ROUNDS = 3;
const MAKEUP_LIMIT_DB = 6;
/** dB of gain for each dB by which what was given out so far lies beside the target: a loud beginning is made up for. */
const CATCH_UP = 3;
const CATCH_UP_LIMIT_DB = 4;

/** BS.1770: blocks of 400 ms, every 100 ms; blocks below -70 LUFS or 10 LU below the rest are pauses. */
const STEP_SECONDS = 0.1;
const STEPS_IN_BLOCK = 4;
const ABSOLUTE_GATE = 10 ** ((-70 + 0.691) / 10);
const RELATIVE_GATE = 0.1;

const LOOKAHEAD_SECONDS = 0.005;
const RELEASE_SECONDS = 0.08;
/** Taps on each side of the interpolation between two samples. */
const HALF_TAPS = 6;

/** Measures loudness by ITU-R BS.1770. */
export interface LoudnessMeter {
  /** @param samples full scale is 32768. */
  hear(samples: Float32Array): void;
  /** Integrated loudness so far in LUFS; undefined while nothing but silence was heard. */
  integrated(): number | undefined;
}

/** @param rate samples per second */
export function createLoudnessMeter(rate: number): LoudnessMeter {
  const { shelf, highpass } = weighting(rate);
  const step = Math.round(STEP_SECONDS * rate);
  const steps: number[] = [];
  let sum = 0;
  let filled = 0;
  return {
    hear(samples) {
      for (let from = 0; from < samples.length; ) {
        const to = Math.min(samples.length, from + step - filled);
        sum += weightedPower(samples, from, to, shelf, highpass);
        filled += to - from;
        from = to;
        if (filled < step) continue;
        steps.push(sum / step);
        sum = 0;
        filled = 0;
      }
    },
    integrated() {
      // An utterance shorter than one block is measured by what there is of it.
      const all = steps.length > 0 ? steps : [sum / Math.max(1, filled)];
      const blocks: number[] = [];
      for (let i = 0; i <= Math.max(0, all.length - STEPS_IN_BLOCK); i++)
        blocks.push(mean(all.slice(i, i + STEPS_IN_BLOCK)));
      const heard = blocks.filter((power) => power > ABSOLUTE_GATE);
      const gate = mean(heard) * RELATIVE_GATE;
      const power = mean(heard.filter((one) => one > gate));
      return power > 0 ? -0.691 + 10 * Math.log10(power) : undefined;
    },
  };
}

/** The two filters of BS.1770 at any rate, from the analogue ones behind its table for 48 kHz: the head, and the low end. */
function weighting(rate: number): { shelf: Biquad; highpass: Biquad } {
  const section = (hz: number, q: number, numerator: (k: number) => [number, number, number]): Biquad => {
    const k = Math.tan((Math.PI * hz) / rate);
    const a0 = 1 + k / q + k * k;
    const [b0, b1, b2] = numerator(k);
    return { b0, b1, b2, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0, z1: 0, z2: 0 };
  };
  const high = 10 ** (4 / 20);
  const middle = high ** 0.5;
  const q = 0.7072;
  return {
    shelf: section(1_681.97, q, (k) => {
      const a0 = 1 + k / q + k * k;
      const bend = (middle * k) / q;
      return [(high + bend + k * k) / a0, (2 * (k * k - high)) / a0, (high - bend + k * k) / a0];
    }),
    highpass: section(38.135, 0.5003, () => [1, -2, 1]),
  };
}

/** The sum of squares of a range behind both filters, which go on from where they are; the state stays in registers. */
function weightedPower(samples: Float32Array, from: number, to: number, shelf: Biquad, highpass: Biquad): number {
  let [s1, s2, h1, h2, sum] = [shelf.z1, shelf.z2, highpass.z1, highpass.z2, 0];
  for (let i = from; i < to; i++) {
    const x = (samples[i] as number) / 32_768;
    const y = shelf.b0 * x + s1;
    s1 = shelf.b1 * x - shelf.a1 * y + s2;
    s2 = shelf.b2 * x - shelf.a2 * y;
    const z = highpass.b0 * y + h1;
    h1 = highpass.b1 * y - highpass.a1 * z + h2;
    h2 = highpass.b2 * y - highpass.a2 * z;
    sum += z * z;
  }
  [shelf.z1, shelf.z2, highpass.z1, highpass.z2] = [s1, s2, h1, h2];
  return sum;
}

/** Brings speech to one loudness. */
export interface Leveler {
  /**
   * Adds audio; returns what is ready, which may be nothing until the gain is known. @param phrase what is added is a
   * whole phrase or more, long enough to find the gain.
   */
  push(samples: Float32Array, phrase?: boolean): Int16Array;
  /** The rest, faded out, followed by silence. @param silence samples appended. */
  finish(silence: number): Int16Array;
}

/** @param rate samples per second */
export function createLeveler(rate: number): Leveler {
  const meter = createLoudnessMeter(rate);
  const given = createLoudnessMeter(rate);
  const limiter = createLimiter(rate);
  const fade = Math.round(FADE_SECONDS * rate);
  let waiting = new Float32Array(0);
  let heard = 0;
  let gainDb: number | undefined;
  /** What the limiter takes away again from a voice with high peaks, in dB. */
  let makeupDb = 0;
  let released = 0;

  function wantedDb(): number {
    const loudness = meter.integrated();
    const [low, high] = GAIN_LIMITS_DB;
    const missing = CATCH_UP * (TARGET_LUFS - (given.integrated() ?? TARGET_LUFS));
    const catchUp = Math.max(-CATCH_UP_LIMIT_DB, Math.min(CATCH_UP_LIMIT_DB, missing));
    return loudness === undefined
      ? (gainDb ?? 0)
      : Math.min(high, Math.max(low, TARGET_LUFS - loudness + makeupDb + catchUp));
  }

  function level(samples: Float32Array): Float32Array {
    if (gainDb === undefined) makeupDb = lossOfLimiting(samples, rate, wantedDb());
    const wanted = wantedDb();
    const from = gainDb ?? wanted;
    const most = (GAIN_DB_PER_SECOND * samples.length) / rate;
    const to = Math.min(from + most, Math.max(from - most, wanted));
    const start = 10 ** (from / 20);
    const step = (10 ** (to / 20) - start) / Math.max(1, samples.length);
    const leveled = samples.map((sample, i) => sample * (start + step * i));
    for (let i = 0; i < leveled.length && released + i < fade; i++)
      leveled[i] = ((leveled[i] ?? 0) * (released + i)) / fade;
    gainDb = to;
    released += samples.length;
    return leveled;
  }

  function limited(samples: Float32Array, last: boolean): Int16Array {
    const out = limiter.push(samples, last);
    given.hear(out);
    return toPcm(out);
  }

  return {
    push(samples, phrase = false) {
      meter.hear(samples);
      heard += samples.length;
      waiting = concat(waiting, samples);
      if (gainDb === undefined && !phrase && heard < LISTEN_SECONDS * rate) return new Int16Array(0);
      // The last samples are kept back until it is known whether the end comes after them.
      const ready = waiting.subarray(0, Math.max(0, waiting.length - fade));
      waiting = waiting.slice(ready.length);
      return limited(level(ready), false);
    },
    finish(silence) {
      const rest = level(waiting);
      const ramp = Math.min(fade, rest.length);
      for (let i = 0; i < ramp; i++) rest[rest.length - 1 - i] = ((rest[rest.length - 1 - i] ?? 0) * i) / ramp;
      const pcm = limited(rest, true);
      const all = new Int16Array(pcm.length + silence);
      all.set(pcm);
      return all;
    },
  };
}

/** The dB by which the samples must be louder before the limiter to come out of it at the target. */
function lossOfLimiting(samples: Float32Array, rate: number, gainDb: number): number {
  let makeup = 0;
  for (let round = 0; round < MAKEUP_ROUNDS; round++) {
    const factor = 10 ** ((gainDb + makeup) / 20);
    const meter = createLoudnessMeter(rate);
    meter.hear(
      createLimiter(rate).push(
        samples.map((sample) => sample * factor),
        true,
      ),
    );
    const loss = TARGET_LUFS - (meter.integrated() ?? TARGET_LUFS);
    if (loss < 0.1) break;
    makeup = Math.min(MAKEUP_LIMIT_DB, makeup + loss);
  }
  return makeup;
}

/** Turns down what would pass the ceiling shortly before it comes, so that nothing clicks or clips. */
function createLimiter(rate: number): { push(samples: Float32Array, last: boolean): Float32Array } {
  const lookahead = Math.round(LOOKAHEAD_SECONDS * rate);
  const attack = 1 - Math.exp(-5 / lookahead);
  const release = 1 - Math.exp(-1 / (RELEASE_SECONDS * rate));
  let past = new Float32Array(0); // Already given out; interpolation reaches back to it.
  let pending = new Float32Array(0);
  let gain = 1;
  return {
    push(samples, last) {
      pending = concat(pending, samples);
      const ready = last ? pending.length : Math.max(0, pending.length - lookahead - HALF_TAPS);
      const allowed = allowedGains(concat(past, pending)).subarray(past.length);
      const out = new Float32Array(ready);
      let leastAt = -1;
      for (let i = 0; i < ready; i++) {
        // The lowest of what comes within the lookahead: known from the sample before, unless that was it.
        const next = Math.min(i + lookahead, allowed.length - 1);
        if (leastAt < i) leastAt = lowestIn(allowed, i, next);
        else if ((allowed[next] as number) <= (allowed[leastAt] as number)) leastAt = next;
        const least = allowed[leastAt] as number;
        gain += (least - gain) * (least < gain ? attack : release);
        gain = Math.min(gain, allowed[i] ?? 1);
        out[i] = (pending[i] ?? 0) * gain;
      }
      past = concat(past, pending.subarray(0, ready)).slice(-HALF_TAPS);
      pending = pending.slice(ready);
      return out;
    },
  };
}

/** The last index of the lowest value of a range. */
function lowestIn(values: Float32Array, from: number, to: number): number {
  let lowest = from;
  for (let i = from + 1; i <= to; i++) if ((values[i] as number) <= (values[lowest] as number)) lowest = i;
  return lowest;
}

/** Windowed sinc at a quarter, half and three quarters between two samples. */
const BETWEEN = [0.25, 0.5, 0.75].map((offset) =>
  Float32Array.from({ length: 2 * HALF_TAPS }, (_, i) => {
    const x = i - HALF_TAPS + 1 - offset;
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * (0.5 + 0.5 * Math.cos((Math.PI * x) / (HALF_TAPS + 0.5)));
  }),
);

/** For each sample the gain that keeps it, and the curve to its neighbours, below the ceiling. */
function allowedGains(samples: Float32Array): Float32Array {
  const allowed = new Float32Array(samples.length).fill(1);
  for (let i = 0; i < samples.length; i++) {
    let peak = Math.max(Math.abs(samples[i] ?? 0), Math.abs(samples[i + 1] ?? 0));
    if (peak < CEILING / 2) continue; // The curve between two samples does not rise to twice the larger one in speech.
    const start = i - HALF_TAPS + 1;
    const end = Math.min(2 * HALF_TAPS, samples.length - start);
    for (const taps of BETWEEN) {
      let value = 0;
      for (let k = Math.max(0, -start); k < end; k++) value += (taps[k] as number) * (samples[start + k] as number);
      peak = Math.max(peak, Math.abs(value));
    }
    if (peak <= CEILING) continue;
    const gain = CEILING / peak;
    allowed[i] = Math.min(allowed[i] ?? 1, gain);
    if (i + 1 < allowed.length) allowed[i + 1] = Math.min(allowed[i + 1] ?? 1, gain);
  }
  return allowed;
}

function toPcm(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length);
  for (let i = 0; i < pcm.length; i++) pcm[i] = Math.max(-32_768, Math.min(32_767, Math.round(samples[i] as number)));
  return pcm;
}

function concat(first: Float32Array, second: Float32Array): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

const mean = (values: number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
