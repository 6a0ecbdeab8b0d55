/** Beards and moustaches, hair by hair. The lips stay free: the talking head must find and open them. */
import { css, mix, rgb } from './colour.ts';
import { underLight } from './hair-light.ts';
import { brush, curve, type Pen, trace } from './layer.ts';
import { between, pick, type Random } from './random.ts';
import type { Face, Pt } from './shape.ts';
import { drawMass, inkOf } from './strands.ts';
import type { Beard, PersonTraits } from './traits.ts';

const LENGTH: Record<Beard, number> = { none: 0, stubble: 0, moustache: 0, goatee: 16, short: 9, full: 24, long: 96 };

/** The edge of the beard on the cheek, sideburn to moustache, on the right side. */
function cheekLine(face: Face): Pt[] {
  const { w, mouth, nose } = face;
  return curve(
    [
      [w * 0.99, 4],
      [w * 0.9, 36],
      [w * 0.72, mouth.y - 18],
      [mouth.half + 10, mouth.y - 10],
      [nose.w * 0.7, nose.y + 9],
    ],
    24,
  );
}

function paintMoustache(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  const { mouth, nose } = face;
  const ink = inkOf(rgb(traits.hair.colour), 0.4);
  const handle = traits.beard === 'moustache' ? 8 : 3;
  // It lies on the lip and follows its corners, up in a smile and down in grief.
  const lift = -(mouth.smile - 0.45) * 5.5;
  for (const side of [1, -1]) {
    const m = (points: Pt[]) => points.map(([x, y]): Pt => [x * side, y]);
    drawMass(
      pen,
      [
        m([
          [0, nose.y + 7],
          [mouth.half * 0.5, mouth.y - mouth.upper - 7],
          [mouth.half + 2, mouth.y - 5 + lift * 0.7],
          [mouth.half + handle, mouth.y + 3 + lift],
        ]),
        m([
          [0, nose.y + 12],
          [mouth.half * 0.45, mouth.y - mouth.upper - 1.5],
          [mouth.half * 0.9, mouth.y - mouth.upper * 0.3 + lift * 0.6],
          [mouth.half + handle * 0.7, mouth.y + 6 + lift],
        ]),
      ],
      ink,
      random,
      { density: 0.8, jitter: 1.8, gloss: 0.15, fine: 0.36 },
    );
  }
}

function paintStubble(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  const { w, mouth, chin, nose } = face;
  pen.fillStyle = css(mix(rgb(traits.hair.colour), [20, 14, 12], 0.3), 0.42);
  for (let i = 0; i < 1500; i++) {
    const y = between(random, nose.y + 6, chin - 2);
    const half = face.halfWidth(y);
    const x = between(random, -half, half);
    const low =
      Math.abs(x) > w * 0.8 - (y - nose.y) * 0.62 ||
      y > mouth.y + 14 ||
      (Math.abs(x) < mouth.half + 6 && y < mouth.y - 8);
    if (!low || (Math.abs(x) < mouth.half + 1 && y > mouth.y - 9 && y < mouth.y + 13)) continue;
    pen.fillRect(x, y, 0.8, 1.5);
  }
}

/** Paints the beard over the shaded face. */
export function paintBeard(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  const { beard } = traits;
  if (beard === 'none') return;
  if (beard === 'stubble') paintStubble(pen, face, traits, random);
  else {
    const paint = beard === 'moustache' ? paintMoustache : paintFullBeard;
    const half = face.w * 1.15 + 10;
    const extent = { x0: -half, y0: -60, x1: half, y1: face.chin + LENGTH[beard] + 30 };
    underLight(pen, rgb(traits.hair.colour), extent, (flat) => paint(flat, face, traits, random));
  }
}

function paintFullBeard(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  const { beard } = traits;
  const { w, mouth, chin } = face;
  const long = LENGTH[beard];
  const ink = inkOf(rgb(traits.hair.colour), 0.35);
  const goatee = beard === 'goatee';
  const edge = goatee
    ? curve(
        [
          [mouth.half + 12, mouth.y - 8],
          [mouth.half + 10, mouth.y + 4],
          [mouth.half + 2, mouth.y + 14],
        ],
        8,
      )
    : cheekLine(face);
  const inner: Pt[] = curve(
    [
      [mouth.half + 4, mouth.y - 3],
      [mouth.half + 3, mouth.y + 6],
      [mouth.half * 0.55, mouth.y + mouth.lower + 5],
      [0, mouth.y + mouth.lower + 6],
    ],
    16,
  );
  const outer: Pt[] = goatee
    ? curve(
        [
          [mouth.half + 14, mouth.y + 8],
          [mouth.half + 8, chin - 6],
          [0, chin + long],
        ],
        16,
      )
    : curve(
        [
          [w * 1.02, 0],
          [w * 1.0 + long * 0.1, 44],
          [face.halfWidth(mouth.y) + long * 0.24, mouth.y + long * 0.2],
          [w * 0.42 + long * 0.06, chin + long * 0.62],
          [0, chin + long],
        ],
        30,
      );
  const half = [...outer, ...[...inner].reverse(), ...(goatee ? [] : [...edge].reverse().slice(4))];
  pen.fillStyle = beard === 'long' ? ink.base[4]! : ink.dark[1]!;
  for (const side of [-1, 1]) {
    trace(
      pen,
      half.map(([x, y]): Pt => [x * side, y]),
    );
    pen.globalAlpha = beard === 'short' ? 0.5 : 0.82;
    pen.fill();
    pen.globalAlpha = 1;
  }
  hairs(pen, traits, random, { inner, outer, edge, goatee, long });
  paintMoustache(pen, face, traits, random);
}

interface Area {
  inner: Pt[];
  outer: Pt[];
  edge: Pt[];
  goatee: boolean;
  long: number;
}

function hairs(pen: Pen, traits: PersonTraits, random: Random, area: Area): void {
  const ink = inkOf(rgb(traits.hair.colour), 0.35);
  const top = area.goatee ? area.inner : [...area.edge.slice(0, 17), ...area.inner];
  const at = (line: Pt[], t: number) => line[Math.round(t * (line.length - 1))]!;
  const count = area.goatee ? 700 : area.long > 60 ? 1700 : 1600;
  for (let i = 0; i < count; i++) {
    const side = random() < 0.5 ? -1 : 1;
    const along = random();
    // The ends lie further down the jaw than the roots: hair on cheeks grows downwards, not straight out.
    const [a, b] = [at(top, along), at(area.outer, Math.min(1, along + 0.16 * (1 - along)))];
    const from = Math.sqrt(random()) * 0.86 * (1 - i / count) + 0.02;
    const reach = Math.min(1.06 - from, (area.long > 60 ? 0.5 : 0.42) * between(random, 0.6, 1.2));
    const wobble = between(random, -4, 4);
    const points = [0, 0.5, 1].map((k): Pt => {
      const t = from + reach * k;
      return [
        side * (a[0] + (b[0] - a[0]) * t + wobble * k * (1 - k) * 2) + wobble * 0.4 * k,
        a[1] + (b[1] - a[1]) * t + k * 3,
      ];
    });
    pen.fillStyle = i < count * 0.3 ? pick(random, ink.dark) : pick(random, ink.base);
    brush(pen, curve(points, 4), between(random, 0.8, area.long > 60 ? 2.6 : 1.8));
  }
}
