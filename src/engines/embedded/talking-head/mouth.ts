/**
 * The mouth of one frame, drawn into the working copy of the source. The lips, the jaw and the skin around them keep
 * the picture's own pixels and are bent apart; only what shows between the lips is painted. It touches nothing
 * outside `area`.
 */
import type { Planes } from '../codec/colour.ts';
import type { FaceShape, MouthShape } from './geometry.ts';
import { type Inside, inside, paintInside } from './mouth-interior.ts';
import type { Shape } from './phonemes.ts';
import { sample } from './sample.ts';

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The bend of the picture in one frame, by column and by row of the area. */
interface Bend {
  /** Per column: s (-1..1 across the mouth), the lip line, lift of the upper lip, fall of the lower, fall of the jaw. */
  s: Float32Array;
  line: Float32Array;
  up: Float32Array;
  down: Float32Array;
  jaw: Float32Array;
  /** Per column: how far left or right the source lies (rounding and spreading). */
  across: Float32Array;
  /** Per row: how much of `across` applies; how far the lip's fall has given way to the jaw's; how much of both is left. */
  near: Float32Array;
  toJaw: Float32Array;
  left: Float32Array;
  /** Per row above the mouth: how much of the upper lip's lift is left. */
  lifted: Float32Array;
  inside: Inside;
  /** How much thinner (above 0, pressed) or fuller (below 0, pouting) the lips look. */
  squeeze: number;
  /** The part of the mouth's width that opens. */
  aperture: number;
}

export type MouthPose = Omit<Shape, 'weight'>;

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

/** How far the chin falls with the lips wide open, and over what length below it the fall fades (neck or beard). */
function jawFall(face: FaceShape, open: number): { most: number; fade: number } {
  const most = open * 0.36;
  return { most, fade: Math.max(most * 2.6, face.mouth.toChin * (face.beard ? 1 : 0.45)) };
}

function emptyBend(area: Area): Bend {
  const columns = () => new Float32Array(area.right - area.left);
  const rows = () => new Float32Array(area.bottom - area.top);
  return {
    ...{ s: columns(), line: columns(), up: columns(), down: columns(), jaw: columns(), across: columns() },
    ...{ near: rows(), toJaw: rows(), left: rows(), lifted: rows() },
    inside: { teeth: 0, tongue: 0, gap: 0 },
    squeeze: 0,
    aperture: 1,
  };
}

function setBend(bend: Bend, pose: MouthPose, face: FaceShape, area: Area): void {
  const { mouth } = face;
  const round = Math.max(0, -pose.wide);
  const spread = Math.max(0, pose.wide);
  // Hair follows lips only so far before it looks pinched.
  const half = mouth.half * (1 + 0.09 * spread - (face.beard ? 0.2 : 0.3) * round);
  const bite = pose.bite * mouth.most;
  const gap = Math.max(pose.open * mouth.most * (1 - 0.12 * round), 0.2 * bite);
  // Rounded lips open evenly about their middle; for f and v the upper lip lifts off the teeth over the lower one.
  const lift = gap * Math.max(0.2 + 0.22 * round + 0.08 * spread, 0.75 * pose.bite);
  const drop = gap - lift;
  bend.squeeze = 0.7 * (pose.press - 0.3 * round);
  bend.inside.gap = gap;
  bend.inside.tongue = pose.tongue;
  bend.inside.teeth = Math.max(pose.bite, smooth((pose.open - 0.07) / 0.16)) * (1 - 0.85 * smooth(round / 0.6));
  // Only the middle of rounded lips parts; spread ones part almost to the corners.
  bend.aperture = 1 - 0.38 * round - 0.12 * pose.bite;
  setColumns(bend, face, area, { half, lift, drop, round, jaw: jawFall(face, drop).most });
  setRows(bend, face, area, lift, drop);
}

interface Extent {
  half: number;
  lift: number;
  drop: number;
  round: number;
  jaw: number;
}

