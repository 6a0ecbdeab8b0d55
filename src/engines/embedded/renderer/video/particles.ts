/**
 * What drifts through the air of a video: rain, snow, leaves, petals, dust, sparks, bubbles, fireflies, stars. Each
 * particle's place is a function of time alone, so any frame can be drawn without the ones before it.
 */
import type { Canvas } from '../graphics/canvas.ts';
import type { Rgb } from '../graphics/colour.ts';
import { between, pick, type Random, seeded } from '../graphics/random.ts';
import { type Air, type AirOptions, fireflies, meteors, stars } from './lights.ts';
import { bubble, dot, leaf, light, streak } from './sprites.ts';

/** What may be in the air. */
export type AirKind =
  | 'rain'
  | 'snow'
  | 'leaves'
  | 'petals'
  | 'dust'
  | 'sparks'
  | 'bubbles'
  | 'fireflies'
  | 'stars'
  | 'confetti'
  | 'meteors';

const wrap = (value: number, span: number): number => ((value % span) + span) % span;

export function air(kind: AirKind, options: AirOptions): Air {
  if (kind === 'rain') return rain(options);
  if (kind === 'stars') return stars(options);
  if (kind === 'fireflies') return fireflies(options);
  if (kind === 'meteors') return meteors(options);
  return drifters(kind, options);
}

/** Streaks in three distances. */
function rain({ width, height, seed, pace, wind }: AirOptions): Air {
  const random = seeded(seed, 'rain');
  const unit = Math.sqrt(width * height) / 1000;
  const slant = wind * 0.2;
  const drop = streak([222, 232, 244]);
  const distances = [
    { count: 210, length: 22, wide: 0.9, alpha: 0.2, speed: 0.95 },
    { count: 120, length: 46, wide: 1.3, alpha: 0.26, speed: 1.5 },
    { count: 46, length: 84, wide: 1.9, alpha: 0.3, speed: 2.2 },
  ].map((one) => ({ ...one, drops: Array.from({ length: one.count }, () => [random(), random(), random()] as const) }));
  return (ctx, t, x) => {
    for (const { drops, length, wide, alpha, speed } of distances) {
      const long = length * unit;
      const span = height + long * 2;
      ctx.save();
      ctx.globalAlpha = alpha;
      // Upright drops under a slanted sky: their rows stay rows.
      ctx.transform(1, 0, slant, 1, 0, 0);
      for (const [a, b, c] of drops) {
        const fall = wrap(b * span + t * height * speed * (0.9 + 0.2 * c) * Math.min(1.4, pace), span);
        const left = wrap(a * width * 1.3 + fall * slant - x * speed * 0.6, width * 1.3) - width * 0.15;
        const top = fall - long;
        ctx.drawImage(drop, left - top * slant - 1.5 * wide * unit, top, 3 * wide * unit, long);
      }
      ctx.restore();
    }
  };
}

interface Drift {
  count: number;
  /** Radius in thousandths of the frame, smallest and largest. */
  size: readonly [number, number];
  /** Heights of the frame a second, down; negative rises. */
  fall: readonly [number, number];
  /** Widths a second along the wind. */
  blow: number;
  /** Swing aside, widths. */
  sway: number;
  alpha: readonly [number, number];
  /** Turns a second for flat things. */
  spin: number;
  /** Blinks like embers do. */
  flicker?: boolean;
  sprites(): Canvas[];
}

const LEAF_COLOURS: readonly Rgb[] = [
  [214, 110, 36],
  [226, 164, 48],
  [176, 62, 34],
  [150, 120, 44],
];
const CONFETTI: readonly Rgb[] = [
  [235, 80, 90],
  [250, 200, 60],
  [90, 190, 120],
  [80, 140, 240],
  [190, 110, 220],
];
const dark = (c: Rgb): Rgb => [c[0] * 0.6, c[1] * 0.55, c[2] * 0.5];

