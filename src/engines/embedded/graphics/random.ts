/**
 * Seeded randomness for images: the same seed gives the same numbers on every machine. Everything drawn takes its
 * chance from here; nothing in this folder asks `Math.random` or the clock.
 */
import { createNoise2D } from 'simplex-noise';

/** Uniform random numbers in [0, 1). */
export type Random = () => number;

/** FNV-1a over UTF-16 units: spreads prompts evenly over seeds. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Mulberry32: one multiplication a number, good enough for brush strokes. `stream` keeps layers independent. */
export function seeded(seed: number, stream = ''): Random {
  let state = (seed ^ hashText(stream)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A uniform number in [low, high). */
export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

/** One of the items, each as likely; undefined only of an empty list. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** Smooth noise in -1..1. */
export type Noise = (x: number, y: number) => number;

/** Simplex noise of a seed; other streams of a seed are independent. */
export function noise(seed: number, stream = ''): Noise {
  return createNoise2D(seeded(seed, `noise:${stream}`));
}

/** Fractal sum of `octaves` of noise, about -1..1. */
export function fbm(source: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let gain = 0.5;
  let frequency = 1;
  for (let i = 0; i < octaves; i++) {
    sum += gain * source(x * frequency + i * 17.3, y * frequency - i * 9.1);
    gain *= 0.5;
    frequency *= 2.03;
  }
  return sum;
}

/** Ridged fractal noise, 0..1: sharp crests, as mountains have. */
export function ridged(source: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let gain = 0.5;
  let frequency = 1;
  let previous = 1;
  for (let i = 0; i < octaves; i++) {
    const crest = 1 - Math.abs(source(x * frequency + i * 31.7, y * frequency + i * 5.3));
    const value = crest * crest * previous;
    sum += value * gain;
    previous = Math.min(1, value * 1.6);
    gain *= 0.45;
    frequency *= 1.95;
  }
  return sum;
}

/** 0 at `low` and below, 1 at `high` and above, and a smooth rise between them. */
export const smoothstep = (low: number, high: number, x: number): number => {
  const t = Math.min(1, Math.max(0, (x - low) / (high - low)));
  return t * t * (3 - 2 * t);
};
