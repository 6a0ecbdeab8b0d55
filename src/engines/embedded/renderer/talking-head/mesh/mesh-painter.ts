/**
 * A face with landmarks as a mesh that speaks: takes one frame's pose and draws it. The head is bent as a whole by its
 * depth; mouth and eyes are drawn over it as finer meshes, carried along by the same bend.
 */
import type { Rig } from '../../../../ports/index.ts';
import { type Planes, planesOf } from '../../../codec/colour.ts';
import { faceShape } from '../../graphics/face/geometry.ts';
import type { Colour } from '../../graphics/face/skin.ts';
import { smoothstep } from '../../graphics/numbers.ts';
import { headMask } from '../mask.ts';
import type { MotionTrack } from '../motion.ts';
import type { MouthTrack } from '../mouth-track.ts';
import { type FramePainter, valuesAt } from '../painter.ts';
import { OVERSAMPLE, type Still } from '../still.ts';
import { createWarp } from '../warp.ts';
import { eyeMeshes } from './eye-mesh.ts';
import { headField } from './head-field.ts';
import { isMouthHidden } from './hidden-mouth.ts';
import { lidSkin } from './lid-skin.ts';
import { meshFace } from './mesh-face.ts';
import { cornerPainter } from './mouth-corners.ts';
import { insidePainter } from './mouth-inside.ts';
import { keptAbove, mouthMesh, shadeLips } from './mouth-mesh.ts';
import { COLUMNS, type Curve, type MouthOutline, mouthOutline } from './mouth-outline.ts';
import { drawLine, drawMesh } from './raster.ts';

/** How dark the line is in which lips meet that were apart in the still, or are pressed together. */
const SEAM = 0.5;
/** How much of that shade the lips beside the line have: a parted lip that is bright up to the line is taken for teeth. */
const BESIDE = { closed: 0.55, parted: 0.75 } as const;
/** Share of its light that a lip has in that shade: of lips that are closed in the still, and of parted ones. */
const DEEP = { closed: 0.5, parted: 0.34 } as const;

/** The eyes of a head that is turned further (as `turn` says it, some 40 degrees) stay as they are: of the far one the lids are a guess. */
const WIDEST_FOR_EYES = 0.38;

/** How dark the lashes of a shut lid are, from corner to corner, and half their width in heights of the open eye. */
const LASHES = [0.1, 0.5, 0.7, 0.75, 0.75, 0.75, 0.7, 0.5, 0.1] as const;
const LASHES_WIDE = 0.1;

