/**
 * Puts subjects into a place: sized by where they stand, lit and tinted by its light, with the shadow the sun gives
 * them, grass or snow about their feet, and their reflection where they swim.
 */
import { type Canvas, type Context, sheet } from '../canvas.ts';
import { css, mix, type Rgb, rgb, scale } from '../colour.ts';
import type { Subject } from '../prompt.ts';
import { between, type Random, seeded } from '../random.ts';
import { type Sprite, sprite } from '../sprites.ts';
import { type Light, lit } from './light.ts';
import type { Stage } from './stage.ts';
import { paintTree, type TreeKind } from './trees.ts';

interface Spot {
  subject: Subject;
  /** Centre and foot in pixels. */
  x: number;
  foot: number;
  /** Visible height in pixels. */
  size: number;
  mode: 'stand' | 'swim' | 'fly' | 'float';
  flip: boolean;
  tilt: number;
  rider?: Subject | undefined;
}

/** Sprites that look to the right in the emoji set; the others look left. */
const FACES_RIGHT = new Set([
  'duck',
  'swan',
  'automobile',
  'person-surfing',
  'bird',
  'black-bird',
  'person-rowing-boat',
  'motor-boat',
  'fish',
  'goose',
  'penguin',
  'black-cat',
]);
const SKY_LOW = new Set(['butterfly', 'honeybee', 'balloon', 'kite']);
const GROUNDED_SPACE = new Set(['own:astronaut', 'own:alien']);

/** One transparent sheet with all subjects, far ones first. */
export function drawSubjects(subjects: Subject[], stage: Stage, seed: number): Canvas {
  const { width, height } = stage.camera;
  const { canvas, ctx } = sheet(width, height);
  for (const spot of arrange(subjects, stage, seed)) drawSpot(ctx, spot, stage, seed);
  return canvas;
}

function arrange(subjects: Subject[], stage: Stage, seed: number): Spot[] {
  const random = seeded(seed, 'subjects');
  const carried = new Map<number, Subject>();
  for (const subject of subjects)
    if (subject.on !== undefined && subjects[subject.on]) carried.set(subject.on, subject);
  const free = subjects
    .map((subject, i) => ({ subject, rider: carried.get(i) }))
    .filter(({ subject }) => subject.on === undefined);
  const total = free.reduce((sum, { subject }) => sum + subject.count, 0);
  const crowd = total <= 1 ? 1.12 : total <= 3 ? 0.92 : total <= 6 ? 0.72 : 0.56;
  const groups = { stand: [] as Spot[], swim: [] as Spot[], fly: [] as Spot[], float: [] as Spot[] };
  for (const { subject, rider } of free) {
    const mode = modeOf(subject, stage);
    for (let i = 0; i < subject.count; i++) {
      groups[mode].push({
        subject,
        x: 0,
        foot: 0,
        size: sizeOf(subject, stage, mode) * crowd,
        mode,
        flip: false,
        tilt: 0,
        rider: i === 0 ? rider : undefined,
      });
    }
  }
  placeStanding(groups.stand, stage, random);
  placeSwimming(groups.swim, stage, random);
  placeAloft(groups.fly, stage, random, 0.1, Math.max(0.2, stage.camera.horizonY - 0.08));
  placeAloft(groups.float, stage, random, 0.2, 0.72);
  const spots = [...groups.float, ...groups.fly, ...groups.swim, ...groups.stand];
  return spots.sort((a, b) => rank(a) - rank(b));
}

const rank = (spot: Spot): number => (spot.mode === 'fly' ? -1e4 : 0) + spot.foot;

function modeOf(subject: Subject, stage: Stage): Spot['mode'] {
  if (stage.surface === 'none') return 'float';
  if (subject.role === 'flyer') return 'fly';
  if (subject.role === 'space' && !GROUNDED_SPACE.has(subject.sprite)) return 'fly';
  if ((subject.role === 'swimmer' || subject.role === 'boat' || subject.sprite === 'person-surfing') && stage.water)
    return 'swim';
  if (stage.surface === 'water') return subject.sprite === 'lighthouse' ? 'swim' : 'swim';
  return 'stand';
}

