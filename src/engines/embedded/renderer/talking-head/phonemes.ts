/**
 * From IPA to mouth shapes: a table of what each sound looks like from the front. It covers the letters of the whole
 * IPA chart, so every language the speech engine knows is lip-synced; what it does not know it shows as a neutral
 * half-open mouth. It holds no timing.
 */

/** A mouth as seen from the front. */
export interface MouthTarget {
  /** 0 closed to 1 wide open. */
  open: number;
  /** -1 rounded and pushed forward to 1 spread. */
  wide: number;
  /** 0 to 1: lips pressed together (p, b, m). */
  press: number;
  /** 0 to 1: lower lip under the upper teeth (f, v). */
  bite: number;
  /** 0 to 1: tongue raised behind or between the teeth. */
  tongue: number;
  /** How strongly the sound insists on its shape against its neighbours, 0 to 1. */
  weight: number;
}

/** A mouth in one frame; lengths and ranges as in `MouthTarget`. */
export interface MouthPose extends Omit<MouthTarget, 'weight'> {
  /** 0 to 1: how much stays of what the still's lips show, a smile's teeth; without effect where they are closed. */
  kept: number;
}

type Row = [letters: string, open: number, wide: number, weight: number, more?: Partial<MouthTarget>];

// biome-ignore format: a table reads better in columns.
const ROWS: Row[] = [
  // Vowels, from open to close.
  ['aɶ',     0.90,  0.20, 1.0],
  ['ɑ',      0.95,  0.00, 1.0],
  ['ɒ',      0.75, -0.40, 1.0],
  ['æ',      0.80,  0.40, 1.0],
  ['ɐʌ',     0.65,  0.10, 0.9],
  ['ɔ',      0.65, -0.60, 1.0],
  ['ɛ',      0.58,  0.40, 1.0],
  ['œɞ',     0.48, -0.55, 1.0],
  ['ɜɝ',     0.45, -0.15, 0.9],
  ['əɚɘ',    0.36,  0.00, 0.5],
  ['ɤ',      0.42,  0.15, 0.9],
  ['e',      0.44,  0.55, 1.0],
  ['oɵ',     0.44, -0.85, 1.0],
  ['ø',      0.34, -0.75, 1.0],
  ['ɪ',      0.32,  0.55, 0.8],
  ['ʊ',      0.28, -0.80, 0.9],
  ['ʏ',      0.24, -0.80, 0.9],
  ['iɨ',     0.24,  0.85, 1.0],
  ['ɯ',      0.26,  0.30, 0.9],
  ['yʉ',     0.24, -0.90, 1.0],
  ['u',      0.27, -1.00, 1.0],
  // Lips.
  ['pbmɓʘʙ', 0.00,  0.00, 1.0, { press: 1 }],
  ['fvɱⱱ',   0.14,  0.10, 1.0, { bite: 1 }],
  ['ʋ',      0.16,  0.00, 0.8, { bite: 0.6 }],
  ['ɸβ',     0.08, -0.30, 0.9],
  ['wʍɥ',    0.17, -1.00, 1.0],
  // Tongue in front.
  ['θð',     0.22,  0.10, 0.8, { tongue: 0.9 }],
  ['tdnʈɖɳɗǀǃ', 0.20, 0.10, 0.6, { tongue: 0.7 }],
  ['szʂʐɕʑ', 0.13,  0.40, 0.8],
  ['ʃʒ',     0.20, -0.55, 0.8],
  ['lɫɭɬɮʎɺǁ', 0.32, 0.10, 0.7, { tongue: 1 }],
  ['rɹɾɻɽ',  0.24, -0.30, 0.6, { tongue: 0.5 }],
  // Tongue at the back, throat.
  ['jʝçɟcɲ', 0.22,  0.50, 0.6],
  ['kɡgŋɠ',  0.28,  0.10, 0.5],
  ['xɣχʁʀqɢɴɰ', 0.32, 0.00, 0.5],
  ['hɦħʕʔʡʢ', 0.36, 0.00, 0.2],
];

const TABLE = new Map<string, MouthTarget>();
for (const [letters, open, wide, weight, more] of ROWS) {
  for (const letter of letters) TABLE.set(letter, { press: 0, bite: 0, tongue: 0, ...more, open, wide, weight });
}

const VOWELS = new Set(ROWS.slice(0, 21).flatMap(([letters]) => [...letters]));
const UNKNOWN: MouthTarget = { open: 0.3, wide: 0, press: 0, bite: 0, tongue: 0, weight: 0.4 };

/** One shape within a phoneme and the part of its duration it takes. */
export interface Part {
  shape: MouthTarget;
  vowel: boolean;
}

/**
 * The shapes a phoneme passes through: two for a diphthong or an affricate, one otherwise, none for a pause. Stress
 * marks, length marks and diacritics do not change the shape; a letter outside the IPA gives a neutral mouth.
 */
export function shapesOf(ipa: string): Part[] {
  const parts: Part[] = [];
  let unknown = false;
  for (const letter of ipa.normalize('NFD')) {
    // ç is the one letter of the chart that NFD takes apart; a cedilla on c means it, and c looks the same.
    const shape = TABLE.get(letter);
    if (shape) parts.push({ shape, vowel: VOWELS.has(letter) });
    else if (/\p{Letter}/u.test(letter) && !/\p{Lm}/u.test(letter)) unknown = true;
  }
  if (parts.length === 0 && unknown) return [{ shape: UNKNOWN, vowel: true }];
  return parts.slice(0, 3);
}
