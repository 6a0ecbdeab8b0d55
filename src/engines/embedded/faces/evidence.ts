/**
 * Decides whether two eye-like spots and a mouth-like line are a face. Clouds, windows and letters also make pairs of
 * spots; what they lack is the rest: eyes darker than the cheeks below, cheeks of one colour, two like halves.
 */

import { type Colour, colourDistance } from './colours.ts';
import { UNIT } from './eyes.ts';
import { EYE_LINE, MIDDLE, type Mouth } from './mouth.ts';
import type { Patch } from './picture.ts';

/** What speaks for a face; each number is explained where it is measured. */
export interface Evidence {
  eyeVotes: number;
  faceVotes: number;
  mouth: number;
  /** Correlation of the two halves, -1..1. */
  symmetry: number;
  /** Colour distance between the cheeks, 0..441. */
  cheeks: number;
  /** How much darker the eyes' darkest tenth is than the cheeks, in grey levels; the lesser eye. */
  eyeDepth: number;
}

function meanColour(patch: Patch, cx: number, cy: number, radius: number): Colour {
  const sum: Colour = [0, 0, 0];
  let count = 0;
  for (let y = Math.round(cy - radius); y <= cy + radius; y++) {
    for (let x = Math.round(cx - radius); x <= cx + radius; x++, count++) {
      for (const c of [0, 1, 2] as const) sum[c] += patch.rgb[(y * patch.width + x) * 3 + c]!;
    }
  }
  return sum.map((value) => value / count) as Colour;
}

/** Correlation of the left half of the inner face with the mirrored right half, `axis` pixels off the middle. */
function mirrorCorrelation({ grey, width }: Patch, axis: number): number {
  let [n, sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0, 0];
  for (let y = EYE_LINE - Math.round(UNIT * 0.5); y < EYE_LINE + UNIT * 1.3; y += 2) {
    for (let dx = 2; dx < UNIT * 0.9; dx += 2, n++) {
      const a = grey[y * width + MIDDLE + axis - dx]!;
      const b = grey[y * width + MIDDLE + axis + dx]!;
      sa += a;
      sb += b;
      saa += a * a;
      sbb += b * b;
      sab += a * b;
    }
  }
  const spread = Math.sqrt((saa - (sa * sa) / n) * (sbb - (sb * sb) / n));
  return spread < 1e-6 ? 0 : (sab - (sa * sb) / n) / spread;
}

/** The best correlation of the halves: with eyes found a pixel off, spectacles mirror onto skin at the exact middle. */
function symmetryOf(patch: Patch): number {
  return Math.max(...[-4, -3, -2, -1, 0, 1, 2, 3, 4].map((axis) => mirrorCorrelation(patch, axis)));
}

/** Grey below which a tenth of the pixels round an eye lie. */
function darkTenth({ grey, width }: Patch, cx: number): number {
  const values: number[] = [];
  for (let y = EYE_LINE - Math.round(UNIT * 0.1); y <= EYE_LINE + UNIT * 0.1; y++) {
    for (let x = Math.round(cx - UNIT * 0.2); x <= cx + UNIT * 0.2; x++) values.push(grey[y * width + x]!);
  }
  return values.sort((a, b) => a - b)[Math.floor(values.length / 10)]!;
}

/** Measures a candidate. */
export function weighEvidence(patch: Patch, mouth: Mouth, eyeVotes: number, faceVotes: number): Evidence {
  const row = EYE_LINE + UNIT * 0.52;
  const left = meanColour(patch, MIDDLE - UNIT * 0.45, row, UNIT * 0.1);
  const right = meanColour(patch, MIDDLE + UNIT * 0.45, row, UNIT * 0.1);
  const light = ([r, g, b]: Colour) => 0.299 * r + 0.587 * g + 0.114 * b;
  return {
    eyeVotes,
    faceVotes,
    mouth: mouth.evidence,
    symmetry: symmetryOf(patch),
    cheeks: colourDistance(left, right),
    eyeDepth: Math.min(
      light(left) - darkTenth(patch, MIDDLE - UNIT / 2),
      light(right) - darkTenth(patch, MIDDLE + UNIT / 2),
    ),
  };
}

/** Fills towards 1 as a measure grows; at `half` it is 0.5. */
const fill = (value: number, half: number) => Math.max(0, value) / (Math.max(0, value) + half);

/** The least a candidate must show, by the way it was found. Lone eyes have no face square behind them. */
const LEAST = {
  face: { eyeVotes: 3, symmetry: 0.2, eyeDepth: 12, confidence: 0.6 },
  lone: { eyeVotes: 7, symmetry: 0.55, eyeDepth: 16, confidence: 0.69 },
} as const;

/**
 * 0 for what is no face, else up to 1. A weighted mean, so that one part may be hidden: a beard covers the mouth, side
 * light spoils the symmetry. Of 150 pictures of smooth noise, the likeliest to be mistaken, one passed.
 */
export function faceConfidence(evidence: Evidence): number {
  const { eyeVotes, faceVotes, mouth, symmetry, cheeks, eyeDepth } = evidence;
  const least = faceVotes > 0 ? LEAST.face : LEAST.lone;
  if (eyeVotes < least.eyeVotes || symmetry < least.symmetry || eyeDepth < least.eyeDepth) return 0;
  // Light from the side parts the cheeks; only a square sure of its face explains much of that.
  if (cheeks > Math.min(80 + 4 * faceVotes, 220)) return 0;
  const parts: [weight: number, part: number][] = [
    [3, fill(eyeVotes, 5)],
    [2, fill(mouth, 0.25)],
    [2, Math.min(symmetry / 0.8, 1)],
    [1, fill(eyeDepth, 15)],
  ];
  if (faceVotes > 0) parts.push([2.5, fill(faceVotes, 3)]);
  const weight = parts.reduce((sum, [one]) => sum + one, 0);
  const confidence = parts.reduce((sum, [one, part]) => sum + one * part, 0) / weight;
  return confidence < least.confidence ? 0 : Math.round(confidence * 100) / 100;
}