/** Visible height as the eye expects it: a cat is not as large as a castle, but may be seen beside it. */
function sizeOf(subject: Subject, stage: Stage, mode: Spot['mode']): number {
  const { width, height } = stage.camera;
  const unit = Math.min(width, height * 0.95, Math.max(height, width) * 0.76);
  const byHeight = 0.155 + 0.115 * Math.log2(1 + subject.height);
  const factor =
    (subject.size === 'big' ? 1.4 : subject.size === 'small' ? 0.62 : 1) *
    (subject.role === 'vehicle' ? 0.8 : 1) *
    (stage.surface === 'floor' ? 1.35 : 1) *
    (mode === 'fly' ? (subject.height > 1.5 ? 0.66 : 0.5) : mode === 'float' ? 0.95 : 1);
  return Math.min(height * 0.62, unit * byHeight * factor);
}

function placeStanding(spots: Spot[], stage: Stage, random: Random): void {
  const { width, height, horizonY } = stage.camera;
  const top = stage.groundTop * height;
  const slots = lanes(spots.length, random, stage.sides ? 0.14 : 0.2);
  // The tall stand back, so that the small are seen before them.
  const order = spots
    .map((_, i) => i)
    .sort((a, b) => (spots[b] as Spot).subject.height - (spots[a] as Spot).subject.height);
  for (const [turn, i] of order.entries()) {
    const spot = spots[i] as Spot;
    const back = spot.subject.role === 'building' ? 0.12 : spot.subject.height > 2.6 ? 0.34 : 0.62;
    const t = Math.min(0.93, Math.max(0.03, back + between(random, -0.12, 0.14) + (turn % 2 ? 0.1 : 0)));
    spot.foot = top + (height * 0.97 - top) * t;
    const grown = (spot.foot - horizonY * height) / (top + (height * 0.97 - top) * back - horizonY * height);
    spot.size *= Math.min(1.3, Math.max(0.7, grown));
    let across = slots[i] as number;
    if (stage.sides) across = across < 0.5 ? across * 0.55 : 1 - (1 - across) * 0.55;
    spot.x = width * across;
    spot.flip = across < 0.5 !== FACES_RIGHT.has(spot.subject.sprite);
  }
}

/** Even lanes over the width, jittered, the first subject nearest the middle. */
function lanes(count: number, random: Random, margin: number): number[] {
  if (count === 1) return [0.5 + (random() < 0.5 ? -1 : 1) * between(random, 0.02, 0.1)];
  const step = (1 - 2 * margin) / (count - 1);
  const all = Array.from({ length: count }, (_, i) => margin + i * step + between(random, -0.1, 0.1) * step);
  return all.sort((a, b) => Math.abs(a - 0.5) - Math.abs(b - 0.5));
}

function placeSwimming(spots: Spot[], stage: Stage, random: Random): void {
  const { width, height } = stage.camera;
  const water = stage.water ?? { top: stage.groundTop, bottom: 1 };
  const slots = lanes(spots.length, random, 0.2);
  for (const [i, spot] of spots.entries()) {
    const t = Math.min(
      0.85,
      (stage.sides ? 0.55 : spot.subject.height > 2 ? 0.3 : 0.45) + between(random, -0.08, 0.12),
    );
    spot.foot = (water.top + (water.bottom - water.top) * t) * height;
    const room = Math.min(1, (spot.foot - stage.camera.horizonY * height) / (height * 0.1));
    spot.size *= Math.max(0.62, room);
    // A river keeps its swimmers to its middle.
    spot.x = width * (stage.sides ? 0.5 + ((slots[i] as number) - 0.5) * 0.35 : (slots[i] as number));
    spot.flip = (slots[i] as number) < 0.5 !== FACES_RIGHT.has(spot.subject.sprite);
  }
}

