/** Hats and head coverings, each a row of a table: a part behind the head where it has one, and a part over the hair. */
import { css, mix, type Rgb, rgb, tone } from './colour.ts';
import { brush, curve, glow, type Pen, trace } from './layer.ts';
import { between, type Random } from './random.ts';
import type { Face, Pt } from './shape.ts';
import type { Hat, PersonTraits } from './traits.ts';

interface Work {
  pen: Pen;
  face: Face;
  colour: Rgb;
  random: Random;
}

/** Cloth or felt lit from the upper left: fills the shape between x0 and x1 as something round. */
function form(k: Work, points: readonly Pt[], colour: Rgb, x0: number, x1: number, smooth = true): void {
  const g = k.pen.createLinearGradient(x0, -160, x1, -60);
  g.addColorStop(0, css(tone(colour, -0.12)));
  g.addColorStop(0.28, css(tone(colour, 0.2)));
  g.addColorStop(0.6, css(tone(colour, -0.1)));
  g.addColorStop(1, css(tone(colour, -0.55)));
  k.pen.fillStyle = g;
  trace(k.pen, smooth ? curve([...points, points[0]!], 64) : points);
  k.pen.fill();
}

const fold = (k: Work, points: readonly Pt[], width: number, shade: number): void => {
  k.pen.fillStyle = css(shade < 0 ? [10, 5, 20] : [255, 250, 240], Math.abs(shade));
  brush(k.pen, curve(points, 18), width);
};

