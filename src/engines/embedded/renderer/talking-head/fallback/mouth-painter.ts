/**
 * The mouth of one frame, drawn into the working copy of the source. The lips, the jaw and the skin around them keep
 * the image's own pixels and are bent apart; only what shows between the lips is painted. It touches nothing
 * outside `area`.
 */
import type { Planes } from '../../../codec/colour.ts';
import type { Area, FaceShape, MouthShape } from '../../graphics/face/geometry.ts';
import { sample } from '../../graphics/face/sample.ts';
import { clamp01 } from '../../graphics/numbers.ts';
import { inside, paintInside } from '../mouth-interior.ts';
import type { MouthPose } from '../phonemes.ts';
import { type Bend, emptyBend, fromAbove, fromBelow, jawFall, setBend } from './lip-bend.ts';

/** Paints the mouth. */
export interface MouthPainter {
  area: Area;
  /** Draws a pose from `source` into `target`. */
  paint(pose: MouthPose): void;
}

export function mouthPainter(face: FaceShape, source: Planes, target: Planes): MouthPainter {
  const { mouth } = face;
  const reach = Math.max(face.w * 0.5, mouth.half * 2);
  const fall = jawFall(face, mouth.most);
  const even = (value: number, limit: number) => Math.min(limit, Math.max(0, Math.round(value / 2) * 2));
  const area = {
    left: even(mouth.x - reach, source.width),
    right: even(mouth.x + reach, source.width),
    top: even(mouth.y - mouth.lip * 3.6, source.height),
    bottom: even(face.chin.y + fall.most + fall.fade + 2, source.height),
  };
  const bend = emptyBend(area);
  let resting = true;
  return {
    area,
    paint(pose) {
      const rests = pose.open < 0.004 && Math.abs(pose.wide) < 0.01 && pose.press < 0.01 && pose.bite < 0.01;
      if (rests && resting) return;
      resting = rests;
      setBend(bend, pose, face, area);
      drawLuma(bend, mouth, area, source, target);
      drawChroma(bend, mouth, area, source, target);
    },
  };
}

/** The first and the last column of the area that a row bends: near the lips the mouth's surroundings, below all. */
function reachOf(bend: Bend, area: Area, mouth: MouthShape, j: number): [from: number, to: number] {
  const columns = area.right - area.left;
  if ((bend.toJaw[j] as number) > 0) return [0, columns];
  const half = mouth.half * 1.6;
  const from = Math.max(0, Math.floor((mouth.x - half - area.left) / 2) * 2);
  return [from, Math.min(columns, Math.ceil((mouth.x + half - area.left) / 2) * 2)];
}

/** The rest of a row as it is in the image: an earlier frame may have bent it with the jaw. */
function restore(
  from: Uint8Array,
  to: Uint8Array,
  row: number,
  area: Pick<Area, 'left' | 'right'>,
  start: number,
  end: number,
) {
  if (start === 0) return;
  to.set(from.subarray(row + area.left, row + area.left + start), row + area.left);
  to.set(from.subarray(row + area.left + end, row + area.right), row + area.left + end);
}

function drawLuma(bend: Bend, mouth: MouthShape, area: Area, source: Planes, target: Planes): void {
  const { width, height, y: from } = source;
  for (let row = area.top; row < area.bottom; row++) {
    const j = row - area.top;
    const near = bend.near[j] as number;
    const toJaw = bend.toJaw[j] as number;
    const remaining = bend.remaining[j] as number;
    const [start, end] = reachOf(bend, area, mouth, j);
    restore(source.y, target.y, row * width, area, start, end);
    if (near === 0 && toJaw > 0) {
      // Chin and neck only slide up and down: two taps instead of four, for most of the area.
      for (let i = start; i < end; i++) {
        const fall = ((bend.down[i] as number) * (1 - toJaw) + (bend.jaw[i] as number) * toJaw) * remaining;
        const y = row - fall;
        const above = y | 0;
        const at = above * width + area.left + i;
        const luma = from[at] as number;
        target.y[row * width + area.left + i] = luma + ((from[at + width] as number) - luma) * (y - above) + 0.5;
      }
      continue;
    }
    for (let i = start; i < end; i++) {
      const column = area.left + i;
      const line = bend.line[i] as number;
      const upper = line - (bend.up[i] as number);
      const lower = line + (bend.down[i] as number);
      const above = row - upper;
      const below = lower - row;
      const y = above < below ? fromAbove(bend, mouth, i, j, row) : fromBelow(bend, mouth, i, j, row);
      let luma = sample(from, width, height, column + (bend.across[i] as number) * near, y);
      if (above > -0.5 && below > -0.5 && lower > upper) {
        const covered = clamp01(above + 0.5) * clamp01(below + 0.5) * clamp01(lower - upper);
        paintInside(bend.inside, mouth, bend.s[i] as number, Math.max(0, above), Math.max(0, below), row - line);
        luma += (inside.y - luma) * covered;
      }
      target.y[row * width + column] = luma + 0.5;
    }
  }
}

/** As `drawLuma`, at every second pixel. */
function drawChroma(bend: Bend, mouth: MouthShape, area: Area, source: Planes, target: Planes): void {
  const width = source.width >> 1;
  const height = source.height >> 1;
  for (let row = area.top; row < area.bottom; row += 2) {
    const j = row - area.top;
    const near = bend.near[j] as number;
    const [start, end] = reachOf(bend, area, mouth, j);
    const half = { left: area.left / 2, right: area.right / 2 };
    restore(source.u, target.u, (row >> 1) * width, half, start / 2, end / 2);
    restore(source.v, target.v, (row >> 1) * width, half, start / 2, end / 2);
    for (let i = start; i < end; i += 2) {
      const line = bend.line[i] as number;
      const upper = line - (bend.up[i] as number);
      const lower = line + (bend.down[i] as number);
      const centre = row + 0.5;
      const above = centre - upper;
      const below = lower - centre;
      const y = above < below ? fromAbove(bend, mouth, i, j, centre) : fromBelow(bend, mouth, i, j, centre);
      const cx = (area.left + i + (bend.across[i] as number) * near) / 2;
      const cy = (y - 0.5) / 2;
      let u = sample(source.u, width, height, cx, cy);
      let v = sample(source.v, width, height, cx, cy);
      if (above > -1 && below > -1 && lower > upper) {
        const covered = clamp01(above / 2 + 0.5) * clamp01(below / 2 + 0.5) * clamp01(lower - upper);
        paintInside(bend.inside, mouth, bend.s[i] as number, Math.max(0, above), Math.max(0, below), centre - line);
        u += (inside.u - u) * covered;
        v += (inside.v - v) * covered;
      }
      const at = (row >> 1) * width + ((area.left + i) >> 1);
      target.u[at] = u + 0.5;
      target.v[at] = v + 0.5;
    }
  }
}
