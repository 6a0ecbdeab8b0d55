/**
 * Puts subjects into a place: sized by where they stand, lit and tinted by its light, with the shadow the sun gives
 * them, grass or snow about their feet, and their reflection where they swim.
 */

import { paintFigure } from '../art/index.ts';
import { type Canvas, type Context, emptyCanvas, type Pixels, type Reused, reusedCanvases } from '../canvas.ts';
import { css, mix, type Rgb } from '../colour.ts';
import type { Subject } from '../prompt.ts';
import { seeded } from '../random.ts';
import { BOARDS } from '../relations.ts';
import { type Sprite, sprite } from '../sprites.ts';
import { arrange } from './arrange.ts';
import { figureOf, isFigure } from './figures.ts';
import { drawFooting, drawReflection, drawRipples, drawShadow } from './footing.ts';
import { type Light, lit } from './light.ts';
import { loadOf } from './load.ts';
import { snowCovered } from './snow-cover.ts';
import { FACES_RIGHT, type Spot } from './spot.ts';
import type { Stage } from './stage.ts';
import { paintTree, type TreeKind } from './trees.ts';

/** One transparent layer with all subjects, far ones first. */
export function drawSubjects(subjects: Subject[], stage: Stage, seed: number): Canvas {
  const { width, height } = stage.camera;
  const { canvas, ctx } = emptyCanvas(width, height);
  for (const spot of seen(arrange(subjects, stage, seed))) drawSpot(ctx, spot, stage, seed);
  return canvas;
}

const seen = (spots: Spot[]): Spot[] => spots.filter(({ subject }) => !subject.isGone);

/** A figure at one moment of its cycle, at its place on the layer. */
export interface PosedFrame {
  /** Drawn when its pixels are asked for, each time anew. */
  image: Pixels;
  x: number;
  y: number;
}

/** A figure through one cycle of what it does, by phase, in a few moments. */
export type FigureCycle = (phase: number) => PosedFrame;

/** A subject on a canvas of its own that lies `at` a place of the scene. */
export interface SubjectLayer {
  canvas: Canvas;
  at: { x: number; y: number };
  spot: Spot;
  cycle?: FigureCycle;
}

/** Moments of a cycle; few where many people move. */
const MOMENTS = { few: 24, many: 12 };

/** Each subject on a transparent layer of its own, far ones first; figures at the beginning of the cycle of what they do. */
export function drawSubjectsApart(subjects: Subject[], stage: Stage, seed: number): SubjectLayer[] {
  const spots = seen(arrange(subjects, stage, seed));
  const figures = spots.filter(({ subject }) => isFigure(subject)).length;
  const reused = reusedCanvases();
  return spots.map((spot) => {
    if (isFigure(spot.subject))
      return movingFigure(spot, stage, seed, reused, figures > 3 ? MOMENTS.many : MOMENTS.few);
    const raster = rasterOf(spot, stage.light, seed);
    keepInside(spot, raster, stage);
    const { x, y, w, h } = reachOf(spot, raster, stage);
    const { canvas, ctx } = emptyCanvas(w, h);
    ctx.save();
    ctx.translate(-x, -y);
    paintSpot({ ctx, stage, seed, take: emptyCanvas }, spot, raster);
    ctx.restore();
    return { canvas, at: { x, y }, spot };
  });
}

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The part of the scene beyond which nothing of a subject, its rider, shadow and reflection is painted. */
function reachOf(spot: Spot, { canvas, box }: Sprite, { camera }: Stage): Box {
  const k = spot.size / box.h;
  const [wide, tall] = [canvas.width * k, canvas.height * k];
  // However it is tilted; what it carries is smaller, and no more than its height above it. Shadows go aside by one and a half of its height.
  const round = Math.hypot(wide, tall) / 2 + (spot.subject.load ? spot.size : 0) + 4;
  const aside = round + (spot.mode === 'stand' ? 1.5 * tall : 0);
  const below = Math.max(spot.size / 2, Math.min(tall, wide));
  const left = Math.max(0, Math.floor(spot.x - aside));
  const top = Math.max(0, Math.floor(spot.foot - spot.size / 2 - round));
  const right = Math.min(camera.width, Math.ceil(spot.x + aside));
  const bottom = Math.min(camera.height, Math.ceil(spot.foot + below));
  return { x: left, y: top, w: Math.max(1, right - left), h: Math.max(1, bottom - top) };
}