/** A brim: an ellipse whose front edge hangs to `front`. */
function brim(k: Work, reach: number, y: number, back: number, front: number, colour: Rgb): void {
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

function strap(k: Work, y: number, half: number, h: number, colour: Rgb): void {
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
const TALL = 0.8;
const GOLD: Rgb = [222, 176, 72];

const HATS: Record<Exclude<Hat, 'none'>, { behind?: (k: Work) => void; front: (k: Work) => void }> = {
  wizard: {
    front: (k) => {
      const w = k.face.w;
      k.pen.save();
      k.pen.translate(0, -84 * (1 - TALL));
      k.pen.scale(1, TALL);
      form(
        k,
        [
          [-w * 1.04, -84],
          [-w * 0.72, -150],
          [-w * 0.3, -230],
          [w * 0.22, -292],
          [w * 0.56, -276],
          [w * 0.34, -258],
          [w * 0.52, -190],
          [w * 0.84, -130],
          [w * 1.04, -84],
          [0, -70],
        ],
        k.colour,
        -w,
        w,
      );
      fold(
        k,
        [
          [-w * 0.3, -208],
          [w * 0.1, -190],
          [w * 0.44, -206],
        ],
        8,
        -0.35,
      );
      fold(
        k,
        [
          [-w * 0.5, -170],
          [-w * 0.06, -152],
          [w * 0.3, -168],
        ],
        6,
        -0.25,
      );
      for (let i = 0; i < 9; i++)
        glow(k.pen, between(k.random, -w * 0.6, w * 0.5), between(k.random, -190, -110), 5, 5, [255, 226, 130], 0.9);
      k.pen.restore();
      strap(k, -84, w * 1.0, 24, GOLD);
      brim(k, w * 1.95, -80, 14, 16, k.colour);
    },
  },
  cap: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        [
          [-w * 1.05, -56],
          [-w * 1.0, -110],
          [-w * 0.6, -154],
          [0, -168],
          [w * 0.6, -154],
          [w * 1.0, -110],
          [w * 1.05, -56],
          [0, -76],
        ],
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
        [
          [-w * 0.98, -66],
          [-w * 0.5, -88],
          [0, -94],
          [w * 0.5, -88],
          [w * 0.98, -66],
          [w * 0.9, -48],
          [w * 0.4, -40],
          [0, -38],
          [-w * 0.4, -40],
          [-w * 0.9, -48],
        ],
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
        [
          [-w * 1.07, -60],
          [-w * 1.06, -112],
          [-w * 0.66, -166],
          [0, -184],
          [w * 0.66, -166],
          [w * 1.06, -112],
          [w * 1.07, -60],
          [0, -66],
        ],
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
        [
          [-w * 1.1, -48],
          [-w * 1.12, -86],
          [-w * 0.5, -100],
          [0, -104],
          [w * 0.5, -100],
          [w * 1.12, -86],
          [w * 1.1, -48],
          [w * 0.5, -62],
          [0, -66],
          [-w * 0.5, -62],
        ],
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
  tophat: {
    front: (k) => {
      const w = k.face.w;
      k.pen.save();
      k.pen.translate(0, -84 * (1 - TALL));
      k.pen.scale(1, TALL);
      form(
        k,
        [
          [-w * 0.94, -88],
          [-w * 0.86, -180],
          [-w * 0.98, -262],
          [w * 0.98, -262],
          [w * 0.86, -180],
          [w * 0.94, -88],
        ],
        k.colour,
        -w,
        w,
        false,
      );
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
        [
          [-w * 1.0, -90],
          [-w * 0.9, -160],
          [-w * 0.56, -206],
          [-w * 0.16, -192],
          [0, -184],
          [w * 0.16, -192],
          [w * 0.56, -206],
          [w * 0.9, -160],
          [w * 1.0, -90],
          [0, -78],
        ],
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
        [
          [-w * 1.95, -116],
          [-w * 1.2, -78],
          [-w * 0.4, -66],
          [0, -64],
          [w * 0.4, -66],
          [w * 1.2, -78],
          [w * 1.95, -116],
          [w * 1.3, -96],
          [w * 0.6, -88],
          [0, -85],
          [-w * 0.6, -88],
          [-w * 1.3, -96],
        ],
        tone(k.colour, 0.04),
        -w * 1.8,
        w * 1.8,
      );
    },
  },
  chef: {
    front: (k) => {
      const w = k.face.w;
      const white: Rgb = [245, 244, 240];
      form(
        k,
        [
          [-w * 0.9, -128],
          [-w * 1.26, -170],
          [-w * 1.1, -224],
          [-w * 0.5, -248],
          [0, -258],
          [w * 0.5, -248],
          [w * 1.1, -224],
          [w * 1.26, -170],
          [w * 0.9, -128],
          [0, -118],
        ],
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
        [
          [-w * 1.1, -72],
          [-w * 1.08, -130],
          [-w * 0.66, -182],
          [0, -200],
          [w * 0.66, -182],
          [w * 1.08, -130],
          [w * 1.1, -72],
          [0, -84],
        ],
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
  helmet: {
    front: (k) => {
      const w = k.face.w;
      const steel = mix(k.colour, [158, 166, 180], 0.75);
      const shell: Pt[] = [
        [-w * 1.02, 96],
        [-w * 1.2, 20],
        [-w * 1.18, -90],
        [-w * 0.7, -170],
        [0, -194],
        [w * 0.7, -170],
        [w * 1.18, -90],
        [w * 1.2, 20],
        [w * 1.02, 96],
      ];
      const open: Pt[] = [
        [w * 0.86, 92],
        [w * 0.93, 10],
        [w * 0.86, -52],
        [w * 0.4, -66],
        [0, -60],
        [-w * 0.4, -66],
        [-w * 0.86, -52],
        [-w * 0.93, 10],
        [-w * 0.86, 92],
      ];
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
        [
          [-w * 1.04, 40],
          [-w * 1.08, -60],
          [-w * 0.7, -146],
          [0, -162],
          [w * 0.7, -146],
          [w * 1.08, -60],
          [w * 1.04, 40],
          [w * 0.93, 10],
          [w * 0.84, -60],
          [w * 0.4, -90],
          [0, -94],
          [-w * 0.4, -90],
          [-w * 0.84, -60],
          [-w * 0.93, 10],
        ],
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
      fold(
        k,
        [
          [-w * 1.3, 40],
          [-w * 1.44, -30],
          [-w * 1.12, -104],
        ],
        12,
        0.45,
      );
    },
  },
  pirate: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        [
          [-w * 1.62, -96],
          [-w * 1.1, -112],
          [-w * 0.66, -168],
          [0, -208],
          [w * 0.66, -168],
          [w * 1.1, -112],
          [w * 1.62, -96],
          [w * 0.7, -78],
          [0, -70],
          [-w * 0.7, -78],
        ],
        k.colour,
        -w * 1.4,
        w * 1.4,
      );
      k.pen.strokeStyle = css(GOLD);
      k.pen.lineWidth = 5;
      trace(
        k.pen,
        curve(
          [
            [-w * 1.58, -98],
            [-w * 1.1, -112],
            [-w * 0.66, -166],
            [0, -205],
            [w * 0.66, -166],
            [w * 1.1, -112],
            [w * 1.58, -98],
          ],
          50,
        ),
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
        brush(
          k.pen,
          [
            [s * -26, -122],
            [0, -112],
            [s * 26, -100],
          ],
          6,
        );
      }
    },
  },
  beret: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        [
          [-w * 0.98, -74],
          [-w * 1.36, -112],
          [-w * 1.1, -160],
          [-w * 0.3, -182],
          [w * 0.6, -162],
          [w * 1.04, -116],
          [w * 0.98, -80],
          [0, -92],
        ],
        k.colour,
        -w * 1.3,
        w,
      );
      fold(
        k,
        [
          [-w * 1.1, -112],
          [-w * 0.4, -132],
          [w * 0.5, -122],
        ],
        9,
        -0.22,
      );
      strap(k, -74, w * 0.97, 10, tone(k.colour, -0.3));
      fold(
        k,
        [
          [-w * 0.24, -180],
          [-w * 0.2, -192],
          [-w * 0.22, -198],
        ],
        5,
        -0.8,
      );
    },
  },
  hijab: {
    behind: (k) => {
      const w = k.face.w;
      form(
        k,
        [
          [-w * 1.14, -40],
          [-w * 0.9, -140],
          [0, -170],
          [w * 0.9, -140],
          [w * 1.14, -40],
          [w * 1.12, 110],
          [w * 1.6, 250],
          [-w * 1.6, 250],
          [-w * 1.12, 110],
        ],
        tone(k.colour, -0.3),
        -w,
        w,
      );
    },
    front: (k) => {
      const w = k.face.w;
      const c = k.face.chin;
      const outer = curve(
        [
          [0, -164],
          [-w * 0.72, -146],
          [-w * 1.12, -80],
          [-w * 1.16, 10],
          [-w * 1.06, 90],
          [-w * 1.1, 150],
          [-w * 1.42, 222],
          [-w * 0.8, 282],
          [0, 306],
          [w * 0.9, 286],
          [w * 1.5, 226],
          [w * 1.14, 150],
          [w * 1.06, 90],
          [w * 1.16, 10],
          [w * 1.12, -80],
          [w * 0.72, -146],
          [0, -164],
        ],
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
        [
          [-w * 0.98, -60],
          [-w * 1.06, 20],
          [-w * 0.8, 120],
          [-w * 0.1, 172],
        ],
        [
          [w * 1.0, -50],
          [w * 1.04, 40],
          [w * 0.7, 130],
          [-w * 0.2, 196],
        ],
        [
          [w * 1.08, 60],
          [w * 0.86, 160],
          [0, 232],
          [-w * 0.7, 250],
        ],
        [
          [w * 1.1, 120],
          [w * 0.9, 210],
          [w * 0.2, 270],
        ],
        [
          [-w * 1.06, 100],
          [-w * 0.9, 170],
          [-w * 0.2, 226],
        ],
        [
          [-w * 0.5, -140],
          [-w * 0.9, -92],
          [-w * 1.04, -20],
        ],
        [
          [w * 0.4, -146],
          [w * 0.9, -100],
          [w * 1.06, -10],
        ],
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
        [
          [-w * 1.06, -46],
          [-w * 1.26, -100],
          [-w * 1.06, -166],
          [-w * 0.4, -202],
          [w * 0.4, -202],
          [w * 1.06, -166],
          [w * 1.26, -100],
          [w * 1.06, -46],
          [w * 0.5, -74],
          [0, -92],
          [-w * 0.5, -74],
        ],
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
  santa: {
    front: (k) => {
      const w = k.face.w;
      form(
        k,
        [
          [-w * 1.02, -80],
          [-w * 0.8, -160],
          [-w * 0.1, -216],
          [w * 0.7, -204],
          [w * 1.3, -120],
          [w * 1.46, -40],
          [w * 1.2, -80],
          [w * 0.98, -84],
          [0, -80],
        ],
        [196, 32, 42],
        -w,
        w * 1.3,
      );
      fold(
        k,
        [
          [-w * 0.1, -190],
          [w * 0.6, -170],
          [w * 1.1, -110],
        ],
        10,
        -0.25,
      );
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
          curve(
            [
              [-w * 1.14, 0],
              [-w * 1.16, -90],
              [-w * 0.66, -164],
              [0, -186],
              [w * 0.66, -164],
              [w * 1.16, -90],
              [w * 1.14, 0],
            ],
            60,
          ),
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
      const line = curve(
        [
          [-w * 1.02, -78],
          [-w * 0.7, -106],
          [-w * 0.3, -120],
          [0, -124],
          [w * 0.3, -120],
          [w * 0.7, -106],
          [w * 1.02, -78],
        ],
        15,
      );
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
};

export function paintHatBehind(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  if (traits.hat !== 'none') HATS[traits.hat].behind?.({ pen, face, colour: rgb(traits.hatColour), random });
}

export function paintHat(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  if (traits.hat !== 'none') HATS[traits.hat].front({ pen, face, colour: rgb(traits.hatColour), random });
}

/** How far above the eyes the tallest part of the hat or hair reaches, in drawing units: the picture must hold it. */
export function headroom(traits: PersonTraits): number {
  const hats: Partial<Record<Hat, number>> = {
    wizard: 252,
    tophat: 240,
    chef: 262,
    pirate: 212,
    cowboy: 210,
    santa: 224,
    turban: 206,
    hardhat: 204,
    crown: 204,
    helmet: 198,
  };
  const hair = { afro: 200, mohawk: 214, bun: 202, curly: 176 } as Partial<
    Record<PersonTraits['hair']['style'], number>
  >;
  return Math.max(168, hats[traits.hat] ?? 0, traits.hat === 'none' ? (hair[traits.hair.style] ?? 0) : 0);
}
