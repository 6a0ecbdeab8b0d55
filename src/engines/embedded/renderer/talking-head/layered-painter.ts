/**
 * A portrait of our own art that speaks: its layers are drawn once and then moved against each other, frame by frame,
 * with eyes and mouth painted between them.
 */
import { createCanvas } from '@napi-rs/canvas';
import { LRUCache } from 'lru-cache';
import { type Box, type Layers, type Look, layersOf, movingBoxes, paintFrame } from '../graphics/art/index.ts';
import type { MotionTrack } from './motion.ts';
import type { MouthTrack } from './mouth-track.ts';
import { type FramePainter, valuesAt } from './painter.ts';

/** Steps of a breath either way: a fifth of a pixel each, at 512. */
const BREATHS = 8;

/** Those who spoke last in this thread: a megabyte or two each. */
const drawn = new LRUCache<string, Layers>({ max: 6 });

export function layeredPainter(
  look: Look,
  { width, height }: { width: number; height: number },
  mouths: MouthTrack,
  motion: MotionTrack,
): FramePainter {
  const key = `${width}x${height} ${JSON.stringify(look)}`;
  const layers = drawn.get(key) ?? layersOf(look, width, height);
  drawn.set(key, layers);
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  const frame = new Uint8Array((width * height * 3) / 2);
  const { head, body } = movingBoxes(layers);
  let shown: number | undefined;
  return {
    frame,
    draw(index) {
      const pose = { ...valuesAt(mouths, index), ...valuesAt(motion, index) };
      const breath = Math.round(pose.breath * BREATHS) / BREATHS;
      // The wall stays as the first frame showed it, the shoulders until the next breath.
      const boxes = shown === undefined ? [{ left: 0, top: 0, right: width, bottom: height }] : [head];
      if (shown !== undefined && breath !== shown) boxes.push(body);
      shown = breath;
      pen.save();
      pen.beginPath();
      for (const { left, top, right, bottom } of boxes) pen.rect(left, top, right - left, bottom - top);
      pen.clip();
      paintFrame(pen, layers, { ...pose, breath });
      pen.restore();
      const bytes = canvas.data();
      const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
      for (const box of boxes) convert(words, box, frame, width, height);
      // Freed here, not when the collector comes: fresh pages for every frame cost more than reading them.
      (bytes.buffer as ArrayBuffer).transfer(0);
    },
  };
}

/**
 * A box of an opaque RGBA picture into its place in an I420 frame of that size, in BT.709 as `codec/colour.ts` does it, in
 * whole numbers: these are a third of what a frame costs.
 */
function convert(words: Uint32Array, box: Box, frame: Uint8Array, width: number, height: number): void {
  const half = width >> 1;
  const uAt = width * height;
  const vAt = uAt + half * (height >> 1);
  for (let row = box.top; row < box.bottom; row += 2) {
    let at = row * width + box.left;
    let small = (row >> 1) * half + (box.left >> 1);
    for (const end = row * width + box.right; at < end; at += 2, small++) {
      const a = words[at] as number;
      const b = words[at + 1] as number;
      const c = words[at + width] as number;
      const d = words[at + width + 1] as number;
      frame[at] = lumaOf(a);
      frame[at + 1] = lumaOf(b);
      frame[at + width] = lumaOf(c);
      frame[at + width + 1] = lumaOf(d);
      const red = (a & 255) + (b & 255) + (c & 255) + (d & 255);
      const green = ((a >>> 8) & 255) + ((b >>> 8) & 255) + ((c >>> 8) & 255) + ((d >>> 8) & 255);
      const blue = ((a >>> 16) & 255) + ((b >>> 16) & 255) + ((c >>> 16) & 255) + ((d >>> 16) & 255);
      frame[uAt + small] = (33_685_504 - red * 6596 - green * 22_189 + blue * 28_785) >> 18;
      frame[vAt + small] = (33_685_504 + red * 28_785 - green * 26_145 - blue * 2640) >> 18;
    }
  }
}

const lumaOf = (word: number): number =>
  (1_081_344 + (word & 255) * 11_966 + ((word >>> 8) & 255) * 40_254 + ((word >>> 16) & 255) * 4064) >> 16;
