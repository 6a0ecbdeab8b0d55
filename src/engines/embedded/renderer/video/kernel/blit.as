/**
 * What paints a frame of a video: a premultiplied plane (Y, U or V) with its alpha plane laid over a plane of the frame, moved, scaled,
 * mirrored and skewed (`blit`), or turned as well (`blitTurned`). AssemblyScript, because a plane of bytes sixteen at a time
 * costs a fifth of what four channels of a canvas do. `npm run kernel` compiles it to blit.wasm beside it. It allocates nothing:
 * addresses are the caller's (`planes-canvas.ts`).
 *
 * A source's rows may be read 32 bytes before their first and 64 beyond their last pixel; what is there repeats the edge.
 * Places of the source are counted from the corner of its first pixel: that pixel's middle is at 0.5.
 *
 * Relaxed instructions are used where all processors do the same by them: weights of 7 bits, and indices below 16. They halve the
 * time of a layer.
 */

/** What the weights of two neighbours come to; they are 7 bits in the vectors' fast product. */
const ONE: i32 = 64;
/** What makes sums of signed bytes unsigned again, and rounds them. */
const UNSIGN: i32 = 128 * ONE + ONE / 2;
/** Makes unsigned bytes signed, less 128, as that product takes them. */
const SIGN: i32 = 0x80;
/** Bytes of what is known of eight columns: pairs, weights, place. */
const COLUMNS: usize = 48;

/**
 * 0, which the compiler does not know: of what it knows to be constant V8 makes a vector anew at each use, by three
 * instructions, and only what it does not know stays in a register (a quarter of the time).
 */
// @ts-ignore: decorator
@inline
function zeroOf(opacity: i32): i32 {
  return opacity >> 16;
}

/** Sums of neighbouring bytes (signed) by their weights, rounded to 1/64, and unsigned again: eight values of 16 bits. */
// @ts-ignore: decorator
@inline
function weighed(pairs: v128, weights: v128, unsign: v128): v128 {
  return i16x8.shr_u(i16x8.add(i16x8.relaxed_dot_i8x16_i7x16_s(pairs, weights), unsign), 6);
}

/** The weights of eight pairs: what is beyond the first of each, in 1/64. */
// @ts-ignore: decorator
@inline
function weightsOf(shares: v128, full: v128, one: v128): v128 {
  return i16x8.add(i16x8.mul(shares, full), one);
}

/** Which bytes eight pairs of neighbours are: each place and the next. */
// @ts-ignore: decorator
@inline
function pairsOf(places: v128, twice: v128, next: v128): v128 {
  return i16x8.add(i16x8.mul(places, twice), next);
}

/** Between two rows of sixteen bytes, signed, by `weights` of each pair. */
// @ts-ignore: decorator
@inline
function mixRow(upper: v128, lower: v128, weights: v128, sign: v128, half: v128): v128 {
  const a = v128.xor(upper, sign);
  const b = v128.xor(lower, sign);
  const low = v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const high = v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  return i8x16.narrow_i16x8_s(
    i16x8.shr_s(i16x8.add(i16x8.relaxed_dot_i8x16_i7x16_s(low, weights), half), 6),
    i16x8.shr_s(i16x8.add(i16x8.relaxed_dot_i8x16_i7x16_s(high, weights), half), 6),
  );
}

/** Eight pixels of a row of signed bytes, at the columns that `columns` says. */
// @ts-ignore: decorator
@inline
function across(row: usize, columns: usize, unsign: v128): v128 {
  const bytes = v128.load(row + load<i32>(columns, 32));
  return weighed(i8x16.relaxed_swizzle(bytes, v128.load(columns)), v128.load(columns, 16), unsign);
}

/** Where `pixels` of a row are read, eight by eight, into `columns`. */
function spread(columns: usize, start: i32, step: i32, pixels: i32, zero: i32): void {
  const full = i16x8.splat(<i16>(255 + zero));
  const one = i16x8.splat(<i16>(ONE + zero));
  const most = i32x4.splat(ONE - 1 + zero);
  const twice = i16x8.splat(<i16>(257 + zero));
  const second = i16x8.splat(<i16>(256 + zero));
  const four = i32x4.splat(4 * step);
  const eight = i32x4.splat(8 * step);
  const backward = step < 0 ? 7 * step : 0;
  let places = i32x4.add(i32x4.splat(start), i32x4.mul(i32x4.splat(step), i32x4(0, 1, 2, 3)));
  for (let x = 0, at = start; x < pixels; x += 8, at += 8 * step, columns += COLUMNS) {
    const base = (at + backward) >> 16;
    const next = i32x4.add(places, four);
    v128.store(columns, pairsOf(wholes(places, next, base), twice, second));
    v128.store(columns, weightsOf(shares(places, next, most), full, one), 16);
    store<i32>(columns, base, 32);
    places = i32x4.add(places, eight);
  }
}

