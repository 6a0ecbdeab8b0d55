/**
 * The small motions of subjects: birds cross the sky, boats roll, cars drive, animals breathe. A subject is one layer
 * that is shifted, turned and stretched about its foot; people walk, wave and sway with limbs of their own.
 */

import { between, hashText, type Random, seeded } from '../graphics/random.ts';
import { facesRight, type Spot } from '../graphics/scene/index.ts';

/** How a subject differs from where it was painted, about its foot: shifts in its own heights, angle in radians. */
export interface Gesture {
  dx: number;
  dy: number;
  angle: number;
  sx: number;
  sy: number;
  /** Of a figure: where in its cycle, in cycles. */
  phase?: number;
}

type Act = NonNullable<Spot['subject']['act']>;

/** How something alive moves: at time `t` (seconds), at share `p` of the video. */
export type SubjectMotion = (t: number, p: number) => Gesture;

/** How far and how often something of a kind moves. */
interface MotionFigures {
  /** Heights a second that it travels the way it looks. */
  speed: number;
  /** Up and down, and forwards and back, in heights. */
  bob: number;
  /** Radians it rolls to either side. */
  roll: number;
  /** Share that it grows and shrinks as it breathes. */
  breath: number;
  /** Cycles of the motion a second. */
  beat: number;
  /** True when it comes down on its feet: steps, not waves. */
  steps?: boolean;
}

const STILL: MotionFigures = { speed: 0, bob: 0, roll: 0, breath: 0, beat: 0 };
const MOTION_FIGURES: Record<Spot['mode'], Record<string, MotionFigures>> = {
  fly: {
    animal: { speed: 0.28, bob: 0.07, roll: 0.05, breath: 0.02, beat: 0.55 },
    flyer: { speed: 0.26, bob: 0.05, roll: 0.04, breath: 0.01, beat: 0.4 },
    vehicle: { speed: 0.5, bob: 0.02, roll: 0.015, breath: 0, beat: 0.3 },
    space: { speed: 0.12, bob: 0.03, roll: 0.04, breath: 0, beat: 0.16 },
    '*': { speed: 0.04, bob: 0.05, roll: 0.03, breath: 0, beat: 0.22 },
  },
  swim: {
    boat: { speed: 0.07, bob: 0.018, roll: 0.026, breath: 0, beat: 0.24 },
    building: STILL,
    '*': { speed: 0.1, bob: 0.035, roll: 0.03, breath: 0, beat: 0.4 },
  },
  float: {
    swimmer: { speed: 0.2, bob: 0.05, roll: 0.05, breath: 0.02, beat: 0.4 },
    animal: { speed: 0.2, bob: 0.05, roll: 0.05, breath: 0.02, beat: 0.4 },
    '*': { speed: 0.04, bob: 0.06, roll: 0.07, breath: 0, beat: 0.15 },
  },
  stand: {
    vehicle: { speed: 0.32, bob: 0.004, roll: 0.003, breath: 0, beat: 2.2 },
    animal: { speed: 0, bob: 0, roll: 0.007, breath: 0.014, beat: 0.34 },
    person: { speed: 0, bob: 0, roll: 0.006, breath: 0.009, beat: 0.3 },
    plant: { speed: 0, bob: 0, roll: 0.009, breath: 0, beat: 0.2 },
    flyer: { speed: 0, bob: 0.01, roll: 0.012, breath: 0.008, beat: 0.3 },
    '*': STILL,
  },
};

const WALKING =
  /\b(walk(s|ing)?|run(s|ning)?|jump(s|ing)?|hop(s|ping)?|danc(e|es|ing)|gallop(s|ing)?|chas(e|es|ing)|playing|stroll(s|ing)?|trot(s|ting)?|prowl(s|ing)?|march(es|ing)?|leap(s|ing)?)\b/i;
const PARKED = /\b(parked|abandoned|standing still|waiting|broken[- ]down|vintage car in a garage)\b/i;
/** They go where the wind goes, however they look. */
const DRIFTERS = /balloon|kite|parachute|airship|ufo|saucer/;
const AIRBORNE: MotionFigures = { speed: 0.02, bob: 0.045, roll: 0.025, breath: 0, beat: 0.16 };
/** Widths of the frame that nothing travels beyond over the whole video, so that it stays to be seen. */
const FARTHEST = 0.2;

