/**
 * Reads a still through a grid of shifts and writes the planes of a video's frame: the head, bent. AssemblyScript, because four
 * pixels at a time take a third of what they take one by one in JavaScript. `npm run kernel` compiles it to warp.wasm beside it.
 * It allocates nothing: addresses are the caller's (`../warp.ts`).
 *
 * A still has twice the video's width and height. Grid points are `CELL` pixels of the video apart; a shift says how far what
 * is at a point was moved, in pixels of the video. Places in the still are whole numbers of 1/256 of a pixel.
 */

/** Pixels of luma from grid point to grid point: one vector. */
const CELL: i32 = 4;

/**
 * Where in the still each grid column of one row of pixels comes from, as whole numbers, into `places`.
 * @param start place of column 0 at rest, @param step to the next one, @param scale of a shift; all of them in 1/256 of a pixel
 */
// @ts-ignore: decorator
@inline
function placesOf(places: usize, grid: usize, columns: i32, along: f32, start: f32, step: f32, scale: f32): void {
  const row = <usize>columns << 2;
  const down = f32x4.splat(along);
  const scales = f32x4.splat(scale);
  const four = f32x4.splat(4 * step);
  let rest = f32x4.add(f32x4.splat(start), f32x4.mul(f32x4.splat(step), f32x4(0, 1, 2, 3)));
  for (let at: usize = 0; at < row; at += 16) {
    const upper = v128.load(grid + at);
    const shift = f32x4.add(upper, f32x4.mul(f32x4.sub(v128.load(grid + at + row), upper), down));
    v128.store(places + at, i32x4.trunc_sat_f32x4_s(f32x4.sub(rest, f32x4.mul(shift, scales))));
    rest = f32x4.add(rest, four);
  }
}

/** The two bytes at each of four addresses, one pair after the other. */
// @ts-ignore: decorator
@inline
function pairs(a: usize, b: usize, c: usize, d: usize): v128 {
  let all = v128.load16_splat(a);
  all = v128.load_lane<u16>(b, all, 1);
  all = v128.load_lane<u16>(c, all, 2);
  all = v128.load_lane<u16>(d, all, 3);
  return all;
}

/** Four pixels, of the pairs of bytes of two rows, by their places' shares. */
// @ts-ignore: decorator
@inline
function mixed(upper: v128, lower: v128, x: v128, y: v128): v128 {
  const most = i32x4.splat(255);
  const whole = i32x4.splat(256);
  const fx = v128.and(x, most);
  const fy = v128.and(y, most);
  // The shares of left and right as one pair for each pixel.
  const across = v128.or(i32x4.shl(fx, 16), i32x4.sub(whole, fx));
  const top = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(upper), across);
  const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(lower), across);
  const sum = i32x4.add(i32x4.mul(top, i32x4.sub(whole, fy)), i32x4.mul(low, fy));
  const pixels = i32x4.shr_s(i32x4.add(sum, i32x4.splat(32768)), 16);
  const words = i16x8.narrow_i32x4_s(pixels, pixels);
  return i8x16.narrow_i16x8_u(words, words);
}

/**
 * @param width of the video, @param columns points in a row of the grid, @param moving a byte a cell: 1 where it is written
 * @param scratch twice a row of the grid and 32 bytes
 */
