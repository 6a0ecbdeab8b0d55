/**
 * The encoder's own colours on a canvas. Every image of a video is converted once, so that the red, green and blue of its canvas
 * hold Y, U and V (BT.709, limited range): blending is the same sum in either. What is drawn goes on in planes (`planes-canvas.ts`);
 * edited and conformed videos are painted on a `frameCanvas`, and a finished frame is taken apart into planes instead of being
 * multiplied by a matrix (measured at 720p: 1.4 ms instead of 9).
 */
import { BT709 } from '../../codec/colour.ts';
import { type Canvas, type Context, emptyCanvas } from '../graphics/canvas.ts';
import type { Rgb } from '../graphics/colour.ts';

const { red: RED, blue: BLUE } = BT709;
const GREEN = 1 - RED - BLUE;
const U_SCALE = 224 / 255 / (2 * (1 - BLUE));
const V_SCALE = 224 / 255 / (2 * (1 - RED));

const ONE = 65_536;
const fixed = (...weights: [number, number, number]) =>
  weights.map((weight) => Math.round(weight * ONE)) as [number, number, number];
const Y_OF = fixed((RED * 219) / 255, (GREEN * 219) / 255, (BLUE * 219) / 255);
const U_OF = fixed(-RED * U_SCALE, -GREEN * U_SCALE, (1 - BLUE) * U_SCALE);
const V_OF = fixed((1 - RED) * V_SCALE, -GREEN * V_SCALE, -BLUE * V_SCALE);

/** What red, green, blue and alpha of a premultiplied pixel count in Y, U and V, in 1/32768. */
export type Weights = readonly (readonly [number, number, number, number])[];
const share = (weights: readonly number[], offset: number) =>
  [...weights.map((weight) => Math.round(weight / 2)), Math.round((offset / 255) * 32_768)] as [
    number,
    number,
    number,
    number,
  ];
/** Of images in red, green and blue. */
export const YUV_OF_RGB: Weights = [share(Y_OF, 16), share(U_OF, 128), share(V_OF, 128)];
/** Of images whose red, green and blue are Y, U and V. */
export const YUV_ALREADY: Weights = [
  [32_767, 0, 0, 0],
  [0, 32_767, 0, 0],
  [0, 0, 32_767, 0],
];

/** A colour of red, green and blue as the canvas style that paints it. */
export function yuvColour([r, g, b]: Rgb, alpha = 1): string {
  const luma = RED * r + GREEN * g + BLUE * b;
  const y = Math.round(16 + (luma * 219) / 255);
  return `rgba(${y},${Math.round(128 + (b - luma) * U_SCALE)},${Math.round(128 + (r - luma) * V_SCALE)},${alpha})`;
}

/** Converts a canvas in place; what is transparent stays so. */
export function toYuv(canvas: Canvas): Canvas {
  const ctx = canvas.getContext('2d');
  const image = ctx.getImageData(0, 0, canvas.width, canvas.height);
  pixelsToYuv(image.data);
  ctx.putImageData(image, 0, 0);
  return canvas;
}

/** The same for the pixels of an ImageData. In whole numbers of 1/65536: a scene has ten million pixels. */
function pixelsToYuv(data: Uint8ClampedArray): void {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i] as number;
    const alpha = pixel & 0xff00_0000;
    if (alpha === 0) continue;
    const r = pixel & 255;
    const g = (pixel >>> 8) & 255;
    const b = (pixel >>> 16) & 255;
    const y = (Y_OF[0] * r + Y_OF[1] * g + Y_OF[2] * b + 16.5 * ONE) >> 16;
    const u = (U_OF[0] * r + U_OF[1] * g + U_OF[2] * b + 128.5 * ONE) >> 16;
    const v = (V_OF[0] * r + V_OF[1] * g + V_OF[2] * b + 128.5 * ONE) >> 16;
    pixels[i] = alpha | (v << 16) | (u << 8) | y;
  }
}

