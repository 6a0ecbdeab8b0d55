/**
 * How the image bends in one frame: which source row and column each pixel around the mouth is read from. Lips open
 * about the line where they meet, the jaw follows the lower one, rounding draws the corners in. Reads no pixels.
 */
import type { Area, FaceShape, MouthShape } from '../../graphics/face/geometry.ts';
import { smoothstep } from '../../graphics/numbers.ts';
import type { Inside } from '../mouth-interior.ts';
import type { MouthPose } from '../phonemes.ts';

/** The bend of the image in one frame, by column and by row of the area. */
export interface Bend {
  /** Per column: s (-1..1 across the mouth), the lip line, lift of the upper lip, fall of the lower, fall of the jaw. */
  s: Float32Array;
  line: Float32Array;
  up: Float32Array;
  down: Float32Array;
  jaw: Float32Array;
  /** Per column: how far left or right the source lies (rounding and spreading). */
  across: Float32Array;
  /** Per row: how much of `across` applies; how far the lip's fall has given way to the jaw's; how much of both remains. */
  near: Float32Array;
  toJaw: Float32Array;
  remaining: Float32Array;
  /** Per row above the mouth: how much of the upper lip's lift remains. */
  lifted: Float32Array;
  inside: Inside;
  /** How much thinner (above 0, pressed) or fuller (below 0, pouting) the lips look. */
  squeeze: number;
  /** The part of the mouth's width that opens. */
  aperture: number;
}

/** How far the chin falls with the lips wide open, and over what length below it the fall fades (neck or beard). */
export function jawFall(face: FaceShape, open: number): { most: number; fade: number } {
  const most = open * 0.36;
  return { most, fade: Math.max(most * 2.6, face.mouth.toChin * (face.beard ? 1 : 0.45)) };
}

/** A bend of nothing. */
export function emptyBend(area: Area): Bend {
  const columns = () => new Float32Array(area.right - area.left);
  const rows = () => new Float32Array(area.bottom - area.top);
  return {
    ...{ s: columns(), line: columns(), up: columns(), down: columns(), jaw: columns(), across: columns() },
    ...{ near: rows(), toJaw: rows(), remaining: rows(), lifted: rows() },
    inside: { teeth: 0, tongue: 0, gap: 0 },
    squeeze: 0,
    aperture: 1,
  };
}

/** Sets the bend for a pose. */
export function setBend(bend: Bend, pose: MouthPose, face: FaceShape, area: Area): void {
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
  bend.inside.teeth =
    Math.max(pose.bite, smoothstep(0, 1, (pose.open - 0.07) / 0.16)) * (1 - 0.85 * smoothstep(0, 1, round / 0.6));
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
    const rest = inner ? 1 : smoothstep(0, 1, (far - Math.abs(dx)) / (far - half));
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
    bend.near[i] = smoothstep(0, 1, 1 - outside / (mouth.lip * 1.2));
    bend.lifted[i] = smoothstep(0, 1, 1 - (upperEdge - y) / (mouth.lip * 2.4));
    bend.toJaw[i] = smoothstep(0, 1, (y - lowerEdge) / Math.max(4, (chin - lowerEdge) * 0.75));
    bend.remaining[i] = smoothstep(0, 1, 1 - (y - chin) / fall.fade);
  }
}

/** The source row of a pixel above the opening: the upper lip rides up, the skin to the nose gives way. */
export function fromAbove(bend: Bend, mouth: MouthShape, i: number, j: number, y: number): number {
  const line = bend.line[i] as number;
  const edge = Math.min(line, y + (bend.up[i] as number) * (bend.lifted[j] as number));
  return bend.squeeze === 0 ? edge : edge + squeezed(bend, mouth, edge - line, i, j);
}

/** The source row of a pixel below the opening: the lower lip falls, then the chin, less, then the neck, not at all. */
export function fromBelow(bend: Bend, mouth: MouthShape, i: number, j: number, y: number): number {
  const line = bend.line[i] as number;
  const toJaw = bend.toJaw[j] as number;
  const fall = (bend.down[i] as number) * (1 - toJaw) + (bend.jaw[i] as number) * toJaw;
  const edge = Math.max(line, y - fall * (bend.remaining[j] as number));
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
