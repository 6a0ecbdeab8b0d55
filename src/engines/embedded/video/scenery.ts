/**
 * A scene in motion: the illustrator's layers shifted by their depth before a moving camera, with drifting clouds,
 * living water, swaying trees, lights that flicker and subjects that move.
 */
import type { Canvas, Context } from '../illustrator/canvas.ts';
import type { Picture } from '../illustrator/prompt.ts';
import { seeded } from '../illustrator/random.ts';
import { type Spot, type Stage, sceneParts } from '../illustrator/scene/index.ts';
import { drawLightning } from '../illustrator/scene/weather.ts';
import { ink } from './ink.ts';
import { type Life, lifeOf } from './life.ts';
import { type Moves, poseAt } from './moves.ts';
import { type Box, hideCovered, merged, type SceneLayer, type Sheet, sheetOf } from './sheets.ts';
import { drawWaves, type Gleams, gleams, type Placement } from './water.ts';

/** Draws one moment in ink: second `t`, share `p` of the film. */
export type Painter = (ctx: Context, t: number, p: number) => void;

export interface Scenery {
  paint: Painter;
  stage: Stage;
  /** How far the camera has gone at share `p`, in pixels of the frame: particles in the air shift by it. */
  shift(p: number, t: number): { x: number; y: number };
}

export interface SceneryOptions {
  width: number;
  height: number;
  seconds: number;
  seed: number;
  moves: Moves;
  draft: boolean;
}

/** Pixels a sheet may have: more would take longer to paint than it gains in sharpness. */
const SHEET_PIXELS = { usual: 1_150_000, large: 1_700_000, draft: 420_000 };
/** Painted anew as particles, or not at all. */
const REPLACED = new Set(['weather', 'fireflies', 'bubbles']);
/** Sheets that do not stay where they are hide nothing for certain. */
const LOOSE = new Set(['clouds', 'fog', 'aurora', 'water', 'foam', 'shafts', 'rays', 'glow']);

interface Actor {
  sheet: Sheet;
  life?: Life;
  /** How far a subject is moved to stay in view, in pixels of its sheet. */
  inward?: { x: number; y: number };
  gleams?: Gleams;
}

export function scenery(picture: Picture, options: SceneryOptions): Scenery {
  const { width, height, moves, seed, seconds } = options;
  const overscan = 1 + 2 * moves.reach;
  const most = options.draft
    ? SHEET_PIXELS.draft
    : height * width > 1_200_000
      ? SHEET_PIXELS.large
      : SHEET_PIXELS.usual;
  const k = Math.min(1, Math.sqrt(most / (width * height * overscan * overscan))) * overscan;
  const [w, h] = [Math.round(width * k), Math.round(height * k)];
  const { layers, stage } = partsOf(picture, w, h, seed);
  const kept = layers.filter(({ kind }) => !REPLACED.has(kind));
  const sheets = merged(kept, isPlain).flatMap((layer) => sheetOf(layer) ?? []);
  hideCovered(sheets, isFixed, h * (moves.reach + moves.closer * 0.5 + 0.01));
  const actors = sheets.map((sheet): Actor => {
    if (sheet.spot) {
      const inward = inwards(sheet.spot, sheet.box, w, h, overscan * (1 + moves.closer * 0.8));
      return { sheet, inward, life: lifeOf(sheet.spot, picture.prompt, moves.pace, seconds, w, seed) };
    }
    if (sheet.kind === 'water') return { sheet, gleams: gleams(stage.light, sheet, sheet.covers, seed) };
    return { sheet };
  });
  const flash = flashes(seed, seconds);
  const base = overscan * (width / w);

  function placed(depth: number, p: number, t: number): Placement {
    const pose = poseAt(moves, p, t);
    const scale = base * (1 + moves.closer * pose.near * (0.3 + 0.7 * depth));
    const far = 0.1 + 0.9 * depth;
    return {
      x: (width - w * scale) / 2 - pose.x * moves.reach * far * width,
      y: (height - h * scale) / 2 - pose.y * moves.reach * far * height,
      scale,
    };
  }

  return {
    stage,
    shift(p, t) {
      const pose = poseAt(moves, p, t);
      return { x: pose.x * moves.reach * width, y: pose.y * moves.reach * height };
    },
    paint(ctx, t, p) {
      for (const actor of actors) {
        const at = placed(actor.sheet.depth, p, t);
        perform(ctx, actor, at, { t, p, width, height, pace: moves.pace, flash: flash(t) });
      }
      const light = flash(t);
      if (light > 0.02 && picture.weather === 'storm') {
        ctx.fillStyle = ink([226, 230, 255], 0.3 * light);
        ctx.fillRect(0, 0, width, height);
      }
    },
  };
}