function setColumns(bend: Bend, face: FaceShape, area: Area, extent: Extent): void {
  const { mouth } = face;
  const { half, lift, drop, round, jaw } = extent;
  const power = 0.82 - 0.32 * round; // From a lens with sharp corners to an ellipse.
  // Confined to the lips' surroundings: a wider field would pinch the outline of a narrow jaw.
  const far = Math.max(half, mouth.half) * 1.42;
  for (let i = 0; i < bend.s.length; i++) {
    const dx = area.left + i + 0.5 - mouth.x;
    const s = dx / half;
    const open = s / bend.aperture;
    const lens = Math.abs(open) < 1 ? (1 - open * open) ** power : 0;
    // A smile's corners stay where they are; the line bends by where its pixels come from.
    const sourceS = Math.min(1, Math.abs(s));
    bend.s[i] = open;
    bend.line[i] = mouth.y - 0.5 + mouth.bend * sourceS * sourceS;
    // The cupid's bow keeps the upper lip a little lower in the very middle.
    bend.up[i] = lift * lens * (1 - 0.1 * (1 - round) * Math.exp(-s * s * 14));
    bend.down[i] = drop * lens;
    const away = dx / (face.w * 0.5);
    bend.jaw[i] = Math.abs(away) < 1 ? jaw * (1 - away * away) ** 2 : 0;
    const inner = Math.abs(dx) <= half;
    const rest = inner ? 1 : smooth((far - Math.abs(dx)) / (far - half));
    bend.across[i] = inner ? dx * (mouth.half / half - 1) : Math.sign(dx) * (mouth.half - half) * rest;
  }
}

function setRows(bend: Bend, face: FaceShape, area: Area, lift: number, drop: number): void {
  const { mouth } = face;
  const fall = jawFall(face, drop);
  const upperEdge = mouth.y - lift - mouth.lip;
  const lowerEdge = mouth.y + drop + mouth.lip;
  const chin = face.chin.y + fall.most;
  for (let i = 0; i < bend.near.length; i++) {
    const y = area.top + i + 0.5;
    const outside = Math.max(0, upperEdge - y, y - lowerEdge);
    bend.near[i] = smooth(1 - outside / (mouth.lip * 1.2));
    bend.lifted[i] = smooth(1 - (upperEdge - y) / (mouth.lip * 2.4));
    bend.toJaw[i] = smooth((y - lowerEdge) / Math.max(4, (chin - lowerEdge) * 0.75));
    bend.left[i] = smooth(1 - (y - chin) / fall.fade);
  }
}

/** The first and the last column of the area that a row bends: near the lips the mouth's surroundings, below all. */
function reachOf(bend: Bend, area: Area, mouth: MouthShape, j: number): [from: number, to: number] {
  const columns = area.right - area.left;
  if ((bend.toJaw[j] as number) > 0) return [0, columns];
  const half = mouth.half * 1.6;
  const from = Math.max(0, Math.floor((mouth.x - half - area.left) / 2) * 2);
  return [from, Math.min(columns, Math.ceil((mouth.x + half - area.left) / 2) * 2)];
}

function drawLuma(bend: Bend, mouth: MouthShape, area: Area, source: Planes, target: Planes): void {
  const { width, height, y: from } = source;
  for (let row = area.top; row < area.bottom; row++) {
    const j = row - area.top;
    const near = bend.near[j] as number;
    const toJaw = bend.toJaw[j] as number;
    const left = bend.left[j] as number;
    const [start, end] = reachOf(bend, area, mouth, j);
    if (near === 0 && toJaw > 0) {
      // Chin and neck only slide up and down: two taps instead of four, for most of the area.
      for (let i = start; i < end; i++) {
        const fall = ((bend.down[i] as number) * (1 - toJaw) + (bend.jaw[i] as number) * toJaw) * left;
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

/** The source row of a pixel above the opening: the upper lip rides up, the skin to the nose gives way. */
function fromAbove(bend: Bend, mouth: MouthShape, i: number, j: number, y: number): number {
  const line = bend.line[i] as number;
  const edge = Math.min(line, y + (bend.up[i] as number) * (bend.lifted[j] as number));
  return bend.squeeze === 0 ? edge : edge + squeezed(bend, mouth, edge - line, i, j);
}

/** The source row of a pixel below the opening: the lower lip falls, then the chin, less, then the neck, not at all. */
function fromBelow(bend: Bend, mouth: MouthShape, i: number, j: number, y: number): number {
  const line = bend.line[i] as number;
  const toJaw = bend.toJaw[j] as number;
  const fall = (bend.down[i] as number) * (1 - toJaw) + (bend.jaw[i] as number) * toJaw;
  const edge = Math.max(line, y - fall * (bend.left[j] as number));
  return bend.squeeze === 0 ? edge : edge + squeezed(bend, mouth, edge - line, i, j);
}

/** Pressed lips look thinner, pouting ones fuller: near the line the source is read from further away or nearer. */
function squeezed(bend: Bend, mouth: MouthShape, fromLine: number, i: number, j: number): number {
  const across = (bend.s[i] as number) * bend.aperture;
  if (across <= -1 || across >= 1) return 0;
  const share = fromLine / mouth.lip;
  const hump = 1 + share * share;
  return (bend.squeeze * (bend.near[j] as number) * (1 - across * across) * mouth.lip * share) / (hump * hump);
}

function clamp01(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

function smooth(value: number): number {
  const x = clamp01(value);
  return x * x * (3 - 2 * x);
}
