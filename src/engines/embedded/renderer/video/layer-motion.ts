/**
 * How each layer of a scene moves by itself: clouds and fog drift, water runs, trees lean, lights flicker, subjects
 * live. Where the camera stands is given; it knows nothing of the whole scene.
 */
import type { SceneContext } from './planes-canvas.ts';
import type { PreparedLayer } from './prepared-layers.ts';
import type { SubjectMotion } from './subject-motion.ts';
import { drawWaves, type Gleams, type Placement } from './water.ts';

/** A layer and what makes it move. */
export interface MovingLayer {
  layer: PreparedLayer;
  motion?: SubjectMotion;
  /** How far a subject is moved to stay in view, in pixels of its layer. */
  inward?: { x: number; y: number };
  gleams?: Gleams;
}

/** The moment that is drawn. */
export interface Moment {
  t: number;
  p: number;
  width: number;
  height: number;
  pace: number;
  flash: number;
}

/** Draws one layer of the scene at its place, with the motion of its own. */
export function drawMoving(
  ctx: SceneContext,
  { layer, motion, inward, gleams: shine }: MovingLayer,
  at: Placement,
  now: Moment,
): void {
  if (layer.box.h <= 0) return;
  if (motion && inward)
    drawSubject(ctx, layer, motion, { ...at, x: at.x + inward.x * at.scale, y: at.y + inward.y * at.scale }, now);
  else (LAYER_MOTIONS[layer.kind] ?? drawPlain)(ctx, layer, at, now);
  ctx.globalAlpha = 1;
  shine?.(ctx, at, now.t * Math.min(2, now.pace));
}

type LayerMotion = (ctx: SceneContext, layer: PreparedLayer, at: Placement, now: Moment) => void;

const drawPlain: LayerMotion = (ctx, layer, at) => drawBox(ctx, layer, at);

/** Light that comes and goes and wanders a little, as through leaves or water. */
const drawLight: LayerMotion = (ctx, layer, at, { t, pace, width }) => {
  ctx.globalAlpha = 0.82 + 0.18 * Math.sin(t * 0.8 * pace);
  drawBox(ctx, layer, { ...at, x: at.x + Math.sin(t * 0.5 * pace) * width * 0.008 });
};

const drifting =
  (widthsASecond: number): LayerMotion =>
  (ctx, layer, at, { t, pace }) =>
    drawDrifting(ctx, layer, at, t * widthsASecond * pace);

const swaying =
  (lean: number): LayerMotion =>
  (ctx, layer, at, { t, pace }) => {
    const wind = Math.sin(t * 1.1 * pace) + 0.4 * Math.sin(t * 2.7 * pace + 1);
    // Far trees are too small for their sway to be seen.
    if (layer.depth > 0.7) drawSwaying(ctx, layer, at, lean * wind);
    else drawBox(ctx, layer, at);
  };

/** How each kind of layer moves by itself; the others only with the camera. */
export const LAYER_MOTIONS: Record<string, LayerMotion> = {
  clouds: drifting(0.0055),
  fog: drifting(0.011),
  aurora: drifting(0.003),
  trees: swaying(0.0045),
  near: swaying(0.014),
  shafts: drawLight,
  rays: drawLight,
  glow: drawLight,
  water: (ctx, layer, at, { height, t, pace }) => drawWaves(ctx, layer, at, height, t * Math.min(2, pace)),
  foam: (ctx, layer, at, { t, pace, height }) => {
    const wash = Math.sin(t * 0.9 * pace);
    ctx.globalAlpha = 0.72 + 0.28 * wash;
    drawBox(ctx, layer, { ...at, y: at.y + wash * height * 0.006 });
  },
  lightning: (ctx, layer, at, { flash }) => {
    ctx.globalAlpha = flash;
    if (flash > 0.02) drawBox(ctx, layer, at);
  },
  neon: (ctx, layer, at, { t }) => {
    ctx.globalAlpha = Math.sin(t * 23) + Math.sin(t * 5.1) > 1.75 ? 0.55 : 0.92 + 0.08 * Math.sin(t * 2.3);
    drawBox(ctx, layer, at);
  },
  school: (ctx, layer, at, { t, p, width, height }) =>
    drawBox(ctx, layer, { ...at, x: at.x - (p - 0.5) * width * 0.12, y: at.y + Math.sin(t * 0.9) * height * 0.008 }),
};

function drawBox(
  ctx: SceneContext,
  { canvas, at, runs }: Pick<PreparedLayer, 'canvas' | 'at' | 'runs'>,
  { x, y, scale }: Placement,
): void {
  for (const run of runs)
    if (run.h > 0)
      ctx.drawImage(
        canvas,
        run.x - at.x,
        run.y - at.y,
        run.w,
        run.h,
        x + run.x * scale,
        y + run.y * scale,
        run.w * scale,
        run.h * scale,
      );
}

/** Moves sideways without end: a mirrored copy follows, so that no seam shows. @param gone widths since the start */
function drawDrifting(
  ctx: SceneContext,
  { canvas, box }: PreparedLayer,
  { x, y, scale }: Placement,
  gone: number,
): void {
  const wide = canvas.width * scale;
  const turn = gone - 2 * Math.floor(gone / 2);
  for (const [i, start] of [turn - 2, turn - 1, turn].entries()) {
    const left = x + start * wide;
    const isMirrored = i === 1;
    if (left > 4096 || left + wide < 0) continue;
    ctx.save();
    ctx.translate(isMirrored ? left + wide : left, 0);
    if (isMirrored) ctx.scale(-1, 1);
    // The box keeps its full width: what is empty at one edge is empty in the mirror too.
    ctx.drawImage(canvas, 0, box.y, canvas.width, box.h, 0, y + box.y * scale, wide, box.h * scale);
    ctx.restore();
  }
}

/** Leans about the foot of the box, as trees and weeds do. */
function drawSwaying(ctx: SceneContext, layer: PreparedLayer, at: Placement, lean: number): void {
  const foot = at.y + (layer.box.y + layer.box.h) * at.scale;
  ctx.save();
  ctx.transform(1, 0, -lean, 1, lean * foot, 0);
  drawBox(ctx, layer, at);
  ctx.restore();
}

function drawSubject(ctx: SceneContext, layer: PreparedLayer, motion: SubjectMotion, at: Placement, now: Moment): void {
  const { spot } = layer;
  if (!spot) return;
  const { dx, dy, angle, sx, sy, phase = 0 } = motion(now.t, now.p);
  const size = spot.size * at.scale;
  // What floats turns about its middle, what stands about its foot.
  const pivot = spot.mode === 'fly' || spot.mode === 'float' ? spot.foot - spot.size / 2 : spot.foot;
  const [px, py] = [at.x + spot.x * at.scale, at.y + pivot * at.scale];
  ctx.save();
  ctx.translate(px + dx * size, py + dy * size);
  ctx.rotate(angle);
  ctx.scale(sx, sy);
  ctx.translate(-px, -py);
  if (!layer.cycle) drawBox(ctx, layer, at);
  else {
    const { image, x, y } = layer.cycle(phase);
    const [w, h] = [image.width * at.scale, image.height * at.scale];
    ctx.drawImage(image, at.x + x * at.scale, at.y + y * at.scale, w, h);
  }
  ctx.restore();
}