function movingFigure(spot: Spot, stage: Stage, seed: number, reused: Reused, count: number): SubjectLayer {
  const { subject, size } = spot;
  const figure = figureOf(subject, spot.nth, seed);
  const posed = (phase: number, take?: Reused['take']): Sprite =>
    paintFigure(figure, { act: subject.act ?? 'stand', phase }, size, take);
  const first = posed(0);
  keepInside(spot, first, stage);
  const [width, height] = [Math.ceil(size * 1.7), Math.ceil(size * 1.75)];
  // A whole number of pixels from where the figure's own canvas comes to lie, so that it is laid on it and not resampled.
  const middle = first.box.x + first.box.w / 2;
  const own = { x: spot.x - (spot.flip ? first.canvas.width - middle : middle), y: spot.foot - size - first.box.y };
  const whole = (from: number, to: number) => from - Math.ceil(from - to);
  const at = { x: whole(own.x, spot.x - size * 0.85), y: whole(own.y, spot.foot - size * 1.4) };
  const footing = emptyCanvas(width, height);
  footing.ctx.translate(-at.x, -at.y);
  if (spot.mode === 'stand' && !isOnBoard(spot)) drawFooting(footing.ctx, spot, first, stage, seed);
  const draw = (ctx: Context, raster: Sprite, take: Reused['take']): void => {
    ctx.save();
    ctx.translate(-at.x, -at.y);
    paintSpot({ ctx, stage, seed, take, footing: { canvas: footing.canvas, at } }, spot, raster);
    ctx.restore();
  };
  const { canvas, ctx } = emptyCanvas(width, height);
  draw(ctx, first, emptyCanvas);
  const pixelsAt = (phase: number): Buffer => {
    const drawn = reused.take(width, height);
    draw(drawn.ctx, posed(phase, reused.take), reused.take);
    const pixels = drawn.canvas.data();
    reused.again();
    return pixels;
  };
  const moments: PosedFrame[] = [{ image: canvas, ...at }];
  const cycle: FigureCycle = (phase) => {
    const i = Math.floor((phase - Math.floor(phase)) * count);
    const known = moments[i];
    if (known) return known;
    const moment = { image: { width, height, data: () => pixelsAt(i / count) }, ...at };
    moments[i] = moment;
    return moment;
  };
  return { canvas, at, spot, cycle };
}

/** Colours of those that the emoji has in another. */
const DYES: readonly (readonly [sprite: string, word: RegExp, colour: string])[] = [
  ['own:unicorn', /./, '#f7f7f7'],
  ['tokyo-tower', /^eiffel/, '#8a7763'],
];

function dyeOf(subject: Subject): string | undefined {
  return subject.colour ?? DYES.find(([sprite, word]) => subject.sprite === sprite && word.test(subject.word))?.[2];
}

/** Where in its cycle a figure of an image is: in the middle of a step, its hand up. */
const STILL_PHASE = 0.03;

/** What a subject is painted on and in. */
interface Easel {
  ctx: Context;
  stage: Stage;
  seed: number;
  /** Canvases that are wanted until it is painted. */
  take: Reused['take'];
  /** Of one of many moments: what is over its feet. */
  footing?: { canvas: Canvas; at: { x: number; y: number } };
}

function drawSpot(ctx: Context, spot: Spot, stage: Stage, seed: number): void {
  const raster = rasterOf(spot, stage.light, seed);
  keepInside(spot, raster, stage);
  paintSpot({ ctx, stage, seed, take: emptyCanvas }, spot, raster);
}

/** Moves it aside until it is wholly seen. */
function keepInside(spot: Spot, { box }: Sprite, { camera }: Stage): void {
  const half = ((box.w / box.h) * spot.size) / 2;
  spot.x = Math.min(Math.max(spot.x, half * 1.04), Math.max(half, camera.width - half * 1.04));
}

