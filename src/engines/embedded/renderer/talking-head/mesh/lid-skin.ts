/**
 * The skin that shut lids show: a copy of the still without what is no skin above the landmarks' lids. They lie within eyes that
 * are wide open, and beyond them is the white of the eye, make-up, or the shadow of the brow: pulled down over an eye as it is,
 * it would be a black eye. Made once a video, read by the upper lids alone.
 */
import type { Point } from '../../../../ports/index.ts';
import type { Planes } from '../../../codec/colour.ts';
import { type Colour, meanColour, mix, sampledColour } from '../../graphics/face/skin.ts';
import { smoothstep } from '../../graphics/numbers.ts';

/** What of a lid is made bare; x, y pairs in pixels of the still, from one corner of the eye to the other. */
export interface Lid {
  /** The lid's margin, the fold above it, and the brow's lower edge. */
  margin: number[];
  fold: number[];
  brow: number[];
  /** Below the eye, where skin is bare. */
  under: number[];
  /** Greatest height of the opening. */
  tall: number;
}

/** The lid's own skin is looked for at these shares of the way from fold to brow, of which the brightest is neither hair nor shadow. */
const BARE = [0.1, 0.3, 0.5] as const;
/** Where it is brighter below the eye the lid takes so much of that: a shut lid lies in the light. */
const LIKE_BELOW = 0.55;
/** What is darker than it by these shares begins to be, and surely is, no lid in the light. */
const DARK = [0.16, 0.42] as const;
/** What is less red by so much, and not dark, begins to be, and surely is, the white of the eye. */
const WHITE = [5, 14] as const;
const WHITE_LEAST = 0.6;
/** It also lacks at least these shares of the skin's redness: what lies between lashes of a tanned lid is paler than it, and no white. */
const PALE = [0.4, 0.7] as const;
const GREY = 128;
/** Lashes stay along the margin: a share of the eye's height. */
const LASHES = 0.16;
/** Where, from the fold to the brow, skin begins to stay as it is, and does. */
const STAYS = [0.1, 0.6] as const;
const BARED = 0.9;
/** Eyes whose height is these shares of their width begin to be, and are, wide open: what is dark on lids of others stays. */
const WIDE = [0.47, 0.52] as const;
/** And in this share of the eye's width from either corner. */
const CORNERS = 0.14;
/** A lid is rounder than the skin above it: its light at the margin. */
const SHADED = 0.9;

/** Pixels from one spot that is looked at to the next: closer than they are, so that none is left out. */
const STEP = 0.4;

/** @returns the copy, and the colour of each eye's lashes */
export function lidSkin(lids: Lid[], source: Planes): { skin: Planes; lashes: Colour[] } {
  const skin = { ...source, y: source.y.slice(), u: source.u.slice(), v: source.v.slice() };
  const wide = smoothstep(WIDE[0], WIDE[1], wideness(lids));
  for (const lid of lids) bare(lid, wide, source, skin);
  // A margin that lies within the eye has no lashes: both eyes have those of the darker one.
  const found = lids.map((lid) => lashColour(lid, source)).sort((one, other) => one.y - other.y);
  return { skin, lashes: found.map(() => found[0] as Colour) };
}

