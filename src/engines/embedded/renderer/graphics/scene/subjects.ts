/**
 * Puts subjects into a place: sized by where they stand, lit and tinted by its light, with the shadow the sun gives
 * them, grass or snow about their feet, and their reflection where they swim.
 */

import { paintFigure } from '../art/index.ts';
import { type Canvas, type Context, emptyCanvas } from '../canvas.ts';
import { css, mix, type Rgb } from '../colour.ts';
import type { Subject } from '../prompt.ts';
import { seeded } from '../random.ts';
import { type Sprite, sprite } from '../sprites.ts';
import { arrange, type Spot } from './arrange.ts';
import { figureOf, isFigure } from './figures.ts';
import { drawFooting, drawReflection, drawRipples, drawShadow } from './footing.ts';
import { type Light, lit } from './light.ts';
import type { Stage } from './stage.ts';
import { paintTree, type TreeKind } from './trees.ts';

/** One transparent layer with all subjects, far ones first. */
export function drawSubjects(subjects: Subject[], stage: Stage, seed: number): Canvas {
  const { width, height } = stage.camera;
  const { canvas, ctx } = emptyCanvas(width, height);
  for (const spot of arrange(subjects, stage, seed)) drawSpot(ctx, spot, stage, seed);
  return canvas;
}

/** A figure at one moment of its cycle, at its place on the layer. */
export interface PosedFrame {
  canvas: Canvas;
  x: number;
  y: number;
}

/** A figure through one cycle of what it does, by phase: each of a few moments is drawn when it is first asked for. */
export type FigureCycle = (phase: number) => PosedFrame;

/** Moments of a cycle; few where many people move. */
const MOMENTS = { few: 24, many: 12 };

/** Each subject on a transparent layer of its own, far ones first; figures with the cycle of what they do. */
export function drawSubjectsApart(
  subjects: Subject[],
  stage: Stage,
  seed: number,
): { canvas: Canvas; spot: Spot; cycle?: FigureCycle }[] {
  const { width, height } = stage.camera;
  const spots = arrange(subjects, stage, seed);
  const figures = spots.filter(({ subject }) => isFigure(subject)).length;
  return spots.map((spot) => {
    const { canvas, ctx } = emptyCanvas(width, height);
    drawSpot(ctx, spot, stage, seed);
    if (!isFigure(spot.subject)) return { canvas, spot };
    return { canvas, spot, cycle: cycleOf(spot, stage, seed, figures > 3 ? MOMENTS.many : MOMENTS.few) };
  });
}

function cycleOf(spot: Spot, stage: Stage, seed: number, count: number): FigureCycle {
  const { size, foot } = spot;
  const [x, y] = [Math.floor(spot.x - size * 0.85), Math.floor(foot - size * 1.4)];
  const moments: PosedFrame[] = [];
  return (phase) => {
    const i = Math.floor((phase - Math.floor(phase)) * count);
    const known = moments[i];
    if (known) return known;
    const { canvas, ctx } = emptyCanvas(Math.ceil(size * 1.7), Math.ceil(size * 1.75));
    ctx.translate(-x, -y);
    drawSpot(ctx, spot, stage, seed, i / count);
    const drawn = { canvas, x, y };
    moments[i] = drawn;
    return drawn;
  };
}

function dyeOf(subject: Subject): string | undefined {
  return subject.colour ?? (subject.sprite === 'own:unicorn' ? '#f7f7f7' : undefined);
}

/** Where in its cycle a figure of an image is: in the middle of a step, its hand up. */
const STILL_PHASE = 0.03;

