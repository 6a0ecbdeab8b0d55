/** Colours as sRGB triples 0..255, the names people use for them, and the few mixtures painting needs. */
export type Rgb = readonly [number, number, number];

/** Each channel by itself; `channel` is 0 to 2. */
export const mapRgb = ([r, g, b]: Rgb, change: (value: number, channel: 0 | 1 | 2) => number): Rgb => [
  change(r, 0),
  change(g, 1),
  change(b, 2),
];

/** What each colour word means as paint. */
export const COLOUR_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    red: '#d8342f',
    crimson: '#b3122f',
    scarlet: '#e0301e',
    maroon: '#7a1626',
    burgundy: '#6e1430',
    coral: '#ff7f5f',
    orange: '#f0822a',
    amber: '#f5a623',
    gold: '#d9a520',
    golden: '#dba632',
    yellow: '#f5d13a',
    lemon: '#f7e463',
    cream: '#f5ead0',
    beige: '#ddcba8',
    tan: '#c9a77c',
    brown: '#8a5a35',
    bronze: '#a9743a',
    copper: '#b8693a',
    olive: '#7d8238',
    lime: '#9cd63b',
    green: '#3f9e4d',
    emerald: '#1f9d68',
    mint: '#9ee0c0',
    teal: '#1c8f8f',
    turquoise: '#38c6c0',
    cyan: '#35c4e0',
    aqua: '#4fd0d8',
    blue: '#2f6fd6',
    azure: '#3f8ff0',
    navy: '#1b2a5c',
    indigo: '#43389f',
    violet: '#7c4dd6',
    purple: '#7d3fb3',
    lavender: '#b9a4e6',
    lilac: '#c7a2d8',
    magenta: '#d12fa0',
    pink: '#f08ab4',
    fuchsia: '#e0389a',
    peach: '#f8b893',
    salmon: '#f29a80',
    white: '#f6f5f1',
    ivory: '#f4efdf',
    silver: '#b9bfc6',
    grey: '#868b91',
    gray: '#868b91',
    black: '#1d1e22',
    charcoal: '#3a3d42',
  }),
);

/** The colour of what a thing is made of. */
export const MATERIALS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    wooden: '#a0703f',
    wood: '#a0703f',
    oak: '#a0703f',
    glass: '#bfe3f0',
    crystal: '#cfe6f7',
    ice: '#bfe6f5',
    stone: '#a9a49a',
    marble: '#e4e2e0',
    concrete: '#a5a6a4',
    metal: '#9aa3ac',
    steel: '#9aa3ac',
    iron: '#6a7078',
    brass: '#c9a13f',
    chocolate: '#5b3420',
    terracotta: '#c2693f',
    clay: '#b9714a',
    straw: '#dfc06f',
    paper: '#efe8d6',
    jade: '#4fae84',
    candy: '#f29ac0',
  }),
);

/** What "colourful" things are dyed with, in turn. */
export const ASSORTED = ['#e0453a', '#f5b32a', '#3fa85a', '#2f80d6', '#8a4fc0', '#f07ab0'];

/** From '#rrggbb'. */
export function rgb(hex: string): Rgb {
  const n = Number.parseInt(hex.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

/** To `rgba(...)`. */
export const css = ([r, g, b]: Rgb, alpha = 1): string =>
  `rgba(${Math.round(r)},${Math.round(g)},${Math.round(b)},${alpha})`;

/** From `a` (t = 0) to `b` (t = 1). */
export function mix(a: Rgb, b: Rgb, t: number): Rgb {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** Brighter (k above 1) or darker. */
export const scale = (c: Rgb, k: number): Rgb => [
  Math.min(255, c[0] * k),
  Math.min(255, c[1] * k),
  Math.min(255, c[2] * k),
];

/** Perceived brightness 0..1 (Rec. 709 weights on sRGB values: close enough to choose ink by). */
export const luma = (c: Rgb): number => (0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]) / 255;

/** Hue 0..360, saturation and lightness 0..1. */
export function toHsl([r, g, b]: Rgb): [number, number, number] {
  const max = Math.max(r, g, b) / 255;
  const min = Math.min(r, g, b) / 255;
  const light = (max + min) / 2;
  const delta = max - min;
  if (delta === 0) return [0, 0, light];
  const saturation = delta / (1 - Math.abs(2 * light - 1));
  const [rr, gg, bb] = [r / 255, g / 255, b / 255];
  const sector = max === rr ? ((gg - bb) / delta + 6) % 6 : max === gg ? (bb - rr) / delta + 2 : (rr - gg) / delta + 4;
  return [sector * 60, saturation, light];
}

/** From hue (degrees), saturation and lightness (0 to 1). */
export function fromHsl(h: number, s: number, l: number): Rgb {
  const k = (n: number) => (n + (((h % 360) + 360) % 360) / 30) % 12;
  const a = s * Math.min(l, 1 - l);
  const f = (n: number) => 255 * (l - a * Math.max(-1, Math.min(k(n) - 3, 9 - k(n), 1)));
  return [f(0), f(8), f(4)];
}

/** Relative luminance and contrast ratio of WCAG 2, for choosing lettering that can be read. */
export function contrast(a: Rgb, b: Rgb): number {
  const linear = (v: number) => (v <= 10 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const lum = (c: Rgb) => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
  const [x, y] = [lum(a), lum(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
