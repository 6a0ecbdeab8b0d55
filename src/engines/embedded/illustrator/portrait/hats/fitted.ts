/** Hats that follow the skull, and what is worn on the hair. */
import { css, type Rgb, tone } from '../colour.ts';
import { curve, glow, trace } from '../layer.ts';
import { between } from '../random.ts';
import { on, type Pt } from '../shape.ts';
import { brim, fold, form, GOLD, type HatRow, strap } from './felt.ts';

export const FITTED = {
  cap: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        on(w, [-1.05, -56, -1.0, -110, -0.6, -154, 0, -168, 0.6, -154, 1.0, -110, 1.05, -56, 0, -76]),
        k.colour,
        -w,
        w,
      );
      fold(
        k,
        [
          [0, -166],
          [-4, -120],
          [0, -84],
        ],
        2.5,
        -0.4,
      );
      for (const s of [-1, 1])
        fold(
          k,
          [
            [s * 8, -164],
            [s * w * 0.56, -130],
            [s * w * 0.74, -78],
          ],
          2,
          -0.35,
        );
      glow(k.pen, -2, -114, 22, 20, tone(k.colour, 0.75), 0.95);
      form(
        k,
        on(w, [-0.98, -66, -0.5, -88, 0, -94, 0.5, -88, 0.98, -66, 0.9, -48, 0.4, -40, 0, -38, -0.4, -40, -0.9, -48]),
        tone(k.colour, -0.16),
        -w,
        w,
      );
    },
  },
  beanie: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        on(w, [-1.07, -60, -1.06, -112, -0.66, -166, 0, -184, 0.66, -166, 1.06, -112, 1.07, -60, 0, -66]),
        k.colour,
        -w,
        w,
      );
      for (let i = -8; i <= 8; i++)
        fold(
          k,
          [
            [i * 3, -182],
            [i * w * 0.085, -140],
            [i * w * 0.125, -78],
          ],
          3,
          -0.22,
        );
      form(
        k,
        on(
          w,
          [-1.1, -48, -1.12, -86, -0.5, -100, 0, -104, 0.5, -100, 1.12, -86, 1.1, -48, 0.5, -62, 0, -66, -0.5, -62],
        ),
        tone(k.colour, 0.06),
        -w,
        w,
      );
      for (let i = -11; i <= 11; i++)
        fold(
          k,
          [
            [i * w * 0.095, -100 + Math.abs(i)],
            [i * w * 0.098, -64 + Math.abs(i)],
          ],
          2.6,
          -0.3,
        );
    },
  },
  chef: {
    front: (k) => {
      const w = k.face.w;
      const white: Rgb = [245, 244, 240];
      form(
        k,
        on(
          w,
          [
            -0.9, -128, -1.26, -170, -1.1, -224, -0.5, -248, 0, -258, 0.5, -248, 1.1, -224, 1.26, -170, 0.9, -128, 0,
            -118,
          ],
        ),
        white,
        -w * 1.4,
        w * 1.6,
      );
      for (let i = -4; i <= 4; i++)
        fold(
          k,
          [
            [i * w * 0.24, -236 + Math.abs(i) * 6],
            [i * w * 0.22, -180],
            [i * w * 0.2, -130],
          ],
          7,
          -0.14,
        );
      strap(k, -84, w * 0.95, 54, white);
    },
  },
  hardhat: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        on(w, [-1.1, -72, -1.08, -130, -0.66, -182, 0, -200, 0.66, -182, 1.08, -130, 1.1, -72, 0, -84]),
        k.colour,
        -w,
        w,
      );
      for (const s of [-0.3, 0, 0.3])
        fold(
          k,
          [
            [s * w * 0.7, -196],
            [s * w, -140],
            [s * w * 1.1, -86],
          ],
          9,
          s > 0 ? -0.22 : 0.28,
        );
      glow(k.pen, -w * 0.5, -152, 26, 20, [255, 255, 255], 0.6);
      brim(k, w * 1.28, -70, 16, 10, k.colour);
    },
  },
  crown: {
    front: (k) => {
      const w = k.face.w * 0.92;
      const spikes: Pt[] = [];
      for (let i = 0; i <= 10; i++)
        spikes.push([(-1 + i / 5) * w * (i % 2 ? 1.02 : 1.06), i % 2 ? -142 : -184 - (5 - Math.abs(i - 5)) * 3]);
      form(k, [[-w, -92], ...spikes, [w, -92], [w * 0.5, -82], [0, -79], [-w * 0.5, -82]], GOLD, -w, w, false);
      strap(k, -90, w, 16, tone(GOLD, 0.1));
      for (let i = -2; i <= 2; i++) {
        const gem: Rgb = i % 2 ? [58, 110, 214] : [206, 40, 62];
        glow(k.pen, i * w * 0.4, -96 + Math.abs(i) * -2, 10, 10, gem, 1);
        glow(k.pen, i * w * 0.4 - 2, -99, 4, 3, [255, 255, 255], 0.9);
      }
      for (const [x, y] of spikes.filter((_, i) => i % 2 === 0)) glow(k.pen, x, y, 8, 8, [255, 236, 170], 1);
    },
  },
  headphones: {
    front: (k) => {
      const w = k.face.w;
      for (const [colour, width] of [
        [tone(k.colour, -0.5), 15],
        [k.colour, 11],
        [tone(k.colour, 0.5), 3],
      ] as const) {
        k.pen.strokeStyle = css(colour);
        k.pen.lineWidth = width;
        trace(
          k.pen,
          curve(on(w, [-1.14, 0, -1.16, -90, -0.66, -164, 0, -186, 0.66, -164, 1.16, -90, 1.14, 0]), 60),
          false,
        );
        k.pen.stroke();
      }
      for (const s of [-1, 1])
        form(
          k,
          [
            [s * w * 1.0, -28],
            [s * w * 1.2, -34],
            [s * w * 1.3, 8],
            [s * w * 1.2, 52],
            [s * w * 1.0, 46],
          ],
          k.colour,
          s * w - 20,
          s * w + 30,
        );
    },
  },
  flowers: {
    front: (k) => {
      const w = k.face.w;
      const line = curve(on(w, [-1.02, -78, -0.7, -106, -0.3, -120, 0, -124, 0.3, -120, 0.7, -106, 1.02, -78]), 15);
      for (const [x, y] of line)
        for (let i = 0; i < 3; i++)
          fold(
            k,
            [
              [x, y],
              [x + between(k.random, -18, 18), y + between(k.random, -14, 14)],
            ],
            8,
            0,
          );
      for (const [i, [x, y]] of line.entries()) {
        const petal = (
          [
            [232, 92, 122],
            [250, 214, 120],
            [244, 240, 236],
            [190, 120, 210],
          ] as Rgb[]
        )[i % 4]!;
        const r = between(k.random, 8, 12);
        for (let p = 0; p < 6; p++)
          glow(k.pen, x + Math.cos(p * 1.047) * r * 0.8, y + Math.sin(p * 1.047) * r * 0.8, r, r, petal, 1);
        glow(k.pen, x, y, r * 0.6, r * 0.6, [250, 190, 60], 1);
      }
    },
  },
} satisfies Record<string, HatRow>;