export function bendLuma(
  source: usize, frame: usize, width: i32, height: i32,
  columns: i32, moving: usize, dx: usize, dy: usize, scratch: usize,
): void {
  const sourceWidth = width * 2;
  const lanes = i32x4(0, 1, 2, 3);
  const across = scratch;
  const down = scratch + <usize>(columns << 2) + 16;
  for (let y = 0; y < height; y++) {
    const gridRow = (y / CELL) * columns;
    const along = (<f32>(y % CELL) + 0.5) / <f32>CELL;
    const grid = <usize>gridRow << 2;
    placesOf(across, dx + grid, columns, along, 128, <f32>CELL * 512, 512);
    placesOf(down, dy + grid, columns, along, <f32>(y * 512 + 128), 0, 512);
    const target = frame + y * width;
    for (let column = 0; column + 1 < columns; column++) {
      if (load<u8>(moving + gridRow + column) == 0) continue;
      const at = <usize>column << 2;
      const sx = load<i32>(across + at);
      const sy = load<i32>(down + at);
      const stepX = (load<i32>(across + at, 4) - sx) >> 2;
      const stepY = (load<i32>(down + at, 4) - sy) >> 2;
      const xs = i32x4.add(i32x4.splat(sx), i32x4.mul(i32x4.splat(stepX), lanes));
      const ys = i32x4.add(i32x4.splat(sy), i32x4.mul(i32x4.splat(stepY), lanes));
      let upper: v128;
      let lower: v128;
      if (((sy ^ (sy + 3 * stepY)) >> 8) == 0 && <u32>stepX < 1024) {
        // All four lie in the same two rows, within sixteen bytes.
        const from = source + (sy >> 8) * sourceWidth + (sx >> 8);
        const places = i32x4.sub(i32x4.shr_s(xs, 8), i32x4.splat(sx >> 8));
        const both = i32x4.add(i32x4.add(i32x4.shl(places, 8), places), i32x4.splat(256));
        const index = i16x8.narrow_i32x4_u(both, both);
        upper = i8x16.swizzle(v128.load(from), index);
        lower = i8x16.swizzle(v128.load(from + sourceWidth), index);
      } else {
        const places = i32x4.add(i32x4.mul(i32x4.shr_s(ys, 8), i32x4.splat(sourceWidth)), i32x4.shr_s(xs, 8));
        const a = source + i32x4.extract_lane(places, 0);
        const b = source + i32x4.extract_lane(places, 1);
        const c = source + i32x4.extract_lane(places, 2);
        const d = source + i32x4.extract_lane(places, 3);
        upper = pairs(a, b, c, d);
        lower = pairs(a + sourceWidth, b + sourceWidth, c + sourceWidth, d + sourceWidth);
      }
      const pixels = mixed(upper, lower, xs, ys);
      // The width is even, not always a multiple of four.
      if (column * CELL + CELL <= width) v128.store_lane<u32>(target + at, pixels, 0);
      else v128.store_lane<u16>(target + at, pixels, 0);
    }
  }
}

/** As `bendLuma`, for both planes of colour: of each cell two pixels of U and the same two of V. @param width of these planes in the video */
export function bendChroma(
  sourceU: usize, sourceV: usize, frameU: usize, frameV: usize, width: i32, height: i32,
  columns: i32, moving: usize, dx: usize, dy: usize, scratch: usize,
): void {
  const side = CELL / 2;
  const sourceWidth = width * 2;
  const across = scratch;
  const down = scratch + <usize>(columns << 2) + 16;
  for (let y = 0; y < height; y++) {
    const gridRow = (y / side) * columns;
    const along = (<f32>(y % side) + 0.5) / <f32>side;
    const grid = <usize>gridRow << 2;
    placesOf(across, dx + grid, columns, along, 128, <f32>side * 512, 256);
    placesOf(down, dy + grid, columns, along, <f32>(y * 512 + 128), 0, 256);
    for (let column = 0; column + 1 < columns; column++) {
      if (load<u8>(moving + gridRow + column) == 0) continue;
      const at = <usize>column << 2;
      const x0 = load<i32>(across + at);
      const y0 = load<i32>(down + at);
      const shiftX = load<i32>(across + at, 4) - x0 - 512 * side;
      const shiftY = load<i32>(down + at, 4) - y0;
      const x1 = x0 + (shiftX >> 2);
      const x2 = x0 + 512 + ((3 * shiftX) >> 2);
      const y1 = y0 + (shiftY >> 2);
      const y2 = y0 + ((3 * shiftY) >> 2);
      const first = (y1 >> 8) * sourceWidth + (x1 >> 8);
      const second = (y2 >> 8) * sourceWidth + (x2 >> 8);
      const a = sourceU + first;
      const b = sourceU + second;
      const c = sourceV + first;
      const d = sourceV + second;
      const xs = i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(x1), 1, x2), 3, x2);
      const ys = i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(y1), 1, y2), 3, y2);
      const upper = pairs(a, b, c, d);
      const lower = pairs(a + sourceWidth, b + sourceWidth, c + sourceWidth, d + sourceWidth);
      const pixels = mixed(upper, lower, xs, ys);
      const target = y * width + column * side;
      if (column * side + side <= width) {
        v128.store_lane<u16>(frameU + target, pixels, 0);
        v128.store_lane<u16>(frameV + target, pixels, 1);
      } else {
        v128.store_lane<u8>(frameU + target, pixels, 0);
        v128.store_lane<u8>(frameV + target, pixels, 2);
      }
    }
  }
}
