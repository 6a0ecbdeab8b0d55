import { type Canvas, emptyCanvas } from '../canvas.ts';
import { rgb } from '../colour.ts';
import type { Size } from '../sizes.ts';
import * as px from './pixels.ts';
import type { CropRegion, One } from './rules.ts';

/** Left, top, width and height of what a crop keeps, in whole pixels. */
export function cropBox({ width: w, height: h }: Size, region: CropRegion): [number, number, number, number] {
  const half = {
    left: [0, 0, w / 2, h],
    right: [w / 2, 0, w / 2, h],
    top: [0, 0, w, h / 2],
    bottom: [0, h / 2, w, h / 2],
  };
  let box = half[region as keyof typeof half];
  if (region === 'centre') box = [w * 0.125, h * 0.125, w * 0.75, h * 0.75];
  if (!box) {
    const [rw, rh] = region === 'square' ? [1, 1] : (region.split(':').map(Number) as [number, number]);
    const cw = Math.min(w, (h * rw) / rh);
    const ch = Math.min(h, (w * rh) / rw);
    box = [(w - cw) / 2, (h - ch) / 2, cw, ch];
  }
  return box.map(Math.round) as [number, number, number, number];
}

/** Keeps a region. */
export function crop(image: Canvas, region: CropRegion): Canvas {
  const [x, y, cw, ch] = cropBox(image, region);
  const { canvas, ctx } = emptyCanvas(cw, ch);
  ctx.drawImage(image, -x, -y);
  return canvas;
}

/** Quarter turns are exact; other angles enlarge the image so that no corner is empty. */
export function rotate(image: Canvas, degrees: number): Canvas {
  const { width: w, height: h } = image;
  const turn = (((degrees % 360) + 360) % 360) as number;
  const isQuarter = turn % 90 === 0;
  const swap = isQuarter && turn % 180 !== 0;
  const { canvas, ctx } = emptyCanvas(swap ? h : w, swap ? w : h);
  const angle = (turn * Math.PI) / 180;
  ctx.imageSmoothingEnabled = !isQuarter;
  ctx.translate(canvas.width / 2, canvas.height / 2);
  ctx.rotate(angle);
  if (!isQuarter) {
    const [c, s] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
    const grow = Math.max((w * c + h * s) / w, (w * s + h * c) / h);
    ctx.scale(grow, grow);
  }
  ctx.drawImage(image, -w / 2, -h / 2);
  return canvas;
}

/** Mirrors the image. */
export function flip(image: Canvas, axis: 'horizontal' | 'vertical'): Canvas {
  const { canvas, ctx } = emptyCanvas(image.width, image.height);
  if (axis === 'horizontal') {
    ctx.translate(image.width, 0);
    ctx.scale(-1, 1);
  } else {
    ctx.translate(0, image.height);
    ctx.scale(1, -1);
  }
  ctx.drawImage(image, 0, 0);
  return canvas;
}

/** Puts a frame round the image. */
export function frame(image: Canvas, { colour, kind }: One<'frame'>): Canvas {
  if (kind === 'polaroid') return px.frame(image, rgb('#fbfaf5'), 0.05, 4);
  const outer = px.frame(image, rgb(colour), { thin: 0.022, plain: 0.055, thick: 0.1 }[kind]);
  const ctx = outer.getContext('2d');
  const edge = (outer.width - image.width) / 2;
  // A bevel: light above and left, dark below and right of the opening.
  ctx.lineWidth = Math.max(1, edge * 0.05);
  ctx.strokeStyle = 'rgba(0,0,0,.35)';
  ctx.strokeRect(edge - 1, edge - 1, image.width + 2, image.height + 2);
  ctx.strokeStyle = 'rgba(255,255,255,.35)';
  ctx.strokeRect(edge * 0.12, edge * 0.12, outer.width - edge * 0.24, outer.height - edge * 0.24);
  return outer;
}