function placeAloft(spots: Spot[], stage: Stage, random: Random, from: number, to: number): void {
  const { width, height } = stage.camera;
  const slots = lanes(spots.length, random, 0.17);
  for (const [i, spot] of spots.entries()) {
    const isLow = SKY_LOW.has(spot.subject.sprite);
    const [low, high] = spot.mode === 'float' ? [from, to] : isLow ? [to * 0.65, to + 0.16] : [from, to];
    const wave = spots.length === 1 ? between(random, 0.35, 0.6) : (i % 2 ? 0.2 : 0.7) + between(random, -0.15, 0.15);
    spot.foot = height * (low + (high - low) * wave) + spot.size / 2;
    spot.size *= between(random, 0.85, 1.12);
    spot.x = width * (slots[i] as number);
    spot.tilt =
      spot.subject.role === 'animal' || spot.mode === 'float'
        ? between(random, -0.22, 0.22)
        : between(random, -0.06, 0.06);
    spot.flip = (slots[i] as number) < 0.5 !== FACES_RIGHT.has(spot.subject.sprite) && spot.subject.role !== 'space';
  }
}

function dyeOf(subject: Subject): string | undefined {
  return subject.colour ?? (subject.sprite === 'own:unicorn' ? '#f7f7f7' : undefined);
}

