/**
 * The mouth of a still in its own coordinates: u across from its middle, v down, in pixels of the source. Says where the
 * lips are and where they would meet if the mouth were closed and at ease, whatever the still shows. Once a video.
 */
import type { Point } from '../../../../ports/index.ts';
import type { Planes } from '../../../codec/colour.ts';
import { type Colour, medianColour, sampledColour } from '../../graphics/face/skin.ts';
import { clamp01, smoothstep } from '../../graphics/numbers.ts';
import { KEPT } from '../mouth-track.ts';
import { LANDMARK, type MeshFace } from './mesh-face.ts';

/** Landmarks (MediaPipe Face Mesh, see `mesh-face.ts`) along the lips, from the viewer's left corner to the right one. */
const INNER_UPPER = [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308];
const INNER_LOWER = [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308];
const OUTER_UPPER = [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291];
const OUTER_LOWER = [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291];
/** Landmarks are joined by curves; the mesh takes a point between each two. */
export const COLUMNS = (INNER_UPPER.length - 1) * 2 + 1;
/** Lips apart by these shares of the face's height begin to be, and are, a smile or speech and not a closed mouth. */
const APART = [0.005, 0.012] as const;
/** Lips apart by these shares of the face's height begin to need more than a light press to be seen shut, and need all of it. */
const AGAPE = [0.03, 0.07] as const;
/** Where parted lips meet, from the upper one down: each comes half the way. */
const MEET = 0.5;
/**
 * Lips apart by these shares of the face's height begin to be, and are, those of a jaw that is dropped, for a laugh or a cry. To shut
 * such a mouth the jaw comes up, by that share of the gap; the lips do the rest.
 */
const DROPPED = [0.092, 0.125] as const;
const RAISED = 0.72;
/** The jaw's share of shutting any other mouth. */
const RAISED_LEAST = 0.25;
/** Who laughs does not speak laughing: at most this share of the face's height stays between the lips while the sounds are made. */
const MOST_KEPT = 0.07;
/**
 * How much of a smile's bow goes as its lips meet, how much more of a broad one's, and how much of what its corners then stand above the
 * middle: they end a little below it.
 */
const STRAIGHTER = 0.5;
const AGAPE_STRAIGHTER = 0.1;
const CORNERS_DOWN = 1.2;

/** A curve along the lips from the viewer's left to right: u and v of each column. */
export interface Curve {
  u: Float32Array;
  v: Float32Array;
}

/** The mouth of the still, measured; lengths in its pixels. */
export interface MouthOutline {
  origin: Point;
  across: Point;
  down: Point;
  /** Half the width of the closed mouth. */
  half: number;
  /** As in the still. */
  upper: Curve;
  lower: Curve;
  upperEdge: Curve;
  lowerEdge: Curve;
  /** The line in which the closed lips meet. */
  line: Curve;
  /** -1 to 1 from corner to corner of the closed mouth, by column. */
  places: Float32Array;
  /** 0 where the still's lips are closed to 1 where they are well apart. */
  parted: number;
  /** 0 where the still's lips are closed, or nearly so, to 1 where they are far apart, as in a broad smile: such lips are pressed more firmly. */
  agape: number;
  /** The lower lip's colour, and whether the photograph has none. */
  lowerLip: Colour;
  isGrey: boolean;
  /** How much of the lower lip's inner side shows, 0 to 1: a laugh turns it out, wet and to the light; shut lips turn it in again. */
  lit: number;
  /** Greatest height between the still's lips. */
  gap: number;
  /** By how much the jaw comes up to shut it. */
  jaw: number;
  /** How much of the still's mouth stays for the `kept` of a pose: all for 1, of a smile as much as that, of a laugh less. */
  stays(kept: number): number;
  /** From the middle to the nose and to the chin. */
  toNose: number;
  toChin: number;
  /** Widest opening between the lips. */
  most: number;
  /** Inner edges of closed lips when they are pressed or open: what lies between is rolled in. Absent: as at rest. */
  pressed?: { upper: Curve; lower: Curve };
}