const DRIFTS: Record<Exclude<AirKind, 'rain' | 'stars' | 'fireflies' | 'meteors'>, Drift> = {
  snow: {
    count: 260,
    size: [1.5, 8],
    fall: [0.07, 0.2],
    blow: 0.03,
    sway: 0.012,
    alpha: [0.55, 0.95],
    spin: 0,
    sprites: () => [dot([255, 255, 255], 0.3)],
  },
  leaves: {
    count: 26,
    size: [6, 15],
    fall: [0.06, 0.13],
    blow: 0.07,
    sway: 0.03,
    alpha: [0.9, 1],
    spin: 0.35,
    sprites: () => LEAF_COLOURS.map((c) => leaf(c, dark(c))),
  },
  petals: {
    count: 44,
    size: [4, 9],
    fall: [0.05, 0.11],
    blow: 0.06,
    sway: 0.03,
    alpha: [0.8, 0.95],
    spin: 0.3,
    sprites: () => [leaf([255, 206, 220], [240, 150, 180]), leaf([255, 228, 234], [244, 170, 190])],
  },
  dust: {
    count: 70,
    size: [1, 4.2],
    fall: [-0.012, 0.012],
    blow: 0.012,
    sway: 0.014,
    alpha: [0.14, 0.5],
    spin: 0,
    flicker: true,
    sprites: () => [dot([255, 244, 214], 0.1)],
  },
  sparks: {
    count: 60,
    size: [1.6, 4.6],
    fall: [-0.26, -0.1],
    blow: 0.02,
    sway: 0.022,
    alpha: [0.5, 1],
    spin: 0,
    flicker: true,
    sprites: () => [light([255, 236, 170], [255, 120, 30])],
  },
  bubbles: {
    count: 36,
    size: [2.4, 10],
    fall: [-0.15, -0.05],
    blow: 0,
    sway: 0.01,
    alpha: [0.35, 0.85],
    spin: 0,
    sprites: () => [bubble()],
  },
  confetti: {
    count: 80,
    size: [5, 10],
    fall: [0.12, 0.26],
    blow: 0.01,
    sway: 0.03,
    alpha: [0.95, 1],
    spin: 0.8,
    sprites: () => CONFETTI.map((c) => leaf(c, c)),
  },
};

function drifters(kind: keyof typeof DRIFTS, { width, height, seed, pace, wind }: AirOptions): Air {
  const drift = DRIFTS[kind];
  const random = seeded(seed, kind);
  const sprites = drift.sprites();
  const unit = Math.sqrt(width * height) / 1000;
  const all = Array.from({ length: drift.count }, () => grain(random, drift, sprites));
  all.sort((a, b) => a.near - b.near);
  const side = Math.max(...drift.size) * unit * 2;
  const [spanX, spanY] = [width + side * 2, height + side * 2];
  return (ctx, t, x, y) => {
    for (const one of all) {
      const r = one.size * unit;
      const swing = Math.sin(t * one.beat * pace + one.phase);
      const px = one.x * spanX + (t * drift.blow * wind * (0.5 + one.near) * pace + swing * drift.sway) * width;
      const py = one.y * spanY + t * one.fall * height * pace;
      const left = wrap(px - x * (0.4 + one.near), spanX) - side;
      const top = wrap(py - y * (0.4 + one.near), spanY) - side;
      ctx.globalAlpha = drift.flicker
        ? one.alpha * (0.45 + 0.55 * Math.abs(Math.sin(t * one.beat * 1.7 + one.phase)))
        : one.alpha;
      if (drift.spin === 0) {
        ctx.drawImage(one.sprite, left - r, top - r, r * 2, r * 2);
        continue;
      }
      ctx.save();
      ctx.translate(left, top);
      ctx.rotate(one.phase + t * one.turn * pace + swing * 0.5);
      // Seen from its edge now and then, as a falling leaf is.
      ctx.scale(1, 0.35 + 0.65 * Math.abs(Math.cos(t * one.beat * 1.3 * pace + one.phase)));
      ctx.drawImage(one.sprite, -r, -r, r * 2, r * 2);
      ctx.restore();
    }
    ctx.globalAlpha = 1;
  };
}

function grain(random: Random, drift: Drift, sprites: Canvas[]) {
  const near = random() ** 2.4;
  return {
    near,
    x: random(),
    y: random(),
    size: drift.size[0] + (drift.size[1] - drift.size[0]) * near,
    fall: drift.fall[0] + (drift.fall[1] - drift.fall[0]) * (0.3 * random() + 0.7 * near),
    alpha: drift.alpha[1] + (drift.alpha[0] - drift.alpha[1]) * near,
    beat: between(random, 0.7, 1.8),
    phase: random() * 6.283,
    turn: between(random, -1, 1) * drift.spin * 6.283,
    sprite: pick(random, sprites),
  };
}
