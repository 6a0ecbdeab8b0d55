/**
 * Hairstyles as families of guide curves: what lies behind the head and what lies over it. A style is a row of a table;
 * nothing here knows of faces other than their measures.
 */
import { css, rgb, tone } from './colour.ts';
import { curve, glow, type Pen, trace } from './layer.ts';
import { between, type Random } from './random.ts';
import type { Face, Pt } from './shape.ts';
import { drawCurls, drawLocks, drawMass, type HairInk, inkOf } from './strands.ts';
import type { PersonTraits } from './traits.ts';

interface Scene {
  pen: Pen;
  face: Face;
  traits: PersonTraits;
  ink: HairInk;
  random: Random;
}

/** The hairline and the silhouette of hair of some thickness, both for a in -1 (left sideburn) .. 1 (right). */
function cap(face: Face, volume: number, lift = volume): { inner: (a: number) => Pt; outer: (a: number) => Pt } {
  const { w, top, hairline: h } = face;
  const inner = curve(
    [
      [-w * 0.98, 6],
      [-w * 0.93, -34],
      [-w * 0.76, -58],
      [-w * 0.62, h + 12],
      [-w * 0.3, h + 1],
      [0, h - 1],
      [w * 0.3, h + 1],
      [w * 0.62, h + 12],
      [w * 0.76, -58],
      [w * 0.93, -34],
      [w * 0.98, 6],
    ],
    60,
  );
  const v = volume;
  const outer = curve(
    [
      [-w * 1.02, 2],
      [-w - v * 0.62, -38],
      [-w - v * 0.72, -74],
      [-w * 0.77 - v * 0.52, -110 - v * 0.44],
      [-w * 0.44, top - lift + 8],
      [0, top - lift],
      [w * 0.44, top - lift + 8],
      [w * 0.77 + v * 0.52, -110 - v * 0.44],
      [w + v * 0.72, -74],
      [w + v * 0.62, -38],
      [w * 1.02, 2],
    ],
    60,
  );
  const on = (line: Pt[]) => (a: number) => line[Math.round(Math.max(0, Math.min(1, (a + 1) / 2)) * 60)]!;
  return { inner: on(inner), outer: on(outer) };
}

const RUN = Array.from({ length: 41 }, (_, i) => i / 20 - 1);

