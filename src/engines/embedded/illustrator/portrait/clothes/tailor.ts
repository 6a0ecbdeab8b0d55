/** How clothes are cut: garments along the shoulders, necklines, seams, bands, buttons and flaps, all of flat cloth. */
import { mirror, shoulderLine } from '../body.ts';
import { css, type Rgb, tone } from '../colour.ts';
import { brush, curve, type Pen, trace } from '../layer.ts';
import type { Random } from '../random.ts';
import { type Face, type Pt } from '../shape.ts';

export interface Cloth {
  pen: Pen;
  face: Face;
  main: Rgb;
  accent: Rgb;
  random: Random;
}

/** A garment: the shoulders' outline down to below the image, cut out above the neckline (right half, top to middle). */
export function garment(c: Cloth, colour: Rgb, neckline: readonly Pt[], grow = 5): void {
  const [startX, startY] = neckline[0]!;
  const line = shoulderLine(c.face, grow).filter(([x, y]) => y > startY + 2 && x > startX + 1);
  const right: Pt[] = [[startX, startY], ...line];
  const cut = curve(neckline, 20);
  trace(c.pen, [...right, ...mirror(right).reverse(), ...mirror(cut), ...[...cut].reverse()]);
  c.pen.fillStyle = css(colour);
  c.pen.fill();
}

/** A seam: a dark line with a light one beside it. */
export function seam(c: Cloth, points: readonly Pt[], colour: Rgb, width = 1.6): void {
  for (const side of [-1, 1]) {
    const line = curve(
      points.map(([x, y]): Pt => [x * side, y]),
      20,
    );
    c.pen.fillStyle = css(tone(colour, -0.5), 0.7);
    brush(c.pen, line, width);
  }
}

/** A band along a neckline: ribbing, trim or a collar edge. */
export function band(c: Cloth, points: readonly Pt[], colour: Rgb, width: number, ribs = false): void {
  const half = curve(points, 24);
  const line = [...mirror(half), ...[...half].reverse()];
  c.pen.save();
  c.pen.lineCap = 'butt';
  for (const [shift, w] of [
    [-0.35, width + 2],
    [0, width],
    [0.14, width * 0.3],
  ] as const) {
    trace(c.pen, line, false);
    c.pen.strokeStyle = css(tone(colour, shift));
    c.pen.lineWidth = w;
    c.pen.stroke();
  }
  if (ribs) {
    c.pen.setLineDash([1.2, 3.2]);
    trace(c.pen, line, false);
    c.pen.strokeStyle = css(tone(colour, -0.4), 0.5);
    c.pen.lineWidth = width;
    c.pen.stroke();
  }
  c.pen.restore();
}

export const crew = (f: Face): Pt[] => [
  [f.neck * 1.1, 163],
  [f.neck * 0.92, 186],
  [f.neck * 0.5, 203],
  [0, 209],
];
export const vee = (f: Face, depth: number): Pt[] => [
  [f.neck * 1.14, 164],
  [f.neck * 0.8, 196],
  [f.neck * 0.34, 196 + depth * 0.6],
  [0, 200 + depth],
];
export const scoop = (f: Face): Pt[] => [
  [f.neck * 1.5, 176],
  [f.neck * 1.3, 208],
  [f.neck * 0.72, 232],
  [0, 240],
];

export function buttons(c: Cloth, x: number, from: number, gap: number, colour: Rgb): void {
  for (let y = from; y < 760; y += gap) {
    c.pen.fillStyle = css(tone(colour, -0.35));
    c.pen.beginPath();
    c.pen.arc(x + 0.7, y + 1, 4, 0, Math.PI * 2);
    c.pen.fill();
    c.pen.fillStyle = css(tone(colour, 0.15));
    c.pen.beginPath();
    c.pen.arc(x, y, 3.5, 0, Math.PI * 2);
    c.pen.fill();
  }
}

/** A polygon mirrored to both sides, with a soft dark edge under it. */
export function flaps(c: Cloth, points: readonly Pt[], colour: Rgb, dark = -0.45): void {
  for (const side of [-1, 1]) {
    c.pen.save();
    c.pen.shadowColor = 'rgba(10,6,16,0.55)';
    c.pen.shadowBlur = 8;
    c.pen.shadowOffsetY = 3;
    trace(
      c.pen,
      points.map(([x, y]): Pt => [x * side, y]),
    );
    c.pen.fillStyle = css(side < 0 ? tone(colour, 0.05) : tone(colour, -0.04));
    c.pen.fill();
    c.pen.restore();
    c.pen.strokeStyle = css(tone(colour, dark), 0.6);
    c.pen.lineWidth = 1.1;
    c.pen.stroke();
  }
}
