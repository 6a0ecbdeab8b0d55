/** Everyday wear. */
import { mirror } from '../body.ts';
import { css, luma, tone } from '../colour.ts';
import { brush, curve, trace } from '../layer.ts';
import { on } from '../shape.ts';
import { open, shirt, suit } from './shirts.ts';
import { band, type Cloth, crew, flaps, garment, scoop, seam, vee } from './tailor.ts';

export const EVERYDAY = {
  tshirt: (c) => {
    garment(c, c.main, crew(c.face));
    band(c, crew(c.face), tone(c.main, -0.06), 8, true);
    seam(
      c,
      [
        [c.face.shoulder * 0.8, 206],
        [c.face.shoulder * 0.9, 250],
        [c.face.shoulder * 0.82, 318],
      ],
      c.main,
    );
  },
  vneck: (c) => {
    garment(c, c.main, vee(c.face, 46));
    band(c, vee(c.face, 46), tone(c.main, -0.05), 7, true);
    seam(
      c,
      [
        [c.face.shoulder * 0.8, 206],
        [c.face.shoulder * 0.9, 250],
        [c.face.shoulder * 0.82, 318],
      ],
      c.main,
    );
  },
  shirt: (c) => shirt(c, c.main),
  suit,
  hoodie: (c) => {
    garment(c, c.main, vee(c.face, 18), 12);
    const n = c.face.neck;
    flaps(
      c,
      curve(
        [
          [n * 1.0, 132],
          [n * 1.62, 156],
          [n * 1.7, 196],
          [n * 0.8, 236],
          [4, 246],
          [n * 0.5, 214],
          [n * 1.04, 172],
        ],
        40,
      ),
      tone(c.main, 0.04),
    );
    for (const side of [-1, 1]) {
      c.pen.fillStyle = css(luma(c.main) > 150 ? tone(c.main, -0.5) : [238, 236, 230]);
      brush(
        c.pen,
        curve(
          [
            [side * n * 0.42, 236],
            [side * n * 0.46, 300],
            [side * n * 0.4, 352],
          ],
          14,
        ),
        5,
      );
    }
  },
  sweater: (c) => {
    garment(c, c.main, crew(c.face), 10);
    band(c, crew(c.face), tone(c.main, -0.08), 15, true);
    c.pen.strokeStyle = css(tone(c.main, -0.4), 0.13);
    c.pen.lineWidth = 1.4;
    for (let x = -c.face.shoulder * 1.2; x < c.face.shoulder * 1.2; x += 6) {
      trace(
        c.pen,
        [
          [x, 214 + Math.abs(x) * 0.02],
          [x * 1.03, 900],
        ],
        false,
      );
      c.pen.stroke();
    }
  },
  turtleneck: (c) => {
    garment(c, c.main, crew(c.face), 8);
    const n = c.face.neck;
    const g = c.pen.createLinearGradient(-n, 0, n, 0);
    g.addColorStop(0, css(tone(c.main, -0.12)));
    g.addColorStop(0.35, css(tone(c.main, 0.12)));
    g.addColorStop(1, css(tone(c.main, -0.4)));
    c.pen.fillStyle = g;
    trace(c.pen, [
      ...curve(on(n, [1.05, 134, 1.1, 164, 1.16, 190, 0, 214]), 20),
      ...mirror(curve(on(n, [1.05, 134, 1.1, 164, 1.16, 190, 0, 214]), 20)).reverse(),
      ...mirror(curve(on(n, [1.05, 134, 0.5, 146, 0, 149]), 10)),
      ...curve(on(n, [0, 149, 0.5, 146, 1.05, 134]), 10),
    ]);
    c.pen.fill();
    band(c, on(n, [1.07, 160, 0.6, 172, 0, 176]), tone(c.main, -0.12), 2);
  },
  dress: (c) => {
    garment(c, c.main, scoop(c.face), 2);
    band(c, scoop(c.face), tone(c.main, 0.08), 4);
  },
  labcoat: (c) => open(c, [242, 244, 247], c.main, [250, 251, 253]),
  jacket: (c) => open(c, c.main, c.accent, tone(c.main, 0.08)),
} satisfies Record<string, (c: Cloth) => void>;
