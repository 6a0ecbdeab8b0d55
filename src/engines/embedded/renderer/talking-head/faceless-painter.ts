/**
 * An image without a face still speaks: a slow pan and zoom that ends where it began, and bars at the bottom that
 * follow the voice. Draws into I420 directly.
 */
import { planesOf } from '../../codec/colour.ts';
import { sample } from '../graphics/face/sample.ts';
import { mulberry32 } from '../graphics/random.ts';
import { movingAverage } from './energy.ts';
import { ramp } from './mouth-track.ts';
import { type FramePainter } from './painter.ts';
import { OVERSAMPLE, type Still } from './still.ts';

const BARS = 31;
/** At most this much closer, and this far aside of the image's middle, in sizes of the image. */
const ZOOM = 0.07;
const PAN = 0.018;
/** Seconds in which the bars rise at the beginning, and fall to dots at the end. */
const RISE_S = 0.12;
const FALL_S = 0.3;
/** The bars' colour in BT.709: a warm white. */
const BAR = { y: 224, u: 124, v: 132 };

/** @param levels loudness per frame, 0 to 1 */
export function facelessPainter(still: Still, levels: Float32Array, fps: number, seed: number): FramePainter {
  const { width, height } = still;
  const frame = new Uint8Array((width * height * 3) / 2);
  const bars = barHeights(levels, fps, seed);
  const shade = shadeOf(height);
  const angle = mulberry32(seed)() * 2 * Math.PI;
  const rounds = Math.max(1, Math.round(levels.length / fps / 14)); // One way there and back in about 14 s.
  return {
    frame,
    draw(index) {
      const phase = (2 * Math.PI * rounds * index) / Math.max(1, levels.length - 1);
      const near = (1 - Math.cos(phase)) / 2;
      pan(still, frame, 1 / (1 + ZOOM * near), near * PAN * Math.cos(angle), near * PAN * Math.sin(angle));
      darken(frame, width, height, shade);
      drawBars(frame, width, height, bars[index] as Float32Array);
    },
  };
}

function pan({ width, height, source }: Still, frame: Uint8Array, scale: number, panX: number, panY: number): void {
  const to = planesOf(frame, width, height);
  for (const [plane, target, divisor] of [
    [source.y, to.y, 1],
    [source.u, to.u, 2],
    [source.v, to.v, 2],
  ] as const) {
    const [w, h] = [width / divisor, height / divisor];
    const [fromW, fromH] = [w * OVERSAMPLE, h * OVERSAMPLE];
    const left = fromW * ((1 - scale) / 2 + panX * scale);
    const top = fromH * ((1 - scale) / 2 + panY * scale);
    for (let y = 0; y < h; y++) {
      const sy = top + (y + 0.5) * OVERSAMPLE * scale - 0.5;
      for (let x = 0; x < w; x++) {
        target[y * w + x] = sample(plane, fromW, fromH, left + (x + 0.5) * OVERSAMPLE * scale - 0.5, sy) + 0.5;
      }
    }
  }
}

/** How much of each row's light is left: the lowest fifth darkens, so that the bars read on any image. */
function shadeOf(height: number): Float32Array {
  return Float32Array.from({ length: height }, (_, row) => {
    const down = Math.min(1, Math.max(0, (row / height - 0.74) / 0.26));
    return 1 - 0.5 * down * down * (3 - 2 * down);
  });
}

function darken(frame: Uint8Array, width: number, height: number, shade: Float32Array): void {
  const { y, u, v } = planesOf(frame, width, height);
  const half = width >> 1;
  for (
    let row = Math.max(
      0,
      shade.findIndex((share) => share < 1),
    );
    row < height;
    row++
  ) {
    const share = shade[row] as number;
    for (let at = row * width; at < (row + 1) * width; at++) y[at] = 16 + ((y[at] as number) - 16) * share;
    if (row & 1) continue;
    for (let at = (row >> 1) * half; at < ((row >> 1) + 1) * half; at++) {
      u[at] = 128.5 + ((u[at] as number) - 128) * share;
      v[at] = 128.5 + ((v[at] as number) - 128) * share;
    }
  }
}

/** Heights per frame and bar, 0 to 1: the voice of the last moments runs from the middle outwards, with a shimmer. */
function barHeights(levels: Float32Array, fps: number, seed: number): Float32Array[] {
  const random = mulberry32(seed + 1);
  const soft = movingAverage(levels, 1);
  // Dots in the first frame and the last: a clip that goes before or follows shows nothing else there.
  const edge = (frame: number) => ramp(frame / (fps * RISE_S)) * ramp((levels.length - 1 - frame) / (fps * FALL_S));
  const shimmer = Array.from({ length: BARS }, () => ({ step: 2 + 5 * random(), phase: 6.3 * random() }));
  return Array.from(levels, (_, frame) =>
    Float32Array.from({ length: BARS }, (_, bar) => {
      const outward = Math.abs(bar - (BARS - 1) / 2);
      const level = soft[Math.max(0, Math.round(frame - outward * fps * 0.018))] as number;
      const { step, phase } = shimmer[bar] as { step: number; phase: number };
      const lively = 0.72 + 0.28 * Math.sin((frame / fps) * step * 3 + phase);
      return edge(frame) * level * lively * (1 - 0.6 * (outward / (BARS / 2)) ** 2);
    }),
  );
}

/** Rounded bars around a middle line; a silent bar is a dot. */
function drawBars(frame: Uint8Array, width: number, height: number, heights: Float32Array): void {
  const { y, u, v } = planesOf(frame, width, height);
  const unit = Math.min(width, height);
  const gap = Math.min(width * 0.6, unit * 0.78) / BARS;
  const radius = gap * 0.27;
  const middle = height - unit * 0.1;
  const reach = unit * 0.058;
  for (let bar = 0; bar < BARS; bar++) {
    const centre = width / 2 + (bar - (BARS - 1) / 2) * gap;
    const half = reach * (heights[bar] as number);
    const [left, right] = [Math.floor(centre - radius - 1), Math.ceil(centre + radius + 1)];
    for (let row = Math.floor(middle - half - radius - 1); row <= middle + half + radius + 1; row++) {
      for (let column = left; column <= right; column++) {
        const beyond = Math.max(0, Math.abs(row + 0.5 - middle) - half);
        const distance = Math.hypot(column + 0.5 - centre, beyond) - radius;
        const cover = Math.min(1, Math.max(0, 0.5 - distance)) * 0.88;
        if (cover <= 0 || row < 0 || row >= height || column < 0 || column >= width) continue;
        const at = row * width + column;
        y[at] = (y[at] as number) * (1 - cover) + BAR.y * cover;
        if ((row | column) & 1) continue;
        const small = (row >> 1) * (width >> 1) + (column >> 1);
        u[small] = (u[small] as number) * (1 - cover) + BAR.u * cover;
        v[small] = (v[small] as number) * (1 - cover) + BAR.v * cover;
      }
    }
  }
}