/** The mouth of a still that has landmarks. @param source the still's pixels, in which lips are distinguished from teeth */
export function mouthOutline(face: MeshFace, source: Planes): MouthOutline {
  const [left, right] = [face.at(LANDMARK.leftMouthCorner), face.at(LANDMARK.rightMouthCorner)];
  const wide = Math.hypot(right.x - left.x, right.y - left.y);
  const across = { x: (right.x - left.x) / wide, y: (right.y - left.y) / wide };
  const down = { x: -across.y, y: across.x };
  const [top, bottom] = [face.at(LANDMARK.upperLipInner), face.at(LANDMARK.lowerLipInner)];
  const middle = { x: (top.x + bottom.x) / 2, y: (top.y + bottom.y) / 2 };
  const curve = (indices: number[]): Curve => {
    const local = indices.map((index) => {
      const [dx, dy] = [face.at(index).x - middle.x, face.at(index).y - middle.y];
      return { u: dx * across.x + dy * across.y, v: dx * down.x + dy * down.y };
    });
    return { u: refined(local.map(({ u }) => u)), v: refined(local.map(({ v }) => v)) };
  };
  const shape: MouthOutline = {
    origin: middle,
    across,
    down,
    half: wide / 2,
    upper: curve(INNER_UPPER),
    lower: curve(INNER_LOWER),
    upperEdge: curve(OUTER_UPPER),
    lowerEdge: curve(OUTER_LOWER),
    line: { u: new Float32Array(COLUMNS), v: new Float32Array(COLUMNS) },
    places: new Float32Array(COLUMNS),
    parted: 0,
    agape: 0,
    lowerLip: { y: 0, u: 128, v: 128 },
    isGrey: false,
    lit: 0,
    gap: 0,
    jaw: 0,
    stays: (kept) => kept,
    toNose: Math.max(wide * 0.2, -along(face.at(LANDMARK.noseBase), middle, down)),
    toChin: Math.max(wide * 0.4, along(face.chin, middle, down)),
    most: 0,
  };
  for (let k = 0; k < COLUMNS; k++)
    shape.gap = Math.max(shape.gap, (shape.lower.v[k] as number) - (shape.upper.v[k] as number));
  shape.parted = clamp01((shape.gap / face.height - APART[0]) / (APART[1] - APART[0]));
  shape.agape = smoothstep(AGAPE[0], AGAPE[1], shape.gap / face.height);
  shape.most = Math.min(shape.half * 0.9, face.height * 0.15);
  shape.stays = (kept) => staysOf(kept, shape.gap / face.height);
  const isClosed = shape.gap < face.height * SURELY && openShare(shape, source) < CLOSED;
  if (isClosed) {
    shape.pressed = pressedEdges(shape);
    shape.parted = 0;
  } else if (offTheInside(shape, source)) shape.parted = 1;
  const dropped = smoothstep(DROPPED[0], DROPPED[1], shape.gap / face.height);
  shape.jaw = shape.gap * Math.max(RAISED_LEAST * shape.parted, RAISED * dropped);
  if (shape.parted > 0) separate(shape);
  else joinAtLine(shape, source);
  atEase(shape);
  lookAtLips(shape, face.height, source);
  return shape;
}

/** A lower lip that is by these factors brighter than the upper one, and than the skin below it, begins to be, and is, its inner side. */
const LIT = [1.25, 1.55] as const;
/** That skin begins so far below the lip, and is so tall, in heights of the face. */
const BELOW = 0.025;
const BELOW_TALL = 0.03;

