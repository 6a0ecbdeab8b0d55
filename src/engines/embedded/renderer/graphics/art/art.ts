/**
 * The art that portraits are built from: layers of Microsoft's Fluent Emoji (MIT), taken out of the package by
 * scripts/portrait-art.mjs. All lie in one coordinate system: a head in a box of 32 units, its eyes about (16.1, 16.7).
 */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { built } from '../../../../ports/built.ts';

/** What a part of an image is made of: it takes that colour of the person. */
export type Role = 'cloth' | 'accent' | 'skin' | 'hair' | 'keep';

/** x, y, width, height in units. */
export type Box = readonly [x: number, y: number, w: number, h: number];

/** A person's head as SVG by layer; eyes and mouth are painted (`features.ts`). */
export interface Head {
  /** Left and right as seen. */
  eyes: readonly [Box, Box];
  skin: string;
  nose: string;
  brows: string;
  behind?: string;
  front?: string;
  /** Wrinkles. */
  marks?: string;
}

/** What turns about a joint of its own; `Near` lies before `Far`. */
export type Limb = 'armFar' | 'armNear' | 'legFar' | 'legNear' | 'torso' | 'neck';

/** What a piece of a body is made of. */
export type FigureRole = 'skin' | 'cloth' | 'legs' | 'keep';

/** Everything in `art.json.br`: pieces of SVG without the element round them, by name. */
export interface Art {
  heads: Readonly<Record<string, Head>>;
  /** Clothes, hats, beards, glasses: what lies over one another, from behind. */
  parts: Readonly<Record<string, readonly (readonly [Role | 'behind', string])[]>>;
  /** Heads of animals, the robot, the alien and the ghost, without eyes and mouth. */
  beasts: Readonly<Record<string, string>>;
  /** Bodies from head to foot, without heads, in the box of 32 units: each piece by its limb, from behind. */
  figures: Readonly<Record<string, readonly (readonly [Limb, FigureRole, string])[]>>;
}

let known: Art | undefined;

/** Read at first need, by the thread that draws: 2 MB of SVG. */
export function art(): Art {
  known ??= JSON.parse(
    brotliDecompressSync(readFileSync(built('src/engines/embedded/renderer/graphics/art/art.json.br'))).toString(),
  ) as Art;
  return known;
}
