/**
 * Whether a still shows a mouth where the landmarks have one. They are there behind a mask or a hand too, and a mouth that opened in cloth
 * or over fingers would be worse than none. Reads the still once a video.
 */
import type { Point } from '../../../../ports/index.ts';
import type { Planes } from '../../../codec/colour.ts';
import { type Colour, sampledColour } from '../../graphics/face/skin.ts';
import type { MeshFace } from './mesh-face.ts';

/** The lips' outer edge, clockwise from the viewer's left corner, and skin of forehead and cheeks. */
const LIPS = [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146] as const;
const SKIN = [10, 151, 9, 108, 337, 50, 280] as const;
/** Rings about the mouth's middle, in sizes of the lips' edge: within it, and outside. */
const WITHIN = [0.3, 0.5, 0.7, 0.85] as const;
const AROUND = [1.35, 1.55] as const;

/**
 * A mouth has a line that is darker than the lips by a ninth of the skin's light or more, and light that varies by an eleventh of it, in
 * photographs and paintings alike (56 were measured). What is flatter than the first is none, in any colour.
 */
const FLAT = { line: 0.06, varied: 0.05 } as const;
/** What is flatter than this is none if it is unlike skin, and lips are no other colour than what is about them. */
const COVERED = { line: 0.1, varied: 0.08, unlikeSkin: 20, alike: 6 } as const;

/**
 * Lips and the line between them lie along the mouth, so that colours change across it: those along it change by .8 of that at most, by the
 * gaps between teeth (64 were measured). Fingers before a mouth lie the other way: one photograph has 1.6.
 */
const FINGERS = 1.2;
/** Where that is looked at, in shares of the mouth's width and height to either side of its middle, at how many places, and from how far apart. */
const LOOKED = { wide: 0.32, tall: 0.55, columns: 8, rows: 6, apart: 0.05 } as const;

export function isMouthHidden(face: MeshFace, source: Planes): boolean {
  const edge = LIPS.map((index) => face.at(index));
  const middle = meanPoint(edge);
  if (changeAlong(edge, middle, source) > FINGERS) return true;
  const ring = (size: number) =>
    edge.map(({ x, y }) => sampledColour(source, middle.x + (x - middle.x) * size, middle.y + (y - middle.y) * size));
  const lips = WITHIN.flatMap(ring);
  const skin = medianOf(SKIN.map((index) => face.at(index)).map(({ x, y }) => sampledColour(source, x, y)));
  const light = Math.max(1, skin.y - 16);
  const line = lineDepth(edge, source) / light;
  const varied = deviation(lips.map(({ y }) => y)) / light;
  if (line < FLAT.line && varied < FLAT.varied) return true;
  if (line > COVERED.line || varied > COVERED.varied) return false;
  const around = medianOf(AROUND.flatMap(ring));
  return apart(around, skin) > COVERED.unlikeSkin && apart(around, medianOf(lips)) < COVERED.alike;
}

/** How much colours change along the mouth, for a change of 1 across it. */
function changeAlong(edge: Point[], middle: Point, source: Planes): number {
  const [left, top, right, bottom] = [0, 5, 10, 15].map((i) => edge[i] as Point) as [Point, Point, Point, Point];
  const wide = Math.hypot(right.x - left.x, right.y - left.y) || 1;
  const [x, y] = [(right.x - left.x) / wide, (right.y - left.y) / wide];
  const tall = (bottom.y - top.y) * x - (bottom.x - top.x) * y;
  const away = wide * LOOKED.apart;
  const at = (u: number, v: number) => sampledColour(source, middle.x + x * u - y * v, middle.y + y * u + x * v);
  const squared = (one: Colour, other: Colour) => (one.y - other.y) ** 2 + (2 * apart(one, other)) ** 2;
  let [along, across] = [0, 0];
  for (let i = -LOOKED.columns; i <= LOOKED.columns; i++) {
    for (let j = -LOOKED.rows; j <= LOOKED.rows; j++) {
      const [u, v] = [(i / LOOKED.columns) * wide * LOOKED.wide, (j / LOOKED.rows) * tall * LOOKED.tall];
      along += squared(at(u - away, v), at(u + away, v));
      across += squared(at(u, v - away), at(u, v + away));
    }
  }
  return Math.sqrt(along / Math.max(1, across));
}

/** How much darker than the rest the darkest spot of a way across the lips is, in the middle of several ways. */
function lineDepth(edge: Point[], source: Planes): number {
  const [left, top, right, bottom] = [0, 5, 10, 15].map((i) => edge[i] as Point) as [Point, Point, Point, Point];
  const steps = Math.max(2, Math.round(Math.hypot(bottom.x - top.x, bottom.y - top.y)));
  const depths = [0.3, 0.4, 0.5, 0.6, 0.7].map((share) => {
    const [x, y] = [left.x + (right.x - left.x) * share, left.y + (right.y - left.y) * share];
    const [dx, dy] = [x - (top.x + bottom.x) / 2, y - (left.y + right.y) / 2];
    const lights = Array.from({ length: steps + 1 }, (_, i) => {
      const t = i / steps;
      return sampledColour(source, top.x + (bottom.x - top.x) * t + dx, top.y + (bottom.y - top.y) * t + dy).y;
    });
    return median(lights) - Math.min(...lights);
  });
  return median(depths);
}

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] as number;

const medianOf = (colours: Colour[]): Colour => ({
  y: median(colours.map(({ y }) => y)),
  u: median(colours.map(({ u }) => u)),
  v: median(colours.map(({ v }) => v)),
});

const apart = (one: Colour, other: Colour): number => Math.hypot(one.u - other.u, one.v - other.v);

function deviation(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

const meanPoint = (points: Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
