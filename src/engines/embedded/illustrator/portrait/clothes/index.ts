/** What people wear: the table of all kinds; `paintFolds` gives every one of them light and creases. */
import { paintFolds } from '../body.ts';
import { css, rgb, tone } from '../colour.ts';
import { curve, glow, type Pen, trace, type View } from '../layer.ts';
import type { Random } from '../random.ts';
import { type Face, on, type Pt } from '../shape.ts';
import type { PersonTraits } from '../traits.ts';
import { COSTUMES } from './costumes.ts';
import { EVERYDAY } from './everyday.ts';
import { paintRuff } from './ruff.ts';
import type { Cloth } from './tailor.ts';

const DRESSERS: Record<PersonTraits['clothes'], (c: Cloth) => void> = { ...EVERYDAY, ...COSTUMES, ruff: paintRuff };

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
      on(n, [-1.2, 162, -1.16, 240, -0.86, 330, -0.8, 380]),
      on(n, [1.2, 162, 1.22, 250, 1.0, 350, 1.0, 420]),
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
