/**
 * An eye as meshes: the skin of both lids, which closes along the real lid line, and what lies between them, in which the
 * iris glances. Positions in the still's own pixels. Reads no pixels.
 */
import { clamp01, smoothstep } from '../../graphics/numbers.ts';
import type { Lid } from './lid-skin.ts';
import type { MeshFace } from './mesh-face.ts';
import { gridTriangles, type Mesh } from './raster.ts';

interface EyeIndices {
  /** Lid margins from one corner to the other, both corners included. */
  upper: number[];
  lower: number[];
  /** The fold above the upper lid, and the brow's lower edge. */
  fold: number[];
  brow: number[];
  /** Centre and one side of the iris: the models' first one belongs to the eye on the viewer's right. */
  iris: [number, number];
}

const EYES: EyeIndices[] = [
  {
    upper: [33, 246, 161, 160, 159, 158, 157, 173, 133],
    lower: [33, 7, 163, 144, 145, 153, 154, 155, 133],
    fold: [130, 247, 30, 29, 27, 28, 56, 190, 243],
    brow: [46, 53, 52, 65, 55],
    iris: [473, 474],
  },
  {
    upper: [263, 466, 388, 387, 386, 385, 384, 398, 362],
    lower: [263, 249, 390, 373, 374, 380, 381, 382, 362],
    fold: [359, 467, 260, 259, 257, 258, 286, 414, 463],
    brow: [276, 283, 282, 295, 285],
    iris: [468, 469],
  },
];
const COLUMNS = EYES[0]!.upper.length;

/** Rings of the upper lid from its margin to the fold and on to the brow: how much of the margin's way each goes. */
const UPPER_WAY = [1, 1, 0.92, 0.72, 0.4, 0];
const LOWER_WAY = [1, 1, 0.6, 0];
/** How far up the lower lid comes to meet the upper one, in heights of the opening. */
const LOWER_RISE = 0.14;
/** How much further than their meeting the upper lid goes: landmarks are a little inside of wide open eyes. */
const OVER = 0.16;
/** An open eye is at least this tall, in radii of its iris: on turned heads the landmarks' lids lie within it. */
const LEAST_TALL = 1.5;
/** White of the eye below the landmarks of the lower lid, in heights of the eye. */
const WHITE_BELOW = 0.12;
/** Columns and rows of the mesh between the lids. */
const BALL = 11;

/** An eye as meshes of lids and ball; positions in the still's pixels. */
export interface EyeMesh {
  upper: Mesh;
  lower: Mesh;
  ball: Mesh;
  /** The upper lid in the still, with the skin above it. */
  lid: Lid;
  upperNow: Float32Array;
  lowerNow: Float32Array;
  ballNow: Float32Array;
  /** The upper lid's margin in the video now, once `upper` is placed. */
  lashes: Float32Array;
  /** Sets the lids: 0 open to 1 shut. */
  shut(lid: number): void;
  /** Sets the glance, -1 to 1 each. */
  glance(x: number, y: number): void;
}

export function eyeMeshes(face: MeshFace): EyeMesh[] {
  return EYES.map((indices) => eyeMesh(face, indices));
}

function eyeMesh(face: MeshFace, { upper, lower, fold, brow, iris }: EyeIndices): EyeMesh {
  const points = (indices: number[]) => indices.flatMap((index) => [face.at(index).x, face.at(index).y]);
  const [top, bottom, crease] = [points(upper), points(lower), points(fold)];
  openWide(face, top, bottom, iris);
  const edge = spread(points(brow));
  const way = Float32Array.from(top, (value, i) => (bottom[i] as number) - value);
  const tall = tallest(way);
  const upperRings = [
    ring(top, way, 0.1),
    ring(top, way, 0.03),
    between(top, crease, 0.35),
    crease,
    between(crease, edge, 0.35),
    between(crease, edge, 0.75),
  ];
  // Skin below the eye, as far as the opening is tall, but never nothing.
  const under = bottom.map((value, i) => value + (i % 2 === 0 ? face.down.x : face.down.y) * tall);
  const lowerRings = [ring(bottom, way, -0.1), ring(bottom, way, -0.04), between(bottom, under, 0.5), under];
  const up = lidMesh(upperRings);
  const low = lidMesh(lowerRings);
  const ball = ballMesh(face, top, bottom, iris);
  return {
    upper: up.mesh,
    lower: low.mesh,
    ball: ball.mesh,
    lid: { margin: top, fold: crease, brow: edge, under, tall },
    lashes: up.mesh.to.subarray(COLUMNS * 2, COLUMNS * 4),
    upperNow: up.now,
    lowerNow: low.now,
    ballNow: ball.now,
    shut(lid) {
      const rise = LOWER_RISE * lid;
      follow(up, way, UPPER_WAY, lid * (1 - LOWER_RISE + OVER));
      follow(low, way, LOWER_WAY, -rise);
    },
    glance: ball.glance,
  };
}

/** The greatest length of x, y pairs. */
const tallest = (ways: ArrayLike<number>): number =>
  Math.max(...Array.from({ length: COLUMNS }, (_, k) => Math.hypot(ways[k * 2] as number, ways[k * 2 + 1] as number)));

