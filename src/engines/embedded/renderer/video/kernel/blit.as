/**
 * What paints a frame of a video: a premultiplied plane (Y, U or V) with its alpha plane laid over a plane of the frame, moved, scaled,
 * mirrored and skewed (`blit`), or turned as well (`blitTurned`). AssemblyScript, because a plane of bytes sixteen at a time
 * costs a fifth of what four channels of a canvas do. `npm run kernel` compiles it to blit.wasm beside it. It allocates nothing:
 * addresses are the caller's (`planes-canvas.ts`).
 *
 * A source's rows may be read 32 bytes before their first and 64 beyond their last pixel; what is there repeats the edge.
 * Places of the source are counted from the corner of its first pixel: that pixel's middle is at 0.5.
 */

/** (a * (128 - share) + b * share) / 128, eight values of 16 bits. */
// @ts-ignore: decorator
@inline
function mix(a: v128, b: v128, share: v128): v128 {
  const sum = i16x8.add(i16x8.shl(a, 7), i16x8.mul(i16x8.sub(b, a), share));
  return i16x8.shr_u(i16x8.add(sum, i16x8.splat(64)), 7);
}

/** Between two rows, from place `from` to `to`, into `row`; the upper one itself where nothing is between. */
function mixRows(row: usize, upper: usize, lower: usize, share: i32, from: i32, to: i32): usize {
  if (share == 0) return upper;
  const shares = i16x8.splat(<i16>share);
  for (let at = from; at < to; at += 16) {
    const a = v128.load(upper + at);
    const b = v128.load(lower + at);
    const low = mix(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b), shares);
    const high = mix(i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(b), shares);
    v128.store(row + at, i8x16.narrow_i16x8_u(low, high));
  }
  return row;
}

/** `under` * (255 - alpha) / 255 + over, exact; eight values of 16 bits. */
// @ts-ignore: decorator
@inline
function lay(under: v128, over: v128, alpha: v128): v128 {
  const seen = i16x8.add(i16x8.mul(under, i16x8.sub(i16x8.splat(255), alpha)), i16x8.splat(128));
  return i16x8.add(over, i16x8.shr_u(i16x8.add(seen, i16x8.shr_u(seen, 8)), 8));
}

/**
 * @param opaqueFrom from this row of the source on its alpha is 255 throughout, and not read
 * @param scratch twice `stride` bytes
 * @param u the place in the source of the frame's corner (0, 0); `ux` and `uy` what a pixel to the right and below adds; v, vy alike
 * @param u1 only pixels whose middle is shown from between u1 and u2, v1 and v2 are painted
 * @param opacity 0 to 256
 */
