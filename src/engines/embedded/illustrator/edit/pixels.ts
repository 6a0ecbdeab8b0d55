/** Operations on the pixels of a picture. Each takes a picture and gives a new one; none knows of prompts. */
import { type Canvas, copyOf, sheet } from '../canvas.ts';
import { css, fromHsl, type Rgb, rgb, toHsl } from '../colour.ts';
import { seeded, smoothstep } from '../random.ts';

/** Maps each pixel's colour in place of a copy; alpha stays. */
export function mapPixels(source: Canvas, map: (r: number, g: number, b: number, out: Float32Array) => void): Canvas {
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

const grey = (r: number, g: number, b: number): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

export const toGrey = (source: Canvas): Canvas =>
  mapPixels(source, (r, g, b, out) => void out.fill(Math.round(grey(r, g, b))));

export const sepia = (source: Canvas): Canvas =>
  mapPixels(source, (r, g, b, out) => {
    const v = grey(r, g, b);
    out[0] = Math.min(255, v * 1.07 + 20);
    out[1] = v * 0.9 + 10;
    out[2] = v * 0.68;
  });

export const invert = (source: Canvas): Canvas =>
  mapPixels(source, (r, g, b, out) => out.set([255 - r, 255 - g, 255 - b]));

/** @param amount -1..1; gamma, so that neither white nor black is lost. */
export function brighten(source: Canvas, amount: number): Canvas {
  const gamma = 2 ** -amount;
  const table = Float32Array.from({ length: 256 }, (_, v) => 255 * (v / 255) ** gamma);
  return mapPixels(source, (r, g, b, out) => out.set([table[r] as number, table[g] as number, table[b] as number]));
}

export const stretchContrast = (source: Canvas, factor: number): Canvas =>
  mapPixels(source, (r, g, b, out) =>
    out.set([128 + (r - 128) * factor, 128 + (g - 128) * factor, 128 + (b - 128) * factor]),
  );

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

export function posterize(source: Canvas, levels: number): Canvas {
  const step = 255 / (levels - 1);
  return mapPixels(source, (r, g, b, out) =>
    out.set([Math.round(r / step) * step, Math.round(g / step) * step, Math.round(b / step) * step]),
  );
}

/** @param share blur radius as a share of the longer side. */
export function blur(source: Canvas, share: number): Canvas {
  const { canvas, ctx } = sheet(source.width, source.height);
  const radius = Math.max(1, Math.max(source.width, source.height) * share);
  // Drawn a little larger underneath, or the edges would fade to transparent.
  ctx.filter = `blur(${radius.toFixed(1)}px)`;
  ctx.drawImage(source, -radius * 2, -radius * 2, source.width + radius * 4, source.height + radius * 4);
  ctx.drawImage(source, 0, 0);
  ctx.filter = 'none';
  return canvas;
}

/** Sharp in an ellipse about the middle (or a known face), soft outside: what a lens wide open does. */
export function blurBackground(source: Canvas, focus?: { x: number; y: number; w: number; h: number }): Canvas {
  const { width, height } = source;
  const soft = copyOf(blur(source, 0.018));
  const sharp = copyOf(source);
  const middle = focus
    ? { x: (focus.x + focus.w / 2) * width, y: (focus.y + focus.h * 0.6) * height }
    : { x: width / 2, y: height * 0.54 };
  const radius = focus ? Math.max(focus.w * width, focus.h * height) * 1.25 : Math.min(width, height) * 0.5;
  const mask = sharp.ctx.createRadialGradient(middle.x, middle.y, radius * 0.62, middle.x, middle.y, radius);
  mask.addColorStop(0, 'rgba(0,0,0,1)');
  mask.addColorStop(1, 'rgba(0,0,0,0)');
  sharp.ctx.globalCompositeOperation = 'destination-in';
  sharp.ctx.fillStyle = mask;
  sharp.ctx.fillRect(0, 0, width, height);
  soft.ctx.drawImage(sharp.canvas, 0, 0);
  return soft.canvas;
}

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

export function pixelate(source: Canvas, across = 56): Canvas {
  const cell = Math.max(2, Math.round(Math.max(source.width, source.height) / across));
  const small = sheet(Math.ceil(source.width / cell), Math.ceil(source.height / cell));
  small.ctx.drawImage(source, 0, 0, small.canvas.width, small.canvas.height);
  const { canvas, ctx } = sheet(source.width, source.height);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(small.canvas, 0, 0, small.canvas.width * cell, small.canvas.height * cell);
  return canvas;
}

/** Pencil: the picture divided by its own blur leaves the lines; paper grain over it. */
export function sketch(source: Canvas): Canvas {
  const { width, height } = source;
  const plain = toGrey(source);
  const soft = blur(plain, 0.008).getContext('2d').getImageData(0, 0, width, height).data;
  const ctx = plain.getContext('2d');
  const image = ctx.getImageData(0, 0, width, height);
  const random = seeded(7, 'paper');
  const grain = Float32Array.from({ length: 4099 }, () => random());
  for (let i = 0, k = 0; i < soft.length; i += 4, k = (k + 1 + (i & 15)) % 4099) {
    const v = image.data[i] as number;
    const line = Math.min(1, (v + 2) / ((soft[i] as number) + 2));
    // Darker parts are hatched: tone shows through the grain of the paper.
    const tone = 1 - (1 - v / 255) * 0.45 * (grain[k] as number);
    const paper = 250 * line ** 2.2 * tone;
    image.data[i] = paper;
    image.data[i + 1] = paper * 0.995;
    image.data[i + 2] = paper * 0.975;
  }
  ctx.putImageData(image, 0, 0);
  return plain;
}

/** Kuwahara: each pixel takes the mean of its calmest neighbouring square, which looks like laid paint. */
export function paintStrokes(source: Canvas, share = 0.0045): Canvas {
  const { width, height } = source;
  const { canvas, ctx } = copyOf(source);
  const image = ctx.getImageData(0, 0, width, height);
  const { data } = image;
  const r = Math.max(2, Math.round(Math.max(width, height) * share));
  const w1 = width + 1;
  const sums = [0, 1, 2, 3, 4].map(() => new Float64Array(w1 * (height + 1)));
  for (let y = 0; y < height; y++) {
    const row = [0, 0, 0, 0, 0];
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4;
      const v = grey(data[i] as number, data[i + 1] as number, data[i + 2] as number);
      const values = [data[i] as number, data[i + 1] as number, data[i + 2] as number, v, v * v];
      const at = (y + 1) * w1 + x + 1;
      for (let c = 0; c < 5; c++) {
        row[c] = (row[c] as number) + (values[c] as number);
        (sums[c] as Float64Array)[at] = (row[c] as number) + ((sums[c] as Float64Array)[at - w1] as number);
      }
    }
  }
  const area = (c: number, x0: number, y0: number, x1: number, y1: number) => {
    const s = sums[c] as Float64Array;
    return (
      (s[y1 * w1 + x1] as number) -
      (s[y0 * w1 + x1] as number) -
      (s[y1 * w1 + x0] as number) +
      (s[y0 * w1 + x0] as number)
    );
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let best = Number.POSITIVE_INFINITY;
      let from = [0, 0, 1, 1];
      for (let q = 0; q < 4; q++) {
        const x0 = Math.max(0, q % 2 ? x : x - r);
        const x1 = Math.min(width, (q % 2 ? x + r : x) + 1);
        const y0 = Math.max(0, q > 1 ? y : y - r);
        const y1 = Math.min(height, (q > 1 ? y + r : y) + 1);
        const n = (x1 - x0) * (y1 - y0);
        const mean = area(3, x0, y0, x1, y1) / n;
        const variance = area(4, x0, y0, x1, y1) / n - mean * mean;
        if (variance < best) {
          best = variance;
          from = [x0, y0, x1, y1];
        }
      }
      const [x0, y0, x1, y1] = from as [number, number, number, number];
      const n = (x1 - x0) * (y1 - y0);
      const i = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) data[i + c] = area(c, x0, y0, x1, y1) / n;
    }
  }
  ctx.putImageData(image, 0, 0);
  return canvas;
}

