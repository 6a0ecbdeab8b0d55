/** Hats with a brim or a point. */
import { css, mix, tone } from '../colour.ts';
import { brush, curve, glow, trace } from '../layer.ts';
import { between } from '../random.ts';
import { on } from '../shape.ts';
import { brim, fold, form, GOLD, type HatRow, strap, TALL } from './felt.ts';

export const BRIMMED = {
  wizard: {
    front: (k) => {
      const w = k.face.w;
      k.pen.save();
      k.pen.translate(0, -84 * (1 - TALL));
      k.pen.scale(1, TALL);
      form(
        k,
        on(
          w,
          [
            -1.04, -84, -0.72, -150, -0.3, -230, 0.22, -292, 0.56, -276, 0.34, -258, 0.52, -190, 0.84, -130, 1.04, -84,
            0, -70,
          ],
        ),
        k.colour,
        -w,
        w,
      );
      fold(k, on(w, [-0.3, -208, 0.1, -190, 0.44, -206]), 8, -0.35);
      fold(k, on(w, [-0.5, -170, -0.06, -152, 0.3, -168]), 6, -0.25);
      for (let i = 0; i < 9; i++)
        glow(k.pen, between(k.random, -w * 0.6, w * 0.5), between(k.random, -190, -110), 5, 5, [255, 226, 130], 0.9);
      k.pen.restore();
      strap(k, -84, w * 1.0, 24, GOLD);
      brim(k, w * 1.95, -80, 14, 16, k.colour);
    },
  },
  tophat: {
    front: (k) => {
      const w = k.face.w;
      k.pen.save();
      k.pen.translate(0, -84 * (1 - TALL));
      k.pen.scale(1, TALL);
      form(k, on(w, [-0.94, -88, -0.86, -180, -0.98, -262, 0.98, -262, 0.86, -180, 0.94, -88]), k.colour, -w, w, false);
      k.pen.fillStyle = css(tone(k.colour, 0.14));
      k.pen.beginPath();
      k.pen.ellipse(0, -262, w * 0.98, 13, 0, 0, Math.PI * 2);
      k.pen.fill();
      k.pen.restore();
      strap(k, -88, w * 0.93, 30, mix(k.colour, [150, 30, 46], 0.8));
      brim(k, w * 1.48, -84, 14, 14, k.colour);
    },
  },
  cowboy: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        on(
          w,
          [
            -1.0, -90, -0.9, -160, -0.56, -206, -0.16, -192, 0, -184, 0.16, -192, 0.56, -206, 0.9, -160, 1.0, -90, 0,
            -78,
          ],
        ),
        k.colour,
        -w,
        w,
      );
      fold(
        k,
        [
          [0, -186],
          [-6, -150],
          [0, -118],
        ],
        14,
        -0.28,
      );
      strap(k, -88, w * 0.99, 20, tone(k.colour, -0.55));
      form(
        k,
        on(
          w,
          [
            -1.95, -116, -1.2, -78, -0.4, -66, 0, -64, 0.4, -66, 1.2, -78, 1.95, -116, 1.3, -96, 0.6, -88, 0, -85, -0.6,
            -88, -1.3, -96,
          ],
        ),
        tone(k.colour, 0.04),
        -w * 1.8,
        w * 1.8,
      );
    },
  },
  pirate: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        on(
          w,
          [-1.62, -96, -1.1, -112, -0.66, -168, 0, -208, 0.66, -168, 1.1, -112, 1.62, -96, 0.7, -78, 0, -70, -0.7, -78],
        ),
        k.colour,
        -w * 1.4,
        w * 1.4,
      );
      k.pen.strokeStyle = css(GOLD);
      k.pen.lineWidth = 5;
      trace(
        k.pen,
        curve(on(w, [-1.58, -98, -1.1, -112, -0.66, -166, 0, -205, 0.66, -166, 1.1, -112, 1.58, -98]), 50),
        false,
      );
      k.pen.stroke();
      k.pen.fillStyle = '#efe9dc';
      k.pen.beginPath();
      k.pen.ellipse(0, -138, 15, 14, 0, 0, Math.PI * 2);
      k.pen.fill();
      k.pen.fillRect(-8, -128, 16, 11);
      for (const s of [-1, 1]) {
        k.pen.fillStyle = '#1a1517';
        k.pen.beginPath();
        k.pen.arc(s * 5.5, -138, 4, 0, Math.PI * 2);
        k.pen.fill();
        k.pen.fillStyle = '#efe9dc';
        brush(k.pen, on(s, [-26, -122, 0, -112, 26, -100]), 6);
      }
    },
  },
  beret: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        on(w, [-0.98, -74, -1.36, -112, -1.1, -160, -0.3, -182, 0.6, -162, 1.04, -116, 0.98, -80, 0, -92]),
        k.colour,
        -w * 1.3,
        w,
      );
      fold(k, on(w, [-1.1, -112, -0.4, -132, 0.5, -122]), 9, -0.22);
      strap(k, -74, w * 0.97, 10, tone(k.colour, -0.3));
      fold(k, on(w, [-0.24, -180, -0.2, -192, -0.22, -198]), 5, -0.8);
    },
  },
  santa: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        on(w, [-1.02, -80, -0.8, -160, -0.1, -216, 0.7, -204, 1.3, -120, 1.46, -40, 1.2, -80, 0.98, -84, 0, -80]),
        [196, 32, 42],
        -w,
        w * 1.3,
      );
      fold(k, on(w, [-0.1, -190, 0.6, -170, 1.1, -110]), 10, -0.25);
      for (let i = 0; i < 70; i++)
        glow(
          k.pen,
          between(k.random, -w * 1.08, w * 1.08),
          -84 + between(k.random, -12, 12),
          16,
          14,
          [250, 248, 244],
          0.75,
        );
      for (let i = 0; i < 24; i++)
        glow(
          k.pen,
          w * 1.46 + between(k.random, -11, 11),
          -30 + between(k.random, -11, 11),
          14,
          14,
          [252, 250, 246],
          0.75,
        );
    },
  },
} satisfies Record<string, HatRow>;
