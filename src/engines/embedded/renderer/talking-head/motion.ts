/**
 * What a face does besides speaking: blinks, glances, raised brows, and the sway and nods of the head. Irregular, yet
 * the same for the same speech: all chance comes from a seed. Knows nothing of pixels.
 */
import { blink } from '../graphics/face/blink.ts';
import { mulberry32, type Random } from '../graphics/random.ts';
import { emphases, levels, movingAverage } from './energy.ts';
import { ramp } from './mouth-track.ts';

/** Seconds from one breath to the next. */
const BREATH_S = 3.8;

/** How much less a head nods and leans that is turned by 1. */
const LESS_WHEN_TURNED = 0.5;
const MOST_TURNED = 1.1;
/** So far up a head is held while it speaks: one that is down is less like its still, and its lips are seen apart. */
const HELD_UP = 0.3;
/** A nod further down than the first grows less and less, up to the second: lips under a deep one are seen apart. */
const NODDED = [0.6, 0.9] as const;
/** A nod is by this share smaller while the lips are pressed: they are seen shut in a face that is upright. */
const CALM = 0.5;
/** Seconds over which it grows smaller before p, b and m, and larger again. */
const CALM_S = 0.24;
/** Nods are this share of what speech makes of them, so that a face is mostly upright. */
const NODS = 0.85;
/** The widest nod up and the widest down of each part of a speech are brought to these, by not more than the factor. */
const WIDEST_NODS = [-1.95, 1.55] as const;
const MOST_NODDED = 2.2;
/** Seconds of a part, and from the end of the bell that widens a nod to its middle. */
const NOD_EVERY_S = 25;
const NOD_S = 0.6;
/** A glance is at least this wide. */
const LEAST_GLANCE = 0.3;
/** The widest turn to either side is brought to this, where chance made it narrower by not more than the factor. */
const WIDEST_TURN = 1.25;
const MOST_WIDENED = 1.7;
/** And the widest lean. */
const WIDEST_LEAN = 1;

/** One value per frame. */
export interface MotionTrack {
  /** 0 open to 1 shut. */
  lids: Float32Array;
  /** -1 to 1, to the viewer's right. */
  gazeX: Float32Array;
  /** -1 to 1, down. */
  gazeY: Float32Array;
  /** 0 to 1. */
  brows: Float32Array;
  /**
   * Head: shifts and turns, about -1 to 1, as the viewer sees them: sway and yaw to the right, nod (`swayY`) and pitch downwards,
   * roll clockwise.
   */
  swayX: Float32Array;
  swayY: Float32Array;
  yaw: Float32Array;
  pitch: Float32Array;
  roll: Float32Array;
  /** Chest and shoulders: -1 out to 1 in. */
  breath: Float32Array;
}

/** Pose of the head, each about -1 to 1, positive as in `MotionTrack`; brows 0 to 1. */
export interface HeadPose {
  swayX: number;
  swayY: number;
  yaw: number;
  pitch: number;
  roll: number;
  brows: number;
}

/**
 * The motion of all frames of one utterance; at rest in the first and the last.
 * @param query.press how firmly the lips are pressed, 0 to 1 by frame (`MouthTrack`)
 */
export function motionTimeline(query: {
  pcm: Int16Array;
  rate: number;
  fps: number;
  frames: number;
  seed: number;
  press?: Float32Array;
}): MotionTrack {
  const { pcm, rate, fps, frames, seed, press } = query;
  const random = mulberry32(seed);
  const level = levels(pcm, rate, fps, frames);
  const energy = movingAverage(level, Math.round(fps * 0.12));
  const beats = emphases(level, fps);
  const values = () => new Float32Array(frames);
  const atRest = (frame: number) => ramp(frame / (fps * 0.45)) * ramp((frames - 1 - frame) / (fps * 0.45));
  const track: MotionTrack = {
    lids: values(),
    gazeX: values(),
    gazeY: values(),
    brows: values(),
    swayX: wander(frames, fps, random, 0.23),
    swayY: wander(frames, fps, random, 0.31),
    yaw: wander(frames, fps, random, 0.27),
    pitch: wander(frames, fps, random, 0.35),
    roll: wander(frames, fps, random, 0.19),
    breath: values(),
  };
  for (let frame = 0; frame < frames; frame++) track.breath[frame] = Math.sin((2 * Math.PI * frame) / (fps * BREATH_S));
  blink(track.lids, fps, random);
  glance(track, fps, random);
  for (const beat of beats) {
    const strength = 0.5 + 0.5 * random();
    bump(track.pitch, beat, Math.round(fps * 0.3), strength * 0.9);
    bump(track.swayY, beat, Math.round(fps * 0.3), strength * 0.5);
    if (random() < 0.55) bump(track.brows, beat, Math.round(fps * 0.36), strength);
  }
  for (let frame = 0; frame < frames; frame++) {
    // Speech sets the head in motion; in pauses it comes to rest, not to a halt.
    const drive = 0.45 + 0.75 * (energy[frame] as number);
    const edge = atRest(frame);
    add(track.pitch, frame, -HELD_UP);
    for (const name of ['swayX', 'swayY', 'yaw', 'pitch', 'roll'] as const) scale(track[name], frame, drive * edge);
    track.yaw[frame] = focused(track.yaw[frame] as number);
    for (const name of ['gazeX', 'gazeY', 'brows', 'breath'] as const) scale(track[name], frame, edge);
  }
  widen(track.yaw, WIDEST_TURN);
  for (let frame = 0; frame < frames; frame++) {
    // What is bent three ways at once no longer looks like a head: one that is turned far nods and leans less.
    const upright = 1 - LESS_WHEN_TURNED * (track.yaw[frame] as number) ** 2;
    for (const name of ['pitch', 'roll'] as const) scale(track[name], frame, upright);
    track.pitch[frame] = softened(track.pitch[frame] as number);
  }
  widen(track.roll, WIDEST_LEAN);
  const share = calmShare(press ?? values(), Math.round(fps * CALM_S));
  for (let frame = 0; frame < frames; frame++) scale(track.pitch, frame, NODS * (share[frame] as number));
  // So wide a nod would jerk where its share of a press changes as fast.
  const gentle = movingAverage(share, 3).map((one, frame) => one * atRest(frame));
  const parts = Math.max(1, Math.round(frames / (fps * NOD_EVERY_S)));
  for (let part = 0; part < parts; part++) {
    const [from, to] = [part, part + 1].map((edge) => Math.round((edge * frames) / parts)) as [number, number];
    for (const widest of WIDEST_NODS) widenNod(track.pitch, from, to, widest, Math.round(fps * NOD_S), gentle);
  }
  return track;
}

