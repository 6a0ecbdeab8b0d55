/**
 * A canvas whose pixels are the encoder's: three planes of I420. Images are taken apart into planes when they are first drawn
 * (in YUV, see `frame-canvas.ts`, but those of `convertedWhenDrawn`), and laid over one another plane by plane, so that no frame is converted, copied or
 * allocated. Measured for layers of a scene at 720p: a third of what the canvas of red, green and blue takes.
 * It draws images only, unsmoothed at their edges: what is drawn has transparent ones, or fills the frame.
 */
import { compileKernel, type KernelMemory, PAGE_BYTES } from '../../../ports/kernel.ts';
import type { Canvas, Context, Pixels } from '../graphics/canvas.ts';
import { YUV_ALREADY, YUV_OF_RGB } from './frame-canvas.ts';

/** What painters of videos draw with: a part of a canvas's context. */
export interface FrameContext
  extends Pick<Context, 'globalAlpha' | 'save' | 'restore' | 'translate' | 'rotate' | 'scale' | 'transform'> {
  /** As of a canvas, with its three ways to say the place. */
  drawImage(image: Canvas, ...place: number[]): void;
}

/** What scenes draw with: also what is no canvas but draws one when it is first shown. */
export interface SceneContext extends FrameContext {
  drawImage(image: Pixels, ...place: number[]): void;
}

/** The functions of `kernel/blit.as`, which says what they are given. */
type Kernel = Record<'blit' | 'blitTurned' | 'split', (...given: number[]) => number>;

/** An image in planes; addresses are of its first pixels. */
interface PlaneImage {
  /** From this row on all of it is opaque, and its alpha is not read. */
  opaqueFrom: number;
  /** What is kept of the image, in its pixels; even at the left and the top. */
  part: Rect;
  /** Y, U, V; `k` is their size as a share of the image's: 1 or a half. */
  planes: { ink: number; alpha: number; stride: number; rows: number; k: number }[];
}

/** The place in a source that a pixel of the frame shows: u = ux x + uy y + u0, v = vx x + vy y + v0. */
interface Mapping {
  ux: number;
  uy: number;
  u0: number;
  vx: number;
  vy: number;
  v0: number;
}

interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

type Matrix = readonly [number, number, number, number, number, number];

/** Pages of memory at first. */
const FIRST_PAGES = 128;
/** Pages of memory that it grows by at most, beyond what is needed: 64 MiB. What is not written to takes no memory of the machine. */
const MOST_GROWN = 1_024;
/** Bytes beside a row that may be read. */
const BEFORE = 32;
const BEHIND = 64;
/** Neighbours farther apart in the source than this are not read eight at a time. */
const MOST_STEP = 2;
/** Bytes that the kernel notes for eight columns of the frame. */
const COLUMNS = 48;
/** Bytes of the weights of Y, U and V. */
const WEIGHTS = 48;
const openKernel = compileKernel<Kernel>('src/engines/embedded/renderer/video/kernel/blit.wasm');

const strideOf = (width: number): number => (BEFORE + width + BEHIND + 15) & ~15;

/** Images in red, green and blue: what is drawn of each, and its pixels where they were read already. */
const unconverted = new WeakMap<Pixels, { part: Readonly<Rect> | 'painted'; pixels?: Uint8Array }>();

/**
 * Says that an image is in red, green and blue, and is drawn from `part` alone: that is converted while it is taken apart.
 * @param part 'painted': what of it is not transparent
 * @param pixels all of them, premultiplied; they are freed
 */
export function convertedWhenDrawn(image: Pixels, part: Readonly<Rect> | 'painted', pixels?: Uint8Array): void {
  if (part === 'painted' && unconverted.has(image)) return;
  unconverted.set(image, pixels ? { part, pixels } : { part });
}

/** @param width and height even */
export class PlanesCanvas implements SceneContext {
  globalAlpha = 1;
  readonly #memory: KernelMemory;
  readonly #kernel: Kernel;
  readonly #images = new WeakMap<object, PlaneImage>();
  readonly #size: { width: number; height: number };
  readonly #planes: { at: number; width: number; height: number; k: number }[];
  readonly #states: { matrix: Matrix; alpha: number }[] = [];
  #matrix: Matrix = [1, 0, 0, 1, 0, 0];
  #free = 0;
  /** Two rows of the widest image and where a row of the frame is read, for the kernel. */
  #scratch = { at: 0, bytes: 0 };
  readonly #weights: number;

