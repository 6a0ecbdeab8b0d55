/**
 * Finds mouth, chin and the sides of the face in an aligned patch (eyes level, UNIT apart), where the proportions of
 * faces narrow the search. Weighs what it sees against those proportions, so a hidden mouth ends near its usual place.
 */
import { ALIGNED, bell, UNIT } from './eyes.ts';
import type { Patch } from './picture.ts';

/** The mouth in patch pixels, and how clearly a line or colour marks it (0 nothing, 1 and more clear). */
export interface Mouth {
  x: number;
  y: number;
  w: number;
  h: number;
  evidence: number;
}

export const MIDDLE = Math.round(ALIGNED.originX);
export const EYE_LINE = Math.round(ALIGNED.originY);

/** Rows below the eye line in eye distances, children's short faces and old men's long ones included. */
const NOSE = { from: 0.42, to: 0.9, usual: 0.64, spread: 0.14 } as const;
const MOUTH = { from: 0.62, to: 1.46, usual: 0.95, spread: 0.2 } as const;
/** From the nostrils to the lips; this varies least of all. */
const LIP = { from: 0.14, usual: 0.3, spread: 0.1 } as const;
/** Below this no line was seen, and the mouth is put where it usually is. */
const FAINT = 0.08;

/** Mean grey of a row over x0..x1. */
function rowMean({ grey, width }: Patch, y: number, x0: number, x1: number): number {
  let sum = 0;
  for (let x = x0; x <= x1; x++) sum += grey[y * width + x]!;
  return sum / (x1 - x0 + 1);
}

/** Redness of a pixel against skin, which is itself red: red minus the mean of green and blue, over brightness. */
export function redness({ rgb, width }: Patch, x: number, y: number): number {
  const i = (y * width + x) * 3;
  const [r, g, b] = [rgb[i]!, rgb[i + 1]!, rgb[i + 2]!];
  return (r - (0.7 * g + 0.3 * b)) / (r + g + b + 30);
}

function rowRedness(patch: Patch, y: number, x0: number, x1: number): number {
  let sum = 0;
  for (let x = x0; x <= x1; x++) sum += redness(patch, x, y);
  return sum / (x1 - x0 + 1);
}

/** How much darker a piece of a row is than the skin above and below it. */
function lineDepth(patch: Patch, y: number, x0: number, x1: number): number {
  const gap = Math.round(UNIT * 0.15);
  const around = Math.min(rowMean(patch, y - gap, x0, x1), rowMean(patch, y + gap, x0, x1));
  return Math.max(0, around - rowMean(patch, y, x0, x1)) / (around + 20);
}

/** How clearly a row is the line between the lips: darker than the rows around it, redder than the cheeks. */
function lipMark(patch: Patch, y: number): number {
  const [near, far] = [Math.round(UNIT * 0.17), Math.round(UNIT * 0.32)];
  const [x0, x1] = [MIDDLE - Math.round(UNIT * 0.24), MIDDLE + Math.round(UNIT * 0.24)];
  const inner = lineDepth(patch, y, MIDDLE - near, MIDDLE + near);
  // Nostrils are as dark as lips but not as wide. Corners may lie higher or lower than the middle, as moods have it.
  let [left, right] = [0, 0];
  for (let dy = -4; dy <= 4; dy += 2) {
    left = Math.max(left, lineDepth(patch, y + dy, MIDDLE - far, MIDDLE - near));
    right = Math.max(right, lineDepth(patch, y + dy, MIDDLE + near, MIDDLE + far));
  }
  const cheek = rowRedness(patch, Math.round(EYE_LINE + UNIT * 0.6), MIDDLE - Math.round(UNIT * 0.6), x0);
  const red = Math.max(0, (rowRedness(patch, y - 2, x0, x1) + rowRedness(patch, y + 2, x0, x1)) / 2 - cheek);
  return inner * 2.2 + Math.sqrt(left * right) * 1.8 + red * 5;
}

/** The row of the lip line and its mark: nostrils and lips are sought together, as each alone resembles the other. */
function lipRow(patch: Patch): { y: number; mark: number } {
  const row = (share: number) => Math.round(EYE_LINE + UNIT * share);
  const near = Math.round(UNIT * 0.17);
  const noses: { y: number; score: number }[] = [];
  for (let y = row(NOSE.from); y <= row(NOSE.to); y++) {
    const depth = Math.min(lineDepth(patch, y, MIDDLE - near, MIDDLE + near), 0.4);
    noses.push({ y, score: (depth + 0.05) * bell((y - EYE_LINE) / UNIT, NOSE.usual, NOSE.spread) });
  }
  let best = { y: row(MOUTH.usual), mark: 0, score: 0 };
  for (let y = row(MOUTH.from); y <= row(MOUTH.to); y++) {
    const mark = lipMark(patch, y);
    const score = Math.min(mark, 2) * bell((y - EYE_LINE) / UNIT, MOUTH.usual, MOUTH.spread);
    for (const nose of noses) {
      if (y - nose.y < LIP.from * UNIT) break;
      const both = nose.score * 2 + (score + nose.score * 2) * bell((y - nose.y) / UNIT, LIP.usual, LIP.spread);
      if (both > best.score) best = { y, mark, score: both };
    }
  }
  return best.mark < FAINT ? { y: row(MOUTH.usual), mark: best.mark } : best;
}