/** Puts a finished frame back onto the canvas, to paint over it. */
export function putFrame(ctx: Context, frame: Uint8Array, width: number, height: number): void {
  const image = ctx.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer, image.data.byteOffset, width * height);
  const u = width * height;
  const v = u + u / 4;
  for (let y = 0, i = 0; y < height; y++) {
    const row = (y >> 1) * (width >> 1);
    for (let x = 0; x < width; x++, i++) {
      const at = row + (x >> 1);
      pixels[i] =
        0xff00_0000 | ((frame[v + at] as number) << 16) | ((frame[u + at] as number) << 8) | (frame[i] as number);
    }
  }
  ctx.putImageData(image, 0, 0);
}

/** A canvas whose content becomes frames. */
export interface FrameCanvas {
  /** Draw here in colours of `yuvColour`; coordinates are the video's pixels. */
  ctx: Context;
  /** I420 of what was drawn when `toFrame` was last called. */
  frame: Uint8Array;
  /** Takes what is drawn apart into `frame`. */
  toFrame(): void;
}

/** @param draft draws a quarter of the pixels; chroma loses nothing by it, luma is enlarged. */
export function frameCanvas(width: number, height: number, draft: boolean): FrameCanvas {
  const k = draft ? 2 : 1;
  const { canvas, ctx } = emptyCanvas(width / k, height / k);
  ctx.imageSmoothingQuality = 'low'; // Bilinear: cubic costs three times as much and moving layers do not show it.
  ctx.scale(1 / k, 1 / k);
  const frame = new Uint8Array((width * height * 3) / 2);
  return {
    ctx,
    frame,
    toFrame() {
      const bytes = canvas.data();
      const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
      if (draft) enlarge(pixels, frame, width, height);
      else split(pixels, frame, width, height);
      // Freed here, not when the collector comes: megabytes of fresh pages for every frame cost more than drawing it
      // (measured at 720p: 0.2 ms instead of 0.7 to 9, and half the memory).
      (bytes.buffer as ArrayBuffer).transfer(0);
    },
  };
}

function split(pixels: Uint32Array, frame: Uint8Array, width: number, height: number): void {
  const u = width * height;
  const v = u + u / 4;
  for (let row = 0, chroma = 0; row < height; row += 2) {
    let at = row * width;
    for (let column = 0; column < width; column += 2, at += 2, chroma++) {
      const a = pixels[at] as number;
      const b = pixels[at + 1] as number;
      const c = pixels[at + width] as number;
      const d = pixels[at + width + 1] as number;
      frame[at] = a;
      frame[at + 1] = b;
      frame[at + width] = c;
      frame[at + width + 1] = d;
      frame[u + chroma] = (((a >>> 8) & 255) + ((b >>> 8) & 255) + ((c >>> 8) & 255) + ((d >>> 8) & 255) + 2) >> 2;
      frame[v + chroma] = (((a >>> 16) & 255) + ((b >>> 16) & 255) + ((c >>> 16) & 255) + ((d >>> 16) & 255) + 2) >> 2;
    }
  }
}

/** Luma at twice the size by weights 3:1, chroma as it is. */
function enlarge(pixels: Uint32Array, frame: Uint8Array, width: number, height: number): void {
  const [w, h] = [width >> 1, height >> 1];
  const u = width * height;
  const v = u + w * h;
  for (let i = 0; i < w * h; i++) {
    const pixel = pixels[i] as number;
    frame[u + i] = pixel >>> 8;
    frame[v + i] = pixel >>> 16;
  }
  for (let y = 0; y < height; y++) {
    const near = (y >> 1) * w;
    const far = Math.min(h - 1, Math.max(0, (y >> 1) + (y & 1 ? 1 : -1))) * w;
    let left = 3 * ((pixels[near] as number) & 255) + ((pixels[far] as number) & 255);
    let here = left;
    for (let x = 0, to = y * width; x < w; x++, to += 2) {
      const next = x + 1 < w ? x + 1 : x;
      const right = 3 * ((pixels[near + next] as number) & 255) + ((pixels[far + next] as number) & 255);
      frame[to] = (3 * here + left + 8) >> 4;
      frame[to + 1] = (3 * here + right + 8) >> 4;
      left = here;
      here = right;
    }
  }
}