/** Fills the cap and combs it: `comb` says where a strand rooted at a ends. */
function paintCap(
  s: Scene,
  volume: number,
  comb: (a: number) => number,
  options: { lift?: number; from?: number; density?: number; arc?: number; gloss?: number } = {},
): void {
  const { pen, face, ink, random } = s;
  const { inner, outer } = cap(face, volume, options.lift);
  const set = RUN.filter((a) => Math.abs(a) >= (options.from ?? 0));
  const mid = (a: number, t: number): Pt => {
    const [p, q] = [inner(a), outer(a)];
    return [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
  };
  pen.save();
  // Cut along the silhouette: strands that end in the open look like grass.
  trace(pen, [...RUN.map((a) => outer(a)), [face.w * 1.02, 60], [-face.w * 1.02, 60]]);
  pen.clip();
  pen.fillStyle = ink.dark[0]!;
  const parts = options.from ? [set.filter((a) => a < 0), set.filter((a) => a > 0)] : [set];
  for (const part of parts) {
    trace(pen, [...part.map((a) => mid(a, 0.1)), ...part.map((a) => mid(a, 0.96)).reverse()]);
    pen.fill();
    const guides = part.map((a): Pt[] => {
      const end = comb(a);
      return [0, 0.33, 0.66, 1].map((t) =>
        mid(a + (end - a) * t ** 1.3, t * (1 + (options.arc ?? 0) * Math.sin(Math.PI * t))),
      );
    });
    drawMass(pen, guides, ink, random, {
      fine: 0.55,
      density: options.density ?? 1.5,
      jitter: 2.4,
      gloss: options.gloss ?? 0.7,
    });
    drawLocks(pen, guides, ink, random, { count: 110, width: [0.8, 1.8], jitter: 3.2, ragged: [0, 0.7], alpha: 0.8 });
  }
  pen.restore();
}

/** One half of parted hair: from the parting over the temple and down to y = `length`. */
function curtain(face: Face, side: number, part: number, volume: number, length: number, flare = 0): Pt[][] {
  const { w, top, hairline: h } = face;
  const px = part * w * 0.45;
  const v = volume;
  const x = (n: number) => side * n;
  return [
    [
      [px, h - 3],
      [px + x(Math.abs(x(w * 0.66) - px) * 0.5), h + 11],
      [x(w * 0.84), -42],
      [x(w * 0.99), 14],
      [x(w * 0.97 + flare * 0.3), 70],
      [x(w * 0.9 + flare * 0.5), length - 6],
    ],
    [
      [px, h - 20],
      [px + x(Math.abs(x(w * 0.8) - px) * 0.52), h - 16],
      [x(w * 0.99), -52],
      [x(w * 1.08), 14],
      [x(w * 1.08 + flare * 0.4), 74],
      [x(w * 1.02 + flare * 0.7), length],
    ],
    [
      [px, top - v * 0.8],
      [px + x(Math.abs(x(w * 0.72) - px) * 0.55), top - v * 0.8 + 5],
      [x(w + v * 0.55), -66],
      [x(w + v * 0.85), 14],
      [x(w + v + flare * 0.6), 78],
      [x(w * 1.06 + v * 0.8 + flare), length + 4],
    ],
    [
      [px, top - v],
      [px + x(Math.abs(x(w * 0.7) - px) * 0.62), top - v + 4],
      [x(w + v * 0.75), -80],
      [x(w + v * 1.1), 8],
      [x(w + v * 1.25 + flare * 0.7), 78],
      [x(w * 1.06 + v * 1.05 + flare), length - 4],
    ],
  ];
}

function paintFringe(s: Scene, volume: number, y: number): void {
  const { w, top } = s.face;
  const guides = Array.from({ length: 9 }, (_, i): Pt[] => {
    const k = i / 4 - 1;
    return [
      [k * w * 0.34, top - volume + 4 + k * k * 8],
      [k * w * 0.66, s.face.hairline - 22 + k * k * 14],
      [k * w * 0.82, s.face.hairline + 18 + k * k * 8],
      [k * w * (0.86 + 0.06 * k * k), y + k * k * 18],
    ];
  });
  drawMass(s.pen, guides, s.ink, s.random, { density: 1, jitter: 4, gloss: 1 });
}

function parted(
  s: Scene,
  volume: number,
  length: number,
  flare: number,
  wave?: { amp: number; turns: number },
  curls = false,
): void {
  const { face, traits } = s;
  for (const side of [1, -1]) {
    const guides = curtain(face, side, traits.hair.part, volume, length, flare);
    s.pen.fillStyle = s.ink.dark[1]!;
    trace(s.pen, [
      ...curve(
        guides[0]!.map(([x, y]): Pt => [x + side * 5, y - 2]),
        24,
      ),
      ...curve(guides[3]!, 24)
        .map(([x, y]): Pt => [x - side * 3, y])
        .reverse(),
    ]);
    s.pen.fill();
    drawMass(s.pen, guides, s.ink, s.random, { density: 1.5, wave, jitter: 4, gloss: curls ? 0.25 : 1 });
  }
  if (curls) paintRinglets(s, volume, length);
  else if (traits.hair.fringe) paintFringe(s, volume, face.brow.y - 8);
}

/** Hair behind neck and shoulders down to y = `length`. */
function paintBackMass(
  s: Scene,
  volume: number,
  length: number,
  flare: number,
  wave?: { amp: number; turns: number },
): void {
  const { w } = s.face;
  const guides = Array.from({ length: 9 }, (_, i): Pt[] => {
    const k = i / 4 - 1;
    return [
      [k * (w + volume * 0.6), -70 + k * k * 20],
      [k * (w + volume), 20],
      [k * (w + volume + flare * 0.6), 90],
      [k * (w + volume * 0.9 + flare), length - k * k * 8],
    ];
  });
  s.pen.fillStyle = s.ink.dark[2]!;
  trace(s.pen, [...curve(guides[0]!, 20), ...curve(guides[8]!, 20).reverse()]);
  s.pen.fill();
  drawLocks(s.pen, guides, s.ink, s.random, { count: 150, width: [5, 11], coat: 'dark', wave, jitter: 5 });
  drawLocks(s.pen, guides, s.ink, s.random, { count: 80, width: [1.5, 4], wave, jitter: 5, alpha: 0.6 });
}

/** A cloud of small curls between the hairline and a bigger silhouette. */
function paintCloud(s: Scene, volume: number): void {
  const { pen, face, ink, random } = s;
  const { inner, outer } = cap(face, volume * 1.3, volume);
  const place = (): Pt => {
    const a = between(random, -1, 1);
    const [p, q] = [inner(a), outer(a)];
    const t = random() ** 0.7 * 1.02;
    return [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t - 2];
  };
  pen.fillStyle = ink.dark[1]!;
  trace(pen, [...RUN.map((a) => inner(a)), ...RUN.map((a) => outer(a)).reverse()]);
  pen.fill();
  drawCurls(pen, ink, random, 1500, 4.6, place);
}

/** Ringlets over the mass of curly hair, so that it does not read as merely wavy. */
function paintRinglets(s: Scene, volume: number, length: number): void {
  const { face, random } = s;
  const place = (): Pt => {
    const side = random() < 0.5 ? -1 : 1;
    const y = between(random, -60, length + 6);
    return [side * (face.w * 1.03 + random() * volume * (0.5 + 0.75 * Math.min(1, (y + 80) / 90))), y];
  };
  drawCurls(s.pen, s.ink, random, 260, 6.5, place, 0.12);
  const { inner, outer } = cap(face, volume, volume);
  drawCurls(
    s.pen,
    s.ink,
    random,
    240,
    6,
    () => {
      const a = between(random, -0.8, 0.8);
      const t = between(random, 0.04, 1.02);
      const [p, q] = [inner(a), outer(a)];
      return [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
    },
    0.12,
  );
}

/** Short hair: cropped sides, and a top swept from the parting or, as a quiff, up from the hairline. */
function paintShort(s: Scene, volume: number, quiff: boolean): void {
  const { pen, face, ink, random, traits } = s;
  const { w, top, hairline: h } = face;
  const dir = traits.hair.part > 0 ? -1 : 1;
  paintCap(s, 8, (a) => a * 1.01, { lift: 10, density: 1, gloss: 0.2 });
  const mass = { fine: 0.6, density: 1.6, jitter: 2.6, gloss: 0.55 };
  if (quiff) {
    const guides = Array.from({ length: 9 }, (_, i): Pt[] => {
      const k = i / 4 - 1;
      const x = k * w * 0.72;
      // Towards the side it falls to, the quiff must not stick out past the temple.
      const calm = 1 - 0.85 * Math.max(0, k * dir);
      const rise = volume * (1 - 0.5 * k * k * (k * dir < 0 ? 1 : 0.6));
      return [
        [x, h + 2 + k * k * 16],
        [x - dir * 3, h - 14 + k * k * 14],
        [x * 1.04 + dir * 4, top - rise + 16 + k * k * 16],
        [x * 0.97 + dir * 18 * calm, top - rise + 2 + k * k * 20],
        [x * 0.92 + dir * 34 * calm, top - rise * 0.72 + 6 + k * k * 22],
      ];
    });
    drawMass(pen, guides, ink, random, mass);
    return;
  }
  const px = -dir * w * (0.34 + 0.24 * Math.abs(traits.hair.part));
  for (const side of [-dir, dir]) {
    // The narrow side of the parting lies flat; the wide one carries the volume.
    const v = volume * (side === dir ? 1 : 0.45);
    const m = (t: number, reach: number) => px + (side * w * reach - px) * t;
    const guides: Pt[][] = [
      [
        [px, h + 4],
        [m(0.45, 0.7), h - 3],
        [m(0.85, 0.7), h + 10],
        [side * w * 0.84, -60],
        [side * w * 0.93, -38],
      ],
      [
        [px, h - 14],
        [m(0.45, 0.8), h - 32],
        [m(0.85, 0.84), h - 12],
        [side * (w + v * 0.2), -64],
        [side * (w + v * 0.3), -34],
      ],
      [
        [px, top - volume * 0.3],
        [m(0.42, 0.8), top - v * 0.7],
        [m(0.86, 0.86), top + 16],
        [side * (w + v * 0.45), -82],
        [side * (w + v * 0.5), -40],
      ],
      [
        [px, top - volume * 0.8],
        [m(0.4, 0.8), top - v - 1],
        [m(0.84, 0.9), top + 6],
        [side * (w + v * 0.55), -90],
        [side * (w + v * 0.55), -46],
      ],
    ];
    drawMass(pen, guides, ink, random, mass);
  }
}

function paintBraids(s: Scene): void {
  const { pen, face, ink, random } = s;
  paintCap(s, 12, (a) => a * 1.02, { density: 1.4 });
  for (const side of [-1, 1]) {
    const spine = curve(
      [
        [side * face.w * 1.0, 30],
        [side * face.w * 1.08, 100],
        [side * face.w * 0.92, 190],
        [side * face.w * 0.86, 290],
      ],
      26,
    );
    spine.forEach(([x, y], i) => {
      const lean = i % 2 ? 1 : -1;
      const size = 17 - i * 0.25;
      const guides: Pt[][] = [0, 0.5, 1].map((k) => [
        [x - lean * size * 0.8, y - 8 + k * 9],
        [x, y - 2 + k * 10],
        [x + lean * size * 0.5, y + 6 + k * 9],
      ]);
      drawLocks(pen, guides, ink, random, { count: 7, width: [5, 8], coat: 'dark', jitter: 1 });
      drawLocks(pen, guides, ink, random, { count: 16, width: [1.2, 3.4], jitter: 1 });
      glow(pen, x - 4, y - 2, 7, 5, tone(ink.colour, 0.5), 0.28);
    });
  }
}

function paintBun(s: Scene): void {
  const { pen, face, ink, random } = s;
  const y = face.top - 26;
  pen.fillStyle = ink.dark[1]!;
  pen.beginPath();
  pen.ellipse(0, y, 42, 36, 0, 0, Math.PI * 2);
  pen.fill();
  const turns = Array.from({ length: 9 }, (_, i): Pt[] => {
    const r = 8 + i * 4;
    return [
      [-r, y + 12],
      [-r * 0.8, y - r * 0.6],
      [0, y - r * 0.86],
      [r * 0.8, y - r * 0.5],
      [r * 1.04, y + 10],
    ];
  });
  drawMass(pen, turns, ink, random, { density: 0.8, jitter: 2.5, gloss: 0 });
  glow(pen, -13, y - 16, 22, 14, tone(ink.colour, 0.55), 0.4);
}

interface Style {
  behind?: (s: Scene) => unknown;
  front?: (s: Scene) => unknown;
}

const wave = (amp: number, turns: number) => ({ amp, turns });

const STYLES: Record<PersonTraits['hair']['style'], Style> = {
  bald: {},
  balding: { front: (s) => paintCap(s, 9, (a) => a * 0.96, { from: 0.62, density: 0.6, gloss: 0.4 }) },
  buzz: { front: (s) => paintCap(s, 4, (a) => a + 0.02, { density: 1.1, gloss: 0.25 }) },
  short: { front: (s) => paintShort(s, 13, false) },
  quiff: { front: (s) => paintShort(s, 20, true) },
  pixie: {
    front: (s) => {
      const turn = s.traits.hair.part > 0 ? -0.45 : 0.45;
      paintCap(s, 13, (a) => a + turn * (1 - Math.abs(a)), { lift: 15, density: 1.8 });
      const { w, top, hairline: h } = s.face;
      const dir = s.traits.hair.part > 0 ? -1 : 1;
      const guides = Array.from({ length: 6 }, (_, i): Pt[] => [
        [-dir * w * (0.35 - i * 0.1), top - 8],
        [dir * w * (-0.1 + i * 0.12), h - 8],
        [dir * w * (0.35 + i * 0.1), h + 20 - i * 2],
        [dir * w * (0.66 + i * 0.07), -38 - i * 3],
      ]);
      drawMass(s.pen, guides, s.ink, s.random, { density: 0.9, jitter: 4 });
    },
  },
  bob: { behind: (s) => paintBackMass(s, 18, 128, 4), front: (s) => parted(s, 17, 124, -8) },
  straight: { behind: (s) => paintBackMass(s, 16, 300, 12), front: (s) => parted(s, 15, 290, 14) },
  wavy: {
    behind: (s) => paintBackMass(s, 22, 270, 26, wave(6, 2.2)),
    front: (s) => parted(s, 20, 262, 26, wave(12, 2.2)),
  },
  curly: {
    behind: (s) => s.traits.gender === 'female' && paintBackMass(s, 34, 190, 8, wave(7, 5)),
    front: (s) => (s.traits.gender === 'female' ? parted(s, 27, 180, 10, wave(8.5, 4.6), true) : paintCloud(s, 24)),
  },
  afro: { front: (s) => paintCloud(s, 50) },
  ponytail: {
    behind: (s) => {
      const { w } = s.face;
      const dir = s.traits.hair.part > 0 ? 1 : -1;
      const tail = (k: number): Pt[] => [
        [dir * w * 0.1, -128],
        [dir * (w * 1.0 + 16 * k), -110],
        [dir * (w * 1.22 + 30 * k), -10],
        [dir * (w * 1.16 + 30 * k), 120],
        [dir * (w * 0.98 + 16 * k), 230],
      ];
      drawMass(s.pen, [tail(-1), tail(0), tail(1)], s.ink, s.random, {
        density: 1.5,
        wave: wave(3, 1.6),
        jitter: 5,
        gloss: 0.4,
      });
    },
    front: (s) => paintCap(s, 10, (a) => a * 0.55, { density: 1.7 }),
  },
  bun: { behind: paintBun, front: (s) => paintCap(s, 11, (a) => a * 0.5, { density: 1.7 }) },
  braids: { front: paintBraids },
  mohawk: {
    front: (s) => {
      paintCap(s, 2, (a) => a, { density: 0.7, gloss: 0.1 });
      const { top, hairline: h } = s.face;
      const guides = Array.from({ length: 7 }, (_, i): Pt[] => {
        const k = i / 3 - 1;
        return [
          [k * 15, h + 2],
          [k * 19, top + 12],
          [k * 24, top - 38],
          [k * 34, top - 74 + k * k * 26],
        ];
      });
      drawMass(s.pen, guides, s.ink, s.random, { density: 1.4, jitter: 5 });
    },
  },
};

/** Hats that leave the hair above them in sight. */
const OPEN = new Set(['crown', 'headphones', 'flowers']);
const COVERED = new Set(['hijab', 'turban', 'helmet', 'space']);
const FLATTENED: Partial<Record<PersonTraits['hair']['style'], PersonTraits['hair']['style']>> = {
  afro: 'curly',
  bun: 'short',
  quiff: 'short',
  mohawk: 'buzz',
  balding: 'short',
};

/** Hair under a hat shows below the brim only. */
function clipUnderHat(pen: Pen, face: Face): void {
  const w = face.w * 1.02;
  trace(pen, [
    [-420, -20],
    [-w, -82],
    [w, -82],
    [420, -20],
    [420, 2400],
    [-420, 2400],
  ]);
  pen.clip();
}

function sceneOf(
  pen: Pen,
  face: Face,
  traits: PersonTraits,
  random: Random,
): { scene: Scene; style: Style; under: boolean } | undefined {
  if (COVERED.has(traits.hat)) return undefined;
  const worn = traits.hat !== 'none' && traits.hat !== 'headphones' && traits.hat !== 'flowers';
  const style = (worn && FLATTENED[traits.hair.style]) || traits.hair.style;
  return {
    under: worn && !OPEN.has(traits.hat),
    scene: { pen, face, traits, ink: inkOf(pen, rgb(traits.hair.colour)), random },
    style: STYLES[style],
  };
}

export function paintHairBehind(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  const found = sceneOf(pen, face, traits, random);
  if (!found) return;
  pen.save();
  if (found.under) clipUnderHat(pen, face);
  found.style.behind?.(found.scene);
  pen.restore();
}

export function paintHairFront(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  const found = sceneOf(pen, face, traits, random);
  if (!found) return;
  pen.save();
  if (found.under) clipUnderHat(pen, face);
  found.style.front?.(found.scene);
  pen.restore();
  // One shade over the whole mass, away from the light, ties the strands together.
  pen.save();
  pen.globalCompositeOperation = 'source-atop';
  const g = pen.createLinearGradient(-40, -60, 150, 120);
  g.addColorStop(0, css([20, 10, 20], 0));
  g.addColorStop(1, css([20, 10, 20], 0.34));
  pen.fillStyle = g;
  pen.fillRect(-400, -400, 800, 1200);
  pen.restore();
}
