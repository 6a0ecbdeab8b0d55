/** What stands against the wall of a room: a fireplace with its fire, and shelves full of books. */
import type { Context } from '../canvas.ts';
import { css, rgb, scale } from '../colour.ts';
import { between, pick, type Random } from '../random.ts';
import { type Light, lit } from './light.ts';
import { glow } from './sky.ts';

/** On the floor against the wall: left edge, top, width and height in pixels. */
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

const SPINES = ['#8c3b2e', '#2f5d62', '#c08a3a', '#4b5d3a', '#5a3d5c', '#b7a58a', '#2c3e5c', '#a05a3c', '#6d6f72'];

/** Boards, and books of all heights on them; here and there one leans, or a pot stands between. */
export function drawShelves(ctx: Context, { x, y, w, h }: Place, light: Light, random: Random): void {
  const wood = rgb('#6b4428');
  const board = h * 0.022;
  ctx.fillStyle = css(lit(scale(wood, 0.42), light, 0.2));
  ctx.fillRect(x, y, w, h);
  const rows = Math.max(3, Math.round((h / w) * 2.6));
  const tall = (h - board) / rows;
  for (let row = 0; row < rows; row++) {
    const foot = y + board + (row + 1) * tall - board;
    drawBooks(ctx, { x: x + board, y: foot, w: w - 2 * board, h: tall - board * 2 }, light, random);
    // Each board throws its shadow on the books below it.
    const shade = ctx.createLinearGradient(0, foot - tall + board, 0, foot - tall * 0.55);
    shade.addColorStop(0, 'rgba(16,8,4,.55)');
    shade.addColorStop(1, 'rgba(16,8,4,0)');
    ctx.fillStyle = shade;
    ctx.fillRect(x, foot - tall + board, w, tall * 0.45);
    ctx.fillStyle = css(lit(wood, light, 0.45));
    ctx.fillRect(x, foot, w, board);
  }
  ctx.fillStyle = css(lit(scale(wood, 1.12), light, 0.45));
  ctx.fillRect(x - board * 0.6, y - board * 0.4, w + board * 1.2, board * 1.4);
  for (const side of [x - board * 0.4, x + w - board * 0.6]) ctx.fillRect(side, y, board, h);
}

/** @param row its `y` is where the books stand */
function drawBooks(ctx: Context, row: Place, light: Light, random: Random): void {
  let at = row.x;
  const end = row.x + row.w;
  while (at < end - row.h * 0.1) {
    if (random() < 0.07) {
      at += row.h * between(random, 0.2, 0.5);
      continue;
    }
    const wide = Math.min(end - at, row.h * between(random, 0.1, 0.22));
    const high = row.h * between(random, 0.62, 0.95);
    const cloth = scale(rgb(pick(random, SPINES)), between(random, 0.8, 1.15));
    ctx.save();
    ctx.translate(at, row.y);
    if (random() < 0.06) ctx.transform(1, 0, -0.14, 1, 0, 0);
    ctx.fillStyle = css(lit(cloth, light, 0.4));
    ctx.fillRect(0, -high, wide * 0.94, high);
    ctx.fillStyle = css(lit(scale(cloth, 1.5), light, 0.5), 0.35);
    ctx.fillRect(wide * 0.12, -high, wide * 0.16, high);
    ctx.fillStyle = css(lit(rgb('#e2c98a'), light, 0.5), 0.8);
    for (const band of random() < 0.6 ? [0.82, 0.2] : [0.7]) ctx.fillRect(0, -high * band, wide * 0.94, high * 0.035);
    ctx.restore();
    at += wide;
  }
}

