/** Studio still lifes: a thing on a seamless ground, lit from one side, with its shadow and a faint mirror image. */
import { type Canvas, type Context, emptyCanvas } from './canvas.ts';
import { ASSORTED, css, fromHsl, mix, type Rgb, rgb, toHsl } from './colour.ts';
import type { ImagePlan, Subject } from './prompt.ts';
import { between, type Random, seeded } from './random.ts';
import { loaded } from './relations.ts';
import { finish } from './scene/weather.ts';
import { sprite } from './sprites.ts';

interface Placed {
  subject: Subject;
  x: number;
  foot: number;
  size: number;
  turn: number;
}

/** The finished still life; subjects without a number stand alone, several are arranged in depth. */
export function paintObject(image: ImagePlan, width: number, height: number, seed: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const random = seeded(seed, 'studio');
  const isMarble = /\bmarble\b/i.test(image.prompt);
  const isTable = isMarble || /\b(table|desk|counter|wooden|plate|board)\b/i.test(image.prompt);
  const backdrop = backdropColour(image, random);
  drawBackdrop(ctx, width, height, backdrop, isMarble ? MARBLE : isTable ? WOOD : undefined, random);
  for (const one of arrange(loaded(image.subjects), width, height, random)) {
    if (one.subject.isGone) continue;
    const isFull = one.subject.load?.some(({ how }) => how === 'in') ?? false;
    drawThing(ctx, one, backdrop, isTable);
    for (const carried of carriedOn(one)) drawThing(ctx, carried, backdrop, isTable, false);
    // What is in it looks over its rim.
    if (isFull) drawThing(ctx, one, backdrop, isTable, false, RIMS[one.subject.sprite] ?? 1);
  }
  finish(ctx, width, height, seeded(seed, 'grain'), 5);
  return canvas;
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
  const named = /\b(?:on|against|over|with) (?:a |an |the )?(?:\w+ )?(\w+) (?:background|backdrop|wall|ground)/i.exec(
    image.prompt,
  )?.[1];
  const own = named ? image.palette.at(-1) : undefined;
  if (own) return rgb(own);
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

function drawBackdrop(
  ctx: Context,
  width: number,
  height: number,
  colour: Rgb,
  material: string | undefined,
  random: Random,
): void {
  const isTable = material !== undefined;
  const light = ctx.createRadialGradient(
    width * 0.34,
    height * 0.3,
    0,
    width * 0.45,
    height * 0.45,
    Math.hypot(width, height) * 0.72,
  );
  light.addColorStop(0, css(mix(colour, [255, 255, 255], 0.45)));
  light.addColorStop(0.45, css(colour));
  light.addColorStop(1, css(mix(colour, [24, 20, 44], 0.5)));
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, width, height);
  // Soft discs of far lights give the wall depth.
  ctx.globalCompositeOperation = 'screen';
  for (let i = 0; i < 12; i++) {
    const r = Math.min(width, height) * between(random, 0.03, 0.12);
    const [x, y] = [random() * width, random() * height * 0.55];
    const disc = ctx.createRadialGradient(x, y, r * 0.55, x, y, r);
    disc.addColorStop(0, css(mix(colour, [255, 240, 215], 0.5), 0.16));
    disc.addColorStop(1, css(colour, 0));
    ctx.fillStyle = disc;
    ctx.fillRect(x - r, y - r, r * 2, r * 2);
  }
  ctx.globalCompositeOperation = 'source-over';
  const edge = height * 0.66;
  const table = ctx.createLinearGradient(0, edge - height * 0.07, 0, height);
  const top = isTable ? rgb(material) : mix(colour, [255, 255, 255], 0.3);
  table.addColorStop(0, css(top, isTable ? 1 : 0));
  table.addColorStop(0.3, css(mix(top, [255, 255, 255], isTable ? 0.08 : 0.22), isTable ? 1 : 0.75));
  table.addColorStop(1, css(mix(top, [20, 16, 34], 0.38), 1));
  ctx.fillStyle = table;
  ctx.fillRect(0, isTable ? edge : edge - height * 0.07, width, height);
  if (material === WOOD) drawGrain(ctx, width, height, edge, random);
  if (material === MARBLE) drawVeins(ctx, width, height, edge, random);
}

const WOOD = '#a06a3c';
const MARBLE = '#e4e2e0';

