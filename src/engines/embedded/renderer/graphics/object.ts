/** Studio still lifes: a thing on a seamless ground, lit from one side, with its shadow and a faint mirror image. */

import { backdropIn, drawBackdrop, drawBricks, MARBLE, WOOD } from './backdrop.ts';
import { type Canvas, type Context, emptyCanvas } from './canvas.ts';
import { ASSORTED, css, fromHsl, mix, type Rgb, rgb, toHsl } from './colour.ts';
import { isFlatShape } from './own-shapes.ts';
import type { ImagePlan, Subject } from './prompt.ts';
import { between, type Random, seeded } from './random.ts';
import { loaded } from './relations.ts';
import { loadOf } from './scene/load.ts';
import { finish } from './scene/weather.ts';
import { sprite } from './sprites.ts';

interface Placed {
  subject: Subject;
  x: number;
  foot: number;
  size: number;
  turn: number;
  /** Above the ground, which has its shadow. */
  isAloft?: true;
}

/** The finished still life; subjects without a number stand alone, several are arranged in depth. */
export function paintObject(image: ImagePlan, width: number, height: number, seed: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const random = seeded(seed, 'studio');
  const isMarble = /\bmarble\b/i.test(image.prompt);
  const isTable = isMarble || /\b(table|desk|counter|wooden|plate|board)\b/i.test(image.prompt);
  const placed = arrange(loaded(image.subjects), width, height, random);
  if (/\b(?:float|levitat|hover)(?:s|ing)\b/i.test(image.prompt))
    for (const one of placed) Object.assign(one, { foot: one.foot - height * 0.14, isAloft: true });
  const manner = mannerOf(image);
  if (manner) {
    drawFlat(ctx, width, height, flatGround(image, manner));
    if (manner === 'icon') drawTile(ctx, width, height, backdropColour(image, random));
    for (const one of placed) if (!one.subject.isGone) drawPlain(ctx, one, manner, Math.min(width, height) * 0.014);
    return canvas;
  }
  const backdrop = backdropColour(image, random);
  drawBackdrop(ctx, width, height, backdrop, isMarble ? MARBLE : isTable ? WOOD : undefined, random);
  if (backdropIn(image.prompt.toLowerCase())?.isBrick) drawBricks(ctx, width, height * 0.6, backdrop, random);
  for (const one of placed) {
    if (one.subject.isGone) continue;
    const isFull = one.subject.load?.some(({ how }) => how === 'in') ?? false;
    drawThing(ctx, one, backdrop, isTable, one.isAloft ? 'aloft' : 'stands');
    for (const carried of carriedOn(one)) drawThing(ctx, carried, backdrop, isTable, 'carried');
    // What is in it looks over its rim.
    if (isFull) drawThing(ctx, one, backdrop, isTable, 'carried', RIMS[one.subject.sprite] ?? 1);
  }
  finish(ctx, width, height, seeded(seed, 'grain'), 5);
  return canvas;
}

/** Drawn flat, without a room: shapes, an icon on its tile, a sticker with its white edge. */
type Manner = 'shapes' | 'icon' | 'sticker';
function mannerOf({ prompt, subjects }: ImagePlan): Manner | undefined {
  if (subjects.length > 0 && subjects.every(({ sprite: name }) => isFlatShape(name))) return 'shapes';
  if (/\bstickers?\b/i.test(prompt)) return 'sticker';
  return /\b(?:icons?|pictograms?|emojis?|clip ?art)\b/i.test(prompt) ? 'icon' : undefined;
}

function flatGround({ prompt }: ImagePlan, manner: Manner): Rgb {
  const named = backdropIn(prompt.toLowerCase())?.colour;
  return named ?? (manner === 'sticker' ? rgb('#c9d3dc') : rgb('#f7f6f2'));
}

function drawFlat(ctx: Context, width: number, height: number, ground: Rgb): void {
  ctx.fillStyle = css(ground);
  ctx.fillRect(0, 0, width, height);
}

/** The rounded tile of an icon. */
function drawTile(ctx: Context, width: number, height: number, colour: Rgb): void {
  const side = Math.min(width, height) * 0.72;
  const [x, y] = [(width - side) / 2, (height - side) / 2];
  const tile = ctx.createLinearGradient(x, y, x, y + side);
  tile.addColorStop(0, css(mix(colour, [255, 255, 255], 0.25)));
  tile.addColorStop(1, css(mix(colour, [10, 10, 40], 0.12)));
  ctx.fillStyle = tile;
  ctx.beginPath();
  ctx.roundRect(x, y, side, side, side * 0.22);
  ctx.fill();
}

