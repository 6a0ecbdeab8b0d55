/**
 * The mouth over time: phoneme marks and loudness become one shape per video frame. Neighbouring sounds colour each
 * other (dominance functions after Cohen and Massaro), closures for p, b and m are then imposed, since a mouth that
 * stays open on them is what viewers notice first. Knows nothing of pixels.
 */
import type { Mark } from '../../../ports/index.ts';
import { levels, movingAverage } from './energy.ts';
import { type MouthPose, type MouthTarget, shapesOf } from './phonemes.ts';

/** One value per frame and parameter; ranges as in `MouthTarget`. */
export interface MouthTrack {
  open: Float32Array;
  wide: Float32Array;
  press: Float32Array;
  bite: Float32Array;
  tongue: Float32Array;
  kept: Float32Array;
}

/** A target: what the mouth wants to be, when, for how long. */
interface Target {
  startMs: number;
  endMs: number;
  shape: MouthTarget;
}

/** How far a sound reaches into its neighbours. Rounding starts earlier than opening (measured in real speech). */
const OPEN_REACH_MS = 42;
const WIDE_REACH_MS = 75;
/** Lips are shut from this long before the mark of p, b, m, so that the frame nearest to the mark shows it at 25 fps. */
const CLOSURE_LEAD_MS = 24;
const CLOSURE_RAMP_MS = 55;
/** A phoneme without a successor nearby ends after this: what follows is a pause. */
const LONGEST_PHONEME_MS = 380;
const PAUSE_RAMP_MS = 90;
/** Who smiles speaks smiling: so much of the still's own mouth stays in speech, and all of it returns in pauses. */
export const KEPT = 0.75;
/** A mouth that is a little rounded still smiles: exponent of the rounding that takes the smile away. */
const ROUND_POWER = 2;
/** The share of a smile that goes at f and v: their teeth are an upper lip's that is up, only the lower lip comes (`BITE` in `mouth-mesh.ts`). */
const BITE_LESS = 0.22;
const KEPT_RAMP_MS = 300;
/** The mouth is neutral in the first and last frame, so that videos join without a jump. */
const EDGE_MS = 70;

/** The shapes of all frames. Without phoneme marks the mouth follows the loudness alone. */
export function mouthTimeline(query: {
  pcm: Int16Array;
  rate: number;
  marks: Mark[];
  fps: number;
  frames: number;
}): MouthTrack {
  const { pcm, rate, fps, frames } = query;
  const level = levels(pcm, rate, fps, frames);
  const endMs = (pcm.length / rate) * 1000;
  const targets = targetsOf(query.marks, endMs);
  const track = targets.length > 0 ? fromTargets(targets, level, fps) : fromLoudness(level);
  for (let frame = 0; frame < frames; frame++) {
    const ms = (frame * 1000) / fps;
    const edge = ramp(ms / EDGE_MS) * ramp((((frames - 1) * 1000) / fps - ms) / EDGE_MS);
    for (const values of Object.values(track) as Float32Array[]) values[frame] = (values[frame] as number) * edge;
    track.kept[frame] = (track.kept[frame] as number) + 1 - edge;
  }
  return track;
}

function targetsOf(marks: Mark[], endMs: number): Target[] {
  const phonemes = marks
    .filter((mark) => mark.kind === 'phoneme')
    .map(({ ms, ipa = '' }) => ({ ms, ipa, parts: shapesOf(ipa) }))
    // A mark of nothing but a diacritic (ʲ) prolongs the sound before it; an empty one is a pause.
    .filter(({ ipa, parts }) => ipa === '' || parts.length > 0)
    .sort((one, other) => one.ms - other.ms);
  const targets: Target[] = [];
  for (const [index, mark] of phonemes.entries()) {
    const next = phonemes[index + 1]?.ms ?? endMs;
    const lastMs = Math.min(next, mark.ms + LONGEST_PHONEME_MS, Math.max(endMs, mark.ms));
    const each = (lastMs - mark.ms) / Math.max(1, mark.parts.length);
    for (const [place, part] of mark.parts.entries()) {
      targets.push({ startMs: mark.ms + place * each, endMs: mark.ms + (place + 1) * each, shape: part.shape });
    }
  }
  return targets;
}

function emptyTrack(frames: number): MouthTrack {
  const values = () => new Float32Array(frames);
  return { open: values(), wide: values(), press: values(), bite: values(), tongue: values(), kept: values() };
}

