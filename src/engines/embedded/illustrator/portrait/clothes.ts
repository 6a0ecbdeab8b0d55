/** What people wear, each kind a row of a table drawing flat cloth; `paintFolds` gives all of it light and creases. */
import { mirror, paintFolds, shoulderLine } from './body.ts';
import { css, luma, mix, type Rgb, rgb, tone } from './colour.ts';
import { brush, curve, glow, type Pen, trace, type View } from './layer.ts';
import type { Random } from './random.ts';
import type { Face, Pt } from './shape.ts';
import type { PersonTraits } from './traits.ts';

interface Cloth {
  pen: Pen;
  face: Face;
  main: Rgb;
  accent: Rgb;
  random: Random;
}

/** A garment: the shoulders' outline down to below the picture, cut out above the neckline (right half, top to middle). */
function garment(c: Cloth, colour: Rgb, neckline: readonly Pt[], grow = 5): void {
  const [startX, startY] = neckline[0]!;
  const line = shoulderLine(c.face, grow).filter(([x, y]) => y > startY + 2 && x > startX + 1);
  const right: Pt[] = [[startX, startY], ...line];
  const cut = curve(neckline, 20);
  trace(c.pen, [...right, ...mirror(right).reverse(), ...mirror(cut), ...[...cut].reverse()]);
  c.pen.fillStyle = css(colour);
  c.pen.fill();
}

/** A seam: a dark line with a light one beside it. */
function seam(c: Cloth, points: readonly Pt[], colour: Rgb, width = 1.6): void {
  for (const side of [-1, 1]) {
    const line = curve(
      points.map(([x, y]): Pt => [x * side, y]),
      20,
    );
    c.pen.fillStyle = css(tone(colour, -0.5), 0.7);
    brush(c.pen, line, width);
  }
}

/** A band along a neckline: ribbing, trim or a collar edge. */
function band(c: Cloth, points: readonly Pt[], colour: Rgb, width: number, ribs = false): void {
  const half = curve(points, 24);
  const line = [...mirror(half), ...[...half].reverse()];
  c.pen.save();
  c.pen.lineCap = 'butt';
  for (const [shift, w] of [
    [-0.35, width + 2],
    [0, width],
    [0.14, width * 0.3],
  ] as const) {
    trace(c.pen, line, false);
    c.pen.strokeStyle = css(tone(colour, shift));
    c.pen.lineWidth = w;
    c.pen.stroke();
  }
  if (ribs) {
    c.pen.setLineDash([1.2, 3.2]);
    trace(c.pen, line, false);
    c.pen.strokeStyle = css(tone(colour, -0.4), 0.5);
    c.pen.lineWidth = width;
    c.pen.stroke();
  }
  c.pen.restore();
}

const crew = (f: Face): Pt[] => [
  [f.neck * 1.1, 163],
  [f.neck * 0.92, 186],
  [f.neck * 0.5, 203],
  [0, 209],
];
const vee = (f: Face, depth: number): Pt[] => [
  [f.neck * 1.14, 164],
  [f.neck * 0.8, 196],
  [f.neck * 0.34, 196 + depth * 0.6],
  [0, 200 + depth],
];
const scoop = (f: Face): Pt[] => [
  [f.neck * 1.5, 176],
  [f.neck * 1.3, 208],
  [f.neck * 0.72, 232],
  [0, 240],
];

function buttons(c: Cloth, x: number, from: number, gap: number, colour: Rgb): void {
  for (let y = from; y < 760; y += gap) {
    c.pen.fillStyle = css(tone(colour, -0.35));
    c.pen.beginPath();
    c.pen.arc(x + 0.7, y + 1, 4, 0, Math.PI * 2);
    c.pen.fill();
    c.pen.fillStyle = css(tone(colour, 0.15));
    c.pen.beginPath();
    c.pen.arc(x, y, 3.5, 0, Math.PI * 2);
    c.pen.fill();
  }
}

/** A polygon mirrored to both sides, with a soft dark edge under it. */
function flaps(c: Cloth, points: readonly Pt[], colour: Rgb, dark = -0.45): void {
  for (const side of [-1, 1]) {
    c.pen.save();
    c.pen.shadowColor = 'rgba(10,6,16,0.55)';
    c.pen.shadowBlur = 8;
    c.pen.shadowOffsetY = 3;
    trace(
      c.pen,
      points.map(([x, y]): Pt => [x * side, y]),
    );
    c.pen.fillStyle = css(side < 0 ? tone(colour, 0.05) : tone(colour, -0.04));
    c.pen.fill();
    c.pen.restore();
    c.pen.strokeStyle = css(tone(colour, dark), 0.6);
    c.pen.lineWidth = 1.1;
    c.pen.stroke();
  }
}

const collar = (f: Face): Pt[] => [
  [f.neck * 1.0, 146],
  [f.neck * 1.16, 160],
  [f.neck * 0.98, 214],
  [f.neck * 0.62, 232],
  [2, 196],
  [f.neck * 0.72, 178],
];