/** Sets what is seen of the lips' light. */
function lookAtLips(shape: MouthOutline, height: number, source: Planes): void {
  const { origin, half, upper, upperEdge, lower, lowerEdge, parted } = shape;
  const middle = COLUMNS >> 1;
  const colourIn = (v: number, tall: number) =>
    medianColour(source, origin.x - half * 0.3, origin.y + v - tall / 2, half * 0.6, tall);
  const between = (one: Curve, other: Curve) => ((one.v[middle] as number) + (other.v[middle] as number)) / 2;
  shape.lowerLip = colourIn(between(lower, lowerEdge), half * 0.08);
  shape.isGrey = Math.hypot(shape.lowerLip.u - 128, shape.lowerLip.v - 128) < GREY;
  const upperLip = colourIn(between(upper, upperEdge), half * 0.06);
  const skin = colourIn((lowerEdge.v[middle] as number) + height * (BELOW + BELOW_TALL / 2), height * BELOW_TALL);
  const brighter = (shape.lowerLip.y - 16) / Math.max(1, Math.max(upperLip.y, skin.y) - 16);
  shape.lit = parted * smoothstep(LIT[0], LIT[1], brighter);
}

/** How much of a still's mouth stays in a pose. @param gap between its lips, in heights of the face */
export function staysOf(kept: number, gap: number): number {
  const most = MOST_KEPT / (KEPT * gap);
  return most >= 1 ? kept : kept ** (1 + Math.log(most) / Math.log(KEPT));
}

/** How far the jaw takes a place between the corners (-1 to 1) along. */
export const withJaw = (place: number): number => Math.max(0, 1 - place * place) ** 0.8;

const along = (point: Point, from: Point, axis: Point): number =>
  (point.x - from.x) * axis.x + (point.y - from.y) * axis.y;

/** A curve through the points with one more between each two (Catmull and Rom). */
function refined(values: number[]): Float32Array {
  const out = new Float32Array(COLUMNS);
  const at = (i: number) => values[Math.min(values.length - 1, Math.max(0, i))] as number;
  for (let i = 0; i < COLUMNS; i++) {
    const k = i >> 1;
    out[i] = i % 2 === 0 ? at(k) : (9 * (at(k) + at(k + 1)) - at(k - 1) - at(k + 2)) / 16;
  }
  return out;
}

/** Lips whose colour is nearer to grey than this are those of a photograph without colours. */
export const GREY = 4;
/** What is beside the lips' inner edges is looked for in this share of the lip, and counts where so many columns have it. */
const LOOKED = 0.5;
const ENOUGH = 0.22;
/** Lips with less than this share of teeth and dark between them are closed, whatever the landmarks say. */
const CLOSED = 0.1;
/** Lips further apart than this share of the face's height are open in any light. */
const SURELY = 0.03;
/** The lip's own colour is that of these shares of it, from its inner edge, in so many columns to either side. */
const OWN = [0.6, 0.72, 0.84] as const;
const OWN_COLUMNS = 2;
/** Inside of a mouth that is open: darker than this share of the lip's light. */
const DARK = 0.55;

/**
 * Moves the lips' inner edges off what the landmarks took for lip: teeth and, where the mouth is open, the dark beside them.
 * True where teeth show. Lips are compared with themselves, column by column: light from one side colours them differently.
 */
function offTheInside(shape: MouthOutline, source: Planes): boolean {
  let seen = 0;
  for (const [edge, far, sign] of [
    [shape.upper, shape.upperEdge, -1],
    [shape.lower, shape.lowerEdge, 1],
  ] as const) {
    const lips = lipColours(shape, edge, far, source);
    const offsets = new Float32Array(COLUMNS);
    let teeth = 0;
    for (let k = 3; k + 3 < COLUMNS; k++) {
      const lip = lips[k] as Colour;
      const most = Math.abs((far.v[k] as number) - (edge.v[k] as number)) * LOOKED;
      let [misses, isWhite] = [0, false];
      for (let d = 0; d < most && misses < 3; d += 0.5) {
        const colour = colourAt(shape, source, edge.u[k] as number, (edge.v[k] as number) + sign * d);
        const white = isTooth(colour, lip);
        const isInside = white || (shape.parted === 1 && isDark(colour, lip));
        misses = isInside ? 0 : misses + 1;
        if (misses === 0) offsets[k] = d + 0.5;
        if (white) isWhite = true;
      }
      if (isWhite) teeth += 1;
    }
    seen = Math.max(seen, teeth / (COLUMNS - 6));
    const columns = offsets.filter((offset) => offset > 0).length / (COLUMNS - 6);
    if (columns < ENOUGH) continue;
    for (let k = 1; k + 1 < COLUMNS; k++) {
      const near = [-1, 0, 1].map((step) => offsets[k + step] as number).sort((one, other) => one - other);
      edge.v[k] = (edge.v[k] as number) + sign * (((near[1] as number) + (near[2] as number)) / 2) * 1.1;
    }
  }
  return seen >= ENOUGH;
}