/** Height of the eyes in widths of them. */
function wideness(lids: Lid[]): number {
  const shares = lids.map(({ margin, tall }) => {
    const [x, y] = [0, 1].map((axis) => (margin.at(axis - 2) as number) - (margin[axis] as number)) as [number, number];
    return tall / Math.hypot(x, y);
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function bare({ margin, fold, brow, under, tall }: Lid, wide: number, source: Planes, copy: Planes): void {
  const skin = skinOf(fold, brow, under, wide, source);
  const last = margin.length / 2 - 1;
  const at = (curve: number[], s: number): Point => {
    const k = Math.min(last - 1, Math.floor(s * last));
    const between = (axis: number) =>
      (curve[k * 2 + axis] as number) +
      ((curve[k * 2 + 2 + axis] as number) - (curve[k * 2 + axis] as number)) * (s * last - k);
    return { x: between(0), y: between(1) };
  };
  const apart = (one: Point, other: Point) => Math.hypot(other.x - one.x, other.y - one.y);
  const across = Math.ceil(apart(at(margin, 0), at(margin, 1)) / STEP);
  for (let i = 0; i <= across; i++) {
    const s = i / across;
    const [edge, crease, end] = [at(margin, s), at(fold, s), at(brow, s)];
    const [low, far] = [apart(edge, crease), apart(crease, end)];
    const corner = smoothstep(0, CORNERS, Math.min(s, 1 - s));
    for (let way = 0; way < low + far * STAYS[1]; way += STEP) {
      const isLow = way < low;
      const [from, to, t] = isLow ? [edge, crease, way / low] : [crease, end, (way - low) / far];
      const light = SHADED + (1 - SHADED) * (isLow ? t : 1);
      const { y, u, v, unseen } = skinAt(skin, s);
      const spot: Spot = {
        x: Math.floor(from.x + (to.x - from.x) * t),
        y: Math.floor(from.y + (to.y - from.y) * t),
        most: corner * (isLow ? 1 : 1 - smoothstep(STAYS[0], STAYS[1], t)),
        dark: BARED * wide * smoothstep(0.6, 1, way / (tall * LASHES)),
        whole: unseen,
      };
      paint(copy, source, spot, { y: y * light, u, v });
    }
  }
}

/** A lid's skin in a column, and how much of what the landmarks say is above it is none of it, 0 to 1. */
interface Bare extends Colour {
  unseen: number;
}

/** A pixel, how much of it may become skin, and how much of that where it is dark. */
interface Spot {
  x: number;
  y: number;
  most: number;
  dark: number;
  /** How much of it does so whatever it is. */
  whole: number;
}

/** Moves a pixel towards the skin's colour, as far as it is none. */
function paint(copy: Planes, source: Planes, { x, y, most, dark, whole }: Spot, skin: Colour): void {
  if (x < 0 || y < 0 || x >= source.width || y >= source.height) return;
  const at = y * source.width + x;
  const small = (y >> 1) * (source.width >> 1) + (x >> 1);
  const [luma, blue, red] = [source.y[at] as number, source.u[small] as number, source.v[small] as number];
  const shade = smoothstep(DARK[0], DARK[1], 1 - luma / skin.y) * dark;
  const redness = Math.max(0, skin.v - GREY);
  const from = Math.max(WHITE[0], redness * PALE[0]);
  const white = luma > skin.y * WHITE_LEAST ? smoothstep(from, Math.max(WHITE[1], redness * PALE[1]), skin.v - red) : 0;
  const share = Math.max(shade, white * BARED, whole) * most;
  copy.y[at] = luma + (skin.y - luma) * share;
  copy.u[small] = blue + (skin.u - blue) * share;
  copy.v[small] = red + (skin.v - red) * share;
}

/** The brightest skin above each column, evened out. @param wide how wide open the eyes are, 0 to 1 */
function skinOf(fold: number[], brow: number[], under: number[], wide: number, source: Planes): Bare[] {
  const found = Array.from({ length: fold.length / 2 }, (_, k) => {
    const below = sampledColour(source, under[k * 2] as number, under[k * 2 + 1] as number);
    const above = BARE.map((share) => {
      const between = (axis: number) =>
        (fold[k * 2 + axis] as number) + ((brow[k * 2 + axis] as number) - (fold[k * 2 + axis] as number)) * share;
      return sampledColour(source, between(0), between(1));
    })
      // The fold of an eye that is turned away may lie within its white.
      .filter(({ v }) => v > below.v - WHITE[1])
      .reduce((one, other) => (other.y > one.y ? other : one), { ...below, y: 0 });
    if (above.y === 0) return { ...below, unseen: wide };
    if (below.y <= above.y) return { ...above, unseen: 0 };
    // Above an eye that is wide open the landmarks' fold and brow may lie in its make-up: a lid of that would be a grey one.
    const unseen = wide * smoothstep(DARK[0], DARK[1], 1 - above.y / below.y);
    return { ...mix(above, below, LIKE_BELOW + (1 - LIKE_BELOW) * unseen), unseen };
  });
  return found.map((_, k) => {
    const near = found.slice(Math.max(0, k - 2), k + 3);
    return { ...meanColour(near), unseen: near.reduce((sum, { unseen }) => sum + unseen, 0) / near.length };
  });
}

function skinAt(skin: Bare[], s: number): Bare {
  const k = Math.min(skin.length - 2, Math.floor(s * (skin.length - 1)));
  const [one, other, t] = [skin[k] as Bare, skin[k + 1] as Bare, s * (skin.length - 1) - k];
  return { ...mix(one, other, t), unseen: one.unseen + (other.unseen - one.unseen) * t };
}

/** The darkest on the margin. */
function lashColour({ margin, fold }: Lid, source: Planes): Colour {
  const darkest = Array.from({ length: margin.length / 2 }, (_, k) =>
    [-0.1, 0, 0.1, 0.2, 0.35, 0.5]
      .map((share) => {
        const between = (axis: number) =>
          (margin[k * 2 + axis] as number) +
          ((fold[k * 2 + axis] as number) - (margin[k * 2 + axis] as number)) * share;
        return sampledColour(source, between(0), between(1));
      })
      .reduce((one, other) => (other.y < one.y ? other : one)),
  ).slice(1, -1);
  return meanColour(darkest);
}
