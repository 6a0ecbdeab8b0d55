/** Ink that can be read: measures what lies under the letters and chooses colour, shadow and veil by contrast. */
import type { Canvas, Context } from '../canvas.ts';
import { contrast, css, mapRgb, mix, type Rgb } from '../colour.ts';
import { type Box, drawLines, type SetLine } from './layout.ts';

/** WCAG 2's minimum for text; we ask it of the whole region's spread, not only of its mean. */
const READABLE = 4.5;
/** Opacity of the veil behind letters: even white letters on white have a contrast of 5 through it. */
const STEADY_VEIL = 0.45;

/** Colours of a part of an image. */
export interface Region {
  mean: Rgb;
  /** Mean plus and minus two deviations, clamped: nearly all of what is there lies between. */
  darkest: Rgb;
  brightest: Rgb;
  /** How restless it is, 0..1. */
  unrest: number;
}

/** Measures the colours of a box. */
export function measure(canvas: Canvas, box: Box): Region {
  const [x, y] = [Math.max(0, Math.floor(box.x)), Math.max(0, Math.floor(box.y))];
  const [w, h] = [
    Math.max(1, Math.min(canvas.width - x, Math.ceil(box.w))),
    Math.max(1, Math.min(canvas.height - y, Math.ceil(box.h))),
  ];
  const { data } = canvas.getContext('2d').getImageData(x, y, w, h);
  const sum: [number, number, number] = [0, 0, 0];
  const square: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < data.length; i += 4 * 7) {
    count++;
    for (const c of [0, 1, 2] as const) {
      const v = data[i + c] as number;
      sum[c] += v;
      square[c] += v * v;
    }
  }
  const mean = mapRgb(sum, (v) => v / count);
  const spread = mapRgb(square, (v, c) => Math.sqrt(Math.max(0, v / count - mean[c] ** 2)));
  const shift = (k: number) => mapRgb(mean, (v, c) => Math.min(255, Math.max(0, v + k * spread[c])));
  return {
    mean,
    darkest: shift(-2),
    brightest: shift(2),
    unrest: ((spread[0] as number) + (spread[1] as number) + (spread[2] as number)) / 3 / 80,
  };
}

const WHITE: Rgb = [255, 254, 250];
const BLACK: Rgb = [18, 18, 24];

/** White or near black, whichever stands off the region better; `wanted` when it can be read as well. */
function inkFor(region: Region, wanted?: Rgb): { ink: Rgb; isLight: boolean; isReadable: boolean } {
  const worst = (ink: Rgb) => Math.min(contrast(ink, region.darkest), contrast(ink, region.brightest));
  if (wanted && worst(wanted) >= READABLE)
    return { ink: wanted, isLight: contrast(wanted, BLACK) > contrast(wanted, WHITE), isReadable: true };
  const isLight = contrast(WHITE, region.mean) >= contrast(BLACK, region.mean) * 0.6;
  const ink = isLight ? WHITE : BLACK;
  return { ink, isLight, isReadable: worst(ink) >= READABLE };
}

/**
 * Letters straight over an image. Where the image is too bright, dark or restless, a soft veil is laid under them
 * first, only as strong as the measured contrast asks for.
 */
export function letterOver(ctx: Context, canvas: Canvas, lines: SetLine[], wanted?: Rgb): void {
  const area = boundsOf(lines, 0.35);
  const first = inkFor(measure(canvas, area), wanted);
  if (!first.isReadable) {
    for (let strength = 0.35; strength <= 0.85; strength += 0.25) {
      veil(ctx, area, first.isLight ? BLACK : WHITE, 0.35);
      if (inkFor(measure(canvas, boundsOf(lines, 0)), first.ink).isReadable) break;
    }
  }
  inkLetters(ctx, lines, first.ink, first.isLight);
}

/** Letters over what will change behind them: white on a veil that is dark enough for a white wall. */
export function letterSteadily(ctx: Context, lines: SetLine[]): void {
  veil(ctx, boundsOf(lines, 0.35), BLACK, STEADY_VEIL);
  inkLetters(ctx, lines, WHITE, true);
}

function inkLetters(ctx: Context, lines: SetLine[], ink: Rgb, isLight: boolean): void {
  const edge = isLight ? BLACK : WHITE;
  const size = Math.max(...lines.map((line) => line.size));
  ctx.save();
  ctx.shadowColor = css(edge, 0.75);
  ctx.shadowBlur = size * 0.14;
  ctx.lineJoin = 'round';
  ctx.lineWidth = Math.max(1.5, size * 0.045);
  ctx.strokeStyle = css(mix(edge, ink, 0.05), 0.7);
  drawLines(ctx, lines, 'stroke');
  ctx.restore();
  ctx.fillStyle = css(ink);
  drawLines(ctx, lines);
}

/** The box round lines. @param margin in sizes of the type */
export function boundsOf(lines: SetLine[], margin: number): Box {
  const left = Math.min(...lines.map((line) => line.x - line.width / 2 - line.size * margin));
  const right = Math.max(...lines.map((line) => line.x + line.width / 2 + line.size * margin));
  const top = Math.min(...lines.map((line) => line.y - line.size * (0.95 + margin)));
  const bottom = Math.max(...lines.map((line) => line.y + line.size * (0.28 + margin)));
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/** A soft-edged veil over a box, feathered so that no panel is seen. */
function veil(ctx: Context, box: Box, colour: Rgb, strength: number): void {
  const feather = Math.min(box.h * 0.35, 60);
  ctx.save();
  ctx.filter = `blur(${feather.toFixed(0)}px)`;
  ctx.fillStyle = css(colour, Math.min(0.9, strength * 1.25));
  ctx.fillRect(box.x - feather * 0.4, box.y - feather * 0.3, box.w + feather * 0.8, box.h + feather * 0.6);
  ctx.restore();
  ctx.filter = 'none';
}