/** How much of what lies between the landmarks' inner edges is teeth or the dark of an open mouth; 0 to 1. */
function openShare(shape: MouthOutline, source: Planes): number {
  const { upper, lower, upperEdge, lowerEdge } = shape;
  const [above, below] = [lipColours(shape, upper, upperEdge, source), lipColours(shape, lower, lowerEdge, source)];
  let [open, seen] = [0, 0];
  for (let k = 4; k + 4 < COLUMNS; k++) {
    for (const share of [0.25, 0.5, 0.75]) {
      const between = (one: Float32Array, other: Float32Array) =>
        (one[k] as number) + ((other[k] as number) - (one[k] as number)) * share;
      const colour = colourAt(shape, source, between(upper.u, lower.u), between(upper.v, lower.v));
      const lips = [above[k] as Colour, below[k] as Colour];
      seen += 1;
      if (lips.every((lip) => isTooth(colour, lip)) || lips.every((lip) => isDark(colour, lip))) open += 1;
    }
  }
  return open / seen;
}

/** What is dark and redder than the lip beside it is painted lip, and that lip was skin. */
const isDark = ({ y, v }: Colour, lip: Colour): boolean => y < 16 + (lip.y - 16) * DARK && v < lip.v + 8;

/** About as bright as the lip or brighter, and less red. */
function isTooth({ y, v }: Colour, lip: Colour): boolean {
  if (Math.hypot(lip.u - 128, lip.v - 128) < GREY) return y > lip.y * 1.3 + 12;
  return y > lip.y * 0.82 && v < lip.v - Math.max(3, 0.3 * (lip.v - 128));
}

/** The middle colour of the outer half of a lip about each column. */
function lipColours(shape: MouthOutline, edge: Curve, far: Curve, source: Planes): Colour[] {
  const found = Array.from({ length: COLUMNS }, (_, k) =>
    OWN.map((share) => {
      const between = (one: Float32Array, other: Float32Array) =>
        (one[k] as number) + ((other[k] as number) - (one[k] as number)) * share;
      return colourAt(shape, source, between(edge.u, far.u), between(edge.v, far.v));
    }),
  );
  return found.map((_, k) => {
    const near = found.slice(Math.max(0, k - OWN_COLUMNS), k + OWN_COLUMNS + 1).flat();
    const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] as number;
    return { y: median(near.map(({ y }) => y)), u: median(near.map(({ u }) => u)), v: median(near.map(({ v }) => v)) };
  });
}

function colourAt({ origin, across, down }: MouthOutline, source: Planes, u: number, v: number): Colour {
  return sampledColour(source, origin.x + across.x * u + down.x * v, origin.y + across.y * u + down.y * v);
}

/** Draws the lips' inner edges a little into the lips: a rim of teeth left on them would show when they close. */
function separate({ upper, lower, upperEdge, lowerEdge, parted }: MouthOutline): void {
  for (let k = 0; k < COLUMNS; k++) {
    // The more so at the corners, where it is dark beside the teeth.
    const aside = Math.abs((k / (COLUMNS - 1)) * 2 - 1) ** 4;
    const share = (0.13 + 0.5 * aside) * parted;
    for (const [edge, far] of [
      [upper, upperEdge],
      [lower, lowerEdge],
    ] as const) {
      edge.u[k] = (edge.u[k] as number) + ((far.u[k] as number) - (edge.u[k] as number)) * share;
      edge.v[k] = (edge.v[k] as number) + ((far.v[k] as number) - (edge.v[k] as number)) * share;
    }
  }
}

