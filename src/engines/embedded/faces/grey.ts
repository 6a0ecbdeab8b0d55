/**
 * Grey pictures and their running sums: the arithmetic under the cascades and the searches inside a face.
 * Pure functions on typed arrays; decodes nothing.
 */

/** A grey picture, one byte a pixel, rows from the top. */
export interface Grey {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Running sums with a leading row and column of zeros: the sum over a rectangle is four look-ups. */
export interface Integrals {
  sum: Int32Array;
  /** Sums of squares, which leave 32 bits at 33 000 bright pixels. */
  squares: Float64Array;
  stride: number;
}

/** Sums and sums of squares of the picture. */
export function integrals({ data, width, height }: Grey): Integrals {
  const stride = width + 1;
  const sum = new Int32Array(stride * (height + 1));
  const squares = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    let rowSquares = 0;
    for (let x = 0; x < width; x++) {
      const value = data[y * width + x]!;
      row += value;
      rowSquares += value * value;
      const at = (y + 1) * stride + x + 1;
      sum[at] = sum[at - stride]! + row;
      squares[at] = squares[at - stride]! + rowSquares;
    }
  }
  return { sum, squares, stride };
}

/** Positions and weights that average a line of `from` pixels down (or stretch it) to `to` pixels. */
function spans(from: number, to: number): { start: Int32Array; weights: Float32Array[] } {
  const step = from / to;
  const reach = Math.max(step, 1);
  const start = new Int32Array(to);
  const weights: Float32Array[] = [];
  for (let i = 0; i < to; i++) {
    // Enlarging interpolates between the two nearest pixels; shrinking averages all that a pixel covers.
    const centre = (i + 0.5) * step;
    const low = Math.max(0, Math.floor(centre - reach / 2 - (step < 1 ? 0 : 1e-9)));
    const high = Math.min(from, Math.ceil(centre + reach / 2));
    const row = new Float32Array(Math.max(1, high - low));
    let total = 0;
    for (let j = 0; j < row.length; j++) {
      const overlap = Math.min(low + j + 1, centre + reach / 2) - Math.max(low + j, centre - reach / 2);
      row[j] = Math.max(overlap, 0);
      total += row[j]!;
    }
    start[i] = Math.min(low, from - 1);
    weights.push(row.map((weight) => weight / total));
  }
  return { start, weights };
}

/** The picture at another size, by area averaging when smaller and linear interpolation when larger. */
export function resizeGrey(picture: Grey, width: number, height: number): Grey {
  if (width === picture.width && height === picture.height) return picture;
  const across = spans(picture.width, width);
  const down = spans(picture.height, height);
  const lines = new Float32Array(width * picture.height);
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < width; x++) {
      const weights = across.weights[x]!;
      const from = y * picture.width + across.start[x]!;
      let value = 0;
      for (let i = 0; i < weights.length; i++) value += weights[i]! * picture.data[from + i]!;
      lines[y * width + x] = value;
    }
  }
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const weights = down.weights[y]!;
    const from = down.start[y]! * width;
    for (let x = 0; x < width; x++) {
      let value = 0.5;
      for (let i = 0; i < weights.length; i++) value += weights[i]! * lines[from + i * width + x]!;
      data[y * width + x] = value;
    }
  }
  return { data, width, height };
}