/** Moves with the camera alone. */
const isPlain = ({ kind, spot }: SceneLayer): boolean => !spot && !(kind in ACTS);

const isFixed = ({ kind, spot }: Sheet): boolean => !spot && !LOOSE.has(kind);

interface Moment {
  t: number;
  p: number;
  width: number;
  height: number;
  pace: number;
  flash: number;
}

function perform(ctx: Context, { sheet, life, inward, gleams: shine }: Actor, at: Placement, now: Moment): void {
  if (sheet.box.h <= 0) return;
  if (life && inward)
    drawSubject(ctx, sheet, life, { ...at, x: at.x + inward.x * at.scale, y: at.y + inward.y * at.scale }, now);
  else (ACTS[sheet.kind] ?? drawPlain)(ctx, sheet, at, now);
  ctx.globalAlpha = 1;
  shine?.(ctx, at, now.t * Math.min(2, now.pace));
}

type Act = (ctx: Context, sheet: Sheet, at: Placement, now: Moment) => void;

const drawPlain: Act = (ctx, sheet, at) => drawBox(ctx, sheet, at);

/** Light that comes and goes and wanders a little, as through leaves or water. */
const drawLight: Act = (ctx, sheet, at, { t, pace, width }) => {
  ctx.globalAlpha = 0.82 + 0.18 * Math.sin(t * 0.8 * pace);
  drawBox(ctx, sheet, { ...at, x: at.x + Math.sin(t * 0.5 * pace) * width * 0.008 });
};

const drifting =
  (widthsASecond: number): Act =>
  (ctx, sheet, at, { t, pace }) =>
    drawDrifting(ctx, sheet, at, t * widthsASecond * pace);

const swaying =
  (lean: number): Act =>
  (ctx, sheet, at, { t, pace }) => {
    const wind = Math.sin(t * 1.1 * pace) + 0.4 * Math.sin(t * 2.7 * pace + 1);
    // Far trees are too small for their sway to be seen.
    if (sheet.depth > 0.7) drawSwaying(ctx, sheet, at, lean * wind);
    else drawBox(ctx, sheet, at);
  };

/** How each kind of sheet moves by itself; the others only with the camera. */
const ACTS: Record<string, Act> = {
  clouds: drifting(0.0055),
  fog: drifting(0.011),
  aurora: drifting(0.003),
  trees: swaying(0.0045),
  near: swaying(0.014),
  shafts: drawLight,
  rays: drawLight,
  glow: drawLight,
  water: (ctx, sheet, at, { height, t, pace }) => drawWaves(ctx, sheet, at, height, t * Math.min(2, pace)),
  foam: (ctx, sheet, at, { t, pace, height }) => {
    const wash = Math.sin(t * 0.9 * pace);
    ctx.globalAlpha = 0.72 + 0.28 * wash;
    drawBox(ctx, sheet, { ...at, y: at.y + wash * height * 0.006 });
  },
  lightning: (ctx, sheet, at, { flash }) => {
    ctx.globalAlpha = flash;
    if (flash > 0.02) drawBox(ctx, sheet, at);
  },
  neon: (ctx, sheet, at, { t }) => {
    ctx.globalAlpha = Math.sin(t * 23) + Math.sin(t * 5.1) > 1.75 ? 0.55 : 0.92 + 0.08 * Math.sin(t * 2.3);
    drawBox(ctx, sheet, at);
  },
  school: (ctx, sheet, at, { t, p, width, height }) =>
    drawBox(ctx, sheet, { ...at, x: at.x - (p - 0.5) * width * 0.12, y: at.y + Math.sin(t * 0.9) * height * 0.008 }),
};

