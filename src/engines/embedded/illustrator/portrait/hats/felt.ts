/** What every hat is made of: rounded cloth or felt, folds, brims and bands under the one light of the portraits. */
import { css, type Rgb, tone } from '../colour.ts';
import { brush, curve, type Pen, trace } from '../layer.ts';
import { type Random } from '../random.ts';
import { type Face, type Pt } from '../shape.ts';

export interface Work {
  pen: Pen;
  face: Face;
  colour: Rgb;
  random: Random;
}

/** Cloth or felt lit from the upper left: fills the shape between x0 and x1 as something round. */
export function form(k: Work, points: readonly Pt[], colour: Rgb, x0: number, x1: number, smooth = true): void {
  const g = k.pen.createLinearGradient(x0, -160, x1, -60);
  g.addColorStop(0, css(tone(colour, -0.12)));
  g.addColorStop(0.28, css(tone(colour, 0.2)));
  g.addColorStop(0.6, css(tone(colour, -0.1)));
  g.addColorStop(1, css(tone(colour, -0.55)));
  k.pen.fillStyle = g;
  trace(k.pen, smooth ? curve([...points, points[0]!], 64) : points);
  k.pen.fill();
}

export const fold = (k: Work, points: readonly Pt[], width: number, shade: number): void => {
  k.pen.fillStyle = css(shade < 0 ? [10, 5, 20] : [255, 250, 240], Math.abs(shade));
  brush(k.pen, curve(points, 18), width);
};

/** A brim: an ellipse whose front edge hangs to `front`. */
export function brim(k: Work, reach: number, y: number, back: number, front: number, colour: Rgb): void {
  const g = k.pen.createLinearGradient(-reach, 0, reach, 0);
  g.addColorStop(0, css(tone(colour, 0.06)));
  g.addColorStop(0.35, css(tone(colour, 0.22)));
  g.addColorStop(1, css(tone(colour, -0.5)));
  k.pen.fillStyle = g;
  trace(
    k.pen,
    curve(
      [
        [-reach, y - 6],
        [-reach * 0.5, y + front * 0.8],
        [0, y + front],
        [reach * 0.5, y + front * 0.8],
        [reach, y - 6],
        [reach * 0.6, y - back],
        [0, y - back * 1.1],
        [-reach * 0.6, y - back],
        [-reach, y - 6],
      ],
      72,
    ),
  );
  k.pen.fill();
  k.pen.strokeStyle = css(tone(colour, 0.4), 0.4);
  k.pen.lineWidth = 1.6;
  trace(
    k.pen,
    curve(
      [
        [-reach, y - 6],
        [-reach * 0.5, y + front * 0.8],
        [0, y + front],
        [reach * 0.5, y + front * 0.8],
        [reach, y - 6],
      ],
      40,
    ),
    false,
  );
  k.pen.stroke();
}

export function strap(k: Work, y: number, half: number, h: number, colour: Rgb): void {
  const g = k.pen.createLinearGradient(-half, 0, half, 0);
  g.addColorStop(0, css(tone(colour, 0.05)));
  g.addColorStop(0.3, css(tone(colour, 0.4)));
  g.addColorStop(1, css(tone(colour, -0.5)));
  k.pen.fillStyle = g;
  trace(k.pen, [
    ...curve(
      [
        [-half, y - h],
        [0, y - h + 9],
        [half, y - h],
      ],
      20,
    ),
    ...curve(
      [
        [half * 1.03, y],
        [0, y + 10],
        [-half * 1.03, y],
      ],
      20,
    ),
  ]);
  k.pen.fill();
}

/** Tall hats are pressed down a little: the taller the hat, the smaller the face beneath it. */
export const TALL = 0.8;
export const GOLD: Rgb = [222, 176, 72];

/** A hat: a part behind the head where it has one, and a part over the hair. */
export interface HatRow {
  behind?: (k: Work) => void;
  front: (k: Work) => void;
}
