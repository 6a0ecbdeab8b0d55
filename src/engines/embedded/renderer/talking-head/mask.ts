/**
 * Which parts of the image move with the head, and how much: 1 in the head, 0 in the background, with a soft edge,
 * and fading along the neck so that the shoulders stay still. Computed once per video on a coarse grid.
 */
import type { Point } from '../../../ports/index.ts';
import type { FaceShape } from '../graphics/face/geometry.ts';
import { smoothstep } from '../graphics/numbers.ts';

/** Video pixels between grid points. */
export const CELL = 4;
/** Video pixels from the image's rim over which motion fades in; more than twice the largest shift. */
const RIM = 24;
/** An outline of more points is thinned: the distance to it is asked for at every grid point. */
const OUTLINE_POINTS = 72;

/** What moves with the head, on a grid of `CELL` pixels. */
export interface HeadMask {
  /** Grid points per row and per column. */
  columns: number;
  rows: number;
  /** How much a grid point follows the head. */
  share: Float32Array;
  /** How far it lies before the plane of the head's rim, 0 to 1: what turns the head instead of sliding it. */
  depth: Float32Array;
  /** How much it follows the brows. */
  brow: Float32Array;
  /** The point the head tilts about, video pixels. */
  pivot: Point;
}

/** @param face in pixels of the source @param scale source pixels per video pixel */
export function headMask(face: FaceShape, width: number, height: number, scale: number): HeadMask {
  const columns = Math.ceil(width / CELL) + 1;
  const rows = Math.ceil(height / CELL) + 1;
  const [fx, fy, fw, fh] = [face.x / scale, face.y / scale, face.w / scale, face.h / scale];
  const chin = face.chin.y / scale;
  const outline = thin(face.head ?? guessed(face)).map((point) => ({ x: point.x / scale, y: point.y / scale }));
  // A drawn outline is exact: the rim moves too. A guessed one may cut through hair: only what is well inside moves.
  const known = face.exact && face.head;
  const outer = known ? fw * 0.03 : 0;
  const inner = known ? fw * 0.1 : fw * 0.24;
  const mask: HeadMask = {
    columns,
    rows,
    share: new Float32Array(columns * rows),
    depth: new Float32Array(columns * rows),
    brow: new Float32Array(columns * rows),
    pivot: { x: fx + fw / 2, y: chin + fh * 0.45 },
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [column * CELL, row * CELL];
      const at = row * columns + column;
      const inside = smoothstep(0, 1, (signedDistance(outline, x, y) + outer) / (inner + outer));
      const aside = Math.abs(x - mask.pivot.x) / fw;
      const neck = y > chin - fh * 0.15 ? smoothstep(0, 1, (0.36 - aside) / 0.12) : 0;
      const above = 1 - smoothstep(0, 1, (y - chin + fh * 0.08) / (fh * 0.6));
      // At the image's rim nothing moves: the painter then never reads beyond it.
      const rim = smoothstep(0, 1, Math.min(x, y, width - x, height - y) / RIM);
      mask.share[at] = Math.max(inside, neck) * above * rim;
      const across = (x - mask.pivot.x) / (fw * 0.62);
      const along = (y - fy - fh * 0.45) / (fh * 0.95);
      mask.depth[at] = Math.max(0, 1 - across * across - along * along);
      mask.brow[at] = browShare(face, x * scale, y * scale);
    }
  }
  return mask;
}

function browShare(face: FaceShape, x: number, y: number): number {
  let share = 0;
  for (const brow of face.brows) {
    const dx = (x - brow.x) / face.brow.rx;
    // Below the brow the field ends sooner: eyes and the rims of glasses stay where they are.
    const dy = (y - brow.y) / (face.brow.ry * (y > brow.y ? 0.62 : 1));
    share = Math.max(share, Math.exp(-dx * dx * 1.4 - dy * dy * 1.6));
  }
  return share > 0.02 ? share : 0;
}

/** Where the rig has no outline: an ellipse from above the hairline to below the chin. */
function guessed(face: FaceShape): Point[] {
  const top = face.y - face.h * 0.62;
  const bottom = face.chin.y + face.h * 0.1;
  const centre = { x: face.x + face.w / 2, y: (top + bottom) / 2 };
  return Array.from({ length: 40 }, (_, i) => ({
    x: centre.x + face.w * 0.66 * Math.cos((i * Math.PI) / 20),
    y: centre.y + ((bottom - top) / 2) * Math.sin((i * Math.PI) / 20),
  }));
}

function thin(outline: Point[]): Point[] {
  const every = Math.ceil(outline.length / OUTLINE_POINTS);
  return outline.filter((_, i) => i % every === 0);
}

/** Distance to a polygon's edge, positive inside. */
function signedDistance(outline: Point[], x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  let inside = false;
  let from = outline.at(-1) as Point;
  for (const to of outline) {
    const ex = to.x - from.x;
    const ey = to.y - from.y;
    const along = Math.min(1, Math.max(0, ((x - from.x) * ex + (y - from.y) * ey) / (ex * ex + ey * ey || 1)));
    const dx = from.x + ex * along - x;
    const dy = from.y + ey * along - y;
    nearest = Math.min(nearest, dx * dx + dy * dy);
    if (from.y > y !== to.y > y && x < ((to.x - from.x) * (y - from.y)) / (to.y - from.y) + from.x) inside = !inside;
    from = to;
  }
  return inside ? Math.sqrt(nearest) : -Math.sqrt(nearest);
}
