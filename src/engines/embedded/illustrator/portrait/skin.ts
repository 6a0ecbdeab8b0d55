/** Skin: its colours under light, and the relief and tints of a face. Paints within the caller's clip. */
import { luma, mix, type Rgb, rgb, times } from './colour.ts';
import { type Pen } from './layer.ts';
import { addBumps, type Bump, fieldOf, render } from './relief.ts';
import type { Face } from './shape.ts';
import type { PersonTraits } from './traits.ts';

export interface SkinColours {
  base: Rgb;
  shade: Rgb;
  deep: Rgb;
  light: Rgb;
  blush: Rgb;
  lip: Rgb;
}

/** The ramp of a skin: shadows go warm and saturated, as light that passed through skin does. */
export function skinOf(traits: PersonTraits): SkinColours {
  const base = rgb(traits.skin);
  const metal = traits.species === 'robot';
  const dark = 1 - luma(base) / 255;
  const shade = metal
    ? times(base, 0.5, 0.54, 0.62)
    : times(base, 0.7 - dark * 0.12, 0.54 - dark * 0.08, 0.5 - dark * 0.06);
  const natural =
    traits.species === 'alien' || metal ? mix(base, [90, 60, 90], 0.35) : mix(base, [178, 62, 66], 0.5 - dark * 0.12);
  return {
    base,
    shade,
    deep: times(shade, 0.55, 0.48, 0.5),
    light: mix(base, [255, 244, 228], 0.5 - dark * 0.15),
    blush: metal ? base : traits.species === 'alien' ? mix(base, [70, 120, 160], 0.4) : mix(base, [214, 72, 66], 0.55),
    lip: traits.lipstick ? rgb(traits.lipstick) : mix(natural, shade, traits.gender === 'male' ? 0.3 : 0.06),
  };
}

/** Both sides of the face at once. */
const pair = (x: number, y: number, sx: number, sy: number, amount: number): Bump[] => [
  { x: -x, y, sx, sy, amount },
  { x, y, sx, sy, amount },
];

/** Bumps along a line, as a ridge or (negative) a fold. */
function ridge(a: readonly [number, number], b: readonly [number, number], spread: number, amount: number): Bump[] {
  const n = Math.max(2, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / spread));
  return Array.from({ length: n + 1 }, (_, i) => ({
    x: a[0] + ((b[0] - a[0]) * i) / n,
    y: a[1] + ((b[1] - a[1]) * i) / n,
    sx: spread,
    sy: spread,
    amount,
  }));
}

function forms(face: Face, traits: PersonTraits): Bump[] {
  const { eye, nose, mouth, brow, w, chin } = face;
  const f = traits.features;
  const male = traits.gender === 'male' ? 1 : 0;
  const child = traits.age === 'child';
  const smile = Math.max(0, mouth.smile);
  const lines = { child: 0, young: 0.05, adult: 0.15, middle: 0.36, old: 1.1 }[traits.age] + smile * 0.25;
  const bridge = Array.from({ length: 9 }, (_, i): Bump => {
    const t = i / 8;
    return { x: 0, y: -20 + (nose.y - 6 + 20) * t, sx: 7 + 2.6 * t + nose.bridge, sy: 7, amount: 1.5 + 2.3 * t };
  });
  const fold = (side: number): Bump[] => [
    ...ridge([side * (nose.w + 5), nose.y - 4], [side * (mouth.half + 7), mouth.y - 3], 4, -0.9 * lines),
    ...(lines > 0.3
      ? ridge([side * (mouth.half + 5), mouth.y + 4], [side * (mouth.half + 3), mouth.y + 22], 4, -0.7 * lines)
      : []),
    ...(lines > 0.3 ? ridge([side * (eye.x - 14), 16], [side * (eye.x + 12), 19], 3.5, -0.8 * lines) : []),
  ];
  return [
    ...pair(brow.x * 0.92, brow.y + 3, 24, 9, 3.2 + male * 1.6),
    ...pair(eye.x - 2, -1, eye.rx * 1.15, 13, -6.5 + Math.min(0, f.crease) * -2),
    ...pair(eye.x - eye.rx - 4, -4, 8, 12, -3.2 - f.crease),
    ...pair(eye.x, 0, eye.rx * 0.8, 10, 5),
    ...bridge,
    { x: 0, y: nose.y - 6 - nose.tip * 1.5, sx: 9 + nose.w * 0.12, sy: 8.5, amount: child ? 6 : 7.5 },
    ...pair(nose.w * 0.78, nose.y - 4, 6.5, 7, 5.5),
    { x: 0, y: nose.y + 9, sx: 16, sy: 5, amount: -3.6 },
    ...pair(w * (0.56 + f.cheek * 0.03), 34 - smile * 5, 25, 20, 5 + f.cheek * 2 + smile * 4),
    ...pair(w * 0.62, 74, 17, 26, child ? 2 : -3.5 - f.cheek * 1.5),
    { x: 0, y: mouth.y, sx: mouth.half * 1.05, sy: 19, amount: 6.5 },
    { x: 0, y: mouth.y - 13, sx: 4.5, sy: 7, amount: -1.6 },
    { x: 0, y: mouth.y + mouth.lower + 8, sx: 18, sy: 5.5, amount: -4.2 },
    ...pair(mouth.half + 4, mouth.y + 1, 6, 7, -2.4 - smile * 1.2),
    { x: 0, y: chin - 17, sx: 18 + male * 3, sy: 12, amount: 7 },
    ...pair(w * 0.9, -48, 15, 28, -4),
    { x: 0, y: -66, sx: 46, sy: 26, amount: 4 },
    ...fold(-1),
    ...fold(1),
    ...(lines > 1 ? [-70, -58, -47].flatMap((y) => ridge([-36, y + 2], [36, y + 1], 2.6, -0.5 * (lines - 0.6))) : []),
  ];
}