export function meshPainter(still: Still, rig: Rig, mouths: MouthTrack, motion: MotionTrack): FramePainter {
  const { width, height, source } = still;
  const face = meshFace(rig, source.width, source.height);
  const isHidden = isMouthHidden(face, source);
  const shape = mouthOutline(face, source);
  const mouth = mouthMesh(shape, rig.press);
  const corners = cornerPainter(shape, mouth, source);
  const eyes = Math.abs(face.turn) < WIDEST_FOR_EYES ? eyeMeshes(face) : [];
  const { skin, lashes } = lidSkin(
    eyes.map(({ lid }) => lid),
    source,
  );
  const mask = headMask(faceShape(rig, source), width, height, OVERSAMPLE);
  const field = headField(face, mask, width, height);
  const warp = createWarp(source, mask);
  warp.moving.set(field.moving);
  const { planes } = warp;
  const within = insidePainter(shape, face, source, planes);
  const edges = [new Float32Array(COLUMNS * 2), new Float32Array(COLUMNS * 2)] as const;
  const seam = new Float32Array(COLUMNS);
  const beside = new Float32Array(COLUMNS);
  const shares = new Float32Array(LASHES.length);
  const lipShade = shadeOfLips(shape);
  const shadePlanes = planesIn(lipShade);
  const placed = new Float32Array(Math.max(mouth.now.length, mouth.rimNow.length));

  function drawMouth(index: number): void {
    const asked = valuesAt(mouths, index);
    const pose = { ...asked, kept: shape.stays(asked.kept) };
    mouth.pose(asked);
    for (const [i, curve] of [mouth.upper, mouth.lower].entries()) {
      const edge = edges[i] as Float32Array;
      placeCurve(shape, curve, edge);
      field.carry(edge, edge);
    }
    const teeth =
      Math.max(pose.bite, smoothstep(0, 1, (pose.open - 0.06) / 0.16)) *
      (1 - 0.85 * smoothstep(0, 1, -pose.wide / 0.6));
    // Wide open, the still has nothing to show of what is between the lips.
    const kept = keptAbove(pose.kept, pose.bite) * (1 - smoothstep(0, 1, pose.open / 0.4));
    within.paint(mouth, { teeth, tongue: pose.tongue, gap: mouth.gap, kept }, ...edges);
    for (const [mesh, now] of [
      [mouth.mesh, mouth.now],
      [mouth.rim, mouth.rimNow],
    ] as const) {
      const points = placed.subarray(0, now.length);
      placeAll(shape, now, points);
      field.carry(points, mesh.to);
      drawMesh(mesh, source, planes);
    }
    corners(pose, planes);
    drawSeam(SEAM * Math.max(shape.parted * (1 - pose.kept), pose.press));
  }

  /** Lips that were apart in the still lack the dark line in which they meet, and the shade beside it; pressed ones have more. */
  function drawSeam(share: number): void {
    if (share < 0.01) return;
    const most = BESIDE.closed + (BESIDE.parted - BESIDE.closed) * shape.parted;
    for (let k = 0; k < COLUMNS; k++) {
      const apart = (mouth.lower.v[k] as number) - (mouth.upper.v[k] as number);
      const s = shape.places[k] as number;
      seam[k] = share * (1 - smoothstep(0, 1, apart / (shape.half * 0.12))) * (1 - 0.5 * s ** 6);
      beside[k] = ((seam[k] as number) / SEAM) * most;
    }
    shadeLips(mouth.shade, beside, shape.lit);
    drawMesh(mouth.shade, shadePlanes, planes);
    drawLine(edges[0], seam, Math.max(1, (shape.half * 0.035) / OVERSAMPLE), lipShade, planes);
  }

  function drawEyes(lids: number, gazeX: number, gazeY: number): void {
    for (const [i, eye] of eyes.entries()) {
      if (lids < 0.95 && Math.abs(gazeX) + Math.abs(gazeY) > 0.02) {
        eye.glance(gazeX, gazeY);
        field.carry(eye.ballNow, eye.ball.to);
        drawMesh(eye.ball, source, planes);
      }
      if (lids < 0.02) continue;
      eye.shut(lids);
      field.carry(eye.lowerNow, eye.lower.to);
      drawMesh(eye.lower, source, planes);
      field.carry(eye.upperNow, eye.upper.to);
      drawMesh(eye.upper, skin, planes);
      for (const [k, share] of LASHES.entries()) shares[k] = share * lids;
      drawLine(eye.lashes, shares, (eye.lid.tall * LASHES_WIDE) / OVERSAMPLE, lashes[i] as Colour, planes);
    }
  }

  return {
    frame: warp.frame,
    draw(index) {
      const { lids, gazeX, gazeY, breath, ...pose } = valuesAt(motion, index);
      field.pose(pose, breath);
      warp.bend(field.dx, field.dy);
      if (!isHidden) drawMouth(index);
      drawEyes(lids, gazeX, gazeY);
    },
  };
}

/** The lower lip's colour in deep shade; less deep where the lips are closed in the still, whose own line and shade are there. */
function shadeOfLips({ lowerLip, parted }: MouthOutline): Colour {
  const { y, u, v } = lowerLip;
  return { y: 16 + (y - 16) * (DEEP.closed + (DEEP.parted - DEEP.closed) * parted), u, v };
}

/** A few pixels of one colour, for a mesh to be drawn in. */
function planesIn({ y, u, v }: Colour): Planes {
  const planes = planesOf(new Uint8Array(24), 4, 4);
  planes.y.fill(y);
  planes.u.fill(u);
  planes.v.fill(v);
  return planes;
}

/** u, v pairs of the mouth to pixels of the still. */
function placeAll({ origin, across, down }: MouthOutline, local: Float32Array, to: Float32Array): void {
  for (let i = 0; i < local.length; i += 2) {
    const [u, v] = [local[i] as number, local[i + 1] as number];
    to[i] = origin.x + across.x * u + down.x * v;
    to[i + 1] = origin.y + across.y * u + down.y * v;
  }
}

function placeCurve({ origin, across, down }: MouthOutline, { u, v }: Curve, to: Float32Array): void {
  for (let k = 0; k < COLUMNS; k++) {
    to[k * 2] = origin.x + across.x * (u[k] as number) + down.x * (v[k] as number);
    to[k * 2 + 1] = origin.y + across.y * (u[k] as number) + down.y * (v[k] as number);
  }
}