function drawSpot(ctx: Context, spot: Spot, stage: Stage, seed: number): void {
  const raster = rasterOf(spot.subject, spot.size, stage.light, seed);
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

function rasterOf(subject: Subject, size: number, light: Light, seed: number): Sprite {
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
  const { canvas, ctx } = sheet(raster.canvas.width, raster.canvas.height);
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

/** A dark touch where it stands, and the shadow the sun throws: towards us from a sun ahead, behind it from one at our back. */
function drawShadow(ctx: Context, spot: Spot, raster: Sprite, stage: Stage): void {
  const { light } = stage;
  const wide = (raster.box.w / raster.box.h) * spot.size;
  ctx.save();
  ctx.translate(spot.x, spot.foot - spot.size * 0.012);
  ctx.scale(1, 0.17);
  const contact = ctx.createRadialGradient(0, 0, 0, 0, 0, wide * 0.62);
  contact.addColorStop(0, 'rgba(12,14,24,.62)');
  contact.addColorStop(0.6, 'rgba(12,14,24,.26)');
  contact.addColorStop(1, 'rgba(12,14,24,0)');
  ctx.fillStyle = contact;
  ctx.fillRect(-wide, -wide, wide * 2, wide * 2);
  ctx.restore();
  const strength = Math.max(...light.key) * 0.5;
  if (strength < 0.16 || stage.surface === 'floor') return;
  const shadow = sheet(raster.canvas.width, raster.canvas.height);
  shadow.ctx.drawImage(raster.canvas, 0, 0);
  shadow.ctx.globalCompositeOperation = 'source-in';
  shadow.ctx.fillStyle = 'rgb(14,16,34)';
  shadow.ctx.fillRect(0, 0, raster.canvas.width, raster.canvas.height);
  const isAhead = light.direction[2] > 0;
  const stretch = isAhead ? 0.55 : -0.3;
  const skew = -light.direction[0] * (isAhead ? 1.1 : 1.5);
  ctx.save();
  ctx.globalAlpha = Math.min(0.4, strength);
  ctx.filter = `blur(${Math.max(1, spot.size * 0.012).toFixed(1)}px)`;
  ctx.translate(spot.x, spot.foot - spot.size * 0.015);
  ctx.transform(spot.flip ? -1 : 1, 0, -skew, -stretch, 0, 0);
  const k = spot.size / raster.box.h;
  ctx.drawImage(
    shadow.canvas,
    -(raster.box.x + raster.box.w / 2) * k,
    -(raster.box.y + raster.box.h) * k,
    shadow.canvas.width * k,
    shadow.canvas.height * k,
  );
  ctx.restore();
  ctx.filter = 'none';
}

/** Grass over the lowest edge, so that it stands in the place and not before it. */
function drawFooting(ctx: Context, spot: Spot, raster: Sprite, stage: Stage, seed: number): void {
  const wide = (raster.box.w / raster.box.h) * spot.size;
  const random = seeded(seed + Math.round(spot.x), 'footing');
  const { light } = stage;
  if (stage.surface === 'grass') {
    const blade = rgb('#688a40');
    ctx.lineCap = 'round';
    for (let i = 0; i < 40; i++) {
      const x = spot.x + between(random, -0.56, 0.56) * wide;
      const tall = spot.size * between(random, 0.04, 0.12);
      ctx.strokeStyle = css(lit(scale(blade, between(random, 0.7, 1.2)), light, between(random, 0.2, 0.8)));
      ctx.lineWidth = Math.max(1, spot.size * 0.009);
      ctx.beginPath();
      ctx.moveTo(x, spot.foot + spot.size * 0.03);
      ctx.quadraticCurveTo(x, spot.foot - tall * 0.4, x + between(random, -0.5, 0.5) * tall, spot.foot - tall);
      ctx.stroke();
    }
  }
}

function drawReflection(ctx: Context, spot: Spot, painted: Canvas, raster: Sprite, stage: Stage): void {
  const k = spot.size / raster.box.h;
  const line = spot.foot - spot.size * 0.05;
  ctx.save();
  ctx.translate(spot.x, line);
  ctx.scale(spot.flip ? -1 : 1, -0.62);
  // Torn into rows that shift, as small waves do.
  const rows = 22;
  for (let i = 0; i < rows; i++) {
    ctx.globalAlpha = 0.42 * (1 - i / rows);
    const sy = raster.box.y + raster.box.h * (1 - (i + 1) / rows);
    const shift = Math.sin(i * 1.9 + spot.x) * spot.size * 0.014 * (1 + i / 7);
    const sh = raster.box.h / rows;
    ctx.drawImage(
      painted,
      raster.box.x,
      sy,
      raster.box.w,
      sh,
      (-raster.box.w / 2) * k + shift,
      -(i + 1) * sh * k,
      raster.box.w * k,
      sh * k + 1,
    );
  }
  ctx.restore();
  void stage;
}

function drawRipples(ctx: Context, spot: Spot, raster: Sprite, stage: Stage): void {
  const wide = (raster.box.w / raster.box.h) * spot.size;
  const { light } = stage;
  const body = mix(light.mid, rgb('#1f5f78'), 0.55);
  const paint = lit(body, light, 0.4);
  ctx.save();
  ctx.translate(spot.x, spot.foot - spot.size * 0.02);
  ctx.scale(1, 0.1);
  const skirt = ctx.createRadialGradient(0, 0, 0, 0, 0, wide * 0.62);
  skirt.addColorStop(0, css(paint, 0.75));
  skirt.addColorStop(0.7, css(paint, 0.5));
  skirt.addColorStop(1, css(paint, 0));
  ctx.fillStyle = skirt;
  ctx.fillRect(-wide, -wide * 0.12, wide * 2, wide);
  ctx.restore();
  ctx.strokeStyle = css(lit([240, 248, 250], light, 0.7), 0.5);
  for (let i = 0; i < 3; i++) {
    ctx.lineWidth = Math.max(1, spot.size * 0.006);
    ctx.beginPath();
    ctx.ellipse(
      spot.x,
      spot.foot - spot.size * 0.035 + i * spot.size * 0.018,
      wide * (0.42 + i * 0.1),
      spot.size * (0.02 + i * 0.012),
      0,
      0.15 * Math.PI * i,
      Math.PI - 0.12 * i,
    );
    ctx.stroke();
  }
}
