import { css, mix, type Rgb, tone } from '../colour.ts';
import { curve, glow, trace } from '../layer.ts';
import { on } from '../shape.ts';
import { band, buttons, type Cloth, crew, flaps, garment, seam, vee } from './tailor.ts';

export const COSTUMES = {
  robe: (c) => {
    garment(c, tone(c.main, -0.3), crew(c.face));
    garment(c, c.main, vee(c.face, 120), 14);
    band(c, vee(c.face, 120), c.accent, 13);
  },
  kimono: (c) => {
    const n = c.face.neck;
    garment(c, c.main, vee(c.face, 30), 10);
    for (const side of [1, -1]) {
      const line = curve(
        [
          [side * n * 1.16, 152],
          [side * n * 0.9, 186],
          [side * n * 0.22, 228],
          [-side * n * 1.5, 340],
        ],
        24,
      );
      c.pen.lineCap = 'butt';
      for (const [shift, w] of [
        [-0.4, 30],
        [0, 27],
        [0.2, 3],
      ] as const) {
        trace(c.pen, line, false);
        c.pen.strokeStyle = css(tone(shift ? c.accent : mix(c.accent, [250, 246, 238], 0.25), shift));
        c.pen.lineWidth = w;
        c.pen.stroke();
      }
    }
    for (let i = 0; i < 26; i++) {
      const [x, y] = [(c.random() - 0.5) * c.face.shoulder * 2.1, 240 + c.random() * 360];
      for (let p = 0; p < 5; p++)
        glow(
          c.pen,
          x + Math.cos(p * 1.257) * 5,
          y + Math.sin(p * 1.257) * 5,
          5,
          5,
          mix(c.accent, [255, 240, 240], 0.5),
          0.9,
        );
    }
  },
  chef: (c) => {
    const white: Rgb = [246, 246, 244];
    const n = c.face.neck;
    garment(c, white, on(n, [1.08, 150, 0.7, 176, 0, 190]), 8);
    flaps(
      c,
      [
        [n * 1.02, 140],
        [n * 1.14, 164],
        [n * 0.5, 204],
        [3, 206],
        [n * 0.4, 184],
      ],
      white,
      -0.35,
    );
    seam(
      c,
      [
        [40, 204],
        [46, 800],
      ],
      white,
      1.6,
    );
    for (const x of [-28, 28]) buttons(c, x, 250, 56, c.accent);
  },
  armour: (c) => {
    const metal = mix(c.main, [150, 158, 172], 0.7);
    garment(c, tone(metal, -0.35), crew(c.face), 4);
    garment(
      c,
      metal,
      [
        [c.face.neck * 1.3, 172],
        [c.face.neck * 1.1, 206],
        [c.face.neck * 0.6, 222],
        [0, 226],
      ],
      8,
    );
    band(
      c,
      [
        [c.face.neck * 1.06, 146],
        [c.face.neck * 0.9, 176],
        [c.face.neck * 0.4, 194],
        [0, 198],
      ],
      tone(metal, 0.1),
      18,
    );
    band(
      c,
      [
        [c.face.neck * 1.1, 156],
        [c.face.neck * 0.9, 186],
        [c.face.neck * 0.4, 204],
        [0, 209],
      ],
      c.accent,
      5,
    );
    const s = c.face.shoulder;
    for (const [y, r] of [
      [300, 1],
      [262, 0.94],
      [228, 0.84],
    ] as const)
      flaps(
        c,
        curve(
          [
            [s * 0.66, y - 40 * r],
            [s * 0.98, y - 44 * r],
            [s * 1.24, y + 6],
            [s * 1.2, y + 34],
            [s * 0.94, y + 6],
            [s * 0.7, y + 10],
            [s * 0.66, y - 40 * r],
          ],
          40,
        ),
        tone(metal, 0.08),
        -0.6,
      );
    seam(
      c,
      [
        [0, 226],
        [0, 800],
      ],
      metal,
      3,
    );
  },
  spacesuit: (c) => {
    const white: Rgb = mix([236, 239, 244], c.main, 0.06);
    garment(
      c,
      white,
      [
        [c.face.neck * 1.5, 158],
        [c.face.neck * 1.2, 196],
        [0, 214],
      ],
      22,
    );
    band(
      c,
      [
        [c.face.neck * 1.62, 166],
        [c.face.neck * 1.3, 204],
        [c.face.neck * 0.6, 222],
        [0, 226],
      ],
      [150, 158, 170],
      20,
    );
    band(
      c,
      [
        [c.face.neck * 1.62, 178],
        [c.face.neck * 1.3, 216],
        [c.face.neck * 0.6, 234],
        [0, 238],
      ],
      c.accent,
      6,
    );
    seam(
      c,
      [
        [c.face.shoulder * 0.7, 200],
        [c.face.shoulder * 0.84, 260],
        [c.face.shoulder * 0.76, 330],
      ],
      white,
      3,
    );
    c.pen.fillStyle = css([196, 202, 212]);
    c.pen.fillRect(-52, 296, 104, 120);
    for (const [i, colour] of (
      [
        [210, 60, 50],
        [60, 120, 200],
        [240, 190, 60],
      ] as Rgb[]
    ).entries())
      glow(c.pen, -28 + i * 28, 330, 11, 11, colour, 1);
  },
} satisfies Record<string, (c: Cloth) => void>;
