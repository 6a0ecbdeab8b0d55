/** Hairstyles: what lies behind the head and what lies over it, a row of a table each, and what hats leave of them. */
import { css, rgb } from '../colour.ts';
import { underLight } from '../hair-light.ts';
import { type Pen, trace } from '../layer.ts';
import { type Random } from '../random.ts';
import type { Face, Pt } from '../shape.ts';
import { drawMass, inkOf } from '../strands.ts';
import type { PersonTraits } from '../traits.ts';
import { paintBraids, paintBun } from './gathered.ts';
import { paintBackMass, parted } from './long.ts';
import { paintCap, type Scene } from './scalp.ts';
import { paintCloud, paintShort, paintSides } from './short.ts';

interface Style {
  behind?: (s: Scene) => unknown;
  front?: (s: Scene) => unknown;
}

const wave = (amp: number, turns: number) => ({ amp, turns });

const STYLES: Record<PersonTraits['hair']['style'], Style> = {
  bald: {},
  balding: { front: paintSides },
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

/** Nothing of the hair lies outside of it. */
const EXTENT = { x0: -260, y0: -330, x1: 260, y1: 480 };

function sceneOf(traits: PersonTraits): { style: Style; under: boolean } | undefined {
  if (COVERED.has(traits.hat)) return undefined;
  const worn = traits.hat !== 'none' && traits.hat !== 'headphones' && traits.hat !== 'flowers';
  const style = (worn && FLATTENED[traits.hair.style]) || traits.hair.style;
  return {
    under: worn && !OPEN.has(traits.hat),
    style: STYLES[style],
  };
}

export function paintHairBehind(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  const found = sceneOf(traits);
  if (!found?.style.behind) return;
  comb(pen, face, traits, random, found.under, found.style.behind);
}

/** Paints one half of a hair style under the head's light. */
function comb(
  pen: Pen,
  face: Face,
  traits: PersonTraits,
  random: Random,
  isUnderHat: boolean,
  paint: (scene: Scene) => void,
): void {
  const colour = rgb(traits.hair.colour);
  pen.save();
  if (isUnderHat) clipUnderHat(pen, face);
  underLight(pen, colour, EXTENT, (flat) => paint({ pen: flat, face, traits, ink: inkOf(colour), random }));
  pen.restore();
}

export function paintHairFront(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  const found = sceneOf(traits);
  if (!found) return;
  if (found.style.front) comb(pen, face, traits, random, found.under, found.style.front);
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
