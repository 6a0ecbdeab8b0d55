/**
 * Skin beyond the corners of a mouth that is rounded. The mesh pulls the corners in and stretches what lies beside them,
 * also the end of the line between the lips and its shade, which would be seen as creases in the cheeks. Laid over it,
 * with the same mesh: the still without that end of the line.
 */
import type { Planes } from '../../../codec/colour.ts';
import { sample } from '../../graphics/face/sample.ts';
import { clamp01, smoothstep } from '../../graphics/numbers.ts';
import type { MouthPose } from '../phonemes.ts';
import type { MouthMesh } from './mouth-mesh.ts';
import { COLUMNS, type MouthOutline } from './mouth-outline.ts';
import { drawMesh, type Mesh } from './raster.ts';

/** Draws the skin beside the corners over a mouth that was drawn in this pose; nothing for one that is not rounded. */
export type CornerPainter = (pose: MouthPose, frame: Planes) => void;

/** Rounding at which the line has gone whole. */
const GONE = 0.8;
/**
 * What is filled, in half widths of the mouth: from the corner outwards, fading in its last part, and to either side; from
 * the corner inwards, where closed lips do not part when they are rounded, only the dark between them.
 */
const REACH = { out: 0.62, fade: 0.3, aside: 0.26, inwards: 0.18, inFade: 0.2, within: 0.07, widening: 0.34 } as const;
/** The skin that it is filled from is evened over so much to either side, in the width that is filled. */
const EVEN = 0.25;

/** Levels of the skin's own grain that stay. */
const GRAIN = { luma: 4, chroma: 2 } as const;
/** Where the two sides differ by so many levels is the edge of the face or of a shade, and nothing is filled. */
const EDGE = { from: 30, over: 50 } as const;
/** Filled inwards where lips are apart, in half widths; steps in which the line between lips is known. */
const LEAST_INWARDS = 0.08;
const STEPS = 32;
/** What is filled by less than this is not seen. */
const LEAST = 0.02;

/** A place along the line: how far inwards of the corner, and how far aside of the axis. */
interface Point {
  way: number;
  aside: number;
}

/** Where a pixel lies in what is filled, and its share of the filling. */
interface Spot {
  /** -1 to 1 from one side to the other. */
  aside: number;
  /** Half the way from side to side, in pixels. */
  near: number;
  share: number;
}

/** The end of the line at a corner, in pixels of the still. */
interface End {
  x: number;
  y: number;
  /** Unit vector outwards. */
  outX: number;
  outY: number;
  /** How far inwards it is filled. */
  inwards: number;
  /** The line between the lips inwards of it: how far it is aside of the axis, at even steps up to `inwards`. */
  line: Float32Array;
  half: number;
}

/** Fills the still once a video. @param mouth in the pose that is drawn: its vertices are used as they are set */
export function cornerPainter(shape: MouthOutline, mouth: MouthMesh, source: Planes): CornerPainter {
  const ends = [0, COLUMNS - 1].map((k) => endAt(shape, mouth, k));
  const skin: Planes = { ...source, y: source.y.slice(), u: source.u.slice(), v: source.v.slice() };
  for (const end of ends) fill(end, source, skin);
  const { triangles, from, to } = mouth.mesh;
  const alpha = new Float32Array(from.length / 2);
  const mesh: Mesh = { triangles: trianglesAt(ends, triangles, from), from, to, alpha };
  return (pose, frame) => {
    const share = smoothstep(0, 1, -pose.wide / GONE);
    if (share < 0.01) return;
    alpha.fill(share);
    drawMesh(mesh, skin, frame);
  };
}

function endAt(shape: MouthOutline, { mesh }: MouthMesh, k: number): End {
  const { upper, lower, upperEdge, half, origin, across, down, parted } = shape;
  const [u, v] = [upperEdge.u[k] as number, upperEdge.v[k] as number];
  const [x, y] = [origin.x + across.x * u + down.x * v, origin.y + across.y * u + down.y * v];
  // Out along the rings' vertices: between those of the upper half and of the lower one.
  const last = mesh.from.length - (COLUMNS * 2 - 2 - k) * 2;
  const [dx, dy] = [(mesh.from[last] as number) - x, (mesh.from[last + 1] as number) - y];
  const far = Math.hypot(dx, dy) || 1;
  const [outX, outY] = [dx / far, dy / far];
  // Between lips that were apart are teeth, and no line to fill.
  const inwards = half * (LEAST_INWARDS + (REACH.inwards - LEAST_INWARDS) * (1 - parted));
  const between = (one: Float32Array, other: Float32Array, column: number) =>
    ((one[column] as number) + (other[column] as number)) / 2;
  const points = Array.from({ length: COLUMNS }, (_, i) => {
    const column = Math.abs(k - i);
    const [lu, lv] = [between(upper.u, lower.u, column), between(upper.v, lower.v, column)];
    const [lx, ly] = [origin.x + across.x * lu + down.x * lv - x, origin.y + across.y * lu + down.y * lv - y];
    return { way: -(lx * outX + ly * outY), aside: lx * outY - ly * outX };
  });
  points.unshift({ way: 0, aside: 0 });
  const line = Float32Array.from({ length: STEPS }, (_, i) => {
    const way = (inwards * i) / (STEPS - 1);
    const next = Math.max(
      1,
      points.findIndex((point) => point.way >= way),
    );
    const [one, other] = points.slice(next - 1, next + 1) as [Point, Point];
    return one.aside + (other.aside - one.aside) * clamp01((way - one.way) / (other.way - one.way || 1));
  });
  return { x, y, outX, outY, inwards, line, half };
}