/** A thing and what it carries in their own colours only. @param edge of a sticker, in pixels */
function drawPlain(ctx: Context, one: Placed, manner: Manner, edge: number): void {
  const all = [one, ...(manner === 'shapes' ? nestedIn(one) : carriedOn(one))];
  // Edges first, so that what is carried is stuck on with it.
  if (manner === 'sticker')
    for (const { subject, x, foot, size } of all) {
      const { canvas, box } = rasterOf(subject, size);
      const rim = emptyCanvas(canvas.width, canvas.height);
      rim.ctx.drawImage(canvas, 0, 0);
      rim.ctx.globalCompositeOperation = 'source-in';
      rim.ctx.fillStyle = '#fff';
      rim.ctx.fillRect(0, 0, canvas.width, canvas.height);
      for (let k = 0; k < 24; k++) {
        const turn = (k / 24) * 2 * Math.PI;
        ctx.drawImage(
          rim.canvas,
          x - box.x - box.w / 2 + Math.cos(turn) * edge,
          foot - box.y - box.h + Math.sin(turn) * edge,
        );
      }
    }
  for (const { subject, x, foot, size } of all) {
    const { canvas, box } = rasterOf(subject, size);
    ctx.drawImage(canvas, x - box.x - box.w / 2, foot - box.y - box.h);
  }
}

/** A shape in or on a shape lies in its middle. */
function nestedIn({ subject, x, foot, size }: Placed): Placed[] {
  const { h } = extent(subject.sprite, size);
  return (subject.load ?? []).flatMap((one) => {
    const inner = { subject: one, x, foot: 0, size: size * 0.5, turn: 0 };
    inner.foot = foot - h / 2 + extent(one.sprite, inner.size).h / 2;
    return [inner, ...nestedIn(inner)];
  });
}

/** A subject whose longer side is so many pixels. */
function rasterOf({ sprite: name, colour }: Subject, size: number) {
  const { box } = sprite(name, 64);
  return sprite(name, (size / Math.max(box.w, box.h)) * 64, colour);
}

/** Where things have room for words, as shares of their box: left, top, width, height. */
const PRINTED: Readonly<Record<string, readonly [x: number, y: number, w: number, h: number]>> = {
  't-shirt': [0.27, 0.32, 0.46, 0.42],
  'hot-beverage': [0.2, 0.54, 0.46, 0.25],
};

/** Where the words of a still life go that are on its only thing; undefined where it has no room for them. */
export function printOf({ kind, subjects }: ImagePlan, width: number, height: number) {
  const [subject] = subjects;
  const room = subject && PRINTED[subject.sprite];
  if (kind !== 'object' || !room || subjects.length > 1 || subject.count > 1) return undefined;
  const [{ x, foot, size }] = arrange([subject], width, height, seeded(0, 'print')) as [Placed];
  const { box } = sprite(subject.sprite, 256);
  const k = size / Math.max(box.w, box.h);
  const [w, h] = [box.w * k, box.h * k];
  return { x: x - w / 2 + w * room[0], y: foot - h + h * room[1], w: w * room[2], h: h * room[3] };
}

/** A colour that sets the thing off: its complement, calm; or the one the prompt gives to the background. */
function backdropColour(image: ImagePlan, random: Random): Rgb {
  const { colour } = backdropIn(image.prompt.toLowerCase()) ?? {};
  if (colour) return colour;
  const first = image.subjects[0];
  const main = first?.colour ? rgb(first.colour) : first ? averageOf(first) : rgb('#8899aa');
  const [hue, saturation] = toHsl(main);
  if (image.time === 'night' || image.mood === 'gloomy' || image.mood === 'dramatic')
    return fromHsl(hue + 180, 0.3, 0.2);
  return fromHsl(hue + 180 + between(random, -25, 25), Math.min(0.42, 0.2 + saturation * 0.25), 0.66);
}