/** @param phase of a figure's cycle, 0 to 1 */
function drawSpot(ctx: Context, spot: Spot, stage: Stage, seed: number, phase = STILL_PHASE): void {
  const raster = rasterOf(spot, stage.light, seed, phase);
  const half = ((raster.box.w / raster.box.h) * spot.size) / 2;
  spot.x = Math.min(Math.max(spot.x, half * 1.04), Math.max(half, stage.camera.width - half * 1.04));
  const painted = PAINTED[spot.subject.sprite] ? raster.canvas : relight(raster, stage, spot);
  if (spot.mode === 'stand') drawShadow(ctx, spot, raster, stage);
  if (spot.mode === 'swim') drawReflection(ctx, spot, painted, raster, stage);
  ctx.save();
  ctx.translate(spot.x, spot.foot - spot.size / 2);
  ctx.rotate(spot.tilt);
  if (spot.flip) ctx.scale(-1, 1);
  const { box } = raster;
  const k = spot.size / box.h;
  ctx.drawImage(painted, -(box.x + box.w / 2) * k, -spot.size / 2 - box.y * k, painted.width * k, painted.height * k);
  ctx.restore();
  if (spot.rider) {
    const size = spot.size * (spot.rider.role === 'person' ? 0.62 : 0.48);
    drawSpot(
      ctx,
      { ...spot, subject: spot.rider, rider: undefined, size, foot: spot.foot - spot.size * 0.6, mode: 'float' },
      stage,
      seed,
    );
  }
  if (spot.mode === 'stand') drawFooting(ctx, spot, raster, stage, seed);
  if (spot.mode === 'swim') drawRipples(ctx, spot, raster, stage);
}

/** Trees are painted as the woods are, not taken from the emoji. */
const PAINTED: Record<string, TreeKind> = {
  'deciduous-tree': 'broadleaf',
  'evergreen-tree': 'conifer',
  'palm-tree': 'palm',
};

function rasterOf({ subject, size, nth }: Spot, light: Light, seed: number, phase: number): Sprite {
  if (isFigure(subject)) return paintFigure(figureOf(subject, nth, seed), { act: subject.act ?? 'stand', phase }, size);
  const tree = PAINTED[subject.sprite];
  if (tree) {
    const canvas = paintTree(tree, light, seeded(seed, 'tree'), size, undefined, false);
    return { canvas, box: { x: canvas.width * 0.16, y: 0, w: canvas.width * 0.68, h: canvas.height } };
  }
  const probe = sprite(subject.sprite, 64, undefined);
  return sprite(subject.sprite, (size / probe.box.h) * 64, dyeOf(subject));
}

/** The scene's light on a sprite: its colour, a bright edge towards the sun, a shaded foot, and air before it. */
function relight(raster: Sprite, stage: Stage, spot: Spot): Canvas {
  const { light } = stage;
  const { canvas, ctx } = emptyCanvas(raster.canvas.width, raster.canvas.height);
  const [w, h] = [canvas.width, canvas.height];
  ctx.drawImage(raster.canvas, 0, 0);
  ctx.globalCompositeOperation = 'multiply';
  // Half the scene's darkness: a subject must stay readable at night.
  const tint = mix(lit([255, 255, 255], light, 0.75), [255, 255, 255], stage.surface === 'none' ? 0.5 : 0.42);
  ctx.fillStyle = css(tint);
  ctx.fillRect(0, 0, w, h);
  const sunSide = light.direction[0] >= 0 === !spot.flip ? 1 : 0;
  const across = ctx.createLinearGradient(sunSide * w, h * 0.1, (1 - sunSide) * w, h * 0.75);
  across.addColorStop(0, css([255, 255, 255]));
  across.addColorStop(0.5, css([236, 234, 240]));
  across.addColorStop(1, css([150, 150, 178]));
  ctx.fillStyle = across;
  ctx.fillRect(0, 0, w, h);
  ctx.globalCompositeOperation = 'screen';
  const rim = ctx.createLinearGradient(sunSide * w, 0, sunSide ? w * 0.5 : w * 0.5, h * 0.35);
  const key: Rgb = [light.key[0] * 150, light.key[1] * 130, light.key[2] * 120];
  rim.addColorStop(0, css(key, 0.62));
  rim.addColorStop(1, css(key, 0));
  ctx.fillStyle = rim;
  ctx.fillRect(0, 0, w, h);
  ctx.globalCompositeOperation = 'source-over';
  const haze = light.weather === 'fog' ? 0.3 : spot.subject.role === 'building' ? 0.14 : 0.04;
  ctx.fillStyle = css(light.haze, haze);
  ctx.fillRect(0, 0, w, h);
  ctx.globalCompositeOperation = 'destination-in';
  ctx.drawImage(raster.canvas, 0, 0);
  return canvas;
}
