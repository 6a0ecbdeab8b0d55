/** Hats and head coverings: the table of all kinds, and how much room each needs above the head. */
import { rgb } from '../colour.ts';
import type { Pen } from '../layer.ts';
import type { Random } from '../random.ts';
import type { Face } from '../shape.ts';
import type { Hat, PersonTraits } from '../traits.ts';
import { BRIMMED } from './brimmed.ts';
import { COVERINGS } from './coverings.ts';
import type { HatRow } from './felt.ts';
import { FITTED } from './fitted.ts';

const HATS: Record<Exclude<Hat, 'none'>, HatRow> = { ...BRIMMED, ...FITTED, ...COVERINGS };

export function paintHatBehind(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  if (traits.hat !== 'none') HATS[traits.hat].behind?.({ pen, face, colour: rgb(traits.hatColour), random });
}

export function paintHat(pen: Pen, face: Face, traits: PersonTraits, random: Random): void {
  if (traits.hat !== 'none') HATS[traits.hat].front({ pen, face, colour: rgb(traits.hatColour), random });
}

/** How far above the eyes the tallest part of the hat or hair reaches, in drawing units: the image must hold it. */
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
