/**
 * Textured triangles into I420 planes. The inner loops of the mesh: they allocate nothing and count in integers.
 * Positions are continuous: pixel i covers i to i + 1.
 */
import type { Planes } from '../../../codec/colour.ts';
import { sample } from '../../graphics/face/sample.ts';

/** Source positions are integers in 1/256 of a pixel: twice as fast here as floating point (measured). */
const BITS = 8;
const ONE = 1 << BITS;

/** A mesh whose vertices have a place in the source and, in each frame, one in the video. */
export interface Mesh {
  /** Three vertex numbers a triangle, in the order they are drawn. */
  triangles: Uint16Array;
  /** x, y of each vertex in pixels of the source. */
  from: Float32Array;
  /** x, y of each vertex in pixels of the video; set in each frame. */
  to: Float32Array;
  /** 0 to 1 a vertex; absent: opaque. */
  alpha?: Float32Array;
}

/** Draws all three planes. @param source twice the size of `frame` */
export function drawMesh(mesh: Mesh, source: Planes, frame: Planes): void {
  const half = [source.width >> 1, source.height >> 1, frame.width >> 1, frame.height >> 1] as const;
  drawPlane(mesh, 1, source.y, source.width, source.height, frame.y, frame.width, frame.height);
  drawPlane(mesh, 0.5, source.u, half[0], half[1], frame.u, half[2], half[3]);
  drawPlane(mesh, 0.5, source.v, half[0], half[1], frame.v, half[2], half[3]);
}

interface Texture {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** The triangle being drawn: reused, to spare an object for each. a is the highest corner, c the lowest. */
const now = {
  ...{ ax: 0, ay: 0, bx: 0, by: 0, cx: 0, cy: 0 },
  /** Source position at the corner a, and its change by a pixel across and down. */
  ...{ au: 0, av: 0, ux: 0, uy: 0, vx: 0, vy: 0 },
  /** As these, of alpha. */
  ...{ share: 1, shareX: 0, shareY: 0 },
};

function drawPlane(
  mesh: Mesh,
  scale: number,
  source: Uint8Array,
  sourceWidth: number,
  sourceHeight: number,
  target: Uint8Array,
  width: number,
  height: number,
): void {
  const from: Texture = { pixels: source, width: sourceWidth, height: sourceHeight };
  const to: Texture = { pixels: target, width, height };
  const { triangles } = mesh;
  for (let t = 0; t < triangles.length; t += 3) {
    if (!prepare(mesh, scale, triangles[t] as number, triangles[t + 1] as number, triangles[t + 2] as number)) continue;
    const first = Math.max(0, Math.ceil(now.ay - 0.5));
    const last = Math.min(height, Math.ceil(now.cy - 0.5));
    for (let y = first; y < last; y++) {
      const py = y + 0.5;
      const long = now.ax + ((now.cx - now.ax) * (py - now.ay)) / (now.cy - now.ay);
      const short =
        py < now.by
          ? now.ax + ((now.bx - now.ax) * (py - now.ay)) / (now.by - now.ay)
          : now.bx + ((now.cx - now.bx) * (py - now.by)) / (now.cy - now.by || 1);
      const left = Math.max(0, Math.ceil(Math.min(long, short) - 0.5));
      const right = Math.min(width, Math.ceil(Math.max(long, short) - 0.5));
      if (left >= right) continue;
      if (mesh.alpha) blendRow(from, to, y, left, right);
      else copyRow(from, to, y, left, right);
    }
  }
}

/** Sets `now`; false for a triangle without area. */
function prepare({ from, to, alpha }: Mesh, scale: number, one: number, two: number, three: number): boolean {
  let [a, b, c] = [one, two, three];
  if ((to[b * 2 + 1] as number) < (to[a * 2 + 1] as number)) [a, b] = [b, a];
  if ((to[c * 2 + 1] as number) < (to[a * 2 + 1] as number)) [a, c] = [c, a];
  if ((to[c * 2 + 1] as number) < (to[b * 2 + 1] as number)) [b, c] = [c, b];
  now.ax = (to[a * 2] as number) * scale;
  now.ay = (to[a * 2 + 1] as number) * scale;
  now.bx = (to[b * 2] as number) * scale;
  now.by = (to[b * 2 + 1] as number) * scale;
  now.cx = (to[c * 2] as number) * scale;
  now.cy = (to[c * 2 + 1] as number) * scale;
  const [abX, abY, acX, acY] = [now.bx - now.ax, now.by - now.ay, now.cx - now.ax, now.cy - now.ay];
  const area = abX * acY - acX * abY;
  if (area < 1e-6 && area > -1e-6) return false;
  now.au = (from[a * 2] as number) * scale;
  now.av = (from[a * 2 + 1] as number) * scale;
  const [abU, acU] = [(from[b * 2] as number) * scale - now.au, (from[c * 2] as number) * scale - now.au];
  const [abV, acV] = [(from[b * 2 + 1] as number) * scale - now.av, (from[c * 2 + 1] as number) * scale - now.av];
  now.ux = (abU * acY - acU * abY) / area;
  now.uy = (acU * abX - abU * acX) / area;
  now.vx = (abV * acY - acV * abY) / area;
  now.vy = (acV * abX - abV * acX) / area;
  if (!alpha) return true;
  now.share = alpha[a] as number;
  const [abS, acS] = [(alpha[b] as number) - now.share, (alpha[c] as number) - now.share];
  now.shareX = (abS * acY - acS * abY) / area;
  now.shareY = (acS * abX - abS * acX) / area;
  return true;
}

function copyRow(source: Texture, target: Texture, y: number, left: number, right: number): void {
  const { pixels, width } = source;
  const to = target.pixels;
  const [mostX, mostY] = [((width - 1) << BITS) - 1, ((source.height - 1) << BITS) - 1];
  const [dx, dy] = [left + 0.5 - now.ax, y + 0.5 - now.ay];
  let sx = ((now.au + now.ux * dx + now.uy * dy - 0.5) * ONE) | 0;
  let sy = ((now.av + now.vx * dx + now.vy * dy - 0.5) * ONE) | 0;
  const [stepX, stepY] = [(now.ux * ONE) | 0, (now.vx * ONE) | 0];
  const end = y * target.width + right;
  for (let at = y * target.width + left; at < end; at++, sx += stepX, sy += stepY) {
    const qx = sx < 0 ? 0 : Math.min(sx, mostX);
    const qy = sy < 0 ? 0 : Math.min(sy, mostY);
    const i = (qy >> BITS) * width + (qx >> BITS);
    const fx = qx & (ONE - 1);
    const fy = qy & (ONE - 1);
    const top = (pixels[i] as number) * (ONE - fx) + (pixels[i + 1] as number) * fx;
    const low = (pixels[i + width] as number) * (ONE - fx) + (pixels[i + width + 1] as number) * fx;
    to[at] = (top * (ONE - fy) + low * fy + 32_768) >> 16;
  }
}

function blendRow({ pixels, width, height }: Texture, target: Texture, y: number, left: number, right: number): void {
  const dy = y + 0.5 - now.ay;
  for (let x = left; x < right; x++) {
    const dx = x + 0.5 - now.ax;
    const share = now.share + now.shareX * dx + now.shareY * dy;
    if (share <= 0) continue;
    const u = now.au + now.ux * dx + now.uy * dy - 0.5;
    const v = now.av + now.vx * dx + now.vy * dy - 0.5;
    const at = y * target.width + x;
    const under = target.pixels[at] as number;
    target.pixels[at] = under + (sample(pixels, width, height, u, v) - under) * Math.min(1, share) + 0.5;
  }
}

/** Two triangles for each cell of a grid of vertices numbered row by row. @param closed the last column joins the first */
export function gridTriangles(columns: number, rows: number, start = 0, closed = false): number[] {
  const out: number[] = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + (closed ? 0 : 1) < columns; column++) {
      const next = closed ? (column + 1) % columns : column + 1;
      const [a, b] = [start + row * columns + column, start + row * columns + next];
      const [c, d] = [a + columns, b + columns];
      out.push(a, b, c, b, d, c);
    }
  }
  return out;
}