export function blit(
  source: usize, alpha: usize, stride: i32, rows: i32, opaqueFrom: i32, scratch: usize,
  frame: usize, width: i32, height: i32,
  u: f64, ux: f64, uy: f64, v: f64, vy: f64, u1: f64, u2: f64, v1: f64, v2: f64, opacity: i32,
): void {
  const ya = (v1 - v) / vy;
  const yb = (v2 - v) / vy;
  const top = <i32>max(0.0, ceil(min(ya, yb) - 0.5));
  const bottom = <i32>min(<f64>height, ceil(max(ya, yb) - 0.5));
  const step = <i32>nearest(ux * 65536.0);
  const lanes = i32x4.mul(i32x4.splat(step), i32x4(0, 1, 2, 3));
  const four = i32x4.splat(4 * step);
  const isUnit = step == 65536;
  const backward = step < 0 ? 7 * step : 0;
  const opacities = i16x8.splat(<i16>opacity);
  for (let y = top; y < bottom; y++) {
    const middle = <f64>y + 0.5;
    const start = u + uy * middle;
    const xa = (u1 - start) / ux;
    const xb = (u2 - start) / ux;
    const left = <i32>max(0.0, ceil(min(xa, xb) - 0.5));
    const right = <i32>min(<f64>width, ceil(max(xa, xb) - 0.5));
    if (left >= right) continue;
    const down = min<i32>((rows - 1) << 16, max<i32>(0, <i32>floor((v + vy * middle - 0.5) * 65536.0)));
    const first = down >> 16;
    const second = min<i32>(first + 1, rows - 1);
    const share = (down >> 9) & 127;
    const x0 = <i32>floor((start + ux * (<f64>left + 0.5) - 0.5) * 65536.0);
    const end = x0 + (right - left) * step;
    const from = (min<i32>(x0, end) >> 16) - 16;
    const to = (max<i32>(x0, end) >> 16) + 32;
    const ink = mixRows(scratch, source + first * stride, source + second * stride, share, from, to);
    const isOpaque = first >= opaqueFrom;
    const veil: usize = isOpaque ? <usize>0 : mixRows(scratch + <usize>stride, alpha + first * stride, alpha + second * stride, share, from, to);
    const isWhole = isOpaque && opacity == 256;
    const out = frame + y * width;
    let shares = i16x8.splat(<i16>((x0 >> 9) & 127));
    let places = i32x4.add(i32x4.splat(x0), lanes);
    const stride8 = i32x4.splat(8 * step);
    for (let x = left, at = x0; x < right; x += 8, at += 8 * step, places = i32x4.add(places, stride8)) {
      const base = (at + backward) >> 16;
      let index = i64x2.splat(0);
      if (!isUnit) {
        const next = i32x4.add(places, four);
        const origin = i32x4.splat(base);
        const near = i16x8.narrow_i32x4_s(i32x4.sub(i32x4.shr_s(places, 16), origin), i32x4.sub(i32x4.shr_s(next, 16), origin));
        index = i8x16.narrow_i16x8_u(near, near);
        const seven = i32x4.splat(127);
        shares = i16x8.narrow_i32x4_s(v128.and(i32x4.shr_s(places, 9), seven), v128.and(i32x4.shr_s(next, 9), seven));
      }
      let veils = i16x8.splat(255);
      if (!isOpaque) {
        let a = v128.load(veil + base);
        let b = v128.load(veil + base, 1);
        if (!isUnit) {
          a = i8x16.swizzle(a, index);
          b = i8x16.swizzle(b, index);
        }
        veils = mix(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b), shares);
        if (!v128.any_true(veils)) continue;
      }
      let a = v128.load(ink + base);
      let b = v128.load(ink + base, 1);
      if (!isUnit) {
        a = i8x16.swizzle(a, index);
        b = i8x16.swizzle(b, index);
      }
      let inks = mix(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b), shares);
      const address = out + x;
      if (!isWhole) {
        if (opacity != 256) {
          inks = i16x8.shr_u(i16x8.mul(inks, opacities), 8);
          veils = i16x8.shr_u(i16x8.mul(veils, opacities), 8);
        }
        inks = lay(i16x8.extend_low_i8x16_u(v128.load64_zero(address)), inks, veils);
      }
      const bytes = i64x2.extract_lane(i8x16.narrow_i16x8_u(inks, inks), 0);
      const rest = right - x;
      if (rest >= 8) store<i64>(address, bytes);
      else {
        const mask = ((<i64>1) << (8 * rest)) - 1;
        store<i64>(address, (bytes & mask) | (load<i64>(address) & ~mask));
      }
    }
  }
}

