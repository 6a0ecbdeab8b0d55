/**
 * Canvas layers in the drawing units of `shape.ts`, and the strokes and soft marks everything else is painted with.
 * Blurred work is done on quarter-size layers: a blur at full size costs more than all the rest of a portrait.
 */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { css, type Rgb } from './colour.ts';
import type { Pt } from './shape.ts';

export type Pen = SKRSContext2D;

/** Where drawing units fall in the image: pixel = origin + unit * scale. */
export interface View {
  width: number;
  height: number;
  scale: number;
  x: number;
  y: number;
}

export interface Layer {
  canvas: Canvas;
  pen: Pen;
}

/** An empty layer of the view's size at 1/`shrink` resolution, its pen set to drawing units. */
export function layerOf(view: View, shrink = 1): Layer {
  const canvas = createCanvas(Math.ceil(view.width / shrink), Math.ceil(view.height / shrink));
  const pen = canvas.getContext('2d');
  const s = view.scale / shrink;
  pen.setTransform(s, 0, 0, s, view.x / shrink, view.y / shrink);
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  return { canvas, pen };
}

/**
 * Lays a layer over another, whatever their resolutions, keeping the target's clip. Bilinear: layers of a lower
 * resolution are blurred ones, and cubic enlargement costs three times as much to look the same.
 */
export function lay(target: Pen, source: Layer, view: View, dx = 0, dy = 0): void {
  target.save();
  target.setTransform(1, 0, 0, 1, dx * view.scale, dy * view.scale);
  target.imageSmoothingQuality = 'low';
  target.drawImage(source.canvas, 0, 0, view.width, view.height);
  target.restore();
}

/** Blurs what `paint` draws by `blur` drawing units and lays it over the target under the target's clip. */
export function soft(target: Pen, view: View, blur: number, paint: (pen: Pen) => void): void {
  const shrink = Math.max(1, Math.min(8, Math.floor((blur * view.scale) / 3)));
  const sharp = layerOf(view, shrink);
  paint(sharp.pen);
  const blurred = layerOf(view, shrink);
  blurred.pen.setTransform(1, 0, 0, 1, 0, 0);
  blurred.pen.filter = `blur(${((blur * view.scale) / shrink).toFixed(2)}px)`;
  blurred.pen.drawImage(sharp.canvas, 0, 0);
  lay(target, blurred, view);
}

/** The silhouette of a layer in one colour, blurred: a cast shadow. */
export function shadowOf(source: Layer, view: View, blur: number, colour: Rgb, alpha: number): Layer {
  const shrink = Math.max(1, Math.min(8, Math.floor((blur * view.scale) / 3)));
  const out = layerOf(view, shrink);
  const { pen, canvas } = out;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.filter = `blur(${((blur * view.scale) / shrink).toFixed(2)}px)`;
  pen.drawImage(source.canvas, 0, 0, canvas.width, canvas.height);
  pen.filter = 'none';
  pen.globalCompositeOperation = 'source-in';
  pen.fillStyle = css(colour, alpha);
  pen.fillRect(0, 0, canvas.width, canvas.height);
  return out;
}

/**
 * The right and upper edge of a layer's silhouette in one colour: light from behind that lifts a person off the
 * background. Half resolution; lay it with 'source-atop'.
 */
export function rimOf(source: Layer, view: View, reach: number, colour: Rgb, alpha: number): Layer {
  const out = layerOf(view, 2);
  const { pen, canvas } = out;
  const unit = view.scale / 2;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(source.canvas, 0, 0, canvas.width, canvas.height);
  pen.globalCompositeOperation = 'destination-out';
  pen.filter = `blur(${(reach * 0.5 * unit).toFixed(2)}px)`;
  pen.drawImage(source.canvas, -reach * unit, reach * 0.45 * unit, canvas.width, canvas.height);
  pen.filter = 'none';
  pen.globalCompositeOperation = 'source-in';
  pen.fillStyle = css(colour, alpha);
  pen.fillRect(0, 0, canvas.width, canvas.height);
  return out;
}

/** Traces straight lines through the points. */
export function trace(pen: Pen, points: readonly Pt[], close = true): void {
  pen.beginPath();
  points.forEach(([x, y], i) => {
    if (i) pen.lineTo(x, y);
    else pen.moveTo(x, y);
  });
  if (close) pen.closePath();
}

/** `count` + 1 points along a Catmull-Rom curve through the given points. */
export function curve(points: readonly Pt[], count: number): Pt[] {
  const at = (i: number) => points[Math.max(0, Math.min(points.length - 1, i))]!;
  const out: Pt[] = [];
  for (let k = 0; k <= count; k++) {
    const along = (k / count) * (points.length - 1);
    const i = Math.min(points.length - 2, Math.floor(along));
    const t = along - i;
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    const axis = (n: 0 | 1) =>
      0.5 *
      (2 * b[n] +
        (c[n] - a[n]) * t +
        (2 * a[n] - 5 * b[n] + 4 * c[n] - d[n]) * t * t +
        (3 * b[n] - a[n] - 3 * c[n] + d[n]) * t * t * t);
    out.push([axis(0), axis(1)]);
  }
  return out;
}

/** A stroke along points that swells to `width` and thins towards its ends; `root` 1 keeps the first end thick. */
export function brush(pen: Pen, points: readonly Pt[], width: number, root = 0): void {
  const n = points.length;
  const left: Pt[] = [];
  const right: Pt[] = [];
  for (let i = 0; i < n; i++) {
    const [x, y] = points[i]!;
    const [ax, ay] = points[Math.max(0, i - 1)]!;
    const [bx, by] = points[Math.min(n - 1, i + 1)]!;
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const t = i / (n - 1);
    const swell = root ? Math.sqrt(1 - t) : Math.sqrt(Math.sin(Math.PI * Math.min(0.999, Math.max(0.001, t))));
    const half = (width / 2) * swell;
    const nx = (-(by - ay) / length) * half;
    const ny = ((bx - ax) / length) * half;
    left.push([x + nx, y + ny]);
    right.push([x - nx, y - ny]);
  }
  pen.beginPath();
  round(pen, left);
  round(pen, right.reverse());
  pen.closePath();
  pen.fill();
}

/** A smooth line on through the middles between points: half the calls of straight pieces, and no corners. */
function round(pen: Pen, points: readonly Pt[]): void {
  const last = points.length - 1;
  pen.lineTo(...points[0]!);
  if (last === 1) pen.lineTo(...points[1]!);
  for (let i = 1; i < last; i++) {
    const [x, y] = points[i]!;
    const [u, v] = i === last - 1 ? points[last]! : [(x + points[i + 1]![0]) / 2, (y + points[i + 1]![1]) / 2];
    pen.quadraticCurveTo(x, y, u!, v!);
  }
}

/** A round soft mark: a radial gradient from the colour to nothing, squeezed to rx by ry. */
export function glow(pen: Pen, x: number, y: number, rx: number, ry: number, colour: Rgb, alpha: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(1, ry / rx);
  const g = pen.createRadialGradient(0, 0, 0, 0, 0, rx);
  g.addColorStop(0, css(colour, alpha));
  g.addColorStop(0.5, css(colour, alpha * 0.5));
  g.addColorStop(1, css(colour, 0));
  pen.fillStyle = g;
  pen.fillRect(-rx, -rx, rx * 2, rx * 2);
  pen.restore();
}
