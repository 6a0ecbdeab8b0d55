/**
 * Decoded frames brought to another size without leaving the encoder's colours: each plane of I420 is scaled by itself,
 * and what does not fit the proportions is cut at both sides alike. It knows no colours and converts none.
 */

interface Size {
  width: number;
  height: number;
}

/** Where each place of a row or column is read: the nearer pixel, and the share of the next one in 1/256. */
interface Taps {
  at: Int32Array;
  share: Int32Array;
}

/**
 * Fills `to` (I420, even sides) with the middle of `from` (I420, sides rounded up for chroma). Bilinear: videos are made
 * a little smaller or larger here, not into thumbnails.
 */
export function coverI420(from: Uint8Array, source: Size, to: Uint8Array, target: Size): void {
  if (source.width === target.width && source.height === target.height) {
    to.set(from.subarray(0, to.length));
    return;
  }
  const k = Math.min(source.width / target.width, source.height / target.height);
  let read = 0;
  let written = 0;
  for (const halved of [1, 2, 2]) {
    const [w, h] = [Math.ceil(source.width / halved), Math.ceil(source.height / halved)];
    const [tw, th] = [target.width / halved, target.height / halved];
    const plane = from.subarray(read, read + w * h);
    scalePlane(plane, w, taps(w, tw, k), taps(h, th, k), to.subarray(written, written + tw * th));
    read += w * h;
    written += tw * th;
  }
}

function taps(from: number, to: number, k: number): Taps {
  const at = new Int32Array(to);
  const share = new Int32Array(to);
  const start = (from - to * k) / 2;
  for (let i = 0; i < to; i++) {
    const place = Math.min(from - 1, Math.max(0, start + (i + 0.5) * k - 0.5));
    // The last pixel has no next one: it is reached from the one before it.
    const first = Math.min(Math.max(0, from - 2), Math.floor(place));
    at[i] = first;
    share[i] = Math.round((place - first) * 256);
  }
  return { at, share };
}

function scalePlane(plane: Uint8Array, stride: number, across: Taps, down: Taps, to: Uint8Array): void {
  const width = across.at.length;
  for (let y = 0, out = 0; y < down.at.length; y++) {
    const upper = (down.at[y] as number) * stride;
    const lower = upper + stride < plane.length ? upper + stride : upper;
    const below = down.share[y] as number;
    for (let x = 0; x < width; x++, out++) {
      const left = across.at[x] as number;
      const right = across.share[x] as number;
      const a = plane[upper + left] as number;
      const b = plane[lower + left] as number;
      const top = (a << 8) + ((plane[upper + left + 1] as number) - a) * right;
      const bottom = (b << 8) + ((plane[lower + left + 1] as number) - b) * right;
      to[out] = ((top << 8) + (bottom - top) * below + 32_768) >> 16;
    }
  }
}
