/**
 * A clown's make-up over the shaded skin: a mouth far larger than the lips, discs on the cheeks, marks at the eyes, a
 * tear for a sad one, and the red ball. The lips themselves are painted over it as on anybody, so that they can speak.
 */
import { css, mix, type Rgb, rgb, tone, WHITE } from './colour.ts';
import { curve, glow, type Pen, trace } from './layer.ts';
import type { Face, Pt } from './shape.ts';
import type { PersonTraits } from './traits.ts';

const RED: Rgb = [204, 40, 44];
const TEAR: Rgb = [104, 178, 226];

/** Under eyes, nose and mouth. */
export function paintGreasepaint(pen: Pen, face: Face, traits: PersonTraits): void {
  const { eye, mouth, w } = face;
  const mark = mix(rgb(traits.accentColour), [40, 60, 140], 0.25);
  for (const side of [-1, 1]) {
    glow(pen, side * w * 0.6, 44, 23, 21, RED, 0.62);
    fill(pen, diamond(side * eye.x, -25, 7.5, 27), css(mark, 0.86));
    fill(pen, diamond(side * eye.x, 26, 5.5, 17), css(mark, 0.86));
  }
  const { y, half, smile } = mouth;
  const lift = -smile * 8;
  const wide = half + 13;
  const outline = curve(
    [
      [-wide - 5, y + lift - 1],
      [-wide * 0.62, y + lift * 0.5 - 15],
      [0, y - 12],
      [wide * 0.62, y + lift * 0.5 - 15],
      [wide + 5, y + lift - 1],
      [wide * 0.66, y + lift * 0.3 + 19],
      [0, y + 25],
      [-wide * 0.66, y + lift * 0.3 + 19],
      [-wide - 5, y + lift - 1],
    ],
    72,
  );
  const red = pen.createLinearGradient(0, y - 18, 0, y + 26);
  red.addColorStop(0, css(tone(RED, -0.1)));
  red.addColorStop(0.55, css(tone(RED, 0.08)));
  red.addColorStop(1, css(tone(RED, -0.28)));
  fill(pen, outline, red);
  if (smile < 0) paintTear(pen, -eye.x - 3, 38);
}

/** Over the nose. */
export function paintBall(pen: Pen, face: Face): void {
  const [x, y, r] = [0, face.nose.y - 5, face.nose.w + 3.5];
  glow(pen, x + 5, y + r * 0.9, r * 1.05, r * 0.5, [90, 24, 30], 0.55);
  const ball = pen.createRadialGradient(x - r * 0.36, y - r * 0.42, r * 0.1, x, y, r);
  ball.addColorStop(0, css(tone(RED, 0.42)));
  ball.addColorStop(0.45, css(tone(RED, 0.04)));
  ball.addColorStop(1, css(tone(RED, -0.5)));
  pen.fillStyle = ball;
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.fill();
  glow(pen, x - r * 0.36, y - r * 0.44, r * 0.26, r * 0.2, WHITE, 0.85);
}

function paintTear(pen: Pen, x: number, y: number): void {
  const drop = curve(
    [
      [x, y - 11],
      [x + 5.4, y + 3],
      [x, y + 8.6],
      [x - 5.4, y + 3],
      [x, y - 11],
    ],
    32,
  );
  fill(pen, drop, css(TEAR, 0.95));
  glow(pen, x - 1.6, y + 2, 2, 2.8, WHITE, 0.9);
}

const diamond = (x: number, y: number, half: number, high: number): Pt[] => [
  [x, y - high / 2],
  [x + half, y],
  [x, y + high / 2],
  [x - half, y],
];

function fill(pen: Pen, points: readonly Pt[], style: Pen['fillStyle']): void {
  pen.fillStyle = style;
  trace(pen, points);
  pen.fill();
}
