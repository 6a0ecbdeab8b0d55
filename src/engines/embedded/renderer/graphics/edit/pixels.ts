/** Operations on the pixels of an image. Each takes an image and gives a new one; none knows of prompts. */
import { type Canvas, copyOf, emptyCanvas } from '../canvas.ts';
import { css, fromHsl, type Rgb, rgb, toHsl } from '../colour.ts';

/** Maps each pixel's colour in place of a copy; alpha stays. */
function mapPixels(source: Canvas, map: (r: number, g: number, b: number, out: Float32Array) => void): Canvas {
  const { canvas, ctx } = copyOf(source);
  const image = ctx.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = image;
  const out = new Float32Array(3);
  for (let i = 0; i < data.length; i += 4) {
    map(data[i] as number, data[i + 1] as number, data[i + 2] as number, out);
    data[i] = out[0] as number;
    data[i + 1] = out[1] as number;
    data[i + 2] = out[2] as number;
  }
  ctx.putImageData(image, 0, 0);
  return canvas;
}

/** Luma of a colour. */
export const grey = (r: number, g: number, b: number): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** Without colour. */
export const toGrey = (source: Canvas): Canvas =>
  mapPixels(source, (r, g, b, out) => void out.fill(Math.round(grey(r, g, b))));

/** In brown tones. */
export const sepia = (source: Canvas): Canvas =>
  mapPixels(source, (r, g, b, out) => {
    const v = grey(r, g, b);
    out[0] = Math.min(255, v * 1.07 + 20);
    out[1] = v * 0.9 + 10;
    out[2] = v * 0.68;
  });

/** As a negative. */
export const invert = (source: Canvas): Canvas =>
  mapPixels(source, (r, g, b, out) => out.set([255 - r, 255 - g, 255 - b]));

/** @param amount -1..1; gamma, so that neither white nor black is lost. */
export function brighten(source: Canvas, amount: number): Canvas {
  const gamma = 2 ** -amount;
  const table = Float32Array.from({ length: 256 }, (_, v) => 255 * (v / 255) ** gamma);
  return mapPixels(source, (r, g, b, out) => out.set([table[r] as number, table[g] as number, table[b] as number]));
}

/** @param factor above 1 for more contrast */
export const stretchContrast = (source: Canvas, factor: number): Canvas =>
  mapPixels(source, (r, g, b, out) =>
    out.set([128 + (r - 128) * factor, 128 + (g - 128) * factor, 128 + (b - 128) * factor]),
  );

/** @param factor above 1 for stronger colours */
export const saturate = (source: Canvas, factor: number): Canvas =>
  mapPixels(source, (r, g, b, out) => {
    const v = grey(r, g, b);
    out.set([v + (r - v) * factor, v + (g - v) * factor, v + (b - v) * factor]);
  });

/** Gives everything the colour's hue; light and dark stay. */
export function tint(source: Canvas, colour: string): Canvas {
  const [hue, saturation] = toHsl(rgb(colour));
  return mapPixels(source, (r, g, b, out) =>
    out.set(fromHsl(hue, Math.max(0.25, Math.min(0.75, saturation)), grey(r, g, b) / 255)),
  );
}

/** @param amount positive towards amber, negative towards blue. */
export const warm = (source: Canvas, amount: number): Canvas =>
  mapPixels(source, (r, g, b, out) => out.set([r + 34 * amount, g + 8 * amount, b - 34 * amount]));

/** @param levels of each channel */
export function posterize(source: Canvas, levels: number): Canvas {
  const step = 255 / (levels - 1);
  return mapPixels(source, (r, g, b, out) =>
    out.set([Math.round(r / step) * step, Math.round(g / step) * step, Math.round(b / step) * step]),
  );
}

/** @param share blur radius as a share of the longer side. */
export function blur(source: Canvas, share: number): Canvas {
  const { canvas, ctx } = emptyCanvas(source.width, source.height);
  const radius = Math.max(1, Math.max(source.width, source.height) * share);
  // Drawn a little larger underneath, or the edges would fade to transparent.
  ctx.filter = `blur(${radius.toFixed(1)}px)`;
  ctx.drawImage(source, -radius * 2, -radius * 2, source.width + radius * 4, source.height + radius * 4);
  ctx.drawImage(source, 0, 0);
  ctx.filter = 'none';
  return canvas;
}

/** Sharp in an ellipse about the middle (or a known face), soft outside: what a lens wide open does. */
export function sharpen(source: Canvas): Canvas {
  const { width, height } = source;
  const soft = blur(source, 0.0016).getContext('2d').getImageData(0, 0, width, height).data;
  const { canvas, ctx } = copyOf(source);
  const image = ctx.getImageData(0, 0, width, height);
  for (let i = 0; i < soft.length; i++)
    if (i % 4 < 3) image.data[i] = (image.data[i] as number) + ((image.data[i] as number) - (soft[i] as number)) * 1.3;
  ctx.putImageData(image, 0, 0);
  return canvas;
}

/** @param across cells along the longer side */
export function pixelate(source: Canvas, across = 56): Canvas {
  const cell = Math.max(2, Math.round(Math.max(source.width, source.height) / across));
  const small = emptyCanvas(Math.ceil(source.width / cell), Math.ceil(source.height / cell));
  small.ctx.drawImage(source, 0, 0, small.canvas.width, small.canvas.height);
  const { canvas, ctx } = emptyCanvas(source.width, source.height);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(small.canvas, 0, 0, small.canvas.width * cell, small.canvas.height * cell);
  return canvas;
}

/** Darker towards the corners. */
export function vignette(source: Canvas): Canvas {
  const { canvas, ctx } = copyOf(source);
  const { width, height } = canvas;
  const dark = ctx.createRadialGradient(
    width / 2,
    height / 2,
    Math.min(width, height) * 0.32,
    width / 2,
    height / 2,
    Math.hypot(width, height) * 0.54,
  );
  dark.addColorStop(0, 'rgba(0,0,0,0)');
  dark.addColorStop(1, 'rgba(0,0,0,.85)');
  ctx.fillStyle = dark;
  ctx.fillRect(0, 0, width, height);
  return canvas;
}

/** Day for night: darker, bluer, flatter, with what was brightest left as moonlight. */
export const nightGrade = (source: Canvas): Canvas =>
  mapPixels(source, (r, g, b, out) => {
    const v = grey(r, g, b) / 255;
    const lift = 0.24 + 0.3 * v * v;
    out.set([
      (r * 0.55 + v * 70) * lift * 0.95,
      (g * 0.6 + v * 80) * lift * 1.05,
      (b * 0.7 + v * 105) * lift * 1.5 + 14,
    ]);
  });

/** In the light of the golden hour. */
export const goldenGrade = (source: Canvas): Canvas =>
  mapPixels(source, (r, g, b, out) => {
    const v = grey(r, g, b) / 255;
    out.set([r * 1.06 + 30 * v + 14, g * 0.93 + 14 * v + 2, b * 0.66 + 26 * (1 - v)]);
  });

/** A mount round the whole image; nothing of it is covered. */
export function frame(source: Canvas, colour: Rgb, share = 0.055, lower = 1): Canvas {
  const edge = Math.round(Math.min(source.width, source.height) * share);
  const { canvas, ctx } = emptyCanvas(source.width + edge * 2, source.height + edge * (1 + lower));
  ctx.fillStyle = css(colour);
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(source, edge, edge);
  return canvas;
}