/** The same where rows are turned, or made so much smaller that neighbours are far apart; for small things: eight pixels at a time where they are nearly level. */
export function blitTurned(
  source: usize, alpha: usize, stride: i32, rows: i32,
  frame: usize, width: i32, left: i32, right: i32, top: i32, bottom: i32,
  u: f64, ux: f64, uy: f64, v: f64, vx: f64, vy: f64, u1: f64, u2: f64, v1: f64, v2: f64, opacity: i32,
): void {
  const uA = fixed(u1);
  const uB = fixed(u2);
  const vA = fixed(v1);
  const vB = fixed(v2);
  const across = fixed(ux);
  const along = fixed(vx);
  // Eight neighbours are shown from fewer than sixteen columns and three rows of the source.
  const opacities = i16x8.splat(<i16>opacity);
  const isNearlyLevel = abs(ux) < 1.75 && abs(vx) < 0.125;
  for (let y = top; y < bottom; y++) {
    const inU = u + uy * (<f64>y + 0.5);
    const inV = v + vy * (<f64>y + 0.5);
    const from = max<i32>(left, max<i32>(firstWithin(inU, ux, u1, u2), firstWithin(inV, vx, v1, v2)));
    const to = min<i32>(right, min<i32>(lastWithin(inU, ux, u1, u2), lastWithin(inV, vx, v1, v2)));
    if (from >= to) continue;
    let x = fixed(inU + ux * (<f64>from + 0.5));
    let d = fixed(inV + vx * (<f64>from + 0.5));
    const end = frame + y * width + to;
    let next = isNearlyLevel ? frame + y * width + from : end;
    for (let address = frame + y * width + from; address < end; address++, x += across, d += along) {
      if (address >= next && address + 8 <= end) {
        const last = x + 7 * across;
        const deepest = d + 7 * along;
        const first = max<i32>(0, min<i32>(d, deepest) - 32768) >> 16;
        const base = (min<i32>(x, last) - 32768) >> 16;
        const row0 = min<i32>(first, rows - 1) * stride + base;
        const row1 = min<i32>(first + 1, rows - 1) * stride + base;
        const row2 = min<i32>(first + 2, rows - 1) * stride + base;
        const a0 = v128.load(alpha + row0);
        const a1 = v128.load(alpha + row1);
        const a2 = v128.load(alpha + row2);
        const isEmpty = !v128.any_true(v128.or(a0, v128.or(a1, a2)));
        if (isEmpty || (min(x, last) >= uA && max(x, last) < uB && min(d, deepest) >= vA && max(d, deepest) < vB)) {
          if (!isEmpty) {
            const places = i32x4.add(i32x4.splat(x - 32768), i32x4.mul(i32x4.splat(across), i32x4(0, 1, 2, 3)));
            const places2 = i32x4.add(places, i32x4.splat(4 * across));
            const none = i32x4.splat(0);
            const depths = i32x4.add(i32x4.splat(d - 32768), i32x4.mul(i32x4.splat(along), i32x4(0, 1, 2, 3)));
            const downs = i32x4.max_s(depths, none);
            const downs2 = i32x4.max_s(i32x4.add(depths, i32x4.splat(4 * along)), none);
            const index = wholes(places, places2, base);
            const isUpper = i16x8.eq(wholes(downs, downs2, first), none);
            const right = shares(places, places2);
            const below = shares(downs, downs2);
            let veils = taps(a0, a1, a2, index, isUpper, right, below);
            const i0 = v128.load(source + row0);
            const i1 = v128.load(source + row1);
            const i2 = v128.load(source + row2);
            let inks = taps(i0, i1, i2, index, isUpper, right, below);
            if (opacity != 256) {
              inks = i16x8.shr_u(i16x8.mul(inks, opacities), 8);
              veils = i16x8.shr_u(i16x8.mul(veils, opacities), 8);
            }
            inks = lay(i16x8.extend_low_i8x16_u(v128.load64_zero(address)), inks, veils);
            v128.store64_lane(address, i8x16.narrow_i16x8_u(inks, inks), 0);
          }
          address += 7;
          x = last;
          d = deepest;
          next = address + 1;
          continue;
        }
        next = address + 8;
      }
      if (x < uA || x >= uB || d < vA || d >= vB) continue;
      const px = x - 32768;
      const py = max<i32>(0, d - 32768);
      const row = min<i32>(py >> 16, rows - 1);
      const at = row * stride + (px >> 16);
      const below = row + 1 < rows ? stride : 0;
      // Nothing is painted in most of the box round a turned thing.
      if ((load<u16>(alpha + at) | load<u16>(alpha + at + below)) == 0) continue;
      const fx = (px >> 8) & 255;
      const fy = (py >> 8) & 255;
      const veil = (tap(alpha + at, below, fx, fy) * opacity) >> 8;
      if (veil == 0) continue;
      const ink = (tap(source + at, below, fx, fy) * opacity) >> 8;
      const seen = load<u8>(address) * (255 - veil) + 128;
      store<u8>(address, ink + ((seen + (seen >> 8)) >> 8));
    }
  }
}

/** The whole pixels of eight places in 1/65536, beyond `from`. */
// @ts-ignore: decorator
@inline
function wholes(places: v128, others: v128, from: i32): v128 {
  const origin = i32x4.splat(from);
  return i16x8.narrow_i32x4_s(i32x4.sub(i32x4.shr_s(places, 16), origin), i32x4.sub(i32x4.shr_s(others, 16), origin));
}