function paintSpot(easel: Easel, spot: Spot, raster: Sprite): void {
  const { ctx, stage, seed, take, footing } = easel;
  const isPainted = PAINTED[spot.subject.sprite] !== undefined;
  const bare = isPainted ? raster.canvas : relight(raster, stage, spot, take);
  const isUnderSnow = stage.isSnowed && spot.mode === 'stand' && SNOWED.test(spot.subject.role) && !isPainted;
  const painted = isUnderSnow ? snowCovered(bare, raster.box.h) : bare;
  if (spot.mode === 'stand') drawShadow(ctx, spot, raster, stage, take, footing !== undefined);
  if (spot.mode === 'swim') drawReflection(ctx, spot, painted, raster, stage);
  // Its shadow stays below who jumps.
  const lift = spot.mode === 'stand' && spot.subject.pose === 'jumping' ? spot.size * LEAP : 0;
  const up = lift ? { ...spot, foot: spot.foot - lift } : spot;
  const carry = (isBehind: boolean): void => {
    for (const one of loadOf(up))
      if (one.isBehind === isBehind && !one.spot.subject.isGone) drawSpot(ctx, one.spot, stage, seed);
  };
  carry(true);
  ctx.save();
  ctx.translate(up.x, up.foot - spot.size * (isOnBoard(spot) ? 0.6 : 0.5));
  ctx.rotate(spot.tilt);
  if (spot.flip) ctx.scale(-1, 1);
  const { box } = raster;
  const k = spot.size / box.h;
  ctx.drawImage(painted, -(box.x + box.w / 2) * k, -spot.size / 2 - box.y * k, painted.width * k, painted.height * k);
  ctx.restore();
  carry(false);
  if (spot.subject.pose === 'asleep') drawSleep(ctx, spot, raster);
  if (lift) return;
  if (footing) ctx.drawImage(footing.canvas, footing.at.x, footing.at.y);
  else if (spot.mode === 'stand' && !isOnBoard(spot)) drawFooting(ctx, spot, raster, stage, seed);
  if (spot.mode === 'swim') drawRipples(ctx, spot, raster, stage);
}

/** How high one jumps, as a share of its height. */
const LEAP = 0.3;

/** What shows that one sleeps, above its head. */
function drawSleep(ctx: Context, { x, foot, size, flip, subject }: Spot, { box }: Sprite): void {
  const side = size * 0.34;
  const { canvas } = sprite('zzz', side);
  const half = ((box.w / box.h) * size) / 2;
  const isLeft = FACES_RIGHT.has(subject.sprite) === flip;
  ctx.drawImage(canvas, x + (isLeft ? -half * 0.9 : half * 0.9 - side), foot - size * 1.02 - side * 0.6, side, side);
}

/** Who stands on a board stands above the grass. */
const isOnBoard = ({ subject }: Spot): boolean => subject.load?.some(({ sprite: name }) => BOARDS.has(name)) ?? false;

/** Snow lies on them; who lives shakes it off. */
const SNOWED = /^(?:building|vehicle|thing|plant)$/;

/** Trees are painted as the woods are, not taken from the emoji. */
const PAINTED: Record<string, TreeKind> = {
  'deciduous-tree': 'broadleaf',
  'evergreen-tree': 'conifer',
  'palm-tree': 'palm',
};

function rasterOf({ subject, size, nth }: Spot, light: Light, seed: number): Sprite {
  if (isFigure(subject)) {
    const pose = { act: subject.act ?? 'stand', phase: STILL_PHASE };
    return paintFigure(figureOf(subject, nth, seed), pose, size);
  }
  const tree = PAINTED[subject.sprite];
  if (tree) {
    const canvas = paintTree(tree, light, seeded(seed, 'tree'), size, undefined, false);
    return { canvas, box: { x: canvas.width * 0.16, y: 0, w: canvas.width * 0.68, h: canvas.height } };
  }
  const probe = sprite(subject.sprite, 64, undefined);
  return sprite(subject.sprite, (size / probe.box.h) * 64, dyeOf(subject));
}

/** The scene's light on a sprite: its colour, a bright edge towards the sun, a shaded foot, and air before it. */
function relight(raster: Sprite, stage: Stage, spot: Spot, take: Reused['take']): Canvas {
  const { light } = stage;
  const { canvas, ctx } = take(raster.canvas.width, raster.canvas.height);
  const [w, h] = [canvas.width, canvas.height];
  ctx.drawImage(raster.canvas, 0, 0);
  ctx.globalCompositeOperation = 'multiply';
  // Half the scene's darkness: a subject must stay readable at night.
  const tint = mix(lit([255, 255, 255], light, 0.75), [255, 255, 255], stage.surface === 'none' ? 0.5 : 0.42);
  const tinted = (shade: Rgb): string =>
    css([(tint[0] * shade[0]) / 255, (tint[1] * shade[1]) / 255, (tint[2] * shade[2]) / 255]);
  const sunSide = light.direction[0] >= 0 === !spot.flip ? 1 : 0;
  const across = ctx.createLinearGradient(sunSide * w, h * 0.1, (1 - sunSide) * w, h * 0.75);
  across.addColorStop(0, tinted([255, 255, 255]));
  across.addColorStop(0.5, tinted([236, 234, 240]));
  across.addColorStop(1, tinted([150, 150, 178]));
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
