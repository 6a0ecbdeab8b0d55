/**
 * Finds the two eyes: the best pair of eye-cascade answers inside a face square, or, for drawn faces whose outline the
 * face cascade does not know (a tall hat, a white beard), the best pair in the whole picture. Then centres them.
 */
import { type Cascade, type Group, groupHits, type Hit, scan } from './cascade.ts';
import type { Grey } from './grey.ts';
import { type Patch, type Picture, samplePatch } from './picture.ts';

/** Two eyes in pixels of the picture; left is the viewer's left. */
export interface EyePair {
  left: { x: number; y: number };
  right: { x: number; y: number };
  /** Cascade answers behind the weaker eye. */
  votes: number;
}

/** Eyes of a face square are looked for in a copy of it with sides of this many pixels. */
const FACE_SIDE = 120;
/** A face turned by more than this hides an eye from the cascades anyway. */
const MAX_SLOPE = 0.36;

const centre = (group: Hit) => ({ x: group.x + group.size / 2, y: group.y + group.size * 0.52 });

/** A bell curve around `mean`, 1 at its top. */
export function bell(value: number, mean: number, spread: number): number {
  const away = (value - mean) / spread;
  return Math.exp(-0.5 * away * away);
}

/** How much two groups look like the eyes of one face, 0 when they cannot be. `distance` is bound by the caller. */
function pairScore(left: Group, right: Group, meanRatio: number): number {
  const [a, b] = [centre(left), centre(right)];
  const distance = b.x - a.x;
  const size = (left.size + right.size) / 2;
  if (distance <= 0 || Math.abs(b.y - a.y) > MAX_SLOPE * distance) return 0;
  if (Math.max(left.size, right.size) > 1.7 * Math.min(left.size, right.size)) return 0;
  const ratio = distance / size;
  if (ratio < 0.9 || ratio > 2.4) return 0;
  return Math.sqrt(left.count * right.count) * bell(ratio, meanRatio, 0.45) * bell((b.y - a.y) / distance, 0, 0.2);
}

/** The two eyes inside a face square, or undefined when fewer than two plausible ones answer. */
export function eyesInFace(cascade: Cascade, picture: Picture, face: Hit): EyePair | undefined {
  const scale = face.size / FACE_SIDE;
  const patch = samplePatch(picture, {
    x: face.x,
    y: face.y + face.size * 0.1,
    scale,
    tilt: 0,
    originX: 0,
    originY: 0,
    width: FACE_SIDE,
    height: Math.round(FACE_SIDE * 0.55),
  });
  const grey: Grey = { data: patch.grey, width: patch.width, height: patch.height };
  const groups = groupHits(scan(cascade, grey, { minSize: FACE_SIDE * 0.19, maxSize: FACE_SIDE * 0.46, growth: 1.1 }));
  let best: { score: number; left: Group; right: Group } | undefined;
  for (const left of groups) {
    for (const right of groups) {
      if (left.count < 2 || right.count < 2) continue;
      const [a, b] = [centre(left), centre(right)];
      const middle = (a.x + b.x) / 2 / FACE_SIDE;
      const distance = (b.x - a.x) / FACE_SIDE;
      if (distance < 0.25 || distance > 0.62) continue;
      const level = (a.y + b.y) / 2 / FACE_SIDE + 0.1;
      const score =
        pairScore(left, right, 1.3) * bell(middle, 0.5, 0.09) * bell(level, 0.38, 0.08) * bell(distance, 0.39, 0.08);
      if (score > (best?.score ?? 0.3)) best = { score, left, right };
    }
  }
  if (!best) return undefined;
  const [a, b] = [centre(best.left), centre(best.right)];
  return {
    left: patch.toPicture(a.x, a.y),
    right: patch.toPicture(b.x, b.y),
    votes: Math.min(best.left.count, best.right.count),
  };
}

/** Pairs found without a face are believed only with this many answers to each eye. */
const MIN_LONE_VOTES = 8;
const MAX_LONE_PAIRS = 4;