/** Moves the lids' margins apart where they are nearer than the iris between them is tall. */
function openWide(face: MeshFace, top: number[], bottom: number[], [centre, side]: [number, number]): void {
  const [middle, rim] = [face.at(centre), face.at(side)];
  const least = LEAST_TALL * Math.hypot(rim.x - middle.x, rim.y - middle.y);
  const tall = tallest(top.map((value, i) => (bottom[i] as number) - value));
  const more = Math.max(0, least - tall) / 2;
  const below = Math.max(least, tall) * WHITE_BELOW;
  for (let i = 0; i < COLUMNS; i++) {
    const part = Math.sin((Math.PI * i) / (COLUMNS - 1));
    for (const [axis, down] of [face.down.x, face.down.y].entries()) {
      top[i * 2 + axis] = (top[i * 2 + axis] as number) - down * more * part;
      bottom[i * 2 + axis] = (bottom[i * 2 + axis] as number) + down * (more + below) * part;
    }
  }
}

/** A lid's margin moved along the way to the other lid: negative away from it. */
const ring = (margin: number[], way: Float32Array, share: number): number[] =>
  margin.map((value, i) => value + (way[i] as number) * share);

const between = (one: number[], other: number[], share: number): number[] =>
  one.map((value, i) => value + ((other[i] as number) - value) * share);

/** As many points as a lid has along a curve of fewer (x, y pairs). */
function spread(curve: number[]): number[] {
  const last = curve.length / 2 - 1;
  return Array.from({ length: COLUMNS }, (_, k) => {
    const at = (k / (COLUMNS - 1)) * last;
    const i = Math.min(last - 1, Math.floor(at));
    return [0, 1].map((axis) => {
      const [one, other] = [curve[i * 2 + axis] as number, curve[i * 2 + 2 + axis] as number];
      return one + (other - one) * (at - i);
    });
  }).flat();
}

/** Rings from the margin outwards as a mesh whose first ring and both corners fade. */
function lidMesh(rings: number[][]): { mesh: Mesh; now: Float32Array } {
  const from = Float32Array.from(rings.flat());
  const alpha = new Float32Array(from.length / 2).fill(1);
  alpha.fill(0, 0, COLUMNS);
  alpha.fill(0, from.length / 2 - COLUMNS);
  const triangles = Uint16Array.from(gridTriangles(COLUMNS, rings.length));
  return { mesh: { triangles, from, to: new Float32Array(from.length), alpha }, now: from.slice() };
}

function follow(
  { mesh, now }: { mesh: Mesh; now: Float32Array },
  way: Float32Array,
  ways: number[],
  lid: number,
): void {
  for (const [row, share] of ways.entries()) {
    for (let i = 0; i < COLUMNS * 2; i++) {
      const at = row * COLUMNS * 2 + i;
      now[at] = (mesh.from[at] as number) + (way[i] as number) * share * lid;
    }
  }
}

/** Between the lids: a grid from corner to corner in which what is near the iris moves with it and the rim does not. */
function ballMesh(face: MeshFace, top: number[], bottom: number[], [centre, side]: [number, number]) {
  const from = new Float32Array(BALL * BALL * 2);
  const share = new Float32Array(BALL * BALL);
  const middle = face.at(centre);
  const radius = Math.max(1, Math.hypot(face.at(side).x - middle.x, face.at(side).y - middle.y));
  for (let row = 0; row < BALL; row++) {
    for (let column = 0; column < BALL; column++) {
      const at = row * BALL + column;
      const [s, t] = [column / (BALL - 1), row / (BALL - 1)];
      const [x, y] = [0, 1].map((axis) => curveAt(top, s, axis) * (1 - t) + curveAt(bottom, s, axis) * t);
      from[at * 2] = x as number;
      from[at * 2 + 1] = y as number;
      const away = Math.hypot((x as number) - middle.x, (y as number) - middle.y) / radius;
      share[at] =
        (1 - smoothstep(0, 1, (away - 1) / 1.1)) *
        smoothstep(0, 1, Math.min(s, 1 - s) * 6) *
        smoothstep(0, 1, Math.min(t, 1 - t) * 8 + 0.1);
    }
  }
  const now = from.slice();
  return {
    mesh: { triangles: Uint16Array.from(gridTriangles(BALL, BALL)), from, to: new Float32Array(from.length) },
    now,
    glance(gx: number, gy: number) {
      const [dx, dy] = [gx * radius * 0.42, gy * radius * 0.25];
      for (let i = 0; i < share.length; i++) {
        const part = share[i] as number;
        now[i * 2] = (from[i * 2] as number) + (face.across.x * dx + face.down.x * dy) * part;
        now[i * 2 + 1] = (from[i * 2 + 1] as number) + (face.across.y * dx + face.down.y * dy) * part;
      }
    },
  };
}

/** A coordinate of a curve of x, y pairs at a share of its length in points. */
function curveAt(curve: number[], share: number, axis: number): number {
  const at = clamp01(share) * (COLUMNS - 1);
  const k = Math.min(COLUMNS - 2, Math.floor(at));
  const one = curve[k * 2 + axis] as number;
  return one + ((curve[(k + 1) * 2 + axis] as number) - one) * (at - k);
}