  constructor(width: number, height: number) {
    this.#size = { width, height };
    ({ memory: this.#memory, functions: this.#kernel } = openKernel(FIRST_PAGES));
    const luma = this.#take(width * height * 1.5);
    this.#planes = [
      { at: luma, width, height, k: 1 },
      { at: luma + width * height, width: width / 2, height: height / 2, k: 0.5 },
      { at: luma + width * height * 1.25, width: width / 2, height: height / 2, k: 0.5 },
    ];
    this.#weights = this.#take(2 * WEIGHTS);
    const weights = [YUV_ALREADY, YUV_OF_RGB].flatMap((each) => each.flatMap((row) => [...row, ...row]));
    new Int16Array(this.#memory.buffer, this.#weights, WEIGHTS).set(weights);
  }

  /** I420 of what is drawn. To be asked for again after drawing: memory that grew is elsewhere. */
  get frame(): Uint8Array {
    const { width, height } = this.#size;
    return new Uint8Array(this.#memory.buffer, this.#planes[0]?.at, width * height * 1.5);
  }

  save(): void {
    this.#states.push({ matrix: this.#matrix, alpha: this.globalAlpha });
  }

  restore(): void {
    const state = this.#states.pop();
    if (!state) return;
    this.#matrix = state.matrix;
    this.globalAlpha = state.alpha;
  }

  translate(x: number, y: number): void {
    this.transform(1, 0, 0, 1, x, y);
  }

  scale(x: number, y: number): void {
    this.transform(x, 0, 0, y, 0, 0);
  }

  rotate(angle: number): void {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.transform(cos, sin, -sin, cos, 0, 0);
  }

  transform(a: number, b: number, c: number, d: number, e: number, f: number): void {
    const [A, B, C, D, E, F] = this.#matrix;
    this.#matrix = [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
  }

  drawImage(image: Pixels, ...place: number[]): void {
    const given = place.length === 8 ? place : [0, 0, image.width, image.height, ...place];
    const [sx = 0, sy = 0, sw = 0, sh = 0, dx = 0, dy = 0, dw = sw, dh = sh] = given;
    const opacity = Math.round(Math.min(1, Math.max(0, this.globalAlpha)) * 256);
    if (opacity === 0 || !(sw > 0 && sh > 0 && dw > 0 && dh > 0)) return;
    const source = this.#images.get(image) ?? this.#keep(image);
    const mapping = this.#mapping({ x: sx, y: sy, w: sw, h: sh }, { x: dx, y: dy, w: dw, h: dh });
    if (!mapping) return;
    const kept = source.part;
    const [left, top] = [Math.max(kept.x, sx), Math.max(kept.y, sy)];
    const part = {
      x: left - kept.x,
      y: top - kept.y,
      w: Math.min(kept.x + kept.w, sx + sw) - kept.x,
      h: Math.min(kept.y + kept.h, sy + sh) - kept.y,
    };
    if (part.x >= part.w || part.y >= part.h) return;
    const box = this.#boxOf({ x: dx, y: dy, w: dw, h: dh });
    const isUpright = Math.abs(mapping.vx) < 1e-9 && Math.abs(mapping.ux) < MOST_STEP;
    const { ux, uy, vx, vy } = mapping;
    for (const [i, plane] of this.#planes.entries()) {
      const ink = source.planes[i];
      if (!ink) continue;
      const u0 = (mapping.u0 - kept.x) * plane.k;
      const v0 = (mapping.v0 - kept.y) * plane.k;
      const u1 = part.x * plane.k;
      const u2 = part.w * plane.k;
      const v1 = part.y * plane.k;
      const v2 = part.h * plane.k;
      if (isUpright) {
        const opaqueFrom = Math.ceil(source.opaqueFrom * plane.k);
        // biome-ignore format: in the kernel's lines; spread lists would be made for each of thousands of calls.
        this.#kernel.blit(
          ink.ink, ink.alpha, ink.stride, ink.rows, opaqueFrom, this.#scratch.at,
          plane.at, plane.width, plane.height, u0, ux, uy, v0, vy, u1, u2, v1, v2, opacity,
        );
        continue;
      }
      const [left, top] = [Math.max(0, Math.floor(box.x * plane.k)), Math.max(0, Math.floor(box.y * plane.k))];
      const right = Math.min(plane.width, Math.ceil((box.x + box.w) * plane.k));
      const bottom = Math.min(plane.height, Math.ceil((box.y + box.h) * plane.k));
      if (left >= right || top >= bottom) continue;
      // biome-ignore format: as above.
      this.#kernel.blitTurned(
        ink.ink, ink.alpha, ink.stride, ink.rows, plane.at, plane.width, left, right, top, bottom,
        u0, ux, uy, v0, vx, vy, u1, u2, v1, v2, opacity,
      );
    }
  }

  /** Undefined where it is so flat that no pixel shows it. */
  #mapping(from: Rect, to: Rect): Mapping | undefined {
    const [a, b, c, d, e, f] = this.#matrix;
    const area = a * d - b * c;
    if (Math.abs(area) < 1e-9) return undefined;
    const [kx, ky] = [from.w / to.w, from.h / to.h];
    return {
      ux: (d / area) * kx,
      uy: (-c / area) * kx,
      u0: ((c * f - d * e) / area - to.x) * kx + from.x,
      vx: (-b / area) * ky,
      vy: (a / area) * ky,
      v0: ((b * e - a * f) / area - to.y) * ky + from.y,
    };
  }