/** A soft line through points (x, y pairs in the video). @param shares how much of the colour each point takes, 0 to 1 */
export function drawLine(
  points: Float32Array,
  shares: Float32Array,
  radius: number,
  colour: { y: number; u: number; v: number },
  frame: Planes,
): void {
  const { width, height } = frame;
  for (let k = 0; k + 1 < shares.length; k++) {
    const [ax, ay] = [points[k * 2] as number, points[k * 2 + 1] as number];
    const [bx, by] = [points[k * 2 + 2] as number, points[k * 2 + 3] as number];
    const [one, other] = [shares[k] as number, shares[k + 1] as number];
    if (one + other < 0.01) continue;
    const [wx, wy] = [bx - ax, by - ay];
    const long = wx * wx + wy * wy || 1;
    const [left, right] = [Math.max(0, Math.floor(Math.min(ax, bx))), Math.min(width, Math.ceil(Math.max(ax, bx)))];
    const top = Math.max(0, Math.floor(Math.min(ay, by) - radius));
    const bottom = Math.min(height, Math.ceil(Math.max(ay, by) + radius));
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const along = ((x + 0.5 - ax) * wx + (y + 0.5 - ay) * wy) / long;
        // Each pixel belongs to one piece of the line, or it would be darkened twice.
        if (along < 0 || along >= 1) continue;
        const away = Math.abs((x + 0.5 - ax) * wy - (y + 0.5 - ay) * wx) / Math.sqrt(long) / radius;
        if (away >= 1) continue;
        const share = (one + (other - one) * along) * (1 - away * away) ** 2;
        const at = y * width + x;
        frame.y[at] = (frame.y[at] as number) + (colour.y - (frame.y[at] as number)) * share + 0.5;
        if ((x | y) & 1) continue;
        const small = (y >> 1) * (width >> 1) + (x >> 1);
        frame.u[small] = (frame.u[small] as number) + (colour.u - (frame.u[small] as number)) * share + 0.5;
        frame.v[small] = (frame.v[small] as number) + (colour.v - (frame.v[small] as number)) * share + 0.5;
      }
    }
  }
}