/** Pairs of eyes anywhere in a grey picture (in its pixels), the most plausible first, at most four. */
export function eyePairs(cascade: Cascade, grey: Grey): EyePair[] {
  const side = Math.min(grey.width, grey.height);
  const hits = scan(cascade, grey, { minSize: Math.max(20, side * 0.07), maxSize: side * 0.35, growth: 1.12 });
  const groups = groupHits(hits).filter((group) => group.count >= MIN_LONE_VOTES);
  const pairs: (EyePair & { score: number })[] = [];
  for (const left of groups) {
    for (const right of groups) {
      const score = pairScore(left, right, 1.3);
      if (score < MIN_LONE_VOTES / 2) continue;
      pairs.push({ left: centre(left), right: centre(right), votes: Math.min(left.count, right.count), score });
    }
  }
  return pairs.sort((a, b) => b.score - a.score).slice(0, MAX_LONE_PAIRS);
}

/** Eye distance in pixels of the aligned patch: every later measure is a share of it. */
export const UNIT = 48;
/** Where the point between the eyes lies in the aligned patch, and the size of the patch. */
export const ALIGNED = { originX: 2.3 * UNIT, originY: 2.6 * UNIT, width: 4.6 * UNIT, height: 5.6 * UNIT };

/** The head upright with the eyes level and UNIT pixels apart. */
export function alignedPatch(picture: Picture, { left, right }: EyePair): Patch {
  return samplePatch(picture, {
    x: (left.x + right.x) / 2,
    y: (left.y + right.y) / 2,
    scale: Math.hypot(right.x - left.x, right.y - left.y) / UNIT,
    tilt: Math.atan2(right.y - left.y, right.x - left.x),
    originX: Math.round(ALIGNED.originX),
    originY: Math.round(ALIGNED.originY),
    width: Math.round(ALIGNED.width),
    height: Math.round(ALIGNED.height),
  });
}

/** Centre of the dark blob near (x, y): iris and pupil, with lashes; brows and frames lie outside its reach. */
function darkCentre({ grey, width, height }: Patch, x: number, y: number): { x: number; y: number } {
  const reach = Math.round(UNIT * 0.22);
  const values: number[] = [];
  const each = (visit: (px: number, py: number, value: number) => void) => {
    for (let py = Math.max(0, Math.round(y) - reach); py <= Math.min(height - 1, Math.round(y) + reach); py++) {
      for (let px = Math.max(0, Math.round(x) - reach); px <= Math.min(width - 1, Math.round(x) + reach); px++) {
        visit(px, py, grey[py * width + px]!);
      }
    }
  };
  each((_x, _y, value) => values.push(value));
  values.sort((a, b) => a - b);
  const limit = values[Math.floor(values.length * 0.3)] ?? 0;
  const sums = { x: 0, y: 0, weight: 0 };
  each((px, py, value) => {
    if (value > limit) return;
    const weight = (limit - value + 1) * bell(px, x, reach * 0.6) * bell(py, y, reach * 0.6);
    sums.x += px * weight;
    sums.y += py * weight;
    sums.weight += weight;
  });
  return sums.weight > 0 ? { x: sums.x / sums.weight, y: sums.y / sums.weight } : { x, y };
}

/** The upper lashes pull the dark blob up by this share of the eye distance, measured on 60 drawn faces. */
const LASHES = 0.035;

/** The pair moved onto the pupils; what one eye says of the height, the other must nearly say too. */
export function centreEyes(picture: Picture, pair: EyePair): EyePair {
  const patch = alignedPatch(picture, pair);
  const [ox, oy] = [Math.round(ALIGNED.originX), Math.round(ALIGNED.originY)];
  const left = darkCentre(patch, ox - UNIT / 2, oy);
  const right = darkCentre(patch, ox + UNIT / 2, oy);
  const level = (left.y + right.y) / 2;
  const bound = UNIT * 0.06;
  const near = (y: number) => level + LASHES * UNIT + Math.min(Math.max(y - level, -bound), bound);
  return {
    left: patch.toPicture(left.x, near(left.y)),
    right: patch.toPicture(right.x, near(right.y)),
    votes: pair.votes,
  };
}
