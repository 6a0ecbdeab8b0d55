/**
 * Shades a surface given as heights over the drawing plane: normals, a soft key light from the upper left, a cool rim
 * light from the right, and colours from a ramp. It is what makes faces and cloth look round under one light. The grid
 * is coarse (a unit or more a sample) and is enlarged smoothly; crisp lines are painted over it.
 */
import { createCanvas } from '@napi-rs/canvas';
import type { Pen } from './layer.ts';

/** A round bump or colour spot: centre, spread and amount. */
export interface Bump {
  x: number;
  y: number;
  sx: number;
  sy: number;
  amount: number;
}

export interface Field {
  x0: number;
  y0: number;
  step: number;
  columns: number;
  rows: number;
  values: Float32Array;
}

export function fieldOf(x0: number, y0: number, x1: number, y1: number, step: number): Field {
  const columns = Math.ceil((x1 - x0) / step) + 1;
  const rows = Math.ceil((y1 - y0) / step) + 1;
  return { x0, y0, step, columns, rows, values: new Float32Array(columns * rows) };
}

/** Adds bumps; each touches only the samples within three spreads, which keeps sixty of them affordable. */
export function addBumps(field: Field, bumps: readonly Bump[]): void {
  const { x0, y0, step, columns, rows, values } = field;
  for (const { x, y, sx, sy, amount } of bumps) {
    const i0 = Math.max(0, Math.floor((x - 3 * sx - x0) / step));
    const i1 = Math.min(columns - 1, Math.ceil((x + 3 * sx - x0) / step));
    const j0 = Math.max(0, Math.floor((y - 3 * sy - y0) / step));
    const j1 = Math.min(rows - 1, Math.ceil((y + 3 * sy - y0) / step));
    const across = new Float32Array(Math.max(0, i1 - i0 + 1));
    for (let i = i0; i <= i1; i++) across[i - i0] = Math.exp(-(((x0 + i * step - x) / sx) ** 2));
    for (let j = j0; j <= j1; j++) {
      const down = amount * Math.exp(-(((y0 + j * step - y) / sy) ** 2));
      for (let i = i0; i <= i1; i++) values[j * columns + i]! += down * across[i - i0]!;
    }
  }
}

/** Light on one sample: diffuse 0..1, highlight, rim and steepness (0 facing the viewer, 1 edge-on). */
export interface Light {
  diffuse: number;
  highlight: number;
  rim: number;
  edge: number;
}

const KEY = normal(-0.5, -0.55, 0.68);
const HALF = normal(-0.25, -0.34, 0.9);

function normal(x: number, y: number, z: number): readonly [number, number, number] {
  const l = Math.hypot(x, y, z);
  return [x / l, y / l, z / l];
}

/** Renders the field: `paint` writes r, g, b, a (0..255) of sample `index` into `out`. Laid over the pen's clip. */
export function render(
  pen: Pen,
  field: Field,
  shine: number,
  paint: (out: Uint8ClampedArray, at: number, light: Light, index: number) => void,
): void {
  const { x0, y0, step, columns, rows, values } = field;
  const canvas = createCanvas(columns, rows);
  const ctx = canvas.getContext('2d');
  const image = ctx.createImageData(columns, rows);
  const light: Light = { diffuse: 0, highlight: 0, rim: 0, edge: 0 };
  for (let j = 0; j < rows; j++) {
    const up = Math.max(0, j - 1) * columns;
    const down = Math.min(rows - 1, j + 1) * columns;
    for (let i = 0; i < columns; i++) {
      const index = j * columns + i;
      const dx =
        (values[j * columns + Math.min(columns - 1, i + 1)]! - values[j * columns + Math.max(0, i - 1)]!) / (2 * step);
      const dy = (values[down + i]! - values[up + i]!) / (2 * step);
      const inv = 1 / Math.sqrt(dx * dx + dy * dy + 1);
      const nx = -dx * inv;
      const ny = -dy * inv;
      light.diffuse = Math.max(0, (nx * KEY[0] + ny * KEY[1] + inv * KEY[2] + 0.5) / 1.5);
      light.edge = 1 - inv;
      light.highlight = Math.max(0, nx * HALF[0] + ny * HALF[1] + inv * HALF[2]) ** shine;
      light.rim = light.edge * light.edge * Math.max(0, nx * 0.95 - ny * 0.3);
      paint(image.data, index * 4, light, index);
    }
  }
  ctx.putImageData(image, 0, 0);
  pen.save();
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(canvas, x0 - step / 2, y0 - step / 2, columns * step, rows * step);
  pen.restore();
}