/** Spots where skin is redder or darker than its base: cheeks, nose, ears' warmth, the sockets, a shaven jaw. */
function tints(face: Face, traits: PersonTraits, colours: SkinColours): { bump: Bump; colour: Rgb }[] {
  const { eye, nose, mouth, w, chin } = face;
  const female = traits.gender === 'female';
  const human = traits.species === 'human' || traits.species === 'elf';
  const blush = (human ? (traits.makeup ? 0.36 : female ? 0.28 : 0.2) : 0.1) + (traits.age === 'child' ? 0.16 : 0);
  const spot = (bump: Bump[], colour: Rgb) => bump.map((b) => ({ bump: b, colour }));
  const shaven =
    traits.beard === 'stubble' ? 0.42 : traits.gender === 'male' && traits.age !== 'child' && human ? 0.17 : 0;
  const hair = mix(rgb(traits.hair.colour), colours.shade, traits.beard === 'stubble' ? 0.25 : 0.6);
  return [
    ...spot(pair(w * 0.58, 42, 24, 17, blush), colours.blush),
    ...spot([{ x: 0, y: nose.y - 6, sx: 15, sy: 11, amount: 0.28 }], colours.blush),
    ...spot(pair(eye.x, 1, eye.rx * 1.25, 12, 0.3), colours.shade),
    ...spot(pair(eye.x - eye.rx + 2, -1, 8, 12, 0.14), colours.shade),
    ...(traits.age === 'old' || traits.age === 'middle' ? spot(pair(eye.x - 2, 14, 15, 6, 0.22), colours.shade) : []),
    ...spot(pair(w * 0.5, mouth.y + 14, 22, 22, shaven), hair),
    ...spot([{ x: 0, y: chin - 10, sx: 30, sy: 16, amount: shaven }], hair),
    ...spot([{ x: 0, y: mouth.y - 13, sx: 22, sy: 6, amount: shaven * 0.9 }], hair),
  ];
}

/** Paints the shaded skin of the face over the current clip (the face outline). */
export function paintFaceSkin(pen: Pen, face: Face, traits: PersonTraits, colours: SkinColours, step: number): void {
  const field = fieldOf(-face.w - 6, face.top - 2, face.w + 6, face.chin + 4, step);
  const { columns, rows, values } = field;
  for (let j = 0; j < rows; j++) {
    const y = field.y0 + j * field.step;
    const half = Math.max(0.001, face.halfWidth(y));
    const depth = 74 * Math.min(1, half / face.w) ** 1.1;
    for (let i = 0; i < columns; i++) {
      const u = Math.min(1, Math.abs(field.x0 + i * field.step) / half);
      values[j * columns + i] = depth * Math.sqrt(1 - u ** 2.5);
    }
  }
  addBumps(field, forms(face, traits));
  const tint = new Float32Array(columns * rows * 4);
  for (const { bump, colour } of tints(face, traits, colours)) {
    const spot = { ...field, values: new Float32Array(columns * rows) };
    addBumps(spot, [bump]);
    for (let i = 0; i < spot.values.length; i++) {
      const a = spot.values[i]!;
      if (a < 0.004) continue;
      for (let c = 0; c < 3; c++) tint[i * 4 + c]! += colour[c]! * a;
      tint[i * 4 + 3]! += a;
    }
  }
  const metal = traits.species === 'robot';
  const gloss = metal ? 0.75 : traits.age === 'child' ? 0.17 : 0.24;
  const { base, shade, deep, light } = colours;
  render(pen, field, metal ? 46 : 26, (out, at, l, index) => {
    const d = l.diffuse;
    const lift = Math.max(0, Math.min(1, (d - 0.26) / 0.46));
    const t = lift * lift * (3 - 2 * lift);
    const bright = Math.max(0, (d - 0.82) / 0.18) * 0.28 + l.highlight * gloss;
    const dim = Math.max(0, 0.3 - d) * 1.3 + l.edge * l.edge * 0.35;
    const a = Math.min(0.75, tint[index * 4 + 3]!);
    const norm = a / Math.max(0.0001, tint[index * 4 + 3]!);
    for (let c = 0; c < 3; c++) {
      let v = shade[c]! + (base[c]! - shade[c]!) * t;
      v += (deep[c]! - v) * Math.min(0.8, dim);
      // The tint is a pigment: it keeps the light that falls on it.
      v = v * (1 - a) + tint[index * 4 + c]! * norm * (0.5 + 0.5 * t);
      v += (light[c]! - v) * Math.min(0.85, bright);
      out[at + c] = v + l.rim * [120, 150, 190][c]! * 0.55;
    }
    out[at + 3] = 255;
  });
}