function fromTargets(targets: Target[], level: Float32Array, fps: number): MouthTrack {
  const track = emptyTrack(level.length);
  let first = 0;
  for (let frame = 0; frame < level.length; frame++) {
    const ms = (frame * 1000) / fps;
    while (first < targets.length && (targets[first] as Target).endMs < ms - 500) first++;
    const shape = blend(targets, first, ms);
    // The voice's loudness opens the mouth a little more or less around what the sound asks for.
    track.open[frame] = shape.open * (0.4 + 0.7 * (level[frame] as number));
    track.wide[frame] = shape.wide;
    track.press[frame] = shape.press;
    track.bite[frame] = shape.bite;
    track.tongue[frame] = shape.tongue;
    track.kept[frame] = shape.kept;
  }
  return track;
}

/** The weighted mean of the targets around a moment, closed where the lips must be and neutral in pauses. */
function blend(targets: Target[], first: number, ms: number): MouthPose {
  const sum = { open: 0, wide: 0, bite: 0, tongue: 0 };
  let openWeight = 1e-4;
  let wideWeight = 1e-4;
  let closed = 0;
  let bitten = 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = first; i < targets.length; i++) {
    const { startMs, endMs, shape } = targets[i] as Target;
    if (startMs > ms + 400) break;
    const away = Math.max(0, startMs - ms, ms - endMs);
    nearest = Math.min(nearest, away);
    if (shape.press > 0) closed = Math.max(closed, held(ms, startMs, endMs));
    if (shape.bite > 0) bitten = Math.max(bitten, shape.bite * held(ms, startMs, endMs));
    const centre = (startMs + endMs) / 2;
    const half = (endMs - startMs) / 4;
    const distance = Math.max(0, Math.abs(ms - centre) - half);
    // The closure is imposed below; here p, b, m only pull weakly, or they would shut their whole neighbourhood.
    const open = shape.weight * (shape.press > 0 ? 0.35 : 1) * Math.exp(-distance / OPEN_REACH_MS);
    const width = shape.weight * (0.15 + Math.abs(shape.wide)) * Math.exp(-distance / WIDE_REACH_MS);
    openWeight += open;
    wideWeight += width;
    sum.open += open * shape.open;
    sum.tongue += open * shape.tongue;
    sum.wide += width * shape.wide;
  }
  const voiced = ramp(1 - nearest / PAUSE_RAMP_MS);
  const wide = (sum.wide / wideWeight) * voiced * (1 - 0.5 * closed);
  const rested = ramp((nearest - PAUSE_RAMP_MS) / KEPT_RAMP_MS);
  return {
    open: (sum.open / openWeight) * (1 - closed) * (1 - 0.55 * bitten) * voiced,
    wide,
    press: closed * voiced,
    // "Of Mars": the lip leaves the teeth before both lips close.
    bite: bitten * voiced * (1 - closed),
    tongue: (sum.tongue / openWeight) * voiced,
    // Lips that are pressed or rounded do not smile.
    kept:
      (KEPT + (1 - KEPT) * rested) * (1 - closed) * (1 - BITE_LESS * bitten) * (1 - Math.max(0, -wide) ** ROUND_POWER),
  };
}

/** 1 while a sound made with the lips lasts (its first two thirds), with ramps outside. */
function held(ms: number, startMs: number, endMs: number): number {
  const from = startMs - CLOSURE_LEAD_MS;
  const to = Math.max(startMs + CLOSURE_LEAD_MS, startMs + (endMs - startMs) * 0.65);
  return ramp(1 - Math.max(0, from - ms, ms - to) / CLOSURE_RAMP_MS);
}

/** Sound without marks (another provider's, a song): open with the loudness, spread and round in slow alternation. */
function fromLoudness(level: Float32Array): MouthTrack {
  const track = emptyTrack(level.length);
  const [soft, calm] = [movingAverage(level, 1), movingAverage(level, 4)];
  for (let frame = 0; frame < level.length; frame++) {
    const now = Math.max(0, ((soft[frame] as number) - 0.18) / 0.82);
    track.open[frame] = 0.75 * now;
    track.kept[frame] = KEPT + (1 - KEPT) * ramp(1 - 4 * (calm[frame] as number));
    track.wide[frame] = 0.35 * now * Math.sin(frame * 0.45) * Math.sin(frame * 0.171);
  }
  return track;
}

/** Smooth step of a value from 0 to 1. */
export function ramp(value: number): number {
  const x = Math.min(1, Math.max(0, value));
  return x * x * (3 - 2 * x);
}
