/** The plain ground of a studio: what a prompt says of its wall, and how it is painted. */
import type { Canvas, Context } from './canvas.ts';
import { emptyCanvas } from './canvas.ts';
import { COLOUR_WORDS, css, MATERIALS, mix, type Rgb, rgb } from './colour.ts';
import { between, type Random } from './random.ts';

/** A wall or a ground without a place: its colour, where it has one, and whether it is of bricks. */
export interface Backdrop {
  colour?: Rgb;
  isBrick: boolean;
}

const GROUND =
  /\b(?:on|against|over|with|in front of|before|by|near|at) (?:an? |the )?((?:[\p{L}-]+ ){0,3}?)(back(?:ground|drop)|walls?)\b/u;
const PLAIN = /\bisolated(?: on (\p{L}+))?\b|\b(?:product|studio) (?:shot|photo\w*|lighting)\b/u;
const BRICK = /\bbricks?\b/;

/** What a text says of a plain wall or ground behind what it shows. @param text lower case */
export function backdropIn(text: string): Backdrop | undefined {
  const [, about = '', what = ''] = GROUND.exec(text) ?? [];
  const words = about.trim().split(' ');
  const named = words.findLast((word) => COLOUR_WORDS.has(word)) ?? PLAIN.exec(text)?.[1];
  const material = words.find((word) => MATERIALS.has(word));
  const paint = (named && COLOUR_WORDS.get(named)) ?? (material && MATERIALS.get(material));
  const isBrick = BRICK.test(about);
  // A wall is one of some place, unless more is said of it.
  const isSaid = paint !== undefined || isBrick || /\b(?:plain|simple|blank|pastel|solid|studio)\b/.test(about);
  if (!PLAIN.test(text) && (what === '' || !isSaid)) return undefined;
  const pale =
    /\b(?:pastel|light|pale|soft)\b/.test(about) && paint ? mix(rgb(paint), [255, 255, 255], 0.45) : undefined;
  const colour = pale ?? (paint ? rgb(paint) : isBrick ? rgb('#a8553f') : undefined);
  return { isBrick, ...(colour ? { colour } : {}) };
}

/** A prompt with a ground of that colour instead of the plain one that it names, or besides. */
export function onGround(prompt: string, colour: string): string {
  const plain = new RegExp(GROUND.source, 'iu').exec(prompt);
  const rest = plain && backdropIn(plain[0].toLowerCase()) ? prompt.replace(plain[0], '') : prompt;
  return `${rest.replace(/ +/g, ' ').trim()} on a ${colour} background`;
}

/** Courses of bricks down to a row. */
export function drawBricks(ctx: Context, width: number, bottom: number, colour: Rgb, random: Random): void {
  const h = bottom / 17;
  ctx.fillStyle = css(mix(colour, [235, 228, 218], 0.5));
  ctx.fillRect(0, 0, width, bottom);
  for (let row = 0; row * h < bottom; row++)
    for (let x = (row % 2) * -h * 1.2; x < width; x += h * 2.4) {
      ctx.fillStyle = css(mix(colour, random() < 0.5 ? [30, 16, 12] : [255, 226, 200], between(random, 0, 0.16)));
      ctx.fillRect(x, row * h, h * 2.28, h * 0.88);
    }
}

/** A plain wall and the floor before it, as a place that people and animals stand in. */
export function drawStudio(
  width: number,
  height: number,
  { colour = [214, 218, 224], isBrick }: Backdrop,
  random: Random,
): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  drawBackdrop(ctx, width, height, colour, undefined, random);
  if (isBrick) drawBricks(ctx, width, height * 0.6, colour, random);
  return canvas;
}

/** The wall with its light, and the ground before it. @param material of a table, by its colour */
export function drawBackdrop(
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

/** Boards. */
export const WOOD = '#a06a3c';
/** A slab. */
export const MARBLE = '#e4e2e0';

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
