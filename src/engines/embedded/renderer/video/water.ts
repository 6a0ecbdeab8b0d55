/**
 * Living water: the painted water is drawn row band by row band, each shifted by waves that run towards the viewer,
 * and gleams come and go on it under the light.
 */
import type { Canvas } from '../graphics/canvas.ts';
import { between, seeded } from '../graphics/random.ts';
import type { Light } from '../graphics/scene/light.ts';
import type { FrameContext } from './planes-canvas.ts';
import { gleam } from './sprites.ts';

/** Where a layer lies in the frame: frame = offset + scale x layer. */
export interface Placement {
  x: number;
  y: number;
  scale: number;
}

/** Water of a scene. */
export interface WaterLayer {
  canvas: Canvas;
  /** The part of the layer that is painted, in its pixels. */
  box: { x: number; y: number; w: number; h: number };
}

/** Farthest that a band of water goes aside, in pixels of a frame of 720 rows. */
export const SWING = 8;

/** Rows of colour are two rows of light high: a band that ended within one could leave it undrawn. */
const evenly = (rows: number): number => Math.round(rows / 2) * 2;

/** Draws the water's layer with waves. `height` is the height of the frame. */
export function drawWaves(
  ctx: FrameContext,
  { canvas, box }: WaterLayer,
  at: Placement,
  height: number,
  t: number,
): void {
  const unit = height / 720;
  const top = Math.max(0, evenly(at.y + box.y * at.scale));
  const bottom = Math.min(height, evenly(at.y + (box.y + box.h) * at.scale));
  const left = at.x + box.x * at.scale;
  const wide = box.w * at.scale;
  const shore = Math.max(1, bottom - top);
  for (let y = top, band = 0; y < bottom; y += band) {
    const share = (y - top) / shore;
    band = Math.min(bottom - y, Math.max(2, evenly((2.5 + 8.5 * share) * unit)));
    const depth = 1 / (share + 0.07);
    const swell = Math.sin(depth * 5.2 + t * 1.9) + 0.5 * Math.sin(depth * 11.3 + t * 2.9 + 1);
    const lift = Math.sin(depth * 7.1 + t * 1.5 + 2);
    const dx = swell * (0.5 + 4.2 * share) * unit;
    const sy = box.y + (y - top + lift * (0.25 + 2.2 * share) * unit) / at.scale;
    const sh = band / at.scale;
    const from = Math.min(box.y + box.h - sh, Math.max(box.y, sy));
    ctx.drawImage(canvas, box.x, from, box.w, sh, left + dx, y, wide, band);
  }
}

/** Draws gleams on water, at time `t` in seconds. */
export type Gleams = (ctx: FrameContext, at: Placement, t: number) => void;

/** Gleams where `isWater` (layer pixels), most of them under sun or moon. */
export function gleams(
  light: Light,
  { canvas, box }: WaterLayer,
  isWater: (x: number, y: number) => boolean,
  seed: number,
): Gleams {
  const random = seeded(seed, 'gleams');
  const bright = light.sun.visible > 0.2 ? light.sun.colour : light.horizon;
  const sprite = gleam([(bright[0] + 255) / 2, (bright[1] + 255) / 2, (bright[2] + 255) / 2]);
  const strength = light.sun.visible > 0.2 ? 0.9 : 0.4;
  const lane = light.sun.x * canvas.width;
  const all: { x: number; y: number; w: number; beat: number; phase: number }[] = [];
  for (let i = 0; i < 420 && all.length < 110; i++) {
    const share = random() ** 1.3;
    const y = box.y + share * box.h;
    const isInLane = light.sun.visible > 0.2 && random() < 0.7;
    const spread = canvas.width * (0.05 + 0.12 * share);
    const x = isInLane ? lane + (random() + random() - 1) * spread * 2 : box.x + random() * box.w;
    if (!isWater(Math.round(x), Math.round(y))) continue;
    const w = canvas.height * (0.004 + 0.02 * share) * between(random, 0.6, 1.5);
    all.push({ x, y, w, beat: between(random, 1.6, 4.2), phase: random() * 6.283 });
  }
  return (ctx, at, t) => {
    for (const { x, y, w, beat, phase } of all) {
      const shine = Math.sin(t * beat + phase);
      if (shine <= 0.1) continue;
      ctx.globalAlpha = strength * shine * shine;
      const wide = w * at.scale * (0.7 + 0.5 * shine);
      const high = wide * 0.24;
      ctx.drawImage(sprite, at.x + x * at.scale - wide / 2, at.y + y * at.scale - high / 2, wide, high);
    }
    ctx.globalAlpha = 1;
  };
}
