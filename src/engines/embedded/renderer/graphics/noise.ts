/** Noise of a seed: clouds, mountains, water. */
import { createNoise2D } from 'simplex-noise';
import { seeded } from './random.ts';

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
