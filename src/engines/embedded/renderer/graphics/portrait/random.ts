/** Seeded randomness of the portraits: the same seed gives the same person and the same strands of hair. */
import { hashText, mulberry32, type Random } from '../random.ts';

/** Spreads every bit over all: neighbouring seeds must not give neighbouring people. */
function scramble(value: number): number {
  let v = value ^ (value >>> 16);
  v = Math.imul(v, 0x85ebca6b);
  v = Math.imul(v ^ (v >>> 13), 0xc2b2ae35);
  return (v ^ (v >>> 16)) >>> 0;
}

/** The default seed of an image: its prompt's. */
export const seedOf = (text: string): number => scramble(hashText(text));

/** Uniform numbers in [0, 1) from a seed and a purpose: one purpose drawing more numbers must not change another. */
export const randomFrom = (seed: number, purpose: string): Random =>
  mulberry32(scramble(scramble(seed | 0) + Math.imul(seedOf(purpose), 0x9e3779b1)));

/** Picks by weight from a table of value -> weight. */
export function weighted<T extends string>(random: Random, table: Partial<Record<T, number>>): T {
  const entries = Object.entries(table) as [T, number][];
  let at = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of entries) {
    at -= weight;
    if (at < 0) return value;
  }
  return entries[entries.length - 1]![0];
}
