/**
 * Seeded randomness of the portraits: the same seed gives the same person and the same strands of hair. It is no source
 * of secrets and never reads the clock.
 */
export type Random = () => number;

/** Spreads every bit over all: neighbouring seeds must not give neighbouring people. */
function scramble(value: number): number {
  let v = value ^ (value >>> 16);
  v = Math.imul(v, 0x85ebca6b);
  v = Math.imul(v ^ (v >>> 13), 0xc2b2ae35);
  return (v ^ (v >>> 16)) >>> 0;
}

/** 32-bit FNV-1a of a text: the default seed of an image is the hash of its prompt. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return scramble(hash);
}

/** Uniform numbers in [0, 1) from a seed and a purpose: one purpose drawing more numbers must not change another. */
export function randomFrom(seed: number, purpose = ''): Random {
  let state = scramble(scramble(seed | 0) + Math.imul(hashText(purpose), 0x9e3779b1));
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of the items, each as likely. */
export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

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
