/**
 * The geometry of a face in drawing units: the eyes lie on y = 0, x = 0 is the middle, y grows downwards, the chin is
 * near y = 124 and the crown near -138. Painting, shading and the rig all read these numbers, which is what makes the
 * rig exact.
 */
import type { PersonTraits } from './traits.ts';

export type Pt = readonly [number, number];

export interface Face {
  /** Half width at the cheekbones. */
  w: number;
  top: number;
  chin: number;
  hairline: number;
  halfWidth(y: number): number;
  /** Closed outline, clockwise from the crown. */
  outline: Pt[];
  eye: { x: number; rx: number; up: number; down: number; tilt: number; iris: number; crease: number };
  brow: { x: number; y: number; half: number; thick: number; arch: number; slant: number };
  nose: { y: number; w: number; tip: number; bridge: number };
  mouth: { y: number; half: number; upper: number; lower: number; smile: number };
  ear: { x: number; y: number; h: number };
  neck: number;
  shoulder: number;
  /** How far the body is drawn up towards the chin: necks of women and children are short and slim. */
  lift: number;
}

const WIDEST = -18;

const SMILE = { neutral: 0.75, smile: 1.3, cheerful: 1.7, serious: 0.1, sad: -1.1, angry: -0.7 } as const;

/** How far the inner end of a brow lies below its usual place: a relaxed brow is a little raised there. */
const SLANT = { neutral: -4, smile: -5, cheerful: -5, serious: 2, sad: -9, angry: 9.5 } as const;

/** Numbers of one face from its traits. */
export function faceOf(t: PersonTraits): Face {
  const f = t.features;
  const male = t.gender === 'male';
  const child = t.age === 'child';
  const w = (child ? 92 : male ? 92 : 87) + f.width * 5;
  const chin = (child ? 104 : male ? 127 : 120) + f.length * 7;
  const top = child ? -146 : -138;
  const power = (child ? 2.15 : male ? 2.5 : 2.02) + f.jaw * 0.4;
  const round = (child ? 0.54 : male ? 0.57 : 0.62) - f.chin * 0.045;
  const sag = t.age === 'old' ? 0.03 : 0;
  const halfWidth = (y: number) => {
    if (y <= top || y >= chin) return 0;
    if (y < WIDEST) return w * (1 - ((WIDEST - y) / (WIDEST - top)) ** 2.35) ** 0.5;
    const t2 = (y - WIDEST) / (chin - WIDEST);
    return w * ((1 - t2 ** power) ** round + sag * Math.sin(Math.PI * t2) ** 2);
  };
  const rx = (t.species === 'alien' ? 1.25 : 1) * (child ? 22.5 : male ? 20 : 21.5) * (1 + f.eyeSize * 0.08);
  const open = rx * ((child ? 0.53 : male ? 0.43 : 0.48) + f.eyeOpen * 0.06) * (t.mood === 'angry' ? 0.88 : 1);
  const smile = SMILE[t.mood];
  const noseY = (child ? 40 : 52) + f.noseLength * 4;
  return {
    w,
    top,
    chin,
    hairline: (child ? -88 : -86) - f.hairline * 6 - (t.age === 'old' && male ? 6 : 0),
    halfWidth,
    outline: outlineOf(top, chin, halfWidth),
    eye: {
      x: w * 0.44 + f.eyeGap * 2.6,
      rx,
      up: open * 1.02,
      down: open * (0.82 - Math.max(0, smile) * 0.14),
      tilt: 1.2 + f.eyeTilt * 2.4,
      iris: rx * (child ? 0.57 : 0.525),
      crease: f.crease,
    },
    brow: {
      x: w * 0.46 + f.eyeGap * 2,
      y: (child ? -34 : male ? -26 : -33) - f.browHeight * 4 - (smile > 1.5 ? 2 : 0) + (t.mood === 'angry' ? 4 : 0),
      half: (male ? 26 : 24) + f.browThick * 2,
      thick: (child ? 4.2 : male ? 8.6 : 5) * (1 + f.browThick * 0.35),
      arch: (male ? 2.5 : 5) + f.browArch * 2.5,
      slant: SLANT[t.mood],
    },
    nose: {
      y: noseY,
      w: (child ? 12.5 : male ? 17 : 14) + f.noseWidth * 3.2,
      tip: f.noseTip,
      bridge: male ? 1.2 : 0.9,
    },
    mouth: {
      y: noseY + (chin - noseY) * 0.365 + (child ? 1 : 0),
      half: (child ? 23 : male ? 31 : 29) + f.mouthWidth * 3.5 + Math.max(0, smile) * 5,
      upper: (child ? 6 : male ? 6.4 : 8) + f.upperLip * 2 - Math.max(0, smile) * 0.8 - (t.age === 'old' ? 1.4 : 0),
      lower: (child ? 8 : male ? 9 : 10.5) + f.lowerLip * 2 - (t.age === 'old' ? 1.4 : 0),
      smile,
    },
    ear: { x: w * 0.985, y: 10, h: 31 + f.ears * 3 },
    neck: (child ? 38 : male ? 58 : 46) + f.neck * 4,
    lift: child ? 40 : male ? 16 : 26,
    shoulder: (child ? 128 : male ? 196 : 170) + f.neck * 6,
  };
}

function outlineOf(top: number, chin: number, halfWidth: (y: number) => number): Pt[] {
  const right: Pt[] = [];
  const steps = 72;
  for (let i = 0; i <= steps; i++) {
    // A cosine spacing keeps the points dense where the outline turns, at crown and chin.
    const y = top + ((chin - top) * (1 - Math.cos((Math.PI * i) / steps))) / 2;
    right.push([halfWidth(y), y]);
  }
  return [
    ...right,
    ...right
      .slice(1, -1)
      .map(([x, y]): Pt => [-x, y])
      .reverse(),
  ];
}

/** Points from pairs of x in units of `unit` (a half width of the person) and y in drawing units. */
export function on(unit: number, pairs: readonly number[]): Pt[] {
  return Array.from({ length: pairs.length / 2 }, (_, i): Pt => [unit * pairs[2 * i]!, pairs[2 * i + 1]!]);
}
