/**
 * Viola-Jones cascades: reads the trained classifiers shipped as data by the npm package `tracking` and evaluates them
 * with our own code. The data files are parsed as text and never run. Knows nothing of faces as such: it says which
 * squares of a grey picture a cascade accepts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Grey, integrals, resizeGrey } from './grey.ts';

/** A cascade of stumps over weighted rectangles, flattened into typed arrays. */
export interface Cascade {
  /** Side of the trained window, pixels. */
  size: number;
  stageThreshold: Float64Array;
  /** Index one past the last stump of each stage. */
  stageEnd: Int32Array;
  /** Three rectangles (x, y, w, h) a stump; an unused third is empty and weighs 0. */
  rects: Int16Array;
  weights: Float64Array;
  threshold: Float64Array;
  left: Float64Array;
  right: Float64Array;
}

/** A square a cascade accepted, in pixels of the picture that was searched. */
export interface Hit {
  x: number;
  y: number;
  size: number;
}

/** Where to look: hits lie inside the area and have sides between `minSize` and `maxSize` pixels. */
export interface Search {
  minSize: number;
  maxSize: number;
  /** Ratio between neighbouring sizes, above 1. */
  growth: number;
}

/** Loads the classifier of that name; throws when the data is not of the shape this evaluator understands. */
export function loadCascade(name: 'face' | 'eye'): Cascade {
  const file = createRequire(import.meta.url).resolve(`tracking/build/data/${name}.js`);
  const text = readFileSync(file, 'utf8');
  const data = JSON.parse(text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))) as number[];
  return parseCascade(data);
}