function drawBox(ctx: Context, { canvas, runs }: Pick<Sheet, 'canvas' | 'runs'>, { x, y, scale }: Placement): void {
  for (const run of runs)
    if (run.h > 0)
      ctx.drawImage(
        canvas,
        run.x,
        run.y,
        run.w,
        run.h,
        x + run.x * scale,
        y + run.y * scale,
        run.w * scale,
        run.h * scale,
      );
}

/** Moves sideways without end: a mirrored copy follows, so that no seam shows. @param gone widths since the start */
function drawDrifting(ctx: Context, { canvas, box }: Sheet, { x, y, scale }: Placement, gone: number): void {
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
function drawSwaying(ctx: Context, sheet: Sheet, at: Placement, lean: number): void {
  const foot = at.y + (sheet.box.y + sheet.box.h) * at.scale;
  ctx.save();
  ctx.transform(1, 0, -lean, 1, lean * foot, 0);
  drawBox(ctx, sheet, at);
  ctx.restore();
}

function drawSubject(ctx: Context, sheet: Sheet, life: Life, at: Placement, now: Moment): void {
  const { spot } = sheet;
  if (!spot) return;
  const { dx, dy, angle, sx, sy } = life(now.t, now.p);
  const size = spot.size * at.scale;
  // What floats turns about its middle, what stands about its foot.
  const pivot = spot.mode === 'fly' || spot.mode === 'float' ? spot.foot - spot.size / 2 : spot.foot;
  const [px, py] = [at.x + spot.x * at.scale, at.y + pivot * at.scale];
  ctx.save();
  ctx.translate(px + dx * size, py + dy * size);
  ctx.rotate(angle);
  ctx.scale(sx, sy);
  ctx.translate(-px, -py);
  drawBox(ctx, sheet, at);
  ctx.restore();
}

/** A storm's bolt is hung in afterwards: painted with the scene it would stand mirrored in the water all the time. */
function partsOf(picture: Picture, w: number, h: number, seed: number): ReturnType<typeof sceneParts> {
  if (picture.weather !== 'storm') return sceneParts(picture, w, h, seed);
  const parts = sceneParts({ ...picture, weather: 'rain' }, w, h, seed);
  for (const { canvas } of parts.layers) darken(canvas);
  const behind = parts.layers.findIndex(({ kind }) => kind === 'clouds') + 1;
  const canvas = drawLightning(w, h, parts.stage.camera.horizonY, seed);
  if (behind > 0) parts.layers.splice(behind, 0, { canvas, depth: 0.07, kind: 'lightning' });
  return parts;
}

/** Rain's grey day becomes a storm's. */
function darken(canvas: Canvas): void {
  const ctx = canvas.getContext('2d');
  ctx.globalCompositeOperation = 'source-atop';
  ctx.fillStyle = 'rgba(14,18,38,.46)';
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.globalCompositeOperation = 'source-over';
}

/**
 * Subjects were arranged on a sheet larger than the frame: they are brought together by as much as the frame is smaller,
 * and wholly inside it. Only what hangs in the air may be moved up or down.
 */
function inwards({ mode }: Spot, box: Box, w: number, h: number, overscan: number): { x: number; y: number } {
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2];
  const into = (at: number, size: number, all: number) => {
    const room = Math.max(0, all / overscan - size) / 2;
    const wanted = (at - all / 2) / overscan;
    return all / 2 + Math.min(room, Math.max(-room, wanted)) - at;
  };
  const isAloft = mode === 'fly' || mode === 'float';
  return { x: into(x, box.w, w), y: isAloft ? into(y, box.h, h) : 0 };
}

/** Lightning: a few double flashes, 0 to 1, fading fast. */
function flashes(seed: number, seconds: number): (t: number) => number {
  const random = seeded(seed, 'flashes');
  const times: number[] = [];
  for (let at = 0.35 + random() * 0.6; at < seconds; at += 1.4 + random() * 2.4) times.push(at, at + 0.16);
  return (t) => times.reduce((most, at) => (t < at ? most : Math.max(most, Math.exp(-(t - at) * 7))), 0);
}