/** Nothing for a pixel of the still beside what is filled. */
function spotAt({ x, y, outX, outY, inwards, line, half }: End, px: number, py: number): Spot | undefined {
  const [dx, dy] = [px - x, py - y];
  const out = dx * outX + dy * outY;
  if (out <= -inwards || out >= half * REACH.out) return undefined;
  const wide = smoothstep(0, 1, (out + half * REACH.widening) / (half * REACH.widening));
  const near = half * (REACH.within + (REACH.aside - REACH.within) * wide);
  const centre = out < 0 ? (line[Math.round((-out / inwards) * (STEPS - 1))] as number) : 0;
  const aside = (dx * outY - dy * outX - centre) / near;
  if (aside <= -1 || aside >= 1) return undefined;
  const start = smoothstep(0, 1, (out + inwards) / Math.min(inwards, half * REACH.inFade));
  const share =
    start *
    smoothstep(0, 1, (half * REACH.out - out) / (half * REACH.fade)) *
    smoothstep(0, 1, (1 - Math.abs(aside)) * 2);
  return { aside, near, share };
}

/** Fills the end of the line in `to` between the skin on its two sides. */
function fill(end: End, from: Planes, to: Planes): void {
  const light = textureOf(from.y, from, 1);
  fillPlane(end, light, light, to.y, GRAIN.luma);
  fillPlane(end, light, textureOf(from.u, from, 0.5), to.u, GRAIN.chroma);
  fillPlane(end, light, textureOf(from.v, from, 0.5), to.v, GRAIN.chroma);
}

/** A plane, and its pixels to one of the still. */
interface Texture {
  pixels: Uint8Array;
  width: number;
  height: number;
  scale: number;
}

const textureOf = (pixels: Uint8Array, { width, height }: Planes, scale: number): Texture => ({
  pixels,
  width: width * scale,
  height: height * scale,
  scale,
});

function fillPlane(end: End, light: Texture, from: Texture, to: Uint8Array, grain: number): void {
  const { pixels, width, height, scale } = from;
  const reach = end.half * REACH.out;
  const [left, right] = [Math.max(0, Math.floor((end.x - reach) * scale)), Math.ceil((end.x + reach) * scale)];
  const [top, bottom] = [Math.max(0, Math.floor((end.y - reach) * scale)), Math.ceil((end.y + reach) * scale)];
  for (let row = top; row < Math.min(height, bottom); row++) {
    for (let column = left; column < Math.min(width, right); column++) {
      const [x, y] = [(column + 0.5) / scale, (row + 0.5) / scale];
      const spot = spotAt(end, x, y);
      if (!spot || spot.share < LEAST) continue;
      const [oneLight, otherLight] = [beside(end, light, spot, x, y, -1), beside(end, light, spot, x, y, 1)];
      const share = spot.share * (1 - smoothstep(0, 1, (Math.abs(oneLight - otherLight) - EDGE.from) / EDGE.over));
      if (share === 0) continue;
      const [one, two] =
        from === light ? [oneLight, otherLight] : [-1, 1].map((side) => beside(end, from, spot, x, y, side));
      const at = row * width + column;
      const place = (spot.aside + 1) / 2;
      const filled = (one as number) * (1 - place) + (two as number) * place;
      const more = (pixels[at] as number) - filled;
      to[at] = (pixels[at] as number) + (Math.min(grain, Math.max(-grain, more)) - more) * share + 0.5;
    }
  }
}

/** The even colour of the skin on one side (-1, 1) of a pixel of the still. */
function beside(end: End, from: Texture, { aside, near }: Spot, x: number, y: number, side: number): number {
  const { pixels, width, height, scale } = from;
  let sum = 0;
  for (let i = -1; i <= 1; i++) {
    for (let j = -1; j <= 1; j++) {
      const [along, over] = [i * near * EVEN, (side - aside + j * EVEN) * near];
      const [sx, sy] = [x + end.outX * along + end.outY * over, y + end.outY * along - end.outX * over];
      sum += sample(pixels, width, height, sx * scale - 0.5, sy * scale - 0.5);
    }
  }
  return sum / 9;
}

/** The triangles in which something is filled. */
function trianglesAt(ends: End[], triangles: Uint16Array, from: Float32Array): Uint16Array {
  const touched: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)];
    const [xs, ys] = [corners.map((i) => from[i * 2] as number), corners.map((i) => from[i * 2 + 1] as number)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const isTouched = ends.some((end) => {
      const step = Math.max(1, end.half * 0.03);
      for (let y = top; y <= bottom; y += step)
        for (let x = left; x <= right; x += step) if ((spotAt(end, x, y)?.share ?? 0) > LEAST) return true;
      return false;
    });
    if (isTouched) touched.push(...corners);
  }
  return Uint16Array.from(touched);
}
