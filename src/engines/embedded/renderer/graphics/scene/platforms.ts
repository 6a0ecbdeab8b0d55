/** What is stood on before a view: a balcony with its railing, a porch under its roof, a roof with its chimney, a pier. */
import { type Canvas, type Context, emptyCanvas } from '../canvas.ts';
import { css, rgb, scale } from '../colour.ts';
import { seeded } from '../random.ts';
import type { Platform } from '../vocabulary.ts';
import { drawBoards } from './boards.ts';
import { type Light, lit } from './light.ts';
import type { Stage } from './stage.ts';

const ROWS = 9;

/** Its floor and what bounds it, over the whole image, for subjects to be drawn before. */
export function drawPlatform(kind: Platform, width: number, height: number, light: Light, seed: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  if (kind === 'roof') tiles(ctx, width, height, light);
  else {
    const floorY = height * 0.76;
    const wood = { porch: '#a8774a', balcony: '#b9a78e', pier: '#9c8468' }[kind];
    drawBoards(
      ctx,
      width,
      height,
      { floorY, vanishY: floorY - height * 0.3 },
      lit(rgb(wood), light, 0.5),
      seeded(seed, 'platform'),
    );
    if (kind === 'porch') porch(ctx, width, height, light);
    else if (kind === 'pier') bollards(ctx, width, height, light);
    else railing(ctx, width, height, light, 0, width);
  }
  return canvas;
}

/** The stage of the view with the platform's floor underfoot. */
export function onPlatform(kind: Platform, { water, sides: _river, ...stage }: Stage): Stage {
  // Boats stay in the water beside a pier.
  const beside = kind === 'pier' && water ? { water: { top: water.top, bottom: Math.min(water.bottom, 0.72) } } : {};
  return {
    ...beside,
    ...stage,
    surface: 'floor',
    groundTop: kind === 'roof' ? 0.8 : 0.82,
    heightAt: () => 0,
  };
}

function railing(ctx: Context, width: number, height: number, light: Light, from: number, to: number): void {
  const [top, foot] = [height * 0.6, height * 0.785];
  const paint = rgb('#f1ece2');
  ctx.fillStyle = css(lit(scale(paint, 0.82), light, 0.3));
  const step = width / 22;
  for (let x = from + step / 2; x < to; x += step) ctx.fillRect(x - width * 0.006, top, width * 0.012, foot - top);
  ctx.fillStyle = css(lit(paint, light, 0.5));
  ctx.fillRect(from, top - height * 0.014, to - from, height * 0.028);
  ctx.fillRect(from, foot - height * 0.012, to - from, height * 0.024);
}

/** What ships are made fast to. */
function bollards(ctx: Context, width: number, height: number, light: Light): void {
  ctx.fillStyle = css(lit(rgb('#6f5b46'), light, 0.3));
  ctx.fillRect(0, height * 0.755, width, height * 0.02);
  for (const x of [0.06, 0.34, 0.66, 0.94]) {
    ctx.fillStyle = css(lit(rgb('#5d4a38'), light, 0.4));
    ctx.fillRect(x * width - width * 0.017, height * 0.66, width * 0.034, height * 0.12);
    ctx.fillStyle = css(lit(rgb('#8b7458'), light, 0.5));
    ctx.beginPath();
    ctx.ellipse(x * width, height * 0.66, width * 0.017, height * 0.008, 0, 0, 7);
    ctx.fill();
  }
}

function porch(ctx: Context, width: number, height: number, light: Light): void {
  for (const [from, to] of [
    [0, width * 0.3],
    [width * 0.7, width],
  ] as const)
    railing(ctx, width, height, light, from, to);
  const post = (x: number): void => {
    ctx.fillStyle = css(lit(rgb('#f6f1e6'), light, 0.5));
    ctx.fillRect(x - width * 0.02, 0, width * 0.04, height * 0.8);
    ctx.fillStyle = css(lit(rgb('#d8cfbe'), light, 0.3));
    ctx.fillRect(x + width * 0.008, 0, width * 0.012, height * 0.8);
  };
  for (const x of [0.03, 0.3, 0.7, 0.97]) post(x * width);
  ctx.fillStyle = css(lit(rgb('#e3dac8'), light, 0.3));
  ctx.fillRect(0, 0, width, height * 0.085);
  ctx.fillStyle = css(lit(rgb('#8a6a4a'), light, 0.3));
  for (let i = 0; i < 16; i++) ctx.fillRect((i / 16) * width, 0, width * 0.004, height * 0.06);
  ctx.fillRect(0, height * 0.06, width, height * 0.025);
}

/** Rows of round tiles, their ridge, and a chimney. */
function tiles(ctx: Context, width: number, height: number, light: Light): void {
  const ridge = height * 0.72;
  const brick = rgb('#b5563f');
  const [x, w, top] = [width * 0.83, width * 0.1, height * 0.5];
  ctx.fillStyle = css(lit(brick, light, 0.45));
  ctx.fillRect(x, top, w, ridge - top + 4);
  ctx.fillStyle = css(lit(scale(brick, 0.72), light, 0.3));
  ctx.fillRect(x + w * 0.68, top, w * 0.32, ridge - top + 4);
  ctx.fillStyle = css(lit(rgb('#8a4432'), light, 0.4));
  ctx.fillRect(x - w * 0.1, top - height * 0.015, w * 1.2, height * 0.03);
  for (let row = 0; row < ROWS; row++) {
    const y = ridge + ((height - ridge) * row) / ROWS;
    const tall = (height - ridge) / ROWS;
    const wide = width * (0.045 + row * 0.003);
    for (let i = -1; i * wide < width + wide; i++) {
      const at = i * wide + (row % 2 ? wide / 2 : 0);
      ctx.fillStyle = css(lit(scale(rgb('#c0603f'), 0.82 + ((i * 7 + row * 5) % 5) * 0.06), light, 0.5));
      ctx.beginPath();
      ctx.moveTo(at, y);
      ctx.lineTo(at + wide, y);
      ctx.lineTo(at + wide, y + tall);
      ctx.quadraticCurveTo(at + wide / 2, y + tall * 1.6, at, y + tall);
      ctx.fill();
      ctx.strokeStyle = css(lit(rgb('#6e2f1f'), light, 0.3), 0.55);
      ctx.lineWidth = Math.max(1, width * 0.0016);
      ctx.stroke();
    }
  }
  ctx.fillStyle = css(lit(rgb('#8a4432'), light, 0.5));
  ctx.fillRect(0, ridge - height * 0.012, width, height * 0.024);
}
