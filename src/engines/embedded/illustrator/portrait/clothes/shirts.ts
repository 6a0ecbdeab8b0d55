import { css, luma, type Rgb, tone } from '../colour.ts';
import { glow, trace } from '../layer.ts';
import { type Face, on, type Pt } from '../shape.ts';
import { buttons, type Cloth, flaps, garment, seam } from './tailor.ts';

const collar = (f: Face): Pt[] => [
  [f.neck * 1.0, 146],
  [f.neck * 1.16, 160],
  [f.neck * 0.98, 214],
  [f.neck * 0.62, 232],
  [2, 196],
  [f.neck * 0.72, 178],
];

export function shirt(c: Cloth, colour: Rgb, open = true): void {
  const depth = open ? 34 : 4;
  garment(c, colour, [
    [c.face.neck * 1.1, 156],
    [c.face.neck * 0.66, 186],
    [0, 194 + depth],
  ]);
  seam(
    c,
    [
      [1, 200 + depth],
      [1, 800],
    ],
    colour,
    1.2,
  );
  c.pen.strokeStyle = css(tone(colour, -0.3), 0.6);
  c.pen.lineWidth = 1;
  for (const x of [-9, 9]) {
    trace(
      c.pen,
      [
        [x, 215 + depth],
        [x, 900],
      ],
      false,
    );
    c.pen.stroke();
  }
  buttons(c, 0, 236 + depth, 62, tone(colour, luma(colour) > 150 ? -0.18 : 0.4));
  flaps(c, collar(c.face), tone(colour, 0.06));
}

function tie(c: Cloth): void {
  const { pen, accent } = c;
  const g = pen.createLinearGradient(-18, 0, 20, 0);
  g.addColorStop(0, css(tone(accent, 0.16)));
  g.addColorStop(1, css(tone(accent, -0.34)));
  pen.fillStyle = g;
  trace(pen, [
    [-11, 197],
    [11, 197],
    [8, 222],
    [26, 560],
    [-26, 560],
    [-8, 222],
  ]);
  pen.fill();
  pen.strokeStyle = css(tone(accent, 0.42), 0.4);
  pen.lineWidth = 3;
  pen.save();
  pen.clip();
  for (let y = 210; y < 560; y += 20) {
    trace(
      pen,
      [
        [-30, y + 22],
        [30, y - 8],
      ],
      false,
    );
    pen.stroke();
  }
  pen.restore();
  pen.fillStyle = css(tone(accent, -0.1));
  trace(pen, [
    [-13, 193],
    [13, 193],
    [8, 220],
    [-8, 220],
  ]);
  pen.fill();
  glow(pen, -3, 203, 7, 6, [255, 255, 255], 0.25);
}

export function suit(c: Cloth): void {
  const n = c.face.neck;
  shirt(c, [240, 240, 244], false);
  tie(c);
  flaps(c, collar(c.face), [246, 246, 250], -0.3);
  garment(c, c.main, on(n, [1.16, 158, 1.02, 226, 0.62, 300, 0, 392]), 9);
  flaps(c, on(n, [1.1, 152, 1.34, 172, 1.72, 246, 1.3, 262, 1.42, 276, 0.2, 396, 0.72, 280]), tone(c.main, 0.06));
  buttons(c, 0, 412, 90, tone(c.main, -0.3));
}

export function open(c: Cloth, colour: Rgb, under: Rgb, lapel: Rgb): void {
  const n = c.face.neck;
  shirt(c, under);
  garment(c, colour, on(n, [1.24, 160, 1.2, 240, 0.84, 350, 0.62, 620, 0.5, 1200, 0, 2000]), 9);
  flaps(c, on(n, [1.14, 152, 1.42, 172, 1.86, 250, 1.46, 270, 1.56, 284, 0.76, 430, 0.98, 280]), lapel);
}
