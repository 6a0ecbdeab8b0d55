/**
 * Seeded randomness for what is drawn and moved: the same seed gives the same numbers on every machine. Every engine that
 * draws takes its chance from here; none asks `Math.random` or the clock, and nothing secret may be made of it.
 */

/** Uniform random numbers in [0, 1). */
export type Random = () => number;

/** FNV-1a over UTF-16 units: spreads prompts evenly over seeds. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Mulberry32: one multiplication a number, good enough for brush strokes and blinks. */
export function mulberry32(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Random numbers of a seed; each `stream` of it is independent, so that one layer changes no other. */
export const seeded = (seed: number, stream: string): Random => mulberry32(seed ^ hashText(stream));

/** A uniform number in [low, high). */
export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

/** One of the items, each as likely; undefined only of an empty list. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}
