/** Numbers that the painters of heads share. */

/** Limited to 0..1. */
export const clamp01 = (value: number): number => (value < 0 ? 0 : Math.min(value, 1));

/** From 0 to 1 without corners (smoothstep). */
export function smoothstep(value: number): number {
  const x = clamp01(value);
  return x * x * (3 - 2 * x);
}
