/** Where units of the art fall in an image. */
import { art } from './art.ts';
import { BEASTS } from './beasts.ts';
import type { Look } from './look.ts';

/** An image’s size in pixels, and how the art lies in it. */
export interface Frame {
  width: number;
  height: number;
  /** pixel = origin + unit * scale. */
  scale: number;
  x: number;
  y: number;
}

/** The middle of a head, and how much of the world is shown round it, in units. */
const MIDDLE = 16.1;
const SIDE = 46.5;
const TOP = -4.4;
/** Where hats reach that rise above hair. */
const TALL: Readonly<Record<string, number>> = {
  'hat:wizard': -9.5,
  'hat:crown': -8.5,
  'hat:tiara': -8,
  'hat:tophat': -12,
  'hat:chef': -3,
  'hat:bearskin': -8.5,
  'hat:space': -1.5,
  'hat:cowboy': -4,
  'hat:firefighter': -4,
  'own:halo': -4.5,
};

/** Head and shoulders in any frame: hats get their room, wide frames more wall, tall ones more of both. */
export function frameOf(look: Look, width: number, height: number): Frame {
  const rises = look.over.map(({ part }) => TALL[part] ?? 0);
  const top = Math.min(TOP, ...rises.map((rise) => rise - 1.6));
  const scale = Math.min(height / (SIDE + Math.max(0, TOP - top) * 0.55), width / 44);
  const spare = Math.max(0, height / scale - SIDE) * (height > width ? 0.42 : 0);
  return { width, height, scale, x: width / 2 - MIDDLE * scale, y: (spare - top) * scale };
}

/** What of the head moves about, in units: its joint with the neck. */
export const JOINT = { x: MIDDLE, y: 30.5 };

/** True for a head that is painted by `BEASTS`, not as a person’s. */
export const isBeast = (look: Look): boolean =>
  Object.hasOwn(BEASTS, look.head) && !Object.hasOwn(art().heads, look.head);
