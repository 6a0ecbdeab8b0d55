/**
 * The mouth of a still in its own coordinates: u across from its middle, v down, in pixels of the source. Says where the
 * lips are and where they would meet if the mouth were closed and at ease, whatever the still shows. Once a video.
 */
import type { Point } from '../../../ports.ts';
import type { Planes } from '../../codec/colour.ts';
import { sample } from '../sample.ts';
import type { Colour } from '../skin.ts';
import { clamp01, LANDMARK, type MeshFace } from './mesh-face.ts';

/** Landmarks (MediaPipe Face Mesh, see `mesh-face.ts`) along the lips, from the viewer's left corner to the right one. */
const INNER_UPPER = [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308];
const INNER_LOWER = [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308];
const OUTER_UPPER = [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291];
const OUTER_LOWER = [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291];
/** Landmarks are joined by curves; the mesh takes a point between each two. */
export const COLUMNS = (INNER_UPPER.length - 1) * 2 + 1;
/** Lips apart by these shares of the face's height begin to be, and are, a smile or speech and not a closed mouth. */
const APART = [0.005, 0.012] as const;
/** Where parted lips meet, from the upper one down: upper teeth are covered, lower ones more so. */
const MEET = 0.6;

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
  /** Greatest height between the still's lips. */
  gap: number;
  /** From the middle to the nose and to the chin. */
  toNose: number;
  toChin: number;
  /** Widest opening between the lips. */
  most: number;
}

/** The mouth of a still that has landmarks. @param source the still's pixels, in which lips are told from teeth */
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
  const shape = {
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
    gap: 0,
    toNose: Math.max(wide * 0.2, -along(face.at(LANDMARK.noseBase), middle, down)),
    toChin: Math.max(wide * 0.4, along(face.chin, middle, down)),
    most: 0,
  };
  for (let k = 0; k < COLUMNS; k++)
    shape.gap = Math.max(shape.gap, (shape.lower.v[k] as number) - (shape.upper.v[k] as number));
  shape.parted = clamp01((shape.gap / face.height - APART[0]) / (APART[1] - APART[0]));
  shape.most = Math.min(shape.half * 0.9, face.height * 0.15);
  if (besideTeeth(shape, source)) shape.parted = 1;
  if (shape.parted > 0) separate(shape);
  else joinAtLine(shape, source);
  atEase(shape);
  return shape;
}

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
/** Teeth beyond the landmarks' inner edges, as shares of the lip that are looked through, and of the columns that have them. */
const LOOKED = 0.5;
const ENOUGH = 0.22;

/** Moves the lips' inner edges off teeth that the landmarks took for lip. True where teeth show. */
function besideTeeth(shape: MouthOutline, source: Planes): boolean {
  const lip = lipColour(shape, source);
  const isTooth = (u: number, v: number) => {
    const { y, v: red } = colourAt(shape, source, u, v);
    if (Math.hypot(lip.u - 128, lip.v - 128) < GREY) return y > lip.y * 1.3 + 12;
    return y > lip.y * 0.82 && red < lip.v - Math.max(3, 0.3 * (lip.v - 128));
  };
  let seen = 0;
  for (const [edge, far, sign] of [
    [shape.upper, shape.upperEdge, -1],
    [shape.lower, shape.lowerEdge, 1],
  ] as const) {
    const offsets = new Float32Array(COLUMNS);
    for (let k = 3; k + 3 < COLUMNS; k++) {
      const most = Math.abs((far.v[k] as number) - (edge.v[k] as number)) * LOOKED;
      let misses = 0;
      for (let d = 0; d < most && misses < 3; d += 0.5) {
        misses = isTooth(edge.u[k] as number, (edge.v[k] as number) + sign * d) ? 0 : misses + 1;
        if (misses === 0) offsets[k] = d + 0.5;
      }
    }
    const columns = offsets.filter((offset) => offset > 0).length / (COLUMNS - 6);
    seen = Math.max(seen, columns);
    if (columns < ENOUGH) continue;
    for (let k = 1; k + 1 < COLUMNS; k++) {
      const near = [-1, 0, 1].map((step) => offsets[k + step] as number).sort((one, other) => one - other);
      edge.v[k] = (edge.v[k] as number) + sign * (((near[1] as number) + (near[2] as number)) / 2) * 1.1;
    }
  }
  return seen >= ENOUGH;
}

/** The middle colour of both lips. */
function lipColour(shape: MouthOutline, source: Planes): Colour {
  const { upper, upperEdge, lower, lowerEdge } = shape;
  const found = [
    [upper, upperEdge],
    [lower, lowerEdge],
  ].flatMap(([edge, far]) =>
    Array.from({ length: 11 }, (_, i) => {
      const k = i + 5;
      const middle = (one: Float32Array, other: Float32Array) => ((one[k] as number) + 2 * (other[k] as number)) / 3;
      return colourAt(shape, source, middle(edge!.u, far!.u), middle(edge!.v, far!.v));
    }),
  );
  const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] as number;
  return { y: median(found.map(({ y }) => y)), u: median(found.map(({ u }) => u)), v: median(found.map(({ v }) => v)) };
}

function colourAt({ origin, across, down }: MouthOutline, source: Planes, u: number, v: number): Colour {
  const [x, y] = [origin.x + across.x * u + down.x * v, origin.y + across.y * u + down.y * v];
  return {
    y: sample(source.y, source.width, source.height, x - 0.5, y - 0.5),
    u: sample(source.u, source.width >> 1, source.height >> 1, x / 2 - 0.5, y / 2 - 0.5),
    v: sample(source.v, source.width >> 1, source.height >> 1, x / 2 - 0.5, y / 2 - 0.5),
  };
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

/** Closed lips meet in a dark line: both inner edges are laid on it, near where the landmarks say. */
function joinAtLine(shape: MouthOutline, source: Planes): void {
  const { upper, lower, half } = shape;
  const reach = Math.max(2, half * 0.07);
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

/** The line of the closed mouth: a smile's corners come in and down a little, parted lips meet between. */
function atEase({ upper, lower, line, parted, places }: MouthOutline): void {
  const last = COLUMNS - 1;
  const slope = (k: number) => {
    const share = k / last;
    return (upper.v[0] as number) * (1 - share) + (upper.v[last] as number) * share;
  };
  for (let k = 0; k < COLUMNS; k++) {
    const [top, bottom] = [upper.v[k] as number, lower.v[k] as number];
    const u = ((upper.u[k] as number) + (lower.u[k] as number)) / 2;
    line.u[k] = u * (1 - 0.09 * parted);
    const met = top + (bottom - top) * MEET;
    // Towards a straight line between the corners: what made the smile.
    line.v[k] = met + (slope(k) - met) * 0.1 * parted;
  }
  // The corners come down by a third of what they stand above the middle.
  const middle = line.v[last >> 1] as number;
  const [left, right] = [line.v[0] as number, line.v[last] as number];
  for (let k = 0; k < COLUMNS; k++) {
    const s = (k / last) * 2 - 1;
    const rise = Math.max(0, middle - (s < 0 ? left : right));
    line.v[k] = (line.v[k] as number) + rise * 0.4 * parted * s * s;
  }
  const [from, to] = [line.u[0] as number, line.u[last] as number];
  for (let k = 0; k < COLUMNS; k++) places[k] = (((line.u[k] as number) - from) / (to - from || 1)) * 2 - 1;
}
