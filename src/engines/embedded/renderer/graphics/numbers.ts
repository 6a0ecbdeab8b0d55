/** Numbers that whatever is drawn shares. */

/** Limited to 0..1. */
export const clamp01 = (value: number): number => (value < 0 ? 0 : Math.min(value, 1));

/** 0 at `low` and below, 1 at `high` and above, and a smooth rise between them. */
export function smoothstep(low: number, high: number, value: number): number {
  const x = clamp01((value - low) / (high - low));
  return x * x * (3 - 2 * x);
}