function averageOf(subject: Subject): Rgb {
  const { canvas } = sprite(subject.sprite, 32);
  const { data } = canvas.getContext('2d').getImageData(0, 0, 32, 32);
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < data.length; i += 4)
    for (let c = 0; c < 4; c++)
      sum[c] = (sum[c] as number) + (data[i + c] as number) * (c < 3 ? (data[i + 3] as number) / 255 : 1 / 255);
  const n = Math.max(1, sum[3] as number);
  return [(sum[0] as number) / n, (sum[1] as number) / n, (sum[2] as number) / n];
}

/** What is between others comes to the middle. */
function inOrder(items: Subject[]): Subject[] {
  const middle = items.filter(({ side }) => side === 'between');
  const others = items.filter((one) => !middle.includes(one));
  return [...others.slice(0, Math.ceil(others.length / 2)), ...middle, ...others.slice(Math.ceil(others.length / 2))];
}

/** Lies in a palm. */
const TINY = new Set(
  'ring coin old-key key strawberry cherries egg chestnut peanuts blueberries olive pill paperclip safety-pin game-die gem-stone lipstick battery garlic lime grapes candy sewing-needle chess-pawn puzzle-piece candle lollipop tooth own:starfish feather crayon eraser pencil'.split(
    ' ',
  ),
);

/** How large it is beside the others: a ring is smaller than the box next to it, a lamp than a sofa. */
function besides({ sprite: name, size, height }: Subject, subjects: Subject[]): number {
  const own = size === 'big' ? 1.3 : size === 'small' ? 0.7 : 1;
  const isAmongLarger = TINY.has(name) && subjects.some((one) => !TINY.has(one.sprite));
  const tallest = Math.max(...subjects.map((one) => one.height));
  return own * (isAmongLarger ? 0.62 : Math.max(0.6, Math.min(1, height / tallest) ** 0.5));
}

/** Pyramids of like things; unlike ones side by side, every other one a little behind. The first is the largest. */
function arrange(subjects: Subject[], width: number, height: number, random: Random): Placed[] {
  const items = inOrder(
    subjects.flatMap((subject) =>
      Array.from({ length: subject.count }, (_, i) =>
        subject.isVaried ? { ...subject, colour: ASSORTED[i % ASSORTED.length] as string } : subject,
      ),
    ),
  );
  const unit = Math.min(width, height);
  const n = items.length;
  const isTopped = items.some(({ sprite: name, load }) => TALL_LOAD.has(name) && load);
  const size = unit * (n === 1 ? (isTopped ? 0.36 : 0.5) : n <= 3 ? 0.35 : n <= 6 ? 0.26 : 0.2);
  const rows = n <= 3 ? 1 : n <= 7 ? 2 : 3;
  const perRow = Math.ceil(n / rows);
  const isMixed = n > 3 && n <= 6 && subjects.length === n;
  const placed = items.map((subject, i) => {
    const row = isMixed ? i % 2 : Math.floor(i / perRow);
    const inRow = isMixed ? n : Math.min(perRow, n - row * perRow);
    const k = isMixed ? (i - (n - 1) / 2) * 0.74 : (i % perRow) - (inRow - 1) / 2;
    const scale = besides(subject, subjects) * (1 - row * 0.12);
    return {
      subject,
      x:
        width / 2 +
        k * Math.min(size * (isFlatShape(subject.sprite) ? 1.16 : 1.02), (width * 0.86) / inRow) +
        (n > 1 && !isFlatShape(subject.sprite) ? between(random, -0.03, 0.03) * size : 0),
      foot: isFlatShape(subject.sprite)
        ? height * 0.5 + size * 0.5 - row * size * 0.42
        : height * (n === 1 ? 0.76 : 0.82) - row * size * 0.42 + (n > 1 ? between(random, 0, 0.05) * size : 0),
      size: size * scale * (subject.sprite === subjects[0]?.sprite ? 1 : 0.92),
      turn: n > 1 && !isFlatShape(subject.sprite) ? between(random, -0.08, 0.08) : 0,
    };
  });
  for (const one of placed) bringTogether(one, placed, width, height);
  return placed.sort((a, b) => rank(a, height) - rank(b, height));
}

const rank = ({ foot, isAloft }: Placed, height: number): number => foot + (isAloft ? height : 0);