/** `under` * (255 - alpha) / 255 + over, exact; eight values of 16 bits. */
// @ts-ignore: decorator
@inline
function lay(under: v128, over: v128, alpha: v128, full: v128, half: v128): v128 {
  const seen = i16x8.add(i16x8.mul(under, i16x8.sub(full, alpha)), half);
  return i16x8.add(over, i16x8.shr_u(i16x8.add(seen, i16x8.shr_u(seen, 8)), 8));
}

/**
 * @param opaqueFrom from this row of the source on its alpha is 255 throughout, and not read
 * @param scratch twice `stride` bytes, and behind them `COLUMNS` for each eight pixels of the frame's width
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
  const opacities = i16x8.splat(<i16>opacity);
  const zero = zeroOf(opacity);
  const sign = i8x16.splat(<i8>(SIGN + zero));
  const half = i16x8.splat(<i16>(ONE / 2 + zero));
  const unsign = i16x8.splat(<i16>(UNSIGN + zero));
  const full = i16x8.splat(<i16>(255 + zero));
  const one = i16x8.splat(<i16>(ONE + zero));
  const middle = i16x8.splat(<i16>(128 + zero));
  const ink = scratch;
  const veil = scratch + <usize>stride;
  const columns = veil + <usize>stride;
  let spreadFrom = i32.MIN_VALUE;
  let spreadTo = 0;
  for (let y = top; y < bottom; y++) {
    const start = u + uy * (<f64>y + 0.5);
    const xa = (u1 - start) / ux;
    const xb = (u2 - start) / ux;
    const left = <i32>max(0.0, ceil(min(xa, xb) - 0.5));
    const right = <i32>min(<f64>width, ceil(max(xa, xb) - 0.5));
    if (left >= right) continue;
    const down = min<i32>((rows - 1) << 16, max<i32>(0, <i32>floor((v + vy * (<f64>y + 0.5) - 0.5) * 65536.0)));
    const first = down >> 16;
    const second = min<i32>(first + 1, rows - 1);
    const weights = weightsOf(i16x8.splat(<i16>((down >> 10) & (ONE - 1))), full, one);
    const x0 = <i32>floor((start + ux * (<f64>left + 0.5) - 0.5) * 65536.0);
    if (x0 != spreadFrom || right - left > spreadTo) {
      spreadFrom = x0;
      spreadTo = right - left;
      spread(columns, x0, step, spreadTo, zero);
    }
    const end = x0 + (right - left) * step;
    const from = (min<i32>(x0, end) >> 16) - 16;
    const to = (max<i32>(x0, end) >> 16) + 32;
    const isOpaque = first >= opaqueFrom;
    const isWhole = isOpaque && opacity == 256;
    const ink0 = source + first * stride;
    const ink1 = source + second * stride;
    const veil0 = alpha + first * stride;
    const veil1 = alpha + second * stride;
    let isEmpty = true;
    for (let at = from; at < to; at += 16) {
      if (!isOpaque) {
        const a = v128.load(veil0 + at);
        const b = v128.load(veil1 + at);
        if (!v128.any_true(v128.or(a, b))) {
          v128.store(veil + at, sign);
          v128.store(ink + at, sign);
          continue;
        }
        v128.store(veil + at, mixRow(a, b, weights, sign, half));
      }
      isEmpty = false;
      v128.store(ink + at, mixRow(v128.load(ink0 + at), v128.load(ink1 + at), weights, sign, half));
    }
    if (isEmpty) continue;
    let address = frame + y * width + left;
    for (let rest = right - left, column = columns; rest > 0; rest -= 8, address += 8, column += COLUMNS) {
      let veils = full;
      if (!isOpaque) {
        veils = across(veil, column, unsign);
        if (!v128.any_true(veils)) continue;
      }
      let inks = across(ink, column, unsign);
      if (opacity != 256) {
        inks = i16x8.shr_u(i16x8.mul(inks, opacities), 8);
        veils = i16x8.shr_u(i16x8.mul(veils, opacities), 8);
      }
      if (!isWhole) inks = lay(i16x8.extend_low_i8x16_u(v128.load64_zero(address)), inks, veils, full, middle);
      const bytes = i8x16.narrow_i16x8_u(inks, inks);
      if (rest >= 8) v128.store64_lane(address, bytes, 0);
      else {
        const mask = ((<i64>1) << (8 * rest)) - 1;
        store<i64>(address, (i64x2.extract_lane(bytes, 0) & mask) | (load<i64>(address) & ~mask));
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
  const zero = zeroOf(opacity);
  const sign = i8x16.splat(<i8>(SIGN + zero));
  const half = i16x8.splat(<i16>(ONE / 2 + zero));
  const unsign = i16x8.splat(<i16>(UNSIGN + zero));
  const full = i16x8.splat(<i16>(255 + zero));
  const one = i16x8.splat(<i16>(ONE + zero));
  const middle = i16x8.splat(<i16>(128 + zero));
  const most = i32x4.splat(ONE - 1 + zero);
  const twice = i16x8.splat(<i16>(257 + zero));
  const beside = i16x8.splat(<i16>(256 + zero));
  const lanes = i32x4(0, 1, 2, 3);
  const acrossLanes = i32x4.mul(i32x4.splat(across), lanes);
  const alongLanes = i32x4.mul(i32x4.splat(along), lanes);
  const across4 = i32x4.splat(4 * across);
  const along4 = i32x4.splat(4 * along);
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
            const places = i32x4.add(i32x4.splat(x - 32768), acrossLanes);
            const places2 = i32x4.add(places, across4);
            const none = i32x4.splat(0);
            const depths = i32x4.add(i32x4.splat(d - 32768), alongLanes);
            const downs = i32x4.max_s(depths, none);
            const downs2 = i32x4.max_s(i32x4.add(depths, along4), none);
            const index = pairsOf(wholes(places, places2, base), twice, beside);
            const isUpper = i16x8.eq(wholes(downs, downs2, first), none);
            const right = weightsOf(shares(places, places2, most), full, one);
            const below = shares(downs, downs2, most);
            const i0 = v128.load(source + row0);
            const i1 = v128.load(source + row1);
            const i2 = v128.load(source + row2);
            let inks = taps(i0, i1, i2, index, isUpper, right, below, sign, half, unsign);
            const isOpaque = opacity == 256 && i8x16.all_true(i8x16.eq(v128.and(a0, v128.and(a1, a2)), i8x16.splat(-1)));
            if (!isOpaque) {
              let veils = taps(a0, a1, a2, index, isUpper, right, below, sign, half, unsign);
              if (opacity != 256) {
                inks = i16x8.shr_u(i16x8.mul(inks, opacities), 8);
                veils = i16x8.shr_u(i16x8.mul(veils, opacities), 8);
              }
              inks = lay(i16x8.extend_low_i8x16_u(v128.load64_zero(address)), inks, veils, full, middle);
            }
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

/** What they have beyond whole pixels, in 1/64. */
// @ts-ignore: decorator
@inline
function shares(places: v128, others: v128, most: v128): v128 {
  return i16x8.narrow_i32x4_s(v128.and(i32x4.shr_s(places, 10), most), v128.and(i32x4.shr_s(others, 10), most));
}

/** Eight pixels between three rows: where `isUpper`, between the first two of them. */
// @ts-ignore: decorator
@inline
function taps(
  row0: v128, row1: v128, row2: v128, index: v128, isUpper: v128, right: v128, below: v128, sign: v128, half: v128, unsign: v128,
): v128 {
  const first = weighed(i8x16.relaxed_swizzle(v128.xor(row0, sign), index), right, unsign);
  const second = weighed(i8x16.relaxed_swizzle(v128.xor(row1, sign), index), right, unsign);
  const third = weighed(i8x16.relaxed_swizzle(v128.xor(row2, sign), index), right, unsign);
  const upper = v128.bitselect(first, second, isUpper);
  const step = i16x8.mul(i16x8.sub(v128.bitselect(second, third, isUpper), upper), below);
  return i16x8.add(upper, i16x8.shr_s(i16x8.add(step, half), 6));
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