/** Where the landmarks see closed lips apart: what they see between is hidden by lips that are pressed or open. */
function pressedEdges(shape: MouthOutline): { upper: Curve; lower: Curve } {
  const copy = ({ u, v }: Curve): Curve => ({ u: u.slice(), v: v.slice() });
  const [upper, lower] = [copy(shape.upper), copy(shape.lower)];
  separate({ ...shape, upper, lower });
  return { upper, lower };
}

/** Closed lips meet in a dark line: both inner edges are laid on it, near where the landmarks say. */
function joinAtLine(shape: MouthOutline, source: Planes): void {
  const { upper, lower, half, gap } = shape;
  const reach = Math.max(2, half * 0.07, gap / 2);
  const offset = new Float32Array(COLUMNS);
  for (let k = 1; k + 1 < COLUMNS; k++) {
    const u = ((upper.u[k] as number) + (lower.u[k] as number)) / 2;
    const v = ((upper.v[k] as number) + (lower.v[k] as number)) / 2;
    let [best, sum, weight] = [255, 0, 0];
    for (let d = -reach; d <= reach; d += 0.5) best = Math.min(best, colourAt(shape, source, u, v + d).y);
    for (let d = -reach; d <= reach; d += 0.5) {
      const dark = Math.max(0, best + 14 - colourAt(shape, source, u, v + d).y);
      sum += dark * d;
      weight += dark;
    }
    offset[k] = weight > 0 ? sum / weight : 0;
  }
  const even = (k: number) => {
    const near = [-3, -2, -1, 0, 1, 2, 3].map((step) => offset[Math.min(COLUMNS - 1, Math.max(0, k + step))] as number);
    return near.sort((one, other) => one - other)[3] as number;
  };
  for (let k = 1; k + 1 < COLUMNS; k++) {
    const u = ((upper.u[k] as number) + (lower.u[k] as number)) / 2;
    const v = ((upper.v[k] as number) + (lower.v[k] as number)) / 2 + even(k);
    upper.u[k] = u;
    lower.u[k] = u;
    upper.v[k] = v;
    lower.v[k] = v;
  }
}

/** The line of the closed mouth: a smile's corners come down a little, parted lips meet between. */
function atEase({ upper, lower, line, parted, agape, places, jaw }: MouthOutline): void {
  const last = COLUMNS - 1;
  const slope = (k: number) => {
    const share = k / last;
    return (upper.v[0] as number) * (1 - share) + (upper.v[last] as number) * share;
  };
  for (let k = 0; k < COLUMNS; k++) {
    const top = upper.v[k] as number;
    const bottom = Math.max(top, (lower.v[k] as number) - jaw * withJaw((k / last) * 2 - 1));
    line.u[k] = ((upper.u[k] as number) + (lower.u[k] as number)) / 2;
    const met = top + (bottom - top) * MEET;
    // Towards a straight line between the corners: lips that meet in a smile's whole bow are a grin, and are seen apart.
    line.v[k] = met + (slope(k) - met) * (STRAIGHTER + AGAPE_STRAIGHTER * agape) * parted;
  }
  const middle = line.v[last >> 1] as number;
  const [left, right] = [line.v[0] as number, line.v[last] as number];
  for (let k = 0; k < COLUMNS; k++) {
    const s = (k / last) * 2 - 1;
    const rise = Math.max(0, middle - (s < 0 ? left : right));
    line.v[k] = (line.v[k] as number) + rise * CORNERS_DOWN * parted * s * s;
  }
  const [from, to] = [line.u[0] as number, line.u[last] as number];
  for (let k = 0; k < COLUMNS; k++) places[k] = (((line.u[k] as number) - from) / (to - from || 1)) * 2 - 1;
}
