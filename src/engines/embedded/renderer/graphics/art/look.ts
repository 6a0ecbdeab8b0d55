/**
 * What a portrait shows, as plain data: enough to draw it anew, layer by layer, at any size. It is kept with the still's
 * rig, so it is read as what comes from outside: a look that is not sound is none.
 */
import { art } from './art.ts';
import { BEASTS } from './beasts.ts';
import { HAIR } from './hair.ts';
import { OWN_PARTS } from './own-parts.ts';

/** Something that is worn: a part of the art, or one of our own, in colours that default to the art's. */
export interface Worn {
  part: string;
  /** '#rrggbb', of the cloth or hair. */
  colour?: string;
  accent?: string;
}

/** Patterns of the wall behind a portrait. */
const MOTIFS = ['plain', 'dots', 'stars', 'leaves', 'waves', 'rays', 'hearts', 'notes', 'bubbles'] as const;
/** One of `MOTIFS`. */
export type Motif = (typeof MOTIFS)[number];

/** How a face that does not smile looks at rest. */
const EXPRESSIONS = ['serious', 'sad', 'angry'] as const;
/** One of `EXPRESSIONS`. */
export type Expression = (typeof EXPRESSIONS)[number];

/**
 * A portrait as data: names of the art’s parts and their colours. Optional parts are absent where they are not seen.
 */
export interface Look {
  /** Of the art: a look of another version is drawn by its rig alone. */
  art: 1;
  /** A head of the art: whose eyes, nose and brows; or one of `BEASTS`. */
  head: string;
  /** '#rrggbb' all. Of an animal: its fur, when it is not the art's. */
  skin?: string;
  eyes: string;
  /** Of the eye at the right as it is seen, where it has another colour. */
  eyeAtRight?: string;
  lips?: string;
  lashes?: boolean;
  freckles?: boolean;
  wrinkles?: boolean;
  /** Default: a gentle smile. */
  expression?: Expression;
  /** Of `HAIR`. */
  hair?: { style: string; colour: string; isRainbow?: true };
  body: Worn;
  /** From behind: ears, beards, glasses, hats. */
  over: Worn[];
  backdrop: { light: string; shade: string; motif: Motif };
}

const isColour = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value));
const hasOwn = (table: object, key: unknown): boolean => typeof key === 'string' && Object.hasOwn(table, key);
const isWorn = (value: unknown): boolean => {
  const { part, colour, accent } = (value ?? {}) as Partial<Worn>;
  return (hasOwn(art().parts, part) || hasOwn(OWN_PARTS, part)) && isColour(colour) && isColour(accent);
};

/** Whether a value from outside is a look that this version can draw. */
export function isLook(value: unknown): value is Look {
  if (typeof value !== 'object' || value === null) return false;
  const look = value as Partial<Look>;
  const { backdrop, expression, hair, over } = look;
  return (
    look.art === 1 &&
    (hasOwn(art().heads, look.head) || hasOwn(BEASTS, look.head)) &&
    typeof look.eyes === 'string' &&
    [look.skin, look.eyes, look.eyeAtRight, look.lips].every(isColour) &&
    (expression === undefined || EXPRESSIONS.includes(expression)) &&
    (hair === undefined || (hasOwn(HAIR, hair.style) && typeof hair.colour === 'string' && isColour(hair.colour))) &&
    isWorn(look.body) &&
    Array.isArray(over) &&
    over.length <= 16 &&
    over.every(isWorn) &&
    typeof backdrop?.light === 'string' &&
    typeof backdrop.shade === 'string' &&
    [backdrop.light, backdrop.shade].every(isColour) &&
    MOTIFS.includes(backdrop.motif)
  );
}
