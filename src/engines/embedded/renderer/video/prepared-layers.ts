/**
 * Layers of a scene made ready for video: cut into the runs that are painted, with the rows they fill wholly
 * known, so that nothing is drawn where it is empty or hidden (the cost of a frame is the area it draws).
 */
import { type Canvas, copyOf } from '../graphics/canvas.ts';
import type { FigureCycle, Spot } from '../graphics/scene/index.ts';
import { convertedWhenDrawn } from './planes-canvas.ts';

/** A rectangle, pixels. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A layer of a scene at one depth. */
export interface SceneLayer {
  canvas: Canvas;
  /** Where the canvas lies on the scene, when it is smaller. Boxes are of the scene. */
  at?: { x: number; y: number };
  depth: number;
  kind: string;
  spot?: Spot;
  /** A figure through one cycle of what it does. */
  cycle?: FigureCycle;
}

/** A layer that moves as one. */
export interface PreparedLayer extends SceneLayer {
  at: { x: number; y: number };
  /** All that is painted. */
  box: Box;
  /** The same, cut where columns are empty (between the trees at both sides of a frame). */
  runs: Box[];
  /** From this row down every pixel is opaque; the layer's height when none is. */
  solidFrom: number;
  /** Of water: true where it is painted. */
  covers?: (x: number, y: number) => boolean;
}

/** Every second pixel is looked at; boxes are padded by that. */
const STEP = 2;
/** Fainter than this is not seen. */
const FAINTEST = 4;
/** Empty columns that are worth a cut. */
const GAP = 32;

/** Layers of one kind that hang so near each other that their parallax would not be seen become one. */
export function merged(layers: SceneLayer[], isPlain: (layer: SceneLayer) => boolean): SceneLayer[] {
  const result: SceneLayer[] = [];
  for (const layer of layers) {
    const last = result.at(-1);
    if (last && isPlain(last) && isPlain(layer) && Math.abs(last.depth - layer.depth) < 0.09 && last.depth > 0) {
      const { canvas, ctx } = copyOf(last.canvas);
      ctx.drawImage(layer.canvas, 0, 0);
      result[result.length - 1] = { ...layer, canvas };
    } else result.push(layer);
  }
  return result;
}

/** Undefined for an empty layer. What is hidden of its box before it is first drawn is not converted. */
export function preparedLayer(layer: SceneLayer): PreparedLayer | undefined {
  const { canvas, at = { x: 0, y: 0 } } = layer;
  const { width, height } = canvas;
  const pixels = canvas.data();
  const { tops, bottoms, solidFrom } = survey(pixels, width, height);
  const runs = runsOf(tops, bottoms, width, height);
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last) return undefined;
  const top = Math.min(...runs.map((run) => run.y));
  const bottom = Math.max(...runs.map((run) => run.y + run.h));
  const covers = layer.kind === 'water' ? coverOf(pixels, width, height) : undefined;
  const kept = { x: first.x, y: top, w: last.x + last.w - first.x, h: bottom - top };
  // A layer that lies at the scene's corner: its box may be cut before it is converted.
  const box = layer.at ? onScene(kept, at) : kept;
  convertedWhenDrawn(canvas, kept, pixels);
  const { cycle } = layer;
  const moments = cycle ? { cycle: unconvertedCycle(cycle) } : {};
  const placed = layer.at ? runs.map((run) => onScene(run, at)) : runs;
  return { ...layer, at, ...moments, box, runs: placed, solidFrom, ...(covers ? { covers } : {}) };
}

const onScene = ({ x, y, w, h }: Box, at: { x: number; y: number }): Box => ({ x: x + at.x, y: y + at.y, w, h });

const unconvertedCycle =
  (cycle: FigureCycle): FigureCycle =>
  (phase) => {
    const moment = cycle(phase);
    convertedWhenDrawn(moment.image, 'painted');
    return moment;
  };

/** Per column the first and last painted row, and from where the whole layer is opaque. */
function survey(data: Uint8Array, width: number, height: number) {
  const tops = new Int32Array(width).fill(height);
  const bottoms = new Int32Array(width).fill(-1);
  let solidFrom = height;
  let isSolid = true;
  for (let y = height - 1; y >= 0; y -= STEP) {
    let isRowSolid = true;
    for (let x = 0, at = y * width * 4 + 3; x < width; x += STEP, at += 4 * STEP) {
      const alpha = data[at] as number;
      if (alpha !== 255) isRowSolid = false;
      if (alpha < FAINTEST) continue;
      tops[x] = y;
      if ((bottoms[x] as number) < y) bottoms[x] = y;
    }
    isSolid &&= isRowSolid;
    if (isSolid) solidFrom = y;
  }
  return { tops, bottoms, solidFrom };
}

function runsOf(tops: Int32Array, bottoms: Int32Array, width: number, height: number): Box[] {
  const runs: { from: number; to: number; top: number; bottom: number }[] = [];
  for (let x = 0; x < width; x += STEP) {
    const [top, bottom] = [tops[x] as number, bottoms[x] as number];
    if (bottom < 0) continue;
    const last = runs.at(-1);
    if (last && x - last.to <= GAP) {
      last.to = x;
      last.top = Math.min(last.top, top);
      last.bottom = Math.max(last.bottom, bottom);
    } else runs.push({ from: x, to: x, top, bottom });
  }
  return runs.map(({ from, to, top, bottom }) => {
    const x = Math.max(0, from - STEP);
    const y = Math.max(0, top - STEP);
    return { x, y, w: Math.min(width, to + STEP + 1) - x, h: Math.min(height, bottom + STEP + 1) - y };
  });
}

/** Where it is painted; a quarter of the resolution is enough to know where water is. */
function coverOf(data: Uint8Array, width: number, height: number): (x: number, y: number) => boolean {
  const [w, h] = [width >> 2, height >> 2];
  const mask = new Uint8Array(w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) mask[y * w + x] = (data[(y * 4 * width + x * 4) * 4 + 3] as number) > 200 ? 1 : 0;
  return (x, y) => x >= 0 && y >= 0 && x < width && y < height && mask[(y >> 2) * w + (x >> 2)] === 1;
}

/** Cuts from each layer the rows that nearer, fixed layers always hide. @param slack rows that parallax may uncover */
export function hideCovered(layers: PreparedLayer[], isFixed: (layer: PreparedLayer) => boolean, slack: number): void {
  let solid = Number.POSITIVE_INFINITY;
  for (let i = layers.length - 1; i >= 0; i--) {
    const layer = layers[i] as PreparedLayer;
    const hiddenFrom = solid + slack;
    if (!layer.spot)
      for (const box of [layer.box, ...layer.runs]) box.h = Math.max(0, Math.min(box.h, hiddenFrom - box.y));
    if (isFixed(layer)) solid = Math.min(solid, layer.solidFrom);
  }
}