/** How far to one side the mouth goes on: while columns stay darker or redder than the skin above and below. */
function reachOf(patch: Patch, y: number, side: 1 | -1): number {
  const gap = Math.round(UNIT * 0.17);
  const mark = (x: number): number => {
    let best = 0;
    for (let dy = -3; dy <= 3; dy++) {
      const at = (y + dy) * patch.width + x;
      const above = patch.grey[at - gap * patch.width]!;
      const below = patch.grey[at + gap * patch.width]!;
      const dark = (Math.min(above, below) - patch.grey[at]!) / (Math.min(above, below) + 20);
      const skin = (redness(patch, x, y + dy - gap) + redness(patch, x, y + dy + gap)) / 2;
      best = Math.max(best, dark * 2, (redness(patch, x, y + dy) - skin) * 5);
    }
    return best;
  };
  let centre = 0;
  for (let dx = 0; dx < UNIT * 0.15; dx++) centre += mark(MIDDLE + side * dx) / Math.ceil(UNIT * 0.15);
  const limit = Math.max(0.08, centre * 0.45);
  let last = 0;
  for (let dx = 0; dx <= UNIT * 0.62; dx++) {
    if (mark(MIDDLE + side * dx) >= limit) last = dx;
    else if (dx - last > UNIT * 0.08) break;
  }
  return last;
}

/** Height of both lips: rows round the line that are redder or darker than the skin at the edges of the search. */
function lipHeight(patch: Patch, y: number): number {
  const half = Math.round(UNIT * 0.12);
  const far = Math.round(UNIT * 0.3);
  const tone = (row: number) => {
    const red = rowRedness(patch, row, MIDDLE - half, MIDDLE + half);
    return red * 3 - rowMean(patch, row, MIDDLE - half, MIDDLE + half) / 200;
  };
  const skin = Math.max(tone(y - far), tone(y + far));
  const lip = Math.max(tone(y - 3), tone(y + 3));
  const limit = skin + (lip - skin) * 0.35;
  let [up, down] = [0, 0];
  while (up < far && tone(y - up - 1) > limit) up++;
  while (down < far && tone(y + down + 1) > limit) down++;
  return Math.min(Math.max(up + down + 1, UNIT * 0.14), UNIT * 0.42);
}

/** The mouth: the clearest lip line below the nose. */
export function findMouth(patch: Patch): Mouth {
  const { y, mark: evidence } = lipRow(patch);
  const [left, right] = [reachOf(patch, y, -1), reachOf(patch, y, 1)];
  // A corner lost in shadow or running into a beard is taken from the other side; both lost, from proportions.
  const [least, most] = [UNIT * 0.24, UNIT * 0.56];
  const usable = [left, right].filter((reach) => reach >= least && reach <= most);
  const half = usable.length > 0 ? usable.reduce((sum, reach) => sum + reach, 0) / usable.length : UNIT * 0.4;
  const shift = usable.length === 2 ? (right - left) / 2 : 0;
  return {
    x: MIDDLE + Math.min(Math.max(shift, -UNIT * 0.1), UNIT * 0.1),
    y,
    w: half * 2,
    h: lipHeight(patch, y),
    evidence,
  };
}

/** Colour distance of two pixels of a patch. */
function difference({ rgb }: Patch, a: number, b: number): number {
  return Math.hypot(rgb[a * 3]! - rgb[b * 3]!, rgb[a * 3 + 1]! - rgb[b * 3 + 1]!, rgb[a * 3 + 2]! - rgb[b * 3 + 2]!);
}

/** Mouth to chin as a share of eyes to mouth: 0.5 on children, 0.62 on grown men. */
const CHIN_SHARE = 0.57;

/** Row of the chin: the strongest edge along a jaw's arc, where a chin usually is and preferably with shade below. */
export function findChin(patch: Patch, mouth: Mouth): number {
  const usual = Math.min(Math.max((mouth.y - EYE_LINE) * CHIN_SHARE, UNIT * 0.4), UNIT * 0.75);
  const from = Math.round(mouth.y + UNIT * 0.26);
  const to = Math.min(Math.round(mouth.y + UNIT * 1.2), patch.height - 4);
  let best = { y: mouth.y + usual, score: 1.5 };
  for (let y = from; y <= to; y++) {
    let sum = 0;
    let count = 0;
    for (let dx = -Math.round(UNIT * 0.3); dx <= UNIT * 0.3; dx += 2, count++) {
      const arc = Math.round((dx * dx) / (UNIT * 1.6));
      const at = (y - arc) * patch.width + MIDDLE + dx;
      const [above, below] = [at - 2 * patch.width, at + 2 * patch.width];
      sum += difference(patch, above, below) * (patch.grey[above]! >= patch.grey[below]! ? 1 : 0.5);
    }
    const score = (sum / count) * bell(y - mouth.y, usual, UNIT * 0.12);
    if (score > best.score) best = { y, score };
  }
  return best.y;
}

/** Half widths of the face to both sides at cheek height: where its colour ends, within what faces allow. */
export function faceSides(patch: Patch): { left: number; right: number } {
  const side = (sign: 1 | -1): number => {
    let best = { at: 1.15, score: 0 };
    for (let share = 0.86; share <= 1.5; share += 1 / UNIT) {
      let sum = 0;
      let count = 0;
      for (let y = EYE_LINE + Math.round(UNIT * 0.1); y < EYE_LINE + UNIT * 0.5; y += 2, count++) {
        const at = y * patch.width + MIDDLE + sign * Math.round(share * UNIT);
        sum += difference(patch, at - 2, at + 2);
      }
      const score = (sum / count) * bell(share, 1.15, 0.16);
      if (score > best.score) best = { at: share, score };
    }
    return best.at * UNIT;
  };
  const [left, right] = [side(-1), side(1)];
  // Seen from the front a face is nearly symmetric; an arm or a lamp beside it is not its edge.
  const bound = Math.min(left, right) * 1.2;
  return { left: Math.min(left, bound), right: Math.min(right, bound) };
}