/** Puts what a text says is over, under, behind or before another there. */
function bringTogether(one: Placed, placed: Placed[], width: number, height: number): void {
  const { by, side } = one.subject;
  const host = by && placed.find((other) => other !== one && has(other.subject, by));
  if (!host || !side || side === 'between') return;
  if (side === 'over' || side === 'under') {
    const [upper, lower] = side === 'over' ? [one, host] : [host, one];
    const [up, low] = [extent(upper.subject.sprite, upper.size).h, extent(lower.subject.sprite, lower.size).h];
    const k = Math.min(1.15, (height * 0.8) / (up + low + height * 0.03));
    upper.size *= k;
    lower.size *= k;
    const x = placed.length === 2 ? width / 2 : host.x;
    const foot = placed.length === 2 ? height * 0.5 + ((up + low) * k) / 2 + height * 0.03 : lower.foot;
    Object.assign(lower, { x, foot });
    Object.assign(upper, { x, foot: foot - low * k - height * 0.03, turn: 0, isAloft: true });
    return;
  }
  const aside = host.x > width / 2 ? -1 : 1;
  const near = side === 'before' ? 1 : -1;
  const [wide, own] = [extent(host.subject.sprite, host.size), extent(one.subject.sprite, one.size)];
  one.x = host.x + aside * (side === 'before' ? wide.w * 0.36 : wide.w * 0.5 + own.w * 0.16);
  one.foot = host.foot + near * height * 0.05;
}

const has = ({ sprite: name, load = [] }: Subject, sought: string): boolean =>
  name === sought || load.some((one) => has(one, sought));

/** Height of the rims of those that have a handle or a lid above it, as shares of theirs. */
const RIMS: Readonly<Record<string, number>> = {
  basket: 0.62,
  'own:box': 0.77,
  bucket: 0.8,
  'treasure-chest': 0.55,
  bouquet: 1,
};
/** Where what lies on a thing has its foot, as shares of its height: flat ones are seen from above. */
const TOPS: Readonly<Record<string, number>> = {
  'own:plate': 0.5,
  'own:tray': 0.7,
  'own:blanket': 0.75,
  'world-map': 0.22,
  'musical-score': 0.2,
  newspaper: 0.2,
  envelope: 0.25,
  'open-book': 0.45,
};
/** What is on or in it is as tall as it is. */
const TALL_LOAD = new Set(['own:flowerpot', 'own:pedestal']);
const MOST_CARRIED = 5;
/** Of three or more every other one is behind and this much higher. */
const STACKED = 0.32;

/** The width and height that a sprite has at a size. */
function extent(name: string, size: number): { w: number; h: number } {
  const { box } = sprite(name, 64);
  const k = size / Math.max(box.w, box.h);
  return { w: box.w * k, h: box.h * k };
}

const isBorne = ({ how }: Subject): boolean => how === 'held' || how === 'worn' || how === 'hung';

/** What a thing holds or wears, as in a scene. */
function borneBy({ subject, x, foot, size }: Placed): Placed[] {
  const load = (subject.load ?? []).filter((one) => isBorne(one) && !one.isGone);
  const spot = { subject: { ...subject, load }, x, foot, size: extent(subject.sprite, size).h, nth: 0, tilt: 0 };
  return loadOf({ ...spot, mode: 'stand', flip: false }).map(({ spot: one }) => {
    const { box } = sprite(one.subject.sprite, 64);
    return {
      subject: one.subject,
      x: one.x,
      foot: one.foot,
      size: (one.size * Math.max(box.w, box.h)) / box.h,
      turn: 0,
    };
  });
}

/** What stands on a thing, is in it or borne by it, those behind first. */
function carriedOn(host: Placed): Placed[] {
  return [...laidOn(host), ...borneBy(host)];
}

function laidOn({ subject, x, foot, size }: Placed): Placed[] {
  const items = (subject.load ?? []).flatMap((one) =>
    Array.from({ length: one.isGone || isBorne(one) ? 0 : Math.min(MOST_CARRIED, one.count) }, () => one),
  );
  const host = extent(subject.sprite, size);
  const wide = Math.max(host.w, size * 0.6) * 0.8;
  const n = items.length;
  // Stems stand close, whatever they stand in.
  const most = n > 2 && items.some(({ role }) => role !== 'plant') ? (wide / Math.ceil(n / 2)) * 1.1 : size;
  const grown = TALL_LOAD.has(subject.sprite) && n < 3 ? 1 : n > 2 ? 0.42 : 0.55;
  const small = Math.min(size * grown, most);
  const step = Math.min(small * 0.8, (wide - small * 0.6) / Math.max(1, n - 1));
  return items
    .map((one, i) => {
      const up =
        one.how === 'in'
          ? (RIMS[subject.sprite] ?? 1) - (subject.sprite === 'own:bowl' ? 0.12 : 0.3)
          : (TOPS[subject.sprite] ?? 0.8);
      return {
        subject: one,
        x: x + (i - (n - 1) / 2) * step,
        foot: foot - host.h * up - (n > 2 && i % 2 ? small * STACKED : 0),
        size: small,
        turn: 0,
      };
    })
    .sort((a, b) => a.foot - b.foot);
}

