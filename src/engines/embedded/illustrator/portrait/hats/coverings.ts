/** What covers hair, ears and often the neck. */
import { css, mix, tone } from '../colour.ts';
import { curve, glow, trace } from '../layer.ts';
import { on, type Pt } from '../shape.ts';
import { fold, form, type HatRow } from './felt.ts';

export const COVERINGS = {
  helmet: {
    front: (k) => {
      const w = k.face.w;
      const steel = mix(k.colour, [158, 166, 180], 0.75);
      const shell: Pt[] = on(
        w,
        [-1.02, 96, -1.2, 20, -1.18, -90, -0.7, -170, 0, -194, 0.7, -170, 1.18, -90, 1.2, 20, 1.02, 96],
      );
      const open: Pt[] = on(
        w,
        [0.86, 92, 0.93, 10, 0.86, -52, 0.4, -66, 0, -60, -0.4, -66, -0.86, -52, -0.93, 10, -0.86, 92],
      );
      form(k, [...curve(shell, 50), ...curve(open, 50)], steel, -w, w, false);
      k.pen.strokeStyle = css(tone(steel, -0.6), 0.8);
      k.pen.lineWidth = 3;
      trace(k.pen, curve(open, 50), false);
      k.pen.stroke();
      fold(
        k,
        [
          [0, -194],
          [-4, -130],
          [0, -62],
        ],
        12,
        0.35,
      );
      for (const s of [-1, 1])
        for (let i = 0; i < 6; i++)
          glow(k.pen, s * w * (1.06 - i * 0.004), 70 - i * 26, 4.5, 4.5, tone(steel, 0.6), 0.9);
      glow(k.pen, -w * 0.62, -128, 26, 22, [255, 255, 255], 0.65);
    },
  },
  space: {
    behind: (k) => {
      const w = k.face.w;
      k.pen.fillStyle = 'rgba(190,205,225,0.95)';
      k.pen.beginPath();
      k.pen.ellipse(0, -10, w * 1.72, 176, 0, 0, Math.PI * 2);
      k.pen.fill();
      k.pen.fillStyle = '#39414f';
      k.pen.beginPath();
      k.pen.ellipse(0, -8, w * 1.56, 160, 0, 0, Math.PI * 2);
      k.pen.fill();
    },
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        on(
          w,
          [
            -1.04, 40, -1.08, -60, -0.7, -146, 0, -162, 0.7, -146, 1.08, -60, 1.04, 40, 0.93, 10, 0.84, -60, 0.4, -90,
            0, -94, -0.4, -90, -0.84, -60, -0.93, 10,
          ],
        ),
        [232, 232, 236],
        -w,
        w,
      );
      k.pen.strokeStyle = '#c9d2de';
      k.pen.lineWidth = 13;
      k.pen.beginPath();
      k.pen.ellipse(0, -8, w * 1.62, 166, 0, 0, Math.PI * 2);
      k.pen.stroke();
      glow(k.pen, -w * 0.86, -92, 44, 60, [255, 255, 255], 0.34);
      fold(k, on(w, [-1.3, 40, -1.44, -30, -1.12, -104]), 12, 0.45);
    },
  },
  hijab: {
    behind: (k) => {
      const w = k.face.w;
      form(
        k,
        on(w, [-1.14, -40, -0.9, -140, 0, -170, 0.9, -140, 1.14, -40, 1.12, 110, 1.6, 250, -1.6, 250, -1.12, 110]),
        tone(k.colour, -0.3),
        -w,
        w,
      );
    },
    front: (k) => {
      const w = k.face.w;
      const c = k.face.chin;
      const outer = curve(
        on(
          w,
          [
            0, -164, -0.72, -146, -1.12, -80, -1.16, 10, -1.06, 90, -1.1, 150, -1.42, 222, -0.8, 282, 0, 306, 0.9, 286,
            1.5, 226, 1.14, 150, 1.06, 90, 1.16, 10, 1.12, -80, 0.72, -146, 0, -164,
          ],
        ),
        90,
      );
      const inner = curve(
        [
          [0, -92],
          [w * 0.6, -80],
          [w * 0.92, -34],
          [w * 0.95, 20],
          [k.face.halfWidth(c * 0.66) - 1, c * 0.66],
          [w * 0.36, c - 7],
          [0, c - 1],
          [-w * 0.36, c - 7],
          [-k.face.halfWidth(c * 0.66) + 1, c * 0.66],
          [-w * 0.95, 20],
          [-w * 0.92, -34],
          [-w * 0.6, -80],
          [0, -92],
        ],
        80,
      );
      form(k, [...outer, ...inner], k.colour, -w * 1.2, w * 1.3, false);
      const lines: Pt[][] = [
        on(w, [-0.98, -60, -1.06, 20, -0.8, 120, -0.1, 172]),
        on(w, [1.0, -50, 1.04, 40, 0.7, 130, -0.2, 196]),
        on(w, [1.08, 60, 0.86, 160, 0, 232, -0.7, 250]),
        on(w, [1.1, 120, 0.9, 210, 0.2, 270]),
        on(w, [-1.06, 100, -0.9, 170, -0.2, 226]),
        on(w, [-0.5, -140, -0.9, -92, -1.04, -20]),
        on(w, [0.4, -146, 0.9, -100, 1.06, -10]),
      ];
      for (const line of lines) {
        fold(k, line, 9, -0.26);
        fold(
          k,
          line.map(([x, y]): Pt => [x - 6, y - 5]),
          5,
          0.2,
        );
      }
      k.pen.strokeStyle = css(tone(k.colour, -0.5), 0.55);
      k.pen.lineWidth = 3;
      trace(k.pen, inner, false);
      k.pen.stroke();
    },
  },
  turban: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        on(
          w,
          [
            -1.06, -46, -1.26, -100, -1.06, -166, -0.4, -202, 0.4, -202, 1.06, -166, 1.26, -100, 1.06, -46, 0.5, -74, 0,
            -92, -0.5, -74,
          ],
        ),
        k.colour,
        -w * 1.2,
        w * 1.2,
      );
      for (let i = 0; i < 6; i++) {
        for (const s of [-1, 1]) {
          fold(
            k,
            [
              [s * w * 1.14, -62 - i * 21],
              [s * w * 0.6, -96 - i * 20],
              [-s * w * 0.12, -104 - i * 18],
            ],
            5.5,
            -0.28,
          );
          fold(
            k,
            [
              [s * w * 1.12, -69 - i * 21],
              [s * w * 0.6, -103 - i * 20],
              [0, -112 - i * 17],
            ],
            4,
            0.16,
          );
        }
      }
    },
  },
} satisfies Record<string, HatRow>;