/** Grey veins that branch across the slab. */
function drawVeins(ctx: Context, width: number, height: number, edge: number, random: Random): void {
  ctx.fillStyle = 'rgba(255,255,255,.5)';
  ctx.fillRect(0, edge, width, height * 0.005);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, edge, width, height - edge);
  ctx.clip();
  for (let i = 0; i < 16; i++) {
    let [x, y] = [random() * width, edge + random() * (height - edge)];
    ctx.strokeStyle = `rgba(112,112,122,${between(random, 0.12, 0.4)})`;
    ctx.lineWidth = between(random, 0.8, height * 0.004);
    ctx.beginPath();
    ctx.moveTo(x, y);
    for (let k = 0; k < 9; k++) {
      x += between(random, 0.01, 0.06) * width;
      y += between(random, -0.025, 0.03) * height;
      ctx.lineTo(x, y);
    }
    ctx.stroke();
  }
  ctx.restore();
}

/** Boards of a table running away from the viewer. */
function drawGrain(ctx: Context, width: number, height: number, edge: number, random: Random): void {
  ctx.fillStyle = 'rgba(255,235,200,.22)';
  ctx.fillRect(0, edge, width, height * 0.005);
  for (let i = 0; i < 150; i++) {
    const x = between(random, -0.6, 1.6) * width;
    const far = width / 2 + (x - width / 2) * 0.62;
    ctx.strokeStyle = `rgba(${random() < 0.5 ? '60,32,12' : '214,160,104'},${between(random, 0.05, 0.22)})`;
    ctx.lineWidth = i % 12 === 0 ? 3 : between(random, 0.7, 2.2);
    ctx.beginPath();
    ctx.moveTo(far, edge);
    ctx.quadraticCurveTo((far + x) / 2 + between(random, -6, 6), (edge + height) / 2, x, height);
    ctx.stroke();
  }
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
  const size = unit * (n === 1 ? 0.5 : n <= 3 ? 0.35 : n <= 6 ? 0.26 : 0.2);
  const rows = n <= 3 ? 1 : n <= 7 ? 2 : 3;
  const perRow = Math.ceil(n / rows);
  const isMixed = n > 3 && n <= 6 && subjects.length === n;
  return items
    .map((subject, i) => {
      const row = isMixed ? i % 2 : Math.floor(i / perRow);
      const inRow = isMixed ? n : Math.min(perRow, n - row * perRow);
      const k = isMixed ? (i - (n - 1) / 2) * 0.74 : (i % perRow) - (inRow - 1) / 2;
      const scale = besides(subject, subjects) * (1 - row * 0.12);
      return {
        subject,
        x:
          width / 2 +
          k * Math.min(size * 1.02, (width * 0.86) / inRow) +
          (n > 1 ? between(random, -0.03, 0.03) * size : 0),
        foot: height * (n === 1 ? 0.76 : 0.82) - row * size * 0.42 + (n > 1 ? between(random, 0, 0.05) * size : 0),
        size: size * scale * (subject.sprite === subjects[0]?.sprite ? 1 : 0.92),
        turn: n > 1 ? between(random, -0.08, 0.08) : 0,
      };
    })
    .sort((a, b) => a.foot - b.foot);
}

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
const MOST_CARRIED = 5;
/** Of three or more every other one is behind and this much higher. */
const STACKED = 0.32;

/** The width and height that a sprite has at a size. */
function extent(name: string, size: number): { w: number; h: number } {
  const { box } = sprite(name, 64);
  const k = size / Math.max(box.w, box.h);
  return { w: box.w * k, h: box.h * k };
}

/** What stands on a thing, or is in it, those behind first. */
function carriedOn({ subject, x, foot, size }: Placed): Placed[] {
  const items = (subject.load ?? []).flatMap((one) =>
    Array.from({ length: one.isGone ? 0 : Math.min(MOST_CARRIED, one.count) }, () => one),
  );
  const host = extent(subject.sprite, size);
  const wide = Math.max(host.w, size * 0.6) * 0.8;
  const n = items.length;
  // Stems stand close, whatever they stand in.
  const most = n > 2 && items.some(({ role }) => role !== 'plant') ? (wide / Math.ceil(n / 2)) * 1.1 : size;
  const small = Math.min(size * (n > 2 ? 0.42 : 0.55), most);
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

/** @param isGrounded throws a shadow and a mirror image. @param lower the share of its height that is drawn, from below */
function drawThing(ctx: Context, one: Placed, backdrop: Rgb, isTable: boolean, isGrounded = true, lower = 1): void {
  const probe = sprite(one.subject.sprite, 64);
  const largest = Math.max(probe.box.w, probe.box.h);
  const raster = sprite(one.subject.sprite, (one.size / largest) * 64, one.subject.colour);
  const { box } = raster;
  const left = one.x - box.x - box.w / 2;
  const top = one.foot - box.y - box.h;
  if (isGrounded) {
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
