/**
 * The light that lies over a head of hair: strands are filled in flat inks on a sheet of their own, and this light is
 * then laid over all of them at once. A thousand fills with a gradient each were most of a portrait's time (measured:
 * 0.18 ms a strand instead of 0.024).
 */
import { createCanvas } from '@napi-rs/canvas';
import { css, mix, type Rgb, times, tone, WHITE } from './colour.ts';
import type { Pen } from './layer.ts';
import type { Pt } from './shape.ts';

const LIT: Pt = [-90, -170];
const FAR: Pt = [110, 150];
/** Where between the two hair has its own colour. */
const EVEN = 0.35;
const RAISED = 0.16;
const LOWERED = 0.42;

/** Lighter or darker hair. It darkens towards warm brown: blonde mixed with black would turn olive. */
export const shaded = (colour: Rgb, amount: number): Rgb =>
  amount < 0 ? mix(colour, times(colour, 0.2, 0.12, 0.08), -amount) : tone(colour, amount);

/** The part of the drawing that `paint` stays within, in drawing units. */
export interface Extent {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Lays over the pen, under its clip, what `paint` draws in flat inks, lit from the upper left. */
export function underLight(pen: Pen, colour: Rgb, extent: Extent, paint: (flat: Pen) => void): void {
  onSheet(pen, extent, (flat, another) => {
    paint(flat);
    const lit = another();
    const wash = (operation: typeof lit.globalCompositeOperation, fill: typeof lit.fillStyle) => {
      lit.globalCompositeOperation = operation;
      lit.fillStyle = fill;
      lit.fillRect(extent.x0, extent.y0, extent.x1 - extent.x0, extent.y1 - extent.y0);
    };
    copy(flat, lit, 'source-over');
    // Sums and differences are true of opaque colours only: hair is put behind the hair, and cut away again.
    wash('destination-over', css(shaded(colour, -0.1)));
    const between = (from: number, to: number, at: Rgb) => {
      const gradient = lit.createLinearGradient(...along(from), ...along(to));
      gradient.addColorStop(0, css(at));
      gradient.addColorStop(1, '#000000');
      return gradient;
    };
    wash('lighter', between(0, EVEN, less(shaded(colour, RAISED - 0.06), shaded(colour, -0.06))));
    wash('difference', between(1, EVEN, less(colour, shaded(colour, -LOWERED))));
    copy(flat, lit, 'destination-in');
    return lit;
  });
}

/** Lays over the pen what of `paint` falls into the ring of gloss round the crown. */
export function inRing(pen: Pen, paint: (flat: Pen) => void): void {
  const [x, y, from, to] = [6, 10, 108, 190];
  onSheet(pen, { x0: x - to, y0: y - to, x1: x + to, y1: y + to }, (flat) => {
    paint(flat);
    const ring = flat.createRadialGradient(x, y, from, x, y, to);
    for (const [at, alpha] of [
      [0, 0],
      [0.5, 1],
      [0.7, 0.83],
      [1, 0],
    ] as const)
      ring.addColorStop(at, css(WHITE, alpha));
    flat.globalCompositeOperation = 'destination-in';
    flat.fillStyle = ring;
    flat.fillRect(x - to, y - to, 2 * to, 2 * to);
    return flat;
  });
}

/** A sheet as large as the extent where it lies within the pen's own; what `paint` returns is laid over the pen. */
function onSheet(pen: Pen, { x0, y0, x1, y1 }: Extent, paint: (sheet: Pen, another: () => Pen) => Pen): void {
  const { a: scale, e, f } = pen.getTransform();
  const [left, top] = [Math.max(0, Math.floor(e + x0 * scale)), Math.max(0, Math.floor(f + y0 * scale))];
  const width = Math.min(pen.canvas.width, Math.ceil(e + x1 * scale)) - left;
  const height = Math.min(pen.canvas.height, Math.ceil(f + y1 * scale)) - top;
  if (width <= 0 || height <= 0) return;
  const sheet = (): Pen => {
    const made = createCanvas(width, height).getContext('2d');
    made.setTransform(scale, 0, 0, scale, e - left, f - top);
    made.lineCap = 'round';
    made.lineJoin = 'round';
    return made;
  };
  const painted = paint(sheet(), sheet);
  pen.save();
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(painted.canvas, left, top);
  pen.restore();
}

function copy(from: Pen, to: Pen, operation: Pen['globalCompositeOperation']): void {
  to.save();
  to.setTransform(1, 0, 0, 1, 0, 0);
  to.globalCompositeOperation = operation;
  to.drawImage(from.canvas, 0, 0);
  to.restore();
}

const along = (t: number): Pt => [LIT[0] + (FAR[0] - LIT[0]) * t, LIT[1] + (FAR[1] - LIT[1]) * t];
const less = (a: Rgb, b: Rgb): Rgb => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