/** A turn that is as wide at its widest and small most of the time: who speaks mostly faces the viewer. */
const focused = (turn: number): number => Math.sign(turn) * Math.min(MOST_TURNED, 1.2 * Math.abs(turn) ** 1.7);

function softened(nod: number): number {
  const [from, most] = NODDED;
  return nod <= from ? nod : from + (most - from) * Math.tanh((nod - from) / (most - from));
}

/** How much of a nod stays: less while lips are pressed, and about that by a bell to either side. */
function calmShare(press: Float32Array, reach: number): Float32Array {
  const pressed = press.map((_, frame) => {
    let most = 0;
    for (let i = Math.max(0, frame - reach); i <= Math.min(press.length - 1, frame + reach); i++)
      most = Math.max(most, (press[i] as number) * ramp(1 - Math.abs(i - frame) / reach));
    return most;
  });
  return movingAverage(pressed, 1).map((share) => 1 - CALM * share);
}

/** Widens the widest nod to one side of the frames from one to another, by a bell. @param share of it by frame */
function widenNod(
  nods: Float32Array,
  from: number,
  to: number,
  widest: number,
  radius: number,
  share: Float32Array,
): void {
  const side = Math.sign(widest);
  let at = from;
  for (let i = from; i < to; i++) if ((nods[i] as number) * side > (nods[at] as number) * side) at = i;
  const now = (nods[at] as number) * side;
  const more = Math.min(widest * side, now * MOST_NODDED) - now;
  if (more <= 0) return;
  for (let i = Math.max(0, at - radius); i <= Math.min(nods.length - 1, at + radius); i++)
    add(nods, i, side * more * (share[i] as number) * ramp(1 - Math.abs(i - at) / radius));
}

/** Widens the widest turns to each side and leaves small ones as they are. @param most what the widest is brought to */
function widen(turns: Float32Array, most: number): void {
  for (const side of [-1, 1]) {
    const widest = turns.reduce((far, turn) => Math.max(far, turn * side), 0);
    if (widest === 0) continue;
    const more = Math.min(MOST_WIDENED, most / widest) - 1;
    for (const [frame, turn] of turns.entries()) {
      if (turn * side > 0 && more > 0) turns[frame] = turn * (1 + more * Math.abs(turn / widest) ** 3);
    }
  }
}

/** Slow noise around 0: three sines whose frequencies have no common period. */
function wander(frames: number, fps: number, random: Random, hertz: number): Float32Array {
  const out = new Float32Array(frames);
  const sines = [1, 1.83, 3.1].map((factor, i) => ({
    step: (2 * Math.PI * hertz * factor * (0.9 + 0.2 * random())) / fps,
    phase: 2 * Math.PI * random(),
    weight: [0.6, 0.3, 0.12][i] as number,
  }));
  for (let frame = 0; frame < frames; frame++) {
    for (const { step, phase, weight } of sines) add(out, frame, weight * Math.sin(step * frame + phase));
  }
  return out;
}

/** From -1 to 1, the width of a glance: one that is hardly any is as good as none. */
const glanceOf = (chance: number): number =>
  Math.sign(chance) * (LEAST_GLANCE + (0.8 - LEAST_GLANCE) * Math.abs(chance));

/** Small glances: the eyes rest and jump, mostly back to the viewer. */
function glance(track: MotionTrack, fps: number, random: Random): void {
  let until = 0;
  let x = 0;
  let y = 0;
  for (let frame = 0; frame < track.gazeX.length; frame++) {
    if (frame >= until) {
      const away = random() < 0.45;
      x = away ? glanceOf(random() * 2 - 1) : 0;
      y = away ? (random() * 2 - 1) * 0.4 : 0;
      until = frame + Math.round(fps * (away ? 0.4 + 0.7 * random() : 0.9 + 2 * random()));
    }
    // A saccade takes two or three frames.
    const [wasX, wasY] = [track.gazeX[frame - 1] ?? 0, track.gazeY[frame - 1] ?? 0];
    track.gazeX[frame] = wasX + (x - wasX) * 0.65;
    track.gazeY[frame] = wasY + (y - wasY) * 0.65;
  }
}

/** Adds a soft bell around a frame. */
function bump(values: Float32Array, centre: number, radius: number, height: number): void {
  for (let i = Math.max(0, centre - radius); i <= Math.min(values.length - 1, centre + radius); i++) {
    add(values, i, height * ramp(1 - Math.abs(i - centre) / radius));
  }
}

function add(values: Float32Array, at: number, amount: number): void {
  values[at] = (values[at] ?? 0) + amount;
}

function scale(values: Float32Array, at: number, factor: number): void {
  values[at] = (values[at] ?? 0) * factor;
}