function shirt(c: Cloth, colour: Rgb, open = true): void {
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

function suit(c: Cloth): void {
  const n = c.face.neck;
  shirt(c, [240, 240, 244], false);
  tie(c);
  flaps(c, collar(c.face), [246, 246, 250], -0.3);
  garment(
    c,
    c.main,
    [
      [n * 1.16, 158],
      [n * 1.02, 226],
      [n * 0.62, 300],
      [0, 392],
    ],
    9,
  );
  flaps(
    c,
    [
      [n * 1.1, 152],
      [n * 1.34, 172],
      [n * 1.72, 246],
      [n * 1.3, 262],
      [n * 1.42, 276],
      [n * 0.2, 396],
      [n * 0.72, 280],
    ],
    tone(c.main, 0.06),
  );
  buttons(c, 0, 412, 90, tone(c.main, -0.3));
}

function open(c: Cloth, colour: Rgb, under: Rgb, lapel: Rgb): void {
  const n = c.face.neck;
  shirt(c, under);
  garment(
    c,
    colour,
    [
      [n * 1.24, 160],
      [n * 1.2, 240],
      [n * 0.84, 350],
      [n * 0.62, 620],
      [n * 0.5, 1200],
      [0, 2000],
    ],
    9,
  );
  flaps(
    c,
    [
      [n * 1.14, 152],
      [n * 1.42, 172],
      [n * 1.86, 250],
      [n * 1.46, 270],
      [n * 1.56, 284],
      [n * 0.76, 430],
      [n * 0.98, 280],
    ],
    lapel,
  );
}

const DRESSERS: Record<PersonTraits['clothes'], (c: Cloth) => void> = {
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
      ...curve(
        [
          [n * 1.05, 134],
          [n * 1.1, 164],
          [n * 1.16, 190],
          [0, 214],
        ],
        20,
      ),
      ...mirror(
        curve(
          [
            [n * 1.05, 134],
            [n * 1.1, 164],
            [n * 1.16, 190],
            [0, 214],
          ],
          20,
        ),
      ).reverse(),
      ...mirror(
        curve(
          [
            [n * 1.05, 134],
            [n * 0.5, 146],
            [0, 149],
          ],
          10,
        ),
      ),
      ...curve(
        [
          [0, 149],
          [n * 0.5, 146],
          [n * 1.05, 134],
        ],
        10,
      ),
    ]);
    c.pen.fill();
    band(
      c,
      [
        [n * 1.07, 160],
        [n * 0.6, 172],
        [0, 176],
      ],
      tone(c.main, -0.12),
      2,
    );
  },
  dress: (c) => {
    garment(c, c.main, scoop(c.face), 2);
    band(c, scoop(c.face), tone(c.main, 0.08), 4);
  },
  labcoat: (c) => open(c, [242, 244, 247], c.main, [250, 251, 253]),
  jacket: (c) => open(c, c.main, c.accent, tone(c.main, 0.08)),
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
    garment(
      c,
      white,
      [
        [n * 1.08, 150],
        [n * 0.7, 176],
        [0, 190],
      ],
      8,
    );
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
};

function paintStethoscope(pen: Pen, face: Face): void {
  const n = face.neck;
  for (const [colour, w] of [
    ['#15181f', 8],
    ['#39414f', 5],
    ['#7d8798', 1.4],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = w;
    for (const line of [
      [
        [-n * 1.2, 162],
        [-n * 1.16, 240],
        [-n * 0.86, 330],
        [-n * 0.8, 380],
      ],
      [
        [n * 1.2, 162],
        [n * 1.22, 250],
        [n * 1.0, 350],
        [n * 1.0, 420],
      ],
    ] as const) {
      trace(pen, curve(line as readonly Pt[], 24), false);
      pen.stroke();
    }
  }
  glow(pen, n * 1.0, 428, 20, 20, [180, 188, 200], 1);
}

/** What lies behind neck and hair: the hood of a hoodie. */
export function paintClothesBehind(pen: Pen, face: Face, traits: PersonTraits): void {
  if (traits.clothes !== 'hoodie') return;
  const n = face.neck;
  const y = -face.lift;
  const main = rgb(traits.clothesColour);
  const hood: Pt[] = [
    [-n * 1.75, 200 + y],
    [-n * 1.66, 136 + y],
    [-n, 112 + y],
    [0, 104 + y],
    [n, 112 + y],
    [n * 1.66, 136 + y],
    [n * 1.75, 200 + y],
  ];
  pen.fillStyle = css(tone(main, -0.45));
  trace(pen, curve(hood, 40));
  pen.fill();
}

const SMOOTH = new Set<PersonTraits['clothes']>(['armour', 'spacesuit']);

/** Paints the clothes on an empty layer's pen and shades them. */
export function paintClothes(pen: Pen, view: View, face: Face, traits: PersonTraits, random: Random): void {
  const cloth: Cloth = { pen, face, main: rgb(traits.clothesColour), accent: rgb(traits.accentColour), random };
  DRESSERS[traits.clothes](cloth);
  if (traits.stethoscope) paintStethoscope(pen, face);
  const metal = traits.clothes === 'armour';
  paintFolds(pen, view, face, random, SMOOTH.has(traits.clothes) ? 0.35 : 1, metal ? 0.6 : 0.1);
}
