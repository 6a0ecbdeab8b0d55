/** Second-order filter sections of the Audio EQ Cookbook (R. Bristow-Johnson), run in place over streamed samples. */

/** Kinds of filters. */
export type FilterKind = 'highpass' | 'allpass' | 'peak' | 'lowshelf' | 'highshelf';

/** Coefficients and state of a filter of second order. */
export interface Biquad {
  b0: number;
  b1: number;
  b2: number;
  a1: number;
  a2: number;
  z1: number;
  z2: number;
}

/** @param rate samples per second. @param hz the centre or corner. @param db the gain; highpass and allpass have none. @param q its width. */
export function biquad(rate: number, kind: FilterKind, hz: number, db: number, q: number): Biquad {
  const w = (2 * Math.PI * hz) / rate;
  const cos = Math.cos(w);
  const alpha = Math.sin(w) / (2 * q);
  const a = 10 ** (db / 40);
  const root = 2 * Math.sqrt(a) * alpha;
  const sign = kind === 'lowshelf' ? 1 : -1;
  const [b0, b1, b2, a0, a1, a2] =
    kind === 'highpass'
      ? [(1 + cos) / 2, -(1 + cos), (1 + cos) / 2, 1 + alpha, -2 * cos, 1 - alpha]
      : kind === 'allpass'
        ? [1 - alpha, -2 * cos, 1 + alpha, 1 + alpha, -2 * cos, 1 - alpha]
        : kind === 'peak'
          ? [1 + alpha * a, -2 * cos, 1 - alpha * a, 1 + alpha / a, -2 * cos, 1 - alpha / a]
          : [
              a * (a + 1 - sign * (a - 1) * cos + root),
              sign * 2 * a * (a - 1 - sign * (a + 1) * cos),
              a * (a + 1 - sign * (a - 1) * cos - root),
              a + 1 + sign * (a - 1) * cos + root,
              sign * -2 * (a - 1 + sign * (a + 1) * cos),
              a + 1 + sign * (a - 1) * cos - root,
            ];
  return { b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0, z1: 0, z2: 0 };
}

/** Transposed direct form II; the filter keeps its state for the samples that follow. */
export function filterSample(f: Biquad, x: number): number {
  const y = f.b0 * x + f.z1;
  f.z1 = f.b1 * x - f.a1 * y + f.z2;
  f.z2 = f.b2 * x - f.a2 * y;
  return y;
}