/** Stands on the ground, which mirrors it; or is above it; or on what stands there. */
type Footing = 'stands' | 'aloft' | 'carried';

/** @param lower the share of its height that is drawn, from below */
function drawThing(ctx: Context, one: Placed, backdrop: Rgb, isTable: boolean, footing: Footing, lower = 1): void {
  const raster = rasterOf(one.subject, one.size);
  const { box } = raster;
  const left = one.x - box.x - box.w / 2;
  const top = one.foot - box.y - box.h;
  if (footing === 'stands') {
    // The mirror image in the polished ground.
    ctx.save();
    ctx.globalAlpha = isTable ? 0.1 : 0.16;
    ctx.translate(0, one.foot * 2 - box.h * 0.02);
    ctx.scale(1, -1);
    ctx.drawImage(raster.canvas, left, top);
    ctx.restore();
    drawShade(ctx, one, box.w, box.h, backdrop);
  }
  const shaded = emptyCanvas(raster.canvas.width, raster.canvas.height);
  shaded.ctx.drawImage(raster.canvas, 0, 0);
  shaded.ctx.globalCompositeOperation = 'multiply';
  const form = shaded.ctx.createLinearGradient(box.x, box.y, box.x + box.w, box.y + box.h);
  form.addColorStop(0, 'rgb(255,252,244)');
  form.addColorStop(0.55, 'rgb(244,240,244)');
  form.addColorStop(1, 'rgb(158,148,178)');
  shaded.ctx.fillStyle = form;
  shaded.ctx.fillRect(0, 0, raster.canvas.width, raster.canvas.height);
  shaded.ctx.globalCompositeOperation = 'screen';
  const gleam = shaded.ctx.createRadialGradient(
    box.x + box.w * 0.3,
    box.y + box.h * 0.22,
    0,
    box.x + box.w * 0.3,
    box.y + box.h * 0.22,
    box.w * 0.5,
  );
  gleam.addColorStop(0, 'rgba(255,246,226,.34)');
  gleam.addColorStop(1, 'rgba(255,246,226,0)');
  shaded.ctx.fillStyle = gleam;
  shaded.ctx.fillRect(0, 0, raster.canvas.width, raster.canvas.height);
  shaded.ctx.globalCompositeOperation = 'destination-in';
  shaded.ctx.drawImage(raster.canvas, 0, 0);
  ctx.save();
  ctx.translate(one.x, one.foot - box.h / 2);
  ctx.rotate(one.turn);
  if (lower < 1) {
    ctx.beginPath();
    ctx.rect(-box.w, box.h * (0.5 - lower), box.w * 2, box.h * lower);
    ctx.clip();
  }
  ctx.drawImage(shaded.canvas, -box.x - box.w / 2, -box.y - box.h / 2);
  ctx.restore();
}

function drawShade(ctx: Context, one: Placed, w: number, h: number, backdrop: Rgb): void {
  const dark = mix(backdrop, [10, 8, 24], 0.82);
  for (const [shift, wide, flat, alpha] of [
    [0.34, 0.86, 0.15, 0.4],
    [0.02, 0.46, 0.14, 0.75],
  ] as const) {
    ctx.save();
    ctx.translate(one.x + w * shift, one.foot - h * 0.02);
    ctx.scale(1, flat);
    const shade = ctx.createRadialGradient(0, 0, 0, 0, 0, w * wide);
    shade.addColorStop(0, css(dark, alpha));
    shade.addColorStop(0.5, css(dark, alpha * 0.5));
    shade.addColorStop(1, css(dark, 0));
    ctx.fillStyle = shade;
    ctx.fillRect(-w, -w, w * 2, w * 2);
    ctx.restore();
  }
}