/** What they have beyond whole pixels, in 1/128. */
// @ts-ignore: decorator
@inline
function shares(places: v128, others: v128): v128 {
  const most = i32x4.splat(127);
  return i16x8.narrow_i32x4_s(v128.and(i32x4.shr_s(places, 9), most), v128.and(i32x4.shr_s(others, 9), most));
}

/** Eight pixels between three rows: where `isUpper`, between the first two of them. */
// @ts-ignore: decorator
@inline
function taps(row0: v128, row1: v128, row2: v128, index: v128, isUpper: v128, right: v128, below: v128): v128 {
  const at = i8x16.narrow_i16x8_u(index, index);
  const beside = i8x16.add(at, i8x16.splat(1));
  const first = mix(i16x8.extend_low_i8x16_u(i8x16.swizzle(row0, at)), i16x8.extend_low_i8x16_u(i8x16.swizzle(row0, beside)), right);
  const second = mix(i16x8.extend_low_i8x16_u(i8x16.swizzle(row1, at)), i16x8.extend_low_i8x16_u(i8x16.swizzle(row1, beside)), right);
  const third = mix(i16x8.extend_low_i8x16_u(i8x16.swizzle(row2, at)), i16x8.extend_low_i8x16_u(i8x16.swizzle(row2, beside)), right);
  return mix(v128.bitselect(first, second, isUpper), v128.bitselect(second, third, isUpper), below);
}

/** The first pixel of a row, one too early at most, that is shown from between `low` and `high`: place = start + step * (x + 0.5). */
function firstWithin(start: f64, step: f64, low: f64, high: f64): i32 {
  if (abs(step) < 1e-9) return start >= low && start < high ? 0 : i32.MAX_VALUE;
  return <i32>max(0.0, min(1e6, floor(min((low - start) / step, (high - start) / step)) - 1.0));
}

/** The pixel behind the last one, one too late at most. */
function lastWithin(start: f64, step: f64, low: f64, high: f64): i32 {
  if (abs(step) < 1e-9) return i32.MAX_VALUE;
  return <i32>max(0.0, min(1e6, ceil(max((low - start) / step, (high - start) / step)) + 1.0));
}

// @ts-ignore: decorator
@inline
function fixed(value: f64): i32 {
  return <i32>floor(value * 65536.0);
}

// @ts-ignore: decorator
@inline
function tap(at: usize, below: usize, fx: i32, fy: i32): i32 {
  const a = <i32>load<u8>(at);
  const b = <i32>load<u8>(at + 1);
  const c = <i32>load<u8>(at + below);
  const d = <i32>load<u8>(at + below + 1);
  const upper = (a << 8) + (b - a) * fx;
  const lower = (c << 8) + (d - c) * fx;
  return ((upper << 8) + (lower - upper) * fy + 32768) >> 16;
}

/** Four pixels, two in each vector, weighed by `weights` for red, green, blue and alpha, twice. */
// @ts-ignore: decorator
@inline
function weigh(a: v128, b: v128, weights: v128): v128 {
  const one = i32x4.dot_i16x8_s(a, weights);
  const other = i32x4.dot_i16x8_s(b, weights);
  return i32x4.add(v128.shuffle<i32>(one, other, 0, 2, 4, 6), v128.shuffle<i32>(one, other, 1, 3, 5, 7));
}

/** Sums of 2 x 2 pixels: two sums of four values of 16 bits. */
// @ts-ignore: decorator
@inline
function quads(upper: v128, lower: v128): v128 {
  const left = i16x8.add(i16x8.extend_low_i8x16_u(upper), i16x8.extend_low_i8x16_u(lower));
  const right = i16x8.add(i16x8.extend_high_i8x16_u(upper), i16x8.extend_high_i8x16_u(lower));
  return i16x8.add(v128.shuffle<i64>(left, right, 0, 2), v128.shuffle<i64>(left, right, 1, 3));
}

/** Sums of four pixels, weighed to 1/131072, as bytes. */
// @ts-ignore: decorator
@inline
function chroma(a: v128, b: v128, weights: v128): u32 {
  // Half of one, and what a weight of 32767 instead of 32768 takes from a sum.
  const sums = i32x4.shr_s(i32x4.add(weigh(a, b, weights), i32x4.splat(65536 + 1024)), 17);
  const words = i16x8.narrow_i32x4_s(sums, sums);
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0);
}

