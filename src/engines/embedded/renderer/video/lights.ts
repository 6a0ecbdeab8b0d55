/** Lights of the night in a video: twinkling stars, fireflies, shooting stars. Functions of time alone, like all that drifts. */
import { between, pick, seeded } from '../graphics/random.ts';
import type { FrameContext } from './planes-canvas.ts';
import { light, meteorTail } from './sprites.ts';

/** Draws on the video's pixels at second `t`. `x` and `y` are how far the camera has gone, in pixels, for parallax. */
export type Air = (ctx: FrameContext, t: number, x: number, y: number) => void;

/** Size and chances of what is in the air. */
export interface AirOptions {
  width: number;
  height: number;
  seed: number;
  /** Pace of what moves; 1 is usual. */
  pace: number;
  /** Row of the horizon, fraction of the height: stars stay above it, fireflies below. */
  horizon: number;
  /** -1 to 1: which way the wind blows. */
  wind: number;
}

/** Bright stars that swell and fade over the painted ones. */
export function stars({ width, height, seed, horizon, pace }: AirOptions): Air {
  const random = seeded(seed, 'twinkle');
  const unit = Math.sqrt(width * height) / 1000;
  const sprites = [light([255, 255, 255], [190, 212, 255]), light([255, 250, 240], [255, 222, 180])];
  const all = Array.from({ length: 42 }, () => ({
    x: random(),
    y: random() ** 1.3 * horizon * 0.86,
    r: unit * between(random, 3, 8.5),
    beat: between(random, 0.9, 3.2),
    phase: random() * 6.283,
    sprite: pick(random, sprites),
  }));
  return (ctx, t, x, y) => {
    for (const { x: sx, y: sy, r, beat, phase, sprite } of all) {
      ctx.globalAlpha = 0.15 + 0.75 * (0.5 + 0.5 * Math.sin(t * beat * Math.min(2, pace) + phase)) ** 2;
      ctx.drawImage(sprite, sx * width - x * 0.12 - r, sy * height - y * 0.12 - r, r * 2, r * 2);
    }
    ctx.globalAlpha = 1;
  };
}

/** Lights that wander low and come and go. */
export function fireflies({ width, height, seed, horizon, pace }: AirOptions): Air {
  const random = seeded(seed, 'glow');
  const unit = Math.sqrt(width * height) / 1000;
  const sprite = light([250, 255, 190], [206, 240, 90]);
  const all = Array.from({ length: 40 }, () => ({
    x: random(),
    y: between(random, Math.min(0.8, horizon * 0.9), 0.98),
    r: unit * between(random, 6, 17),
    a: between(random, 0.15, 0.5),
    b: between(random, 0.15, 0.5),
    beat: between(random, 0.5, 1.3),
    phase: random() * 6.283,
  }));
  return (ctx, t, x, y) => {
    for (const { x: fx, y: fy, r, a, b, beat, phase } of all) {
      const left = (fx + 0.03 * Math.sin(t * a * pace * 2 + phase)) * width - x * 0.7;
      const top = (fy + 0.03 * Math.sin(t * b * pace * 2 + phase * 1.7)) * height - y * 0.7;
      ctx.globalAlpha = Math.max(0, Math.sin(t * beat * 2 + phase)) ** 0.7;
      ctx.drawImage(sprite, left - r, top - r, r * 2, r * 2);
    }
    ctx.globalAlpha = 1;
  };
}

/** How far a meteor's tail falls behind for each pixel aside. */
const TAIL_FALL = 0.42;
const TAIL_ANGLE = Math.atan(TAIL_FALL);

/** A shooting star every few seconds. */
export function meteors({ width, height, seed, horizon }: AirOptions): Air {
  const random = seeded(seed, 'meteors');
  const tail = meteorTail();
  const all = Array.from({ length: 8 }, (_, i) => ({
    start: i * 2.7 + between(random, 0.4, 2),
    x: between(random, 0.15, 0.8),
    y: between(random, 0.04, 0.4) * horizon,
    way: random() < 0.5 ? -1 : 1,
  }));
  return (ctx, t) => {
    for (const { start, x, y, way } of all) {
      const age = (t - start) / 0.7;
      if (age < 0 || age > 1) continue;
      const [px, py] = [(x + way * age * 0.22) * width, (y + age * 0.1) * height];
      const long = width * 0.11 * Math.sin(Math.PI * age);
      const wide = Math.max(1.5, height / 340);
      ctx.save();
      ctx.translate(px, py);
      ctx.rotate(way > 0 ? Math.PI + TAIL_ANGLE : -TAIL_ANGLE);
      ctx.drawImage(tail, 0, -1.5 * wide, long * Math.hypot(1, TAIL_FALL), 3 * wide);
      ctx.restore();
    }
  };
}