/** The layout: w, h, then stages of (threshold, count, stumps); a stump is (tilted, n, n rectangles, 3 numbers). */
function parseCascade(data: number[]): Cascade {
  let at = 0;
  const next = (): number => {
    const value = data[at++];
    if (value === undefined) throw new Error('The cascade data ends early.');
    return value;
  };
  const [width, height] = [next(), next()];
  if (width !== height) throw new Error('Only square cascades are supported.');
  const stages: number[] = [];
  const ends: number[] = [];
  const rects: number[] = [];
  const weights: number[] = [];
  const leaves: number[][] = [[], [], []];
  while (at < data.length) {
    stages.push(next());
    for (let stumps = next(); stumps > 0; stumps--) {
      if (next() !== 0) throw new Error('Tilted features are not supported.');
      const count = next();
      for (let rect = 0; rect < 3; rect++) {
        for (let side = 0; side < 4; side++) rects.push(rect < count ? next() : 0);
        weights.push(rect < count ? next() : 0);
      }
      for (const leaf of leaves) leaf.push(next());
    }
    ends.push(weights.length / 3);
  }
  const [threshold, left, right] = leaves.map((leaf) => Float64Array.from(leaf)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return {
    size: width,
    stageThreshold: Float64Array.from(stages),
    stageEnd: Int32Array.from(ends),
    rects: Int16Array.from(rects),
    weights: Float64Array.from(weights),
    threshold,
    left,
    right,
  };
}

/** Corner offsets of every rectangle in an integral image of this stride, so that the inner loop only adds. */
function cornerOffsets(cascade: Cascade, stride: number): Int32Array {
  const count = cascade.weights.length;
  const offsets = new Int32Array(count * 4);
  for (let i = 0; i < count; i++) {
    const [x, y, w, h] = cascade.rects.subarray(i * 4, i * 4 + 4) as unknown as [number, number, number, number];
    offsets[i * 4] = y * stride + x;
    offsets[i * 4 + 1] = y * stride + x + w;
    offsets[i * 4 + 2] = (y + h) * stride + x;
    offsets[i * 4 + 3] = (y + h) * stride + x + w;
  }
  return offsets;
}

/** True when the window whose top left is integral index `origin` passes all stages. `scale` is area x deviation. */
function passes(cascade: Cascade, offsets: Int32Array, sum: Int32Array, origin: number, scale: number): boolean {
  const { stageEnd, stageThreshold, weights, threshold, left, right } = cascade;
  let stump = 0;
  for (let stage = 0; stage < stageEnd.length; stage++) {
    let total = 0;
    for (const end = stageEnd[stage]!; stump < end; stump++) {
      let value = 0;
      for (let rect = stump * 3; rect < stump * 3 + 3; rect++) {
        const weight = weights[rect]!;
        if (weight === 0) break;
        const o = rect * 4;
        value +=
          weight *
          (sum[origin + offsets[o]!]! -
            sum[origin + offsets[o + 1]!]! -
            sum[origin + offsets[o + 2]!]! +
            sum[origin + offsets[o + 3]!]!);
      }
      total += value < threshold[stump]! * scale ? left[stump]! : right[stump]!;
    }
    if (total < stageThreshold[stage]!) return false;
  }
  return true;
}

/** Windows flatter than this (standard deviation in grey levels) are sky or wall: no cascade was trained on them. */
const MIN_DEVIATION = 6;

function scanLevel(cascade: Cascade, level: Grey, toPicture: number, hits: Hit[]): void {
  const { sum, squares, stride } = integrals(level);
  const offsets = cornerOffsets(cascade, stride);
  const { size } = cascade;
  // The classifiers were trained on deviations measured one pixel inside the window.
  const inner = size - 2;
  const area = inner * inner;
  for (let y = 0; y + size <= level.height; y++) {
    for (let x = 0; x + size <= level.width; x++) {
      const a = (y + 1) * stride + x + 1;
      const c = a + inner * stride;
      const mean = (sum[a]! - sum[a + inner]! - sum[c]! + sum[c + inner]!) / area;
      const square = (squares[a]! - squares[a + inner]! - squares[c]! + squares[c + inner]!) / area;
      const variance = square - mean * mean;
      if (variance < MIN_DEVIATION * MIN_DEVIATION) continue;
      if (!passes(cascade, offsets, sum, y * stride + x, area * Math.sqrt(variance))) continue;
      hits.push({ x: x * toPicture, y: y * toPicture, size: size * toPicture });
    }
  }
}

/** All squares of the picture the cascade accepts, over a pyramid of shrunken (or enlarged) copies. */
export function scan(cascade: Cascade, picture: Grey, search: Search): Hit[] {
  const hits: Hit[] = [];
  for (let side = search.minSize; side <= search.maxSize; side *= search.growth) {
    const shrink = side / cascade.size;
    const width = Math.round(picture.width / shrink);
    const height = Math.round(picture.height / shrink);
    if (width < cascade.size || height < cascade.size) break;
    scanLevel(cascade, resizeGrey(picture, width, height), shrink, hits);
  }
  return hits;
}

/** Neighbouring hits taken as one: their mean square and how many there were. */
export interface Group extends Hit {
  count: number;
}

/**
 * Gathers hits into groups: the hit with most neighbours takes them (corners within `tolerance` of its side), then the
 * next among the rest. Neighbours of neighbours stay apart: joined in chains, the two eyes of a face became one group.
 */
export function groupHits(hits: Hit[], tolerance = 0.25): Group[] {
  const isNear = (a: Hit, b: Hit): boolean => {
    const far = tolerance * Math.min(a.size, b.size);
    return (
      Math.abs(a.x - b.x) <= far &&
      Math.abs(a.y - b.y) <= far &&
      Math.abs(a.x + a.size - b.x - b.size) <= far &&
      Math.abs(a.y + a.size - b.y - b.size) <= far
    );
  };
  const neighbours = hits.map((hit) => hits.reduce((count, other) => count + (isNear(hit, other) ? 1 : 0), 0));
  const byCrowd = hits.map((_, i) => i).sort((a, b) => neighbours[b]! - neighbours[a]! || a - b);
  const taken = new Uint8Array(hits.length);
  const groups: Group[] = [];
  for (const peak of byCrowd) {
    if (taken[peak]) continue;
    const group: Group = { x: 0, y: 0, size: 0, count: 0 };
    for (const [i, hit] of hits.entries()) {
      if (taken[i] || !isNear(hits[peak]!, hit)) continue;
      taken[i] = 1;
      group.x += hit.x;
      group.y += hit.y;
      group.size += hit.size;
      group.count++;
    }
    const { x, y, size, count } = group;
    groups.push({ x: x / count, y: y / count, size: size / count, count });
  }
  return groups;
}
