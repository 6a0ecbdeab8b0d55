import { type Canvas, emptyCanvas } from '../canvas.ts';
import { css, rgb } from '../colour.ts';

/** Covers a cell with the image, its middle kept. */
function cover(
  ctx: ReturnType<typeof emptyCanvas>['ctx'],
  image: Canvas,
  x: number,
  y: number,
  w: number,
  h: number,
): void {
  const k = Math.max(w / image.width, h / image.height);
  const [sw, sh] = [w / k, h / k];
  ctx.drawImage(image, (image.width - sw) / 2, (image.height - sh) / 2, sw, sh, x, y, w, h);
}

/** Longest side of a collage, pixels. */
const COLLAGE_SIDE = 1536;

/** Images side by side, one below the other, or in a grid. */
export function collage(images: Canvas[], kind: 'row' | 'column' | 'grid'): Canvas {
  const n = images.length;
  const columns = kind === 'row' ? n : kind === 'column' ? 1 : n === 2 ? 2 : n <= 4 ? 2 : 3;
  const rows = Math.ceil(n / columns);
  const first = images[0] as Canvas;
  const k = Math.min(1, COLLAGE_SIDE / Math.max(first.width * columns, first.height * rows));
  const [cw, ch] = [Math.round(first.width * k), Math.round(first.height * k)];
  const gap = Math.max(2, Math.round(Math.min(cw, ch) * 0.02));
  const { canvas, ctx } = emptyCanvas(cw * columns + gap * (columns + 1), ch * rows + gap * (rows + 1));
  ctx.fillStyle = css(rgb('#f7f5ef'));
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  for (const [i, image] of images.entries()) {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, n - row * columns);
    // A short last row is stretched over the whole width: no hole is left.
    const w = (canvas.width - gap * (inRow + 1)) / inRow;
    cover(ctx, image, gap + (i - row * columns) * (w + gap), gap + row * (ch + gap), w, ch);
  }
  return canvas;
}

/** The mean of all images, each covering the first one's size. */
export function blend(images: Canvas[]): Canvas {
  const first = images[0] as Canvas;
  const { canvas, ctx } = emptyCanvas(first.width, first.height);
  for (const [i, image] of images.entries()) {
    ctx.globalAlpha = 1 / (i + 1);
    cover(ctx, image, 0, 0, first.width, first.height);
  }
  return canvas;
}