  /** What a rectangle covers of the frame, once it is moved and turned. */
  #boxOf({ x, y, w, h }: Rect): Rect {
    const [a, b, c, d, e, f] = this.#matrix;
    const xs = [a * x + c * y, a * (x + w) + c * y, a * x + c * (y + h), a * (x + w) + c * (y + h)];
    const ys = [b * x + d * y, b * (x + w) + d * y, b * x + d * (y + h), b * (x + w) + d * (y + h)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { x: left + e, y: top + f, w: Math.max(...xs) - left, h: Math.max(...ys) - top };
  }

  #keep(image: Pixels): PlaneImage {
    const rgb = unconverted.get(image);
    const bytes = rgb?.pixels ?? image.data();
    if (rgb) delete rgb.pixels;
    const { width: w, height: h } = image;
    const shown = rgb?.part === 'painted' ? paintedOf(bytes, w, h) : rgb?.part;
    const part = shown ? whole(shown, image) : { x: 0, y: 0, w, h };
    const { w: width, h: height } = part;
    const [columns, rows] = [(width + 1) >> 1, (height + 1) >> 1];
    const [stride, half] = [strideOf(width), strideOf(columns)];
    const scratch = 2 * stride + COLUMNS * Math.ceil(this.#size.width / 8);
    if (scratch > this.#scratch.bytes) this.#scratch = { at: this.#take(scratch) + BEFORE, bytes: scratch };
    const [luma, alpha] = [this.#take(stride * height) + BEFORE, this.#take(stride * height) + BEFORE];
    const [u, v] = [this.#take(half * rows) + BEFORE, this.#take(half * rows) + BEFORE];
    const halfAlpha = this.#take(half * rows) + BEFORE;
    const pitch = image.width * 4;
    const rowsShown = bytes.subarray(part.y * pitch, (part.y + height) * pitch);
    // Behind all that is kept: the next image is put there again.
    const pixels = this.#free;
    this.#room(pixels + rowsShown.length);
    new Uint8Array(this.#memory.buffer).set(rowsShown, pixels);
    (bytes.buffer as ArrayBuffer).transfer(0);
    const weights = this.#weights + (rgb ? WEIGHTS : 0);
    const opaqueFrom = this.#kernel.split(
      ...[pixels + part.x * 4, pitch, width, height, weights, luma, alpha, stride, u, v, halfAlpha, half],
    );
    const kept = {
      opaqueFrom,
      part,
      planes: [
        { ink: luma, alpha, stride, rows: height, k: 1 },
        { ink: u, alpha: halfAlpha, stride: half, rows, k: 0.5 },
        { ink: v, alpha: halfAlpha, stride: half, rows, k: 0.5 },
      ],
    };
    this.#images.set(image, kept);
    return kept;
  }

  /** Memory that is never given back: it ends with the video. */
  #take(bytes: number): number {
    const at = this.#free;
    this.#free = (at + bytes + 63) & ~15;
    this.#room(this.#free);
    return at;
  }

  /**
   * Grows by as much as there is, within bounds: at each growth the garbage collector is given all of it anew as one buffer, and
   * after a few it marks the whole heap (a quarter of the cost of a video with people, whose poses come one by one).
   */
  #room(end: number): void {
    const { byteLength } = this.#memory.buffer;
    const missing = Math.ceil((end + 64 - byteLength) / PAGE_BYTES);
    if (missing > 0) this.#memory.grow(Math.max(missing, Math.min(byteLength / PAGE_BYTES, MOST_GROWN)));
  }
}

/** The same in whole pixels of the image, from even ones on: chroma has one for two. */
function whole({ x, y, w, h }: Readonly<Rect>, image: { width: number; height: number }): Rect {
  const [left, top] = [Math.floor(x / 2) * 2, Math.floor(y / 2) * 2];
  const right = Math.min(image.width, Math.ceil((x + w) / 2) * 2);
  const bottom = Math.min(image.height, Math.ceil((y + h) / 2) * 2);
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/** The part of an image that is not transparent, found by every second row and column; a pixel where nothing is. */
function paintedOf(bytes: Uint8Array, width: number, height: number): Rect {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += 2) {
    const row = y * width * 4 + 3;
    let x = 0;
    while (x < left && bytes[row + x * 4] === 0) x += 2;
    if (x >= left && x >= width) continue;
    let end = width - 1;
    while (end > right && bytes[row + end * 4] === 0) end -= 2;
    if (end <= right && x >= left) {
      // Between the edges known so far there may be something, too.
      let within = left;
      while (within <= right && bytes[row + within * 4] === 0) within += 2;
      if (within > right) continue;
    }
    left = Math.min(left, x);
    right = Math.max(right, end);
    top = Math.min(top, y);
    bottom = y;
  }
  if (right < left) return { x: 0, y: 0, w: 1, h: 1 };
  const [x, y] = [Math.max(0, left - 2), Math.max(0, top - 2)];
  return { x, y, w: Math.min(width, right + 3) - x, h: Math.min(height, bottom + 3) - y };
}
