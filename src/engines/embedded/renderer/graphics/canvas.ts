/** Small conveniences over the canvas: empty canvases, pixels by function, soft scaling. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

export type { Canvas };
/** What pixels can be read of, premultiplied: a canvas, or what draws one when it is asked. */
export type Pixels = Pick<Canvas, 'width' | 'height' | 'data'>;
/** The drawing context of a canvas. */
export type Context = SKRSContext2D;

/** An empty canvas; sizes are rounded, at least 1. */
export function emptyCanvas(width: number, height: number): { canvas: Canvas; ctx: Context } {
  const canvas = createCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  const ctx = canvas.getContext('2d');
  ctx.imageSmoothingEnabled = true;
  ctx.imageSmoothingQuality = 'high';
  return { canvas, ctx };
}

/**
 * Fills an image by a function of the pixel, at `1/step` of its size and smoothly enlarged: clouds and nebulae have
 * no detail finer than that, and it divides the time by step squared.
 */
export function shaded(
  width: number,
  height: number,
  step: number,
  shade: (x: number, y: number, out: Float32Array) => void,
): Canvas {
  const w = Math.ceil(width / step) + 1;
  const h = Math.ceil(height / step) + 1;
  const small = emptyCanvas(w, h);
  const image = small.ctx.createImageData(w, h);
  const out = new Float32Array(4);
  for (let y = 0, i = 0; y < h; y++) {
    for (let x = 0; x < w; x++, i += 4) {
      shade(x * step, y * step, out);
      image.data[i] = out[0] as number;
      image.data[i + 1] = out[1] as number;
      image.data[i + 2] = out[2] as number;
      image.data[i + 3] = (out[3] as number) * 255;
    }
  }
  small.ctx.putImageData(image, 0, 0);
  const full = emptyCanvas(width, height);
  full.ctx.drawImage(small.canvas, 0, 0, w * step, h * step);
  return full.canvas;
}

/** A copy to draw upon. */
export function copyOf(source: Canvas): { canvas: Canvas; ctx: Context } {
  const copy = emptyCanvas(source.width, source.height);
  copy.ctx.drawImage(source, 0, 0);
  return copy;
}

/** Canvases of what is drawn many times at the same sizes: they take memory once. */
export interface Reused {
  /** An empty canvas of that size, to be used until the next `again`. */
  take(width: number, height: number): { canvas: Canvas; ctx: Context };
  /** All that were taken are free. */
  again(): void;
}

/**
 * Fresh megabytes cost more than what is drawn on them, and V8 collects its whole heap for every 64 MB of them: a third of
 * the processor time of a video with people.
 */
export function reusedCanvases(): Reused {
  const all: { canvas: Canvas; ctx: Context; isFree: boolean }[] = [];
  return {
    take(width, height) {
      const [w, h] = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))];
      let one = all.find(({ canvas, isFree }) => isFree && canvas.width === w && canvas.height === h);
      if (one) one.ctx.reset();
      else {
        one = { ...emptyCanvas(w, h), isFree: false };
        all.push(one);
      }
      one.isFree = false;
      one.ctx.imageSmoothingEnabled = true;
      one.ctx.imageSmoothingQuality = 'high';
      return one;
    },
    again() {
      for (const one of all) one.isFree = true;
    },
  };
}