function lumaRow(from: usize, width: i32, weights: v128, luma: usize, alpha: usize): void {
  const half = i32x4.splat(16384);
  for (let x = 0; x < width; x += 8) {
    const a = v128.load(from + (x << 2));
    const b = v128.load(from + (x << 2), 16);
    const first = weigh(i16x8.extend_low_i8x16_u(a), i16x8.extend_high_i8x16_u(a), weights);
    const last = weigh(i16x8.extend_low_i8x16_u(b), i16x8.extend_high_i8x16_u(b), weights);
    const words = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(first, half), 15), i32x4.shr_s(i32x4.add(last, half), 15));
    v128.store64_lane(luma + x, i8x16.narrow_i16x8_u(words, words), 0);
    v128.store64_lane(alpha + x, v128.shuffle<u8>(a, b, 3, 7, 11, 15, 19, 23, 27, 31, 3, 7, 11, 15, 19, 23, 27, 31), 0);
  }
  pad(luma, width);
  pad(alpha, width);
}

/** Of the pixels of two rows from place `x` on, eight of each, to four bytes of each plane from place `x / 2` on. */
// @ts-ignore: decorator
@inline
function store4(a: v128, b: v128, weights: usize, u: usize, v: usize, alpha: usize): void {
  store<u32>(u, chroma(a, b, v128.load(weights, 16)));
  store<u32>(v, chroma(a, b, v128.load(weights, 32)));
  const alphas = i16x8.add(v128.shuffle<i16>(a, b, 3, 7, 11, 15, 3, 7, 11, 15), i16x8.splat(2));
  const words = i16x8.shr_u(alphas, 2);
  store<u32>(alpha, i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0));
}

/**
 * Takes premultiplied pixels (red, green, blue, alpha; 64 bytes behind them may be read) apart: Y and alpha into two planes with
 * `stride`, U, V and alpha of each four pixels into three of half the size with `half`. Edges are repeated beside the rows.
 * Returns the row from which on all is opaque.
 * @param pitch bytes from a row of pixels to the next
 * @param weights of Y, U and V: each twice four weights of 16 bits, in 1/32768, for red, green, blue and alpha
 */
export function split(
  pixels: usize, pitch: i32, width: i32, height: i32, weights: usize,
  luma: usize, alpha: usize, stride: i32, u: usize, v: usize, halfAlpha: usize, half: i32,
): i32 {
  const ys = v128.load(weights);
  const columns = (width + 1) >> 1;
  for (let y = 0; y < height; y += 2) {
    const upper = pixels + y * pitch;
    const lower = y + 1 < height ? upper + pitch : upper;
    lumaRow(upper, width, ys, luma + y * stride, alpha + y * stride);
    if (lower != upper) lumaRow(lower, width, ys, luma + (y + 1) * stride, alpha + (y + 1) * stride);
    const to = (y >> 1) * half;
    for (let x = 0; x < columns; x += 4) {
      const at = x << 3;
      const a = quads(v128.load(upper + at), v128.load(lower + at));
      const b = quads(v128.load(upper + at, 16), v128.load(lower + at, 16));
      store4(a, b, weights, u + to + x, v + to + x, halfAlpha + to + x);
    }
    if (width & 1) {
      const at = (width - 1) << 2;
      const last = quads(v128.load32_splat(upper + at), v128.load32_splat(lower + at));
      const end = to + columns - 1;
      store4(last, last, weights, u + end, v + end, halfAlpha + end);
    }
    pad(u + to, columns);
    pad(v + to, columns);
    pad(halfAlpha + to, columns);
  }
  let opaqueFrom = height;
  while (opaqueFrom > 0 && isOpaqueRow(alpha + (opaqueFrom - 1) * stride, width)) opaqueFrom--;
  return opaqueFrom;
}

function isOpaqueRow(row: usize, width: i32): bool {
  for (let x = 0; x < width; x += 16) if (!i8x16.all_true(i8x16.eq(v128.load(row + x), i8x16.splat(-1)))) return false;
  return true;
}

function pad(row: usize, width: i32): void {
  memory.fill(row - 32, load<u8>(row), 32);
  memory.fill(row + width, load<u8>(row + width - 1), 64);
}