/** Flat paint with ink lines where the picture changes fast. */
export function cartoon(source: Canvas): Canvas {
  const { width, height } = source;
  const flat = saturate(posterize(paintStrokes(source), 8), 1.35);
  const lines = toGrey(blur(source, 0.0012)).getContext('2d').getImageData(0, 0, width, height).data;
  const ctx = flat.getContext('2d');
  const image = ctx.getImageData(0, 0, width, height);
  const at = (x: number, y: number) =>
    lines[(Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))) * 4] as number;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const edge = Math.abs(at(x + 1, y) - at(x - 1, y)) + Math.abs(at(x, y + 1) - at(x, y - 1));
      const ink = 1 - smoothstep(16, 46, edge) * 0.88;
      const i = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) image.data[i + c] = (image.data[i + c] as number) * ink;
    }
  }
  ctx.putImageData(image, 0, 0);
  return flat;
}

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

export const goldenGrade = (source: Canvas): Canvas =>
  mapPixels(source, (r, g, b, out) => {
    const v = grey(r, g, b) / 255;
    out.set([r * 1.06 + 30 * v + 14, g * 0.93 + 14 * v + 2, b * 0.66 + 26 * (1 - v)]);
  });

/** A mount round the whole picture; nothing of it is covered. */
export function frame(source: Canvas, colour: Rgb, share = 0.055, lower = 1): Canvas {
  const edge = Math.round(Math.min(source.width, source.height) * share);
  const { canvas, ctx } = sheet(source.width + edge * 2, source.height + edge * (1 + lower));
  ctx.fillStyle = css(colour);
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(source, edge, edge);
  return canvas;
}

/** A manner of painting named in a generation prompt. */
export function applyStyle(source: Canvas, style: string): Canvas {
  switch (style) {
    case 'watercolour':
      return brighten(saturate(paintStrokes(source, 0.006), 0.9), 0.15);
    case 'pencil':
      return sketch(source);
    case 'noir':
      return stretchContrast(toGrey(source), 1.15);
    case 'vintage':
      return vignette(sepia(source));
    case 'pixel':
      return pixelate(source, 110);
    default:
      return source;
  }
}