/** Brick and mantel, logs and flames, and their light on the floor. */
export function drawFireplace(ctx: Context, { x, y, w, h }: Place, light: Light, random: Random): void {
  drawBricks(ctx, { x, y, w, h }, light, random);
  const inner = { x: x + w * 0.2, y: y + h * 0.34, w: w * 0.6, h: h * 0.66 };
  ctx.fillStyle = '#120a07';
  ctx.beginPath();
  ctx.roundRect(inner.x, inner.y, inner.w, inner.h, [inner.w * 0.22, inner.w * 0.22, 0, 0]);
  ctx.fill();
  ctx.save();
  ctx.clip();
  const [middle, foot] = [inner.x + inner.w / 2, inner.y + inner.h];
  ctx.globalCompositeOperation = 'screen';
  glow(ctx, middle, foot - inner.h * 0.2, inner.w * 0.75, rgb('#ff7a22'), 0.85);
  ctx.globalCompositeOperation = 'source-over';
  drawFlames(ctx, middle, foot - inner.h * 0.1, inner.w, inner.h, random);
  ctx.restore();
  drawLogs(ctx, middle, foot, inner.w);
  const shelf = h * 0.07;
  ctx.fillStyle = css(lit(rgb('#6a4329'), light, 0.5));
  ctx.fillRect(x - w * 0.05, y - shelf, w * 1.1, shelf);
  ctx.fillStyle = 'rgba(20,10,4,.35)';
  ctx.fillRect(x, y, w, shelf * 0.5);
  ctx.fillStyle = css(lit(rgb('#77706a'), light, 0.35));
  ctx.fillRect(x - w * 0.08, y + h, w * 1.16, h * 0.06);
  ctx.globalCompositeOperation = 'screen';
  glow(ctx, middle, foot, w * 1.7, rgb('#ff8a3a'), light.time === 'night' || light.time === 'dusk' ? 0.5 : 0.28);
  ctx.globalCompositeOperation = 'source-over';
}

function drawBricks(ctx: Context, { x, y, w, h }: Place, light: Light, random: Random): void {
  ctx.fillStyle = css(lit(rgb('#b9aa98'), light, 0.3));
  ctx.fillRect(x, y, w, h);
  const tall = h / 13;
  const wide = w / 6;
  for (let row = 0; row < 13; row++)
    for (let i = -1; i < 7; i++) {
      const left = Math.max(x, x + (i + (row % 2) / 2) * wide);
      const right = Math.min(x + w, x + (i + 1 + (row % 2) / 2) * wide - wide * 0.06);
      if (right <= left) continue;
      ctx.fillStyle = css(lit(scale(rgb('#96523c'), between(random, 0.8, 1.15)), light, 0.35));
      ctx.fillRect(left, y + row * tall, right - left, tall * 0.88);
    }
}

const FLAMES = [
  ['#e8491b', 1],
  ['#ff8a1f', 0.74],
  ['#ffc64a', 0.5],
  ['#fff2b0', 0.26],
] as const;

function drawFlames(ctx: Context, x: number, foot: number, w: number, h: number, random: Random): void {
  const tongues = Array.from({ length: 7 }, (_, i) => ({
    at: (i - 3) * w * 0.1 + between(random, -0.02, 0.02) * w,
    high: h * between(random, 0.42, 0.72) * (1 - Math.abs(i - 3) * 0.13),
    bend: between(random, -0.06, 0.06) * w,
  }));
  for (const [colour, size] of FLAMES)
    for (const { at, high, bend } of tongues) {
      const [half, top] = [w * 0.095 * (0.4 + 0.6 * size), high * (0.35 + 0.65 * size)];
      ctx.fillStyle = css(rgb(colour), 0.82);
      ctx.beginPath();
      ctx.moveTo(x + at - half, foot);
      ctx.bezierCurveTo(
        x + at - half * 1.5,
        foot - top * 0.45,
        x + at + bend - half * 0.2,
        foot - top * 0.6,
        x + at + bend,
        foot - top,
      );
      ctx.bezierCurveTo(
        x + at + bend + half * 0.5,
        foot - top * 0.55,
        x + at + half * 1.5,
        foot - top * 0.4,
        x + at + half,
        foot,
      );
      ctx.fill();
    }
}

function drawLogs(ctx: Context, x: number, foot: number, w: number): void {
  for (const [dx, dy, turn] of [
    [-0.13, 0.07, 0.1],
    [0.13, 0.07, -0.1],
    [0, 0.13, 0.04],
  ] as const) {
    ctx.save();
    ctx.translate(x + dx * w, foot - dy * w);
    ctx.rotate(turn);
    ctx.fillStyle = '#3a2014';
    ctx.beginPath();
    ctx.roundRect(-w * 0.21, -w * 0.05, w * 0.42, w * 0.1, w * 0.05);
    ctx.fill();
    ctx.fillStyle = 'rgba(255,140,50,.4)';
    ctx.fillRect(-w * 0.17, -w * 0.047, w * 0.34, w * 0.018);
    ctx.fillStyle = '#b98a58';
    ctx.beginPath();
    ctx.ellipse(w * 0.19, 0, w * 0.03, w * 0.046, 0, 0, 7);
    ctx.fill();
    ctx.restore();
  }
}
