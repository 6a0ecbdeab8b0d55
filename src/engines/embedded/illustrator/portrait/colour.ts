/** Colours as sRGB triples of 0..255, and the few mixtures painting needs. */
export type Rgb = readonly [number, number, number];

export const WHITE: Rgb = [255, 255, 255];
export const BLACK: Rgb = [0, 0, 0];

export function rgb(hex: string): Rgb {
  const n = Number.parseInt(hex.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

const clamp = (v: number) => Math.max(0, Math.min(255, Math.round(v)));

export const hex = (c: Rgb): string => `#${c.map((v) => clamp(v).toString(16).padStart(2, '0')).join('')}`;

export const css = (c: Rgb, alpha = 1): string =>
  alpha >= 1 ? hex(c) : `rgba(${clamp(c[0])},${clamp(c[1])},${clamp(c[2])},${alpha.toFixed(3)})`;

export const mix = (a: Rgb, b: Rgb, t: number): Rgb => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

export const times = (c: Rgb, r: number, g = r, b = r): Rgb => [c[0] * r, c[1] * g, c[2] * b];

/** Darker for positive amounts' complement: -1 black, 0 same, 1 white. */
export const tone = (c: Rgb, amount: number): Rgb => (amount < 0 ? mix(c, BLACK, -amount) : mix(c, WHITE, amount));

export const luma = (c: Rgb): number => 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
