/**
 * Pixels between RGBA and I420, limited range. Ours because the native `copyTo` converts every frame with the
 * BT.601 matrix (measured: pure red of a BT.709 video came back as 232, pure green as 15,234,5).
 */

/** Planes one after another: Y (width x height), then U and V at half size, rounded up. */
export interface Planes {
  width: number;
  height: number;
  y: Uint8Array;
  u: Uint8Array;
  v: Uint8Array;
}

interface Weights {
  red: number;
  blue: number;
}

/** Weights of BT.709, for HD video. */
export const BT709: Weights = { red: 0.2126, blue: 0.0722 };
/** Weights of BT.601, for SD video and JPEG. */
export const BT601: Weights = { red: 0.299, blue: 0.114 };

/** Views of one contiguous I420 buffer. */
export function planesOf(i420: Uint8Array, width: number, height: number): Planes {
  const luma = width * height;
  const chroma = Math.ceil(width / 2) * Math.ceil(height / 2);
  const u = i420.subarray(luma, luma + chroma);
  return { width, height, y: i420.subarray(0, luma), u, v: i420.subarray(luma + chroma, luma + 2 * chroma) };
}

/** A copy of planes that may be drawn on. */
export function copyPlanes({ width, height, y, u, v }: Planes): Planes {
  return { width, height, y: y.slice(), u: u.slice(), v: v.slice() };
}

const byte = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : value + 0.5) | 0;

/** One contiguous I420 buffer in BT.709 of an RGBA frame (alpha ignored). Width and height must be even. */
export function toI420(rgba: Uint8Array, width: number, height: number): Uint8Array {
  const { red, blue } = BT709;
  const out = new Uint8Array((width * height * 3) / 2);
  const { y, u, v } = planesOf(out, width, height);
  const uScale = 224 / 255 / (2 * (1 - blue)) / 4;
  const vScale = 224 / 255 / (2 * (1 - red)) / 4;
  for (let row = 0; row < height; row += 2) {
    for (let column = 0; column < width; column += 2) {
      let sumR = 0;
      let sumB = 0;
      let sumL = 0;
      for (let part = 0; part < 4; part++) {
        const pixel = (row + (part >> 1)) * width + column + (part & 1);
        const r = rgba[pixel * 4] as number;
        const b = rgba[pixel * 4 + 2] as number;
        const luma = red * r + blue * b + (1 - red - blue) * (rgba[pixel * 4 + 1] as number);
        y[pixel] = byte(16 + (luma * 219) / 255);
        sumR += r;
        sumB += b;
        sumL += luma;
      }
      const at = (row >> 1) * (width >> 1) + (column >> 1);
      u[at] = byte(128 + (sumB - sumL) * uScale);
      v[at] = byte(128 + (sumR - sumL) * vScale);
    }
  }
  return out;
}

/** RGBA, opaque, of I420 planes. @param matrix the weights the frame was coded with. */
export function toRgba(planes: Planes, matrix: Weights = BT709): Uint8Array {
  const { width, height, y, u, v } = planes;
  const { red, blue } = matrix;
  const green = 1 - red - blue;
  const half = Math.ceil(width / 2);
  const rgba = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = (row >> 1) * half + (column >> 1);
      const luma = (((y[row * width + column] as number) - 16) * 255) / 219;
      const r = luma + ((((v[at] as number) - 128) * 255) / 224) * 2 * (1 - red);
      const b = luma + ((((u[at] as number) - 128) * 255) / 224) * 2 * (1 - blue);
      const pixel = (row * width + column) * 4;
      rgba[pixel] = byte(r);
      rgba[pixel + 1] = byte((luma - red * r - blue * b) / green);
      rgba[pixel + 2] = byte(b);
      rgba[pixel + 3] = 255;
    }
  }
  return rgba;
}