/** @param seconds length of the video. @param width of the layer the spot was arranged on, pixels */
export function subjectMotion(
  spot: Spot,
  prompt: string,
  pace: number,
  seconds: number,
  width: number,
  seed: number,
): SubjectMotion {
  if (spot.subject.act) return figureMotion(spot, spot.subject.act, pace, seconds, width);
  const random = seeded(seed, `life${Math.round(spot.x)}:${Math.round(spot.foot)}:${hashText(spot.subject.sprite)}`);
  const figures = motionFiguresOf(spot, prompt);
  const way = facesRight(spot) ? 1 : -1;
  const most = (FARTHEST * width) / spot.size;
  const travel = Math.min(most, figures.speed * pace * seconds * between(random, 0.8, 1.2)) * way;
  const beat = figures.beat * between(random, 0.85, 1.18) * Math.min(2, pace) * Math.PI * 2;
  const phase = random() * 6.283;
  const flicker = spot.subject.sprite === 'candle' ? flickerOf(random) : undefined;
  return (t, p) => {
    const wave = Math.sin(t * beat + phase);
    const step = figures.steps ? -Math.abs(Math.sin(t * beat + phase)) : wave;
    const breath = 1 + figures.breath * wave + (flicker ? flicker(t) : 0);
    return {
      dx: travel * (p - 0.5),
      dy: figures.bob * step,
      angle: figures.roll * Math.sin(t * beat * (figures.steps ? 1 : 0.83) + phase * 1.3),
      sx: 1 - (breath - 1) * 0.4,
      sy: breath,
    };
  };
}

/** Heights a second of a walking figure, and that a cycle of two steps takes it. */
const WALK = { speed: 0.5, stride: 0.85, slowest: 0.4 };
/** Widths of the frame that no figure walks beyond. */
const FARTHEST_WALK = 0.55;
/** Cycles a second of those who stay where they are. */
const BEATS = { stand: 0.28, sit: 0.28, 'sit-on-ground': 0.28, wave: 0.7, dance: 0.7 };
const isInPlace = (act: Act): act is keyof typeof BEATS => Object.hasOwn(BEATS, act);
/** Heights a second of a figure on a bicycle, and that a turn of its pedals takes it: one and a quarter of its wheels. */
const RIDE = { speed: 0.7, stride: 1.43 };
/**
 * Those who glide: heights a second, turns a second from side to side and how far each goes, and heights they come down in
 * the whole video.
 */
const GLIDES = {
  surf: { speed: 0.28, beat: 0.3, aside: 0.12, down: 0 },
  ski: { speed: 0.5, beat: 0.42, aside: 0.2, down: 0.42 },
  snowboard: { speed: 0.45, beat: 0.36, aside: 0.24, down: 0.42 },
};

/** The feet stay where they tread: steps follow the way that is gone. */
function figureMotion(
  { size, flip, nth }: Spot,
  act: Act,
  pace: number,
  seconds: number,
  width: number,
): SubjectMotion {
  const still = { dx: 0, dy: 0, angle: 0, sx: 1, sy: 1 };
  const begin = nth * 0.37;
  // Figures look to the left.
  const ahead = flip ? 1 : -1;
  const far = (speed: number) => Math.min((FARTHEST_WALK * width) / size, speed * pace * seconds);
  if (isInPlace(act)) return (t) => ({ ...still, phase: begin + t * BEATS[act] * Math.min(1.6, pace) });
  if (act === 'walk' || act === 'cycle') {
    const { speed, stride } = act === 'walk' ? WALK : RIDE;
    const way = far(speed);
    const cycles = Math.max(act === 'walk' ? WALK.slowest * seconds : 0, way / stride);
    return (_, p) => ({ ...still, dx: way * (p - 0.5) * ahead, phase: begin + p * cycles });
  }
  const { speed, beat, aside, down } = GLIDES[act];
  const way = far(speed);
  return (t, p) => {
    const phase = begin + t * beat * Math.min(1.6, pace);
    const swing = Math.sin(phase * 2 * Math.PI);
    const dx = (way * (p - 0.5) + aside * swing) * ahead;
    return { ...still, dx, dy: down * (p - 0.5) + 0.02 * swing, angle: 0.02 * swing * ahead, phase };
  };
}

function motionFiguresOf({ mode, subject }: Spot, prompt: string): MotionFigures {
  const { role } = subject;
  if (DRIFTERS.test(subject.sprite)) return AIRBORNE;
  if (mode === 'stand' && (role === 'animal' || role === 'person') && WALKING.test(prompt))
    return { speed: 0.22, bob: 0.045, roll: 0.03, breath: 0, beat: 0.95, steps: true };
  if (role === 'vehicle' && PARKED.test(prompt)) return STILL;
  return MOTION_FIGURES[mode][role] ?? MOTION_FIGURES[mode]['*'] ?? STILL;
}

function flickerOf(random: Random): (t: number) => number {
  const [a, b] = [between(random, 9, 12), between(random, 15, 19)];
  return (t) => 0.03 * Math.sin(t * a) + 0.02 * Math.sin(t * b + 1);
}
