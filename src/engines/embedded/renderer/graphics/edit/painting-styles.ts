/** Styles of painting laid over an image: pencil, brush, ink and wash, and the styles a prompt can name. */
import { type Canvas, copyOf } from '../canvas.ts';
import { smoothstep } from '../numbers.ts';
import { seeded } from '../random.ts';
import {
  blur,
  brighten,
  grey,
  pixelate,
  posterize,
  saturate,
  sepia,
  stretchContrast,
  toGrey,
  vignette,
} from './pixels.ts';

/** Pencil: the image divided by its own blur leaves the lines; paper grain over it. */
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

/** Flat paint with ink lines where the image changes fast. */
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

/** A style of painting named in a generation prompt. */
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
